"""The refusals of this package: one base class, so that a caller can show any of them as one clear line."""


class SizingError(ValueError):
    """A figure cannot be given; the message says what is wrong, what is allowed and what to change."""


class UnknownGeometry(SizingError):
    """The model's config does not determine how many bytes a token leaves in the KV cache."""


class UnknownKvDtype(SizingError):
    """The KV cache dtype is not one whose size is known."""


class UnevenSplit(SizingError):
    """The tensor-parallel size does not divide the model's heads, nor is it divided by them."""


class AddressPlanError(SizingError):
    """The subnets asked for do not fit into the address ranges given."""

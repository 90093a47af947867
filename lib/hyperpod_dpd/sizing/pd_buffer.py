"""What fits into LMCache's PD buffer: a paged staging area of GPU memory on prefill and decode alike."""

from dataclasses import dataclass
from fractions import Fraction

from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.sizing.kv_cache import pages_for_tokens


@dataclass(frozen=True, slots=True)
class PdBuffer:
    """A PD_BUFFER_SIZE of `bytes` per rank, cut into pages of `chunk_tokens` tokens; the remainder is never
    used."""

    bytes: int
    page_bytes: int
    chunk_tokens: int

    def __post_init__(self) -> None:
        for name, value, least in (
            ("buffer bytes", self.bytes, 0),
            ("page bytes", self.page_bytes, 1),
            ("chunk tokens", self.chunk_tokens, 1),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise SizingError(f"{name} must be a whole number from {least} up, found {value!r}")

    @property
    def pages(self) -> int:
        """Whole pages the buffer holds; 0 means that LMCache cannot start in PD mode."""
        return self.bytes // self.page_bytes

    @property
    def aligned_bytes(self) -> int:
        """The part that is allocated; older LMCache refuses to start when it differs from `bytes`."""
        return self.pages * self.page_bytes

    @property
    def lost_bytes(self) -> int:
        """The remainder below one page, which is not allocated."""
        return self.bytes - self.aligned_bytes

    @property
    def is_aligned(self) -> bool:
        """True when nothing is lost."""
        return self.lost_bytes == 0

    @property
    def capacity_tokens(self) -> int:
        """The longest prompt that can ever pass: a longer one waits for pages that cannot come free."""
        return self.pages * self.chunk_tokens

    def in_flight_transfers(self, prompt_tokens: int) -> int:
        """Prompts of that length the buffer holds at once: floor(pages / pages of one prompt)."""
        needed = pages_for_tokens(prompt_tokens, chunk_tokens=self.chunk_tokens)
        if needed == 0:
            raise SizingError("a prompt has at least 1 token")
        return self.pages // needed

    def can_hold(self, prompt_tokens: int) -> bool:
        """False when one such prompt alone exceeds the buffer: its request, and all behind it, hang for
        ever."""
        return pages_for_tokens(prompt_tokens, chunk_tokens=self.chunk_tokens) <= self.pages


def smallest_buffer_bytes(
    *,
    page_bytes: int,
    chunk_tokens: int,
    max_prompt_tokens: int,
    transfers: int = 1,
    prompt_tokens: int | None = None,
) -> int:
    """The smallest aligned PD_BUFFER_SIZE that holds the longest prompt, and `transfers` typical ones at
    once.

    `prompt_tokens` is the length of a typical prompt, the longest one when not given.
    """
    if transfers < 1:
        raise SizingError(f"transfers must be at least 1, found {transfers}")
    longest = pages_for_tokens(max_prompt_tokens, chunk_tokens=chunk_tokens)
    typical = pages_for_tokens(
        max_prompt_tokens if prompt_tokens is None else prompt_tokens, chunk_tokens=chunk_tokens
    )
    return max(1, longest, transfers * typical) * page_bytes


def wire_seconds(
    *, prompt_tokens: int, page_bytes: int, chunk_tokens: int, bytes_per_second: int
) -> Fraction:
    """Least time one prompt's pages take on the wire, per rank: ranks transfer side by side on their own
    share."""
    if bytes_per_second < 1:
        raise SizingError(f"the rate must be at least 1 byte per second, found {bytes_per_second}")
    pages = pages_for_tokens(prompt_tokens, chunk_tokens=chunk_tokens)
    return Fraction(pages * page_bytes, bytes_per_second)

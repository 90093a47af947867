"""Typed reading of a config.json that somebody else wrote, so that a wrong type is a sentence and not a
traceback."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

from hyperpod_dpd.sizing.errors import UnknownGeometry

# Beyond this a number is a typing error, not a model: no published field comes within a factor of 1,000.
LARGEST_PLAUSIBLE = 10**12


class ConfigFields:
    """One JSON object of a config, with the dotted path it stands at for messages."""

    def __init__(self, values: object, *, path: str = "") -> None:
        if not isinstance(values, Mapping):
            where = path or "the config"
            raise UnknownGeometry(
                f"{where} must be a JSON object with the model's fields, found {type(values).__name__} "
                f"{reprlib.repr(values)}; give the model's own config.json"
            )
        self._values: Mapping[Any, Any] = values
        self.path = path

    def name_of(self, key: str) -> str:
        """Dotted path of a key, as the user would look for it in the file."""
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """True when the key is present and not null (config files write null for 'unused')."""
        return self._values.get(key) is not None

    def raw(self, key: str) -> object:
        """The value as it stands, None when absent."""
        return self._values.get(key)

    def present(self) -> list[str]:
        """Names of the keys that hold a value."""
        return [key for key, value in self._values.items() if isinstance(key, str) and value is not None]

    def integer(
        self,
        *keys: str,
        minimum: int = 1,
        maximum: int = LARGEST_PLAUSIBLE,
    ) -> int | None:
        """The integer held under any of several names for one thing; None when none is present.

        Raises UnknownGeometry when it is not a whole number in range, or when two names disagree.
        """
        found: dict[str, int] = {}
        for key in keys:
            value = self._values.get(key)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int):
                raise UnknownGeometry(
                    f"{self.name_of(key)} must be a whole number, found {type(value).__name__} "
                    f"{reprlib.repr(value)}; write it as a plain JSON number"
                )
            if not minimum <= value <= maximum:
                raise UnknownGeometry(
                    f"{self.name_of(key)} is {reprlib.repr(value)}; allowed is {minimum} to {maximum}: "
                    "check the model's config.json"
                )
            found[key] = value
        if len(set(found.values())) > 1:
            listed = ", ".join(f"{self.name_of(key)}={value}" for key, value in found.items())
            raise UnknownGeometry(f"{listed} name the same quantity and disagree: keep the right one")
        return next(iter(found.values()), None)

    def text(self, key: str) -> str | None:
        """A string value; None when absent; UnknownGeometry when something else is there."""
        value = self._values.get(key)
        if value is None or isinstance(value, str):
            return value
        raise UnknownGeometry(
            f"{self.name_of(key)} must be a string, found {type(value).__name__} {reprlib.repr(value)}"
        )

    def flag(self, key: str) -> bool | None:
        """A JSON boolean; None when absent; UnknownGeometry when something else is there."""
        value = self._values.get(key)
        if value is None or isinstance(value, bool):
            return value
        raise UnknownGeometry(
            f"{self.name_of(key)} must be true or false, found {type(value).__name__} {reprlib.repr(value)}"
        )

    def section(self, key: str) -> "ConfigFields | None":
        """A nested JSON object; None when absent."""
        value = self._values.get(key)
        return None if value is None else ConfigFields(value, path=self.name_of(key))

    def sequence(self, key: str) -> Sequence[object] | None:
        """A JSON list; None when absent; UnknownGeometry when something else is there."""
        value = self._values.get(key)
        if value is None:
            return None
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise UnknownGeometry(
                f"{self.name_of(key)} must be a list, found {type(value).__name__} {reprlib.repr(value)}"
            )
        return value

    def integers(self, key: str, *, minimum: int = 0) -> tuple[int, ...] | None:
        """A JSON list of whole numbers; None when absent."""
        values = self.sequence(key)
        if values is None:
            return None
        for value in values:
            if (
                isinstance(value, bool)
                or not isinstance(value, int)
                or not minimum <= value <= LARGEST_PLAUSIBLE
            ):
                raise UnknownGeometry(
                    f"{self.name_of(key)} must list whole numbers from {minimum} up, "
                    f"found {type(value).__name__} {reprlib.repr(value)}"
                )
        return tuple(value for value in values if isinstance(value, int))

    def texts(self, key: str) -> tuple[str, ...] | None:
        """A JSON list of strings; None when absent."""
        values = self.sequence(key)
        if values is None:
            return None
        for value in values:
            if not isinstance(value, str):
                raise UnknownGeometry(
                    f"{self.name_of(key)} must list names, found {type(value).__name__} {reprlib.repr(value)}"
                )
        return tuple(value for value in values if isinstance(value, str))

    def optional_integer(self, *keys: str) -> int | None:
        """Like integer, for fields that decorate a report: a malformed one counts as absent."""
        try:
            return self.integer(*keys)
        except UnknownGeometry:
            return None

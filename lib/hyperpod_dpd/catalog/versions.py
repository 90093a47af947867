"""Version numbers that are easily mixed up: each series is a type and compares only with itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Self

_OPERATOR = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?")
_ADDON = re.compile(r"v(\d+)\.(\d+)\.(\d+)(?:-eksbuild\.(\d+))?")
_KUBERNETES = re.compile(r"v?(\d+)\.(\d+)(?:\.\d+)?")


@total_ordering
class _Version:
    """Order and equality by parsed numbers; another series raises TypeError instead of answering False."""

    __slots__ = ()

    numbers: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Version):
            return NotImplemented
        self._same_series(other)
        return self.numbers == other.numbers

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, _Version):
            return NotImplemented
        self._same_series(other)
        return self.numbers < other.numbers

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.numbers))

    def _same_series(self, other: _Version) -> None:
        if type(self) is not type(other):
            raise TypeError(
                f"{type(self).__name__} {self} cannot be compared with {type(other).__name__} {other}: "
                "these are two independent series of numbers"
            )


@dataclass(frozen=True, slots=True, eq=False)
class OperatorRelease(_Version):
    """A release of the HyperPod inference operator, such as 3.4 or 3.1.2 (3.2 and 3.2.0 are the same)."""

    numbers: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads "3.2", "v3.2" or "3.1.3". Raises ValueError, naming an add-on version for what it is."""
        if "eksbuild" in text:
            raise ValueError(f'"{text}" is a version of the EKS add-on, not an operator release such as 3.4')
        match = _OPERATOR.fullmatch(text.strip())
        if match is None:
            raise ValueError(f'"{text}" is not an operator release; write two or three numbers, such as 3.4')
        return cls(tuple(int(part or 0) for part in match.groups()))

    def __str__(self) -> str:
        shown = self.numbers if self.numbers[2] else self.numbers[:2]
        return ".".join(map(str, shown))


@dataclass(frozen=True, slots=True, eq=False)
class AddonVersion(_Version):
    """A version of an EKS add-on, such as v1.3.0-eksbuild.1; without a build it stands before every build."""

    numbers: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads "v1.3.0-eksbuild.1" or "v1.18.3". Raises ValueError, with a hint for an operator release."""
        match = _ADDON.fullmatch(text.strip())
        if match is None:
            hint = " (this looks like an operator release)" if _OPERATOR.fullmatch(text.strip()) else ""
            raise ValueError(f'"{text}" is not an EKS add-on version such as v1.5.0-eksbuild.1{hint}')
        return cls(tuple(int(part or 0) for part in match.groups()))

    def __str__(self) -> str:
        major, minor, patch, build = self.numbers
        return f"v{major}.{minor}.{patch}" + (f"-eksbuild.{build}" if build else "")


@dataclass(frozen=True, slots=True, eq=False)
class KubernetesVersion(_Version):
    """A minor version of Kubernetes, such as 1.33."""

    numbers: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads "1.33" or "v1.33.2" (the patch is dropped). Raises ValueError for anything else."""
        match = _KUBERNETES.fullmatch(text.strip())
        if match is None:
            raise ValueError(f'"{text}" is not a Kubernetes version such as 1.33')
        return cls(tuple(int(part) for part in match.groups()))

    def __str__(self) -> str:
        return ".".join(map(str, self.numbers))


@dataclass(frozen=True, slots=True, eq=False)
class ComponentVersion(_Version):
    """A version of software inside an image (vLLM, LMCache, NIXL), such as 0.4.3 or 0.20.0.dev361."""

    numbers: tuple[int, ...]
    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads dotted numbers with an optional .devN or rcN, which stand before the release itself.

        Raises ValueError for anything else."""
        match = re.fullmatch(r"v?(\d+(?:\.\d+)*)(?:\.?(dev|rc)(\d+))?(?:\+\S+)?", text.strip())
        if match is None:
            raise ValueError(f'"{text}" is not a version such as 0.4.3')
        numbers = [int(part) for part in match[1].split(".")]
        padded = (*numbers, 0, 0, 0, 0)[: max(4, len(numbers))]
        stage = {"dev": 0, "rc": 1, None: 2}[match[2]]
        return cls((*padded, stage, int(match[3] or 0)), text.strip().removeprefix("v"))

    def __str__(self) -> str:
        return self.text

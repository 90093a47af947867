"""What reading a config turned up besides numbers: remarks for the user, and the side on which a figure
errs."""

from dataclasses import dataclass, field

EXACT = "exact"
UPPER = "upper"
LOWER = "lower"
APPROXIMATE = "approximate"


@dataclass(slots=True)
class Findings:
    """Collected while one config is read; the only mutable thing in this package, and it never leaves the
    reader."""

    notes: list[str] = field(default_factory=list)
    bounds: set[str] = field(default_factory=set)

    def note(self, text: str) -> None:
        """A remark that leaves the figure exact."""
        self.notes.append(text)

    def doubt(self, bound: str, text: str) -> None:
        """A remark that makes the figure an upper or lower bound, or approximate."""
        self.bounds.add(bound)
        self.notes.append(text)

    @property
    def bound(self) -> str:
        """The one word for all doubts together: opposite ones make it approximate."""
        if not self.bounds:
            return EXACT
        return next(iter(self.bounds)) if len(self.bounds) == 1 else APPROXIMATE

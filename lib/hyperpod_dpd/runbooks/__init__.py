"""Runbooks: texts in docs/runbooks with named fields, filled in with one environment's real names."""

from hyperpod_dpd.runbooks.render import UnknownRunbook, available, render

__all__ = ["UnknownRunbook", "available", "render"]

"""YAML and JSON text as plain values that remember where in the user's file they stand."""

from hyperpod_dpd.document.positions import (
    Document,
    InvalidSyntax,
    Path,
    Position,
    Problem,
    UnreadableInput,
    dotted,
)
from hyperpod_dpd.document.reading import read_documents, read_file, read_stream
from hyperpod_dpd.document.writing import dump_yaml

__all__ = [
    "Document",
    "InvalidSyntax",
    "Path",
    "Position",
    "Problem",
    "UnreadableInput",
    "dotted",
    "dump_yaml",
    "read_documents",
    "read_file",
    "read_stream",
]

"""Findings that say that a document was not judged as its test meant it."""

BROKEN = {"DPD001", "DPD002", "DPD010", "DPD011", "DPD012", "DPD013", "DPD014"}

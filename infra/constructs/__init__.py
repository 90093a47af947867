"""One capability per file: keyword-only typed arguments in, plain ids and ARNs out."""

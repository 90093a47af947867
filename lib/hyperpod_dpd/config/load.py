"""Load one environment document from its file."""

from __future__ import annotations

from pathlib import Path as FilePath

from hyperpod_dpd.config.loaded import LoadedEnvironment
from hyperpod_dpd.document import Document, UnreadableInput, read_file


def environment_files(folder: FilePath) -> list[FilePath]:
    """The environment documents of a folder, sorted by name."""
    return sorted(p for p in folder.glob("*.y*ml") if p.is_file())


def load_environment(path: FilePath) -> LoadedEnvironment:
    """One environment. Raises UnreadableInput or InvalidEnvironment (all faults at once)."""
    documents = read_file(path)
    if not documents:
        raise UnreadableInput(str(path), "is empty; `dpd init NAME` writes a commented start")
    if len(documents) > 1:
        raise UnreadableInput(
            str(path), "holds several YAML documents; an environment is one", documents[1].where(())
        )
    return load_document(documents[0], path)


def load_document(document: Document, path: FilePath) -> LoadedEnvironment:
    """The environment in an already read document; ``path`` gives its name and its folder."""
    # pydantic is most of the start of a verb, and many read no environment
    from hyperpod_dpd.config.validation import validated

    return validated(document, path)

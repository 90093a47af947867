"""CDK entry point: one stage per environment, or with ``-c environment=prod`` that one alone.

``-c environments=DIR``, else DPD_ENVIRONMENTS, names the folder of documents.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from hyperpod_dpd.extras import advice
from hyperpod_dpd.node import use_locked_node

gc.disable()  # a short run that keeps all it makes: collecting took a tenth of its time
use_locked_node()

try:
    import aws_cdk as cdk  # jsii starts its Node on import
except ImportError as error:
    sys.exit(advice(error, "cdk") or str(error))

from hyperpod_dpd.blueprint.replacement import lost_logical_ids  # noqa: E402
from hyperpod_dpd.blueprint.resolve import resolve  # noqa: E402
from hyperpod_dpd.config import (  # noqa: E402
    InvalidEnvironment,
    LoadedEnvironment,
    environment_files,
    environments_folder,
    load_environment,
)
from hyperpod_dpd.document import UnreadableInput  # noqa: E402
from hyperpod_dpd.view.fingerprints import read_templates  # noqa: E402
from infra.stage import EnvironmentStage  # noqa: E402
from infra.validation import add_template_rules  # noqa: E402


def main() -> int:
    """Writes the templates; returns 1, with every fault on stderr, when a document is faulty."""
    app = cdk.App(analytics_reporting=False, tree_metadata=False)
    add_template_rules(app)
    chosen = app.node.try_get_context("environment")
    folder = environments_folder(app.node.try_get_context("environments"))
    paths = [folder / f"{chosen}.yaml"] if chosen else environment_files(folder)
    faults = [] if paths else [f"{folder}/ holds no *.yaml; `dpd init NAME` writes a commented start"]
    environments: list[LoadedEnvironment] = []
    for path in paths:
        try:
            loaded = load_environment(path)
            blueprint = resolve(loaded)
        except (InvalidEnvironment, UnreadableInput) as error:
            faults.append(str(error))
        else:
            EnvironmentStage(app, blueprint.name, blueprint=blueprint)
            environments.append(loaded)
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    try:
        assembly = Path(app.synth().directory)
    except RuntimeError as error:
        if "ValidationFailed" not in str(error):
            raise
        print("the templates break rules; see validation-report.json beside them", file=sys.stderr)
        return 1
    for loaded in environments:
        if loaded.locks.immutable.logical_ids:
            faults += lost_logical_ids(loaded, read_templates(assembly / f"assembly-{loaded.name}"))
    gc.freeze()  # or Python collects it all once more on leaving
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

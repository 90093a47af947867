"""CDK entry point: one stage per environment, or with ``-c environment=prod`` that one alone."""

from __future__ import annotations

import sys
from pathlib import Path

from lib.blueprint.resolve import resolve
from lib.config import InvalidEnvironment, environment_files, load_environment
from lib.document import UnreadableInput
from lib.node import use_locked_node

use_locked_node()

import aws_cdk as cdk  # noqa: E402 - jsii starts its Node on import

from infra.stage import EnvironmentStage  # noqa: E402

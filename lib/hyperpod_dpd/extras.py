"""What to install when a library of an extra is missing or broken: no program ends with its traceback."""

from __future__ import annotations

_EXTRAS = {
    "cdk": ("aws_cdk", "cdk8s", "constructs", "grafana_foundation_sdk", "jsii", "typeguard"),
    "live": ("boto3", "botocore", "s3transfer"),
    "report": ("matplotlib", "numpy", "PIL"),
}
_OURS = ("hyperpod_dpd", "infra", "k8s")


def extra_of(error: ImportError) -> str | None:
    """The extra whose library could not be imported, or None where no extra brings it."""
    package = (error.name or "").partition(".")[0]
    return next((extra for extra, packages in _EXTRAS.items() if package in packages), None)


def advice(error: ImportError, extra: str | None = None) -> str | None:
    """One line on what to install; None where the fault is none of an installation.

    ``extra`` is the one that the caller was about to use: a library that its libraries need is missing alike.
    """
    package = (error.name or "").partition(".")[0]
    if package in _OURS:
        return None
    found = extra_of(error) or extra
    if found is None:
        return None
    missing = isinstance(error, ModuleNotFoundError)
    what = f"{package} is not installed" if missing else f"{package or found} cannot be loaded ({error})"
    again = "" if missing else " --force-reinstall"
    return f"{what}; pip install{again} 'hyperpod-dpd[{found}]'"

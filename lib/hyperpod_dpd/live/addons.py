"""EKS add-ons as the Region offers them, against the pins and the values of an environment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from hyperpod_dpd.blueprint.model import AddonPlan, Blueprint
from hyperpod_dpd.catalog import kubernetes
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.live.addon_schema import has_key, objections
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check


def addons(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    """Whether each add-on exists for the Kubernetes version at its pin, and takes the values we give it."""
    for plan in blueprint.addons:
        try:
            yield from _one(aws, blueprint, plan)
        except KeyError as error:  # what EKS does not know of one says nothing of the others
            yield Check(
                subject=f"add-on {plan.name} values", verdict="not checked", message=str(error).strip("'")
            )


def _one(aws: Aws, blueprint: Blueprint, plan: AddonPlan) -> Iterator[Check]:
    release = str(blueprint.cluster.kubernetes_version)
    subject = f"add-on {plan.name}"
    listed = _listed(aws, plan.name, release)
    if not listed:
        yield Check(
            subject=subject,
            verdict="error",
            message=f"EKS offers none for Kubernetes {release} in {blueprint.region}",
            fix="choose a Kubernetes version for which the add-on is published",
        )
        return
    check = _version(plan, subject, listed, release)
    yield check
    if check.verdict == "ok":
        yield _values(aws, plan, plan.version or _default(listed))


def _listed(aws: Aws, name: str, release: str) -> dict[str, bool]:
    """Versions for a Kubernetes version, newest first, and whether each is the default."""
    found = aws.pages(
        "eks",
        "describe_addon_versions",
        "addons",
        marker="nextToken",
        addonName=name,
        kubernetesVersion=release,
    )
    versions = {
        str(each["addonVersion"]): any(
            fit.get("defaultVersion")
            for fit in each.get("compatibilities", ())
            if fit.get("clusterVersion") == release
        )
        for addon in found
        if addon.get("addonName") == name
        for each in addon.get("addonVersions", ())
    }
    return dict(sorted(versions.items(), key=lambda item: _order(item[0]), reverse=True))


def _order(version: str) -> tuple[int, ...]:
    try:
        return AddonVersion.parse(version).numbers
    except ValueError:
        return ()


def _default(listed: Mapping[str, bool]) -> str:
    """The version that EKS installs where none is pinned."""
    return next((version for version, default in listed.items() if default), next(iter(listed)))


def _version(plan: AddonPlan, subject: str, listed: Mapping[str, bool], release: str) -> Check:
    newest, version = next(iter(listed)), plan.version or _default(listed)
    pin = f"pin a version under addon_versions, such as {plan.name}: {newest}"
    if version not in listed:
        return Check(
            subject=subject,
            verdict="error",
            message=f"{version} is not offered for Kubernetes {release}; from {list(listed)[-1]} to {newest} are",
            fix=pin,
        )
    chosen = "is pinned" if plan.version else "is what EKS installs, for nothing is pinned"
    if fault := _fault(plan.name, version):
        return Check(subject=subject, verdict="error", message=f"{version} {chosen}, and it {fault}", fix=pin)
    newer = "" if version == newest else f"; the newest is {newest}"
    return Check(subject=subject, verdict="ok", message=f"{version} {chosen}{newer}")


def _fault(name: str, version: str) -> str:
    """What the catalogue knows against a version: known to be faulty, or below the least that is needed."""
    known = kubernetes.addon(name)
    try:
        parsed = AddonVersion.parse(version)
    except ValueError:
        return ""
    if known is None:
        return ""
    if known.minimum is not None and parsed < known.minimum:
        return f"is below {known.minimum}, the least that disaggregation needs"
    fault = known.fault(parsed)
    return fault.what if fault else ""


def _values(aws: Aws, plan: AddonPlan, version: str) -> Check:
    """The values of the document, and the keys that our templates write, against the add-on's own schema."""
    subject = f"add-on {plan.name} values"
    answer = aws.call("eks", "describe_addon_configuration", addonName=plan.name, addonVersion=version)
    text = answer.get("configurationSchema")
    try:
        schema = json.loads(text) if text else None
    except ValueError:
        schema = None
    if not isinstance(schema, dict):
        needed = bool(plan.values or _keys(plan.name, version))
        return Check(
            subject=subject,
            verdict="not checked" if needed else "ok",
            message="EKS gives no schema" if needed else "none are given",
            fix="look at `aws eks describe-addon-configuration`" if needed else "",
        )
    faults = list(objections(schema, plan.values))
    faults += [
        f"the schema has no key {key}" for key in _keys(plan.name, version) if not has_key(schema, key)
    ]
    return Check(
        subject=subject,
        verdict="error" if faults else "ok",
        message="; ".join(faults) or f"the schema of {version} takes them",
        fix="correct addon_values, or pin a version whose schema has the key" if faults else "",
    )


def _keys(name: str, version: str) -> list[str]:
    """Keys that the templates write for an add-on of that version whatever the document says."""
    known = kubernetes.addon(name)
    return [
        key.path
        for key in (known.configuration if known else ())
        if key.required and (key.since is None or _order(version) >= key.since.numbers)
    ]

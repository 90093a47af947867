"""Which apps an environment has, in the order in which they are applied, and which waits for which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint


def app_names(blueprint: Blueprint) -> list[str]:
    """GitOps apps that the tree holds, by wave and then by name; delivery's own folders are not among them."""
    apps, plan = [], blueprint.apps
    if plan.dependencies and plan.delivery.kind != "kubectl":
        apps.append("dependencies")
    if plan.namespaces:
        apps.append("platform")
    if blueprint.operator.install == "helm" or blueprint.endpoints:
        apps.append("operator")
    if plan.pre_pull:
        apps.append("images")
    if plan.staging:
        apps.append("weights")
    watch = blueprint.observability
    if watch is not None and watch.enabled and blueprint.endpoints:
        apps.append("observability")
    if plan.routes:
        apps.append("routes")
    apps += [endpoint.app for endpoint in blueprint.endpoints if endpoint.manifest is not None]
    apps += [names.benchmark_app(benchmark.endpoint) for benchmark in plan.benchmarks]
    return sorted(apps, key=lambda app: (names.app_wave(app), app))


def waits_for(app: str, apps: list[str]) -> list[str]:
    """Those of ``apps`` in the nearest earlier wave; they in turn wait for the waves before."""
    earlier = [each for each in apps if names.app_wave(each) < names.app_wave(app)]
    if app.startswith("benchmark-"):
        own = names.endpoint_app(app.removeprefix("benchmark-"))
        return [own] if own in earlier else []
    if not earlier:
        return []
    nearest = max(names.app_wave(each) for each in earlier)
    return [each for each in earlier if names.app_wave(each) == nearest]

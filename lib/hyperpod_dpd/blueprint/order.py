"""Which apps an environment has, in the order in which they are applied, and which waits for which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint


APPS = (
    "dependencies",
    "platform",
    "operator",
    "images",
    "weights",
    "observability",
    "routes",
    "delivery",
    "delivery-apps",
)
APP_WAVES = {
    "delivery": -1,
    "delivery-apps": -1,
    "dependencies": 0,
    "platform": 0,
    "operator": 1,
    "images": 2,
    "weights": 2,
    "endpoint": 4,
    "routes": 5,
    "benchmark": 6,
    "observability": 7,  # last: what only watches must not keep an endpoint from being applied
}
"""Order in which apps are applied; an app waits for those of lower number."""


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
    return sorted(apps, key=lambda app: (app_wave(app), app))


def waits_for(app: str, apps: list[str]) -> list[str]:
    """Those of ``apps`` in the nearest earlier wave; they in turn wait for the waves before."""
    earlier = [each for each in apps if app_wave(each) < app_wave(app)]
    if app.startswith("benchmark-"):
        own = names.endpoint_app(app.removeprefix("benchmark-"))
        return [own] if own in earlier else []
    if not earlier:
        return []
    nearest = max(app_wave(each) for each in earlier)
    return [each for each in earlier if app_wave(each) == nearest]


def app_wave(app: str) -> int:
    """Where an app stands in the order of APP_WAVES."""
    return APP_WAVES[app] if app in APP_WAVES else APP_WAVES[app.partition("-")[0]]

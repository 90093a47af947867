"""Add-ons: each once, pinned as planned, in an order that cannot deadlock."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.stacks import ORDER
from tests.infra.conftest import Synthesised


def addons(environment: Synthesised) -> dict[str, tuple[str, dict[str, Any]]]:
    """Stack and resource by the name of the add-on."""
    return {
        resource["Properties"]["AddonName"]: (stack, resource)
        for stack, template in environment.templates.items()
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::EKS::Addon"
    }


def needs(resource: dict[str, Any]) -> set[str]:
    """Logical ids that a resource refers to or waits for."""
    found: set[str] = set()

    def visit(value: Any) -> None:
        if isinstance(value, dict):
            if set(value) == {"Ref"}:
                found.add(value["Ref"])
            elif set(value) == {"Fn::GetAtt"}:
                found.add(value["Fn::GetAtt"][0])
            for child in value.values():
                visit(child)
        elif isinstance(value, list):
            for child in value:
                visit(child)

    visit(resource.get("Properties", {}))
    waits = resource.get("DependsOn", [])
    return found | set([waits] if isinstance(waits, str) else waits)


def everything_before(template: dict[str, Any], start: str) -> set[str]:
    """Logical ids that stand before ``start``, however indirectly."""
    resources = template["Resources"]
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for other in needs(resources[waiting.pop()]) & resources.keys():
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def test_each_planned_addon_once_at_its_version(environment: Synthesised) -> None:
    planned = {plan.name: plan.version for plan in environment.blueprint.addons}
    watch = environment.blueprint.observability
    if watch is not None and watch.enabled:
        planned[names.OBSERVABILITY_ADDON] = watch.addon_version
    assert {
        name: resource["Properties"].get("AddonVersion")
        for name, (_, resource) in addons(environment).items()
    } == planned
    assert len(environment.resources("AWS::EKS::Addon")) == len(planned)


def test_what_needs_nodes_comes_after_the_nodes(environment: Synthesised) -> None:
    for plan in environment.blueprint.addons:
        stack, _ = addons(environment)[plan.name]
        nodes = ORDER.index("hyperpod")
        assert (ORDER.index(stack) > nodes) is plan.needs_nodes


def test_stacks_wait_for_each_other_in_order(environment: Synthesised) -> None:
    manifest = json.loads((environment.assembly / "manifest.json").read_text())
    keys = {
        artifact["properties"]["stackName"]: key
        for key, artifact in manifest["artifacts"].items()
        if artifact["type"] == "aws:cloudformation:stack"
    }
    in_order = [keys[names.stack(environment.blueprint.name, stack)] for stack in environment.order]
    for earlier, later in pairwise(in_order):
        assert earlier in manifest["artifacts"][later]["dependencies"]


def test_each_addon_waits_for_those_it_is_after(environment: Synthesised) -> None:
    found = addons(environment)
    for plan in environment.blueprint.addons:
        stack, resource = found[plan.name]
        template = environment.templates[stack]
        here = next(key for key, r in template["Resources"].items() if r is resource)
        before = everything_before(template, here)
        for earlier in plan.after:
            if earlier not in found:
                existing = environment.blueprint.cluster.existing
                assert existing is not None and earlier in existing.addons
                continue
            other_stack, other = found[earlier]
            if other_stack == stack:
                assert next(k for k, r in template["Resources"].items() if r is other) in before
            else:
                assert ORDER.index(other_stack) < ORDER.index(stack)


def test_no_resource_waits_for_itself(environment: Synthesised) -> None:
    for template in environment.templates.values():
        for key in template["Resources"]:
            assert key not in everything_before(template, key)


def test_stacks_import_only_what_earlier_ones_export(environment: Synthesised) -> None:
    exported: set[str] = set()
    for stack in environment.order:
        text = json.dumps(environment.templates[stack])
        imported = {part.split('"')[0] for part in text.split('"Fn::ImportValue": "')[1:]}
        assert imported <= exported, f"{stack} imports {imported - exported}"
        exported |= {
            output["Export"]["Name"]
            for output in environment.templates[stack].get("Outputs", {}).values()
            if "Export" in output
        }


def test_operator_gets_its_roles_bucket_and_cluster(full: Synthesised) -> None:
    template = full.templates["addons"]
    _, operator = addons(full)[names.OPERATOR_ADDON]
    text = ""
    for part in operator["Properties"]["ConfigurationValues"]["Fn::Join"][1]:
        text += part if isinstance(part, str) else "/".join(str(v) for v in next(iter(part.values())))
    values = json.loads(text)
    role_of = {key: r["Properties"].get("RoleName") for key, r in template["Resources"].items()}
    assert role_of[values["executionRoleArn"].split("/")[0]] == full.blueprint.operator.role_name
    assert values["tlsCertificateS3Bucket"] == full.blueprint.buckets.tls
    assert values["alb"]["enabled"] is True
    assert "LoadBalancer" in values["alb"]["serviceAccount"]["roleArn"]
    # The add-on's path; the Helm chart has keda.podIdentity.aws.irsa instead.
    assert values["keda"]["auth"]["aws"]["irsa"]["enabled"] is True
    assert "Autoscaler" in values["keda"]["auth"]["aws"]["irsa"]["roleArn"]
    assert "jumpstartGatedModelDownloadRoleArn" not in values


def test_operator_learns_the_arn_of_the_hyperpod_cluster(plain: Synthesised) -> None:
    _, operator = addons(plain)[names.OPERATOR_ADDON]
    imports = [
        part["Fn::ImportValue"]
        for part in operator["Properties"]["ConfigurationValues"]["Fn::Join"][1]
        if isinstance(part, dict) and "Fn::ImportValue" in part
    ]
    outputs = plain.templates["hyperpod"]["Outputs"].values()
    cluster = next(iter(plain.resources("AWS::SageMaker::Cluster")))
    assert imports == [
        o["Export"]["Name"]
        for o in outputs
        if "Export" in o and o["Value"] == {"Fn::GetAtt": [cluster, "ClusterArn"]}
    ]
    assert len(imports) == 1


def test_helm_operator_has_roles_but_no_addon(unusual: Synthesised) -> None:
    assert names.OPERATOR_ADDON not in addons(unusual)
    roles = [r.get("RoleName") for r in unusual.properties("AWS::IAM::Role")]
    assert unusual.blueprint.operator.role_name in roles


def test_fsx_driver_waits_for_its_association(environment: Synthesised) -> None:
    stack, driver = addons(environment)[names.FSX_DRIVER_ADDON]
    association = {
        key: resource
        for key, resource in environment.resources("AWS::EKS::PodIdentityAssociation", stack).items()
        if resource["Properties"]["ServiceAccount"] == names.FSX_DRIVER_SERVICE_ACCOUNT
    }
    assert set(association) <= set(driver["DependsOn"])
    (properties,) = [a["Properties"] for a in association.values()]
    assert (properties["Namespace"], properties["ServiceAccount"]) == ("kube-system", "fsx-csi-controller-sa")
    assert "PodIdentityAssociations" not in driver["Properties"]

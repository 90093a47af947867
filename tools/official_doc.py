"""The page for users of AWS's own templates: which key of the document says what their parameters said."""

from __future__ import annotations

from collections.abc import Iterable

from hyperpod_dpd.catalog import official_templates
from hyperpod_dpd.catalog.official_templates import Parameter

_SAYS = {"decided": "decided here", "unsupported": "not supported"}
_INTRODUCTION = """\
# Coming from the official templates

For users of AWS's CloudFormation templates for HyperPod with EKS (`aws/sagemaker-hyperpod-cluster-setup`, the `hyp`
command that deploys them) or of its Terraform modules. Each of their parameters is either said by a key of the
environment document, decided once for all environments, or not supported; the tables say which, and why.

```
aws cloudformation describe-stacks --stack-name STACK --query 'Stacks[0].Parameters' > parameters.json
dpd import --parameters parameters.json > environments/mine.yaml   # or hyp's config.yaml
dpd check environments/mine.yaml
```

The command writes the whole document but for the endpoints; on top stands what it could not carry over. Then add
endpoints (`dpd import MANIFEST` reads yours, `dpd init` shows one). Terraform variables are translated by hand.

Before you deploy: names of clusters and buckets differ from those of the official stack, so this makes a **new**
cluster beside the old one. To keep VPC, EKS cluster, buckets, roles and workspaces, name them: the tables say where.
A HyperPod cluster cannot be taken over. What nodes need before they join comes from the same Helm chart:
`dpd runbook install-dependencies ENV`.

Three things behave otherwise on purpose: a role of a service account is trusted for that account only, the nodes'
security group lets nothing out but HTTPS and its own members, and EFA counters are collected.
"""


def page() -> str:
    """The whole page, without the notice that it is generated."""
    parts = [_INTRODUCTION]
    for topic in official_templates.topics():
        parts.append(f"\n## {topic.title}\n\n")
        parts += _table(topic.parameters, terraform=True)
    parts.append("\n## Fields of an instance group's settings\n\n")
    parts += _table(official_templates.group_fields(), terraform=False)
    sources = {str(parameter.source): None for parameter in _all()}
    parts.append("\nSources: " + "; ".join(sources) + ".\n")
    return "".join(parts)


def _all() -> Iterable[Parameter]:
    yield from official_templates.parameters()
    yield from official_templates.group_fields()


def _table(parameters: Iterable[Parameter], *, terraform: bool) -> list[str]:
    columns = ["theirs", "Terraform", "here", "note"] if terraform else ["theirs", "here", "note"]
    head = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
    return [head, *(_row(parameter, terraform=terraform) for parameter in parameters)]


def _row(parameter: Parameter, *, terraform: bool) -> str:
    here = ", ".join(f"`{key}`" for key in parameter.keys) or _SAYS.get(parameter.says, "see the note")
    name = f"`{_shown(parameter)}`"
    theirs = [name] if not terraform else ["", name] if parameter.only else [name, _variables(parameter)]
    return f"| {' | '.join([*theirs, here, parameter.note])} |\n"


def _variables(parameter: Parameter) -> str:
    return ", ".join(f"`{name}`" for name in parameter.terraform)


def _shown(parameter: Parameter) -> str:
    return parameter.name.replace("#", f"1…{parameter.numbered}") if parameter.numbered else parameter.name

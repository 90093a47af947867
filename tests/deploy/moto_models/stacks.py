"""Stacks made by change sets, as the CDK command-line tool makes them: outputs, exports, termination protection.

moto builds such a stack with an empty template first and never looks at its outputs again, so that no later stack
finds its exports. It tells change sets apart by their names alone, and the tool gives all of them one name. And it has
no UpdateTerminationProtection.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlparse

from moto.cloudformation import models, parsing, responses, utils
from moto.cloudformation.models import CloudFormationBackend
from moto.cloudformation.parsing import ResourceMap
from moto.cloudformation.responses import CloudFormationResponse
from moto.core.exceptions import ServiceException
from moto.core.responses import ActionResult
from moto.s3.models import s3_backends
from moto.ssm.models import ssm_backends

LOCAL = ("127.0.0.1", "localhost")


class ChangeSetNotFound(ServiceException):
    """What CloudFormation answers to a change set that is gone."""

    code = "ChangeSetNotFound"


_create = CloudFormationBackend.create_change_set
_read_parameter = ResourceMap.parse_ssm_parameter
_execute = CloudFormationBackend.execute_change_set
_template_as_moto_finds_it = utils.get_stack_from_s3_url


def _template(template_url: str, account_id: str, partition: str) -> Any:
    """moto looks for AWS's host names in the address of a template; ours is the loopback's."""
    address = urlparse(template_url)
    if address.hostname not in LOCAL:
        return _template_as_moto_finds_it(template_url, account_id=account_id, partition=partition)
    bucket, key = address.path.lstrip("/").split("/", 1)
    return s3_backends[account_id][partition].get_object(bucket, key).value.decode()


def _create_change_set(self: CloudFormationBackend, *args: Any, **kwargs: Any) -> tuple[str, str]:
    change_set_id, stack_id = _create(self, *args, **kwargs)
    stack = self.stacks[stack_id]
    stack.cross_stack_resources = stack.resource_map.cross_stack_resources = self.exports
    return change_set_id, stack_id


def _execute_change_set(
    self: CloudFormationBackend, change_set_name: str, stack_name: str | None = None
) -> None:
    change_set = self.describe_change_set(change_set_name)
    assert change_set is not None
    _execute(self, change_set_name, stack_name)
    stack = self.stacks[change_set.stack_id]
    stack._parse_template()
    stack.output_map = stack._create_output_map()
    for export in stack.exports:
        self.exports[export.name] = export


def _change_set_of(self: CloudFormationResponse, name: str) -> Any:
    """The change set of this name *and this stack*: the tool gives all of its change sets one name."""
    stack = self._get_param("StackName")
    for change_set_id, change_set in self.cloudformation_backend.change_sets.items():
        names = (change_set.stack.name, change_set.stack.stack_id, None)
        if name in (change_set_id, change_set.change_set_name) and stack in names:
            return change_set_id, change_set
    raise ChangeSetNotFound(f"ChangeSet [{name}] does not exist")


def _describe_change_set(self: CloudFormationResponse) -> ActionResult:
    return ActionResult(_change_set_of(self, self._get_param("ChangeSetName"))[1])


def _delete_change_set(self: CloudFormationResponse) -> ActionResult:
    """One that is gone already is no error, as with CloudFormation."""
    try:
        change_set_id, _ = _change_set_of(self, self._get_param("ChangeSetName"))
    except ChangeSetNotFound:
        return ActionResult({})
    del self.cloudformation_backend.change_sets[change_set_id]
    return ActionResult({})


def _execute_named(self: CloudFormationResponse) -> ActionResult:
    change_set_id, _ = _change_set_of(self, self._get_param("ChangeSetName"))
    self.cloudformation_backend.execute_change_set(change_set_name=change_set_id)
    return ActionResult({})


def _parameter(self: ResourceMap, value: str, value_type: str) -> str:
    """On an update moto hands over what it has already read from the parameter store."""
    known = ssm_backends[self._account_id][self._region_name].get_parameter(value)
    return value if known is None else _read_parameter(self, value, value_type)


def _update_termination_protection(self: CloudFormationResponse) -> ActionResult:
    (stack,) = self.cloudformation_backend.describe_stacks(self._get_param("StackName"))
    wanted = self._get_param("EnableTerminationProtection")
    stack.enable_termination_protection = str(wanted).lower() == "true"
    return ActionResult({"StackId": stack.stack_id})


def install() -> None:
    """Replaces moto's ways, and makes it look for models anew."""
    CloudFormationBackend.create_change_set = _create_change_set  # type: ignore[method-assign]
    CloudFormationBackend.execute_change_set = _execute_change_set  # type: ignore[method-assign]
    CloudFormationResponse.update_termination_protection = _update_termination_protection  # type: ignore[attr-defined]
    CloudFormationResponse.describe_change_set = _describe_change_set  # type: ignore[method-assign]
    CloudFormationResponse.delete_change_set = _delete_change_set  # type: ignore[method-assign]
    CloudFormationResponse.execute_change_set = _execute_named  # type: ignore[method-assign]
    ResourceMap.parse_ssm_parameter = _parameter  # type: ignore[method-assign]
    for module in (responses, models):
        module.get_stack_from_s3_url = _template  # type: ignore[attr-defined]
    for remembered in (parsing.get_model_list, parsing.get_model_map, parsing.get_name_type_map):
        remembered.cache_clear()

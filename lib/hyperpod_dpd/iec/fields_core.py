"""Pieces of the Kubernetes API that the custom resource embeds: variables, resources, probes, affinity,
containers.

Facts from the operator's schema of release 3.2 (June 2026), written down in our own form.
"""

from __future__ import annotations

from functools import cache

from hyperpod_dpd.iec.field import (
    Field,
    boolean,
    int_or_string,
    integer,
    listing,
    obj,
    quantity,
    quantity_map,
    string_map,
    strings,
    text,
)


def named_reference(required: str = "", /, **more: Field) -> Field:
    """A reference by name; the API server fills an absent name with the empty string."""
    return obj(required, name=text(default=""), **more)


def key_reference() -> Field:
    """One key of a ConfigMap or Secret."""
    return named_reference("key", key=text(), optional=boolean())


def field_reference() -> Field:
    """A field of the pod itself."""
    return obj("fieldPath", apiVersion=text(), fieldPath=text())


def resource_field_reference() -> Field:
    """A request or limit of a container."""
    return obj("resource", containerName=text(), divisor=quantity(), resource=text())


@cache
def environment_variables() -> Field:
    """A container's ``env`` list."""
    source = obj(
        configMapKeyRef=key_reference(),
        fieldRef=field_reference(),
        fileKeyRef=obj(
            "key path volumeName", key=text(), optional=boolean(False), path=text(), volumeName=text()
        ),
        resourceFieldRef=resource_field_reference(),
        secretKeyRef=key_reference(),
    )
    return listing(obj("name", name=text(), value=text(), valueFrom=source), keys="name")


@cache
def resources() -> Field:
    """A container's resource block."""
    return obj(
        claims=listing(obj("name", name=text(), request=text()), keys="name"),
        limits=quantity_map(),
        requests=quantity_map(),
    )


@cache
def _actions() -> dict[str, Field]:
    """What a probe or a lifecycle hook can do."""
    header = obj("name value", name=text(), value=text())
    return {
        "exec": obj(command=strings()),
        "httpGet": obj(
            "port",
            host=text(),
            httpHeaders=listing(header),
            path=text(),
            port=int_or_string(),
            scheme=text(),
        ),
        "tcpSocket": obj("port", host=text(), port=int_or_string()),
    }


@cache
def probe() -> Field:
    """One health check of a container."""
    return obj(
        **_actions(),
        failureThreshold=integer(),
        grpc=obj("port", port=integer(), service=text(default="")),
        initialDelaySeconds=integer(),
        periodSeconds=integer(),
        successThreshold=integer(),
        terminationGracePeriodSeconds=integer(bits=64),
        timeoutSeconds=integer(),
    )


def probes() -> dict[str, Field]:
    """The three health checks that a container can have."""
    return {"livenessProbe": probe(), "readinessProbe": probe(), "startupProbe": probe()}


@cache
def match_expressions() -> Field:
    """Conditions on labels or fields."""
    return listing(obj("key operator", key=text(), operator=text(), values=strings()))


def label_selector() -> Field:
    """Objects chosen by label."""
    return obj(matchExpressions=match_expressions(), matchLabels=string_map())


@cache
def node_affinity() -> Field:
    """Which nodes the pods must or should stand on."""
    term = obj(matchExpressions=match_expressions(), matchFields=match_expressions())
    return obj(
        preferredDuringSchedulingIgnoredDuringExecution=listing(
            obj("preference weight", preference=term, weight=integer())
        ),
        requiredDuringSchedulingIgnoredDuringExecution=obj(
            "nodeSelectorTerms", nodeSelectorTerms=listing(term)
        ),
    )


def tolerations() -> Field:
    """A pod's tolerations, in the Kubernetes shape."""
    toleration = obj(
        effect=text(),
        key=text(),
        operator=text(),
        tolerationSeconds=integer(bits=64),
        value=text(),
    )
    return listing(toleration)


def _hook() -> Field:
    return obj(**_actions(), sleep=obj("seconds", seconds=integer(bits=64)))


def _security_context() -> Field:
    profile = obj("type", localhostProfile=text(), type=text())
    return obj(
        allowPrivilegeEscalation=boolean(),
        appArmorProfile=profile,
        capabilities=obj(add=strings(), drop=strings()),
        privileged=boolean(),
        procMount=text(),
        readOnlyRootFilesystem=boolean(),
        runAsGroup=integer(bits=64),
        runAsNonRoot=boolean(),
        runAsUser=integer(bits=64),
        seLinuxOptions=obj(level=text(), role=text(), type=text(), user=text()),
        seccompProfile=profile,
        windowsOptions=obj(
            gmsaCredentialSpec=text(),
            gmsaCredentialSpecName=text(),
            hostProcess=boolean(),
            runAsUserName=text(),
        ),
    )


def _container_port() -> Field:
    return obj(
        "containerPort",
        containerPort=integer(),
        hostIP=text(),
        hostPort=integer(),
        name=text(),
        protocol=text(default="TCP"),
    )


def _volume_mount() -> Field:
    return obj(
        "mountPath name",
        mountPath=text(),
        mountPropagation=text(),
        name=text(),
        readOnly=boolean(),
        recursiveReadOnly=text(),
        subPath=text(),
        subPathExpr=text(),
    )


def _restart_rule() -> Field:
    codes = obj("operator", operator=text(), values=listing(integer(), unique=True))
    return obj("action", action=text(), exitCodes=codes)


@cache
def init_container() -> Field:
    """A container that runs before the inference server."""
    source = named_reference(optional=boolean())
    return obj(
        "name",
        args=strings(),
        command=strings(),
        env=environment_variables(),
        envFrom=listing(obj(configMapRef=source, prefix=text(), secretRef=source)),
        image=text(),
        imagePullPolicy=text(),
        lifecycle=obj(postStart=_hook(), preStop=_hook(), stopSignal=text()),
        name=text(),
        ports=listing(_container_port(), keys="containerPort protocol"),
        resizePolicy=listing(obj("resourceName restartPolicy", resourceName=text(), restartPolicy=text())),
        resources=resources(),
        restartPolicy=text(),
        restartPolicyRules=listing(_restart_rule()),
        securityContext=_security_context(),
        stdin=boolean(),
        stdinOnce=boolean(),
        terminationMessagePath=text(),
        terminationMessagePolicy=text(),
        tty=boolean(),
        volumeDevices=listing(obj("devicePath name", devicePath=text(), name=text()), keys="devicePath"),
        volumeMounts=listing(_volume_mount(), keys="mountPath"),
        workingDir=text(),
        **probes(),
    )

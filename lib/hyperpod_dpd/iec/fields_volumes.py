"""The pod volumes that ``kubernetes.volumes`` takes, one function per family.

Facts from the operator's schema of release 3.2 (June 2026), written down in our own form.
"""

from __future__ import annotations

from functools import cache

from hyperpod_dpd.iec.field import (
    Field,
    boolean,
    integer,
    listing,
    obj,
    quantity,
    quantity_map,
    string_map,
    strings,
    text,
)
from hyperpod_dpd.iec.fields_core import (
    field_reference,
    label_selector,
    named_reference,
    resource_field_reference,
)


@cache
def volume() -> Field:
    """One volume of the pod, of whatever sort."""
    return obj("name", name=text(), **_in_cluster(), **_cloud_disks(), **_network_storage(), **_others())


def _keys_to_paths() -> Field:
    return listing(obj("key path", key=text(), mode=integer(), path=text()))


def _downward_items() -> Field:
    return listing(
        obj(
            "path",
            fieldRef=field_reference(),
            mode=integer(),
            path=text(),
            resourceFieldRef=resource_field_reference(),
        )
    )


def _in_cluster() -> dict[str, Field]:
    """Volumes that come from the node or from objects of the cluster."""
    return {
        "configMap": named_reference(defaultMode=integer(), items=_keys_to_paths(), optional=boolean()),
        "csi": obj(
            "driver",
            driver=text(),
            fsType=text(),
            nodePublishSecretRef=named_reference(),
            readOnly=boolean(),
            volumeAttributes=string_map(),
        ),
        "downwardAPI": obj(defaultMode=integer(), items=_downward_items()),
        "emptyDir": obj(medium=text(), sizeLimit=quantity()),
        "ephemeral": obj(volumeClaimTemplate=_claim_template()),
        "hostPath": obj("path", path=text(), type=text()),
        "image": obj(pullPolicy=text(), reference=text()),
        "persistentVolumeClaim": obj("claimName", claimName=text(), readOnly=boolean()),
        "projected": obj(defaultMode=integer(), sources=listing(_projection())),
        "secret": obj(defaultMode=integer(), items=_keys_to_paths(), optional=boolean(), secretName=text()),
    }


def _claim_template() -> Field:
    source = {"apiGroup": text(), "kind": text(), "name": text()}
    spec = obj(
        accessModes=strings(),
        dataSource=obj("kind name", **source),
        dataSourceRef=obj("kind name", **source, namespace=text()),
        resources=obj(limits=quantity_map(), requests=quantity_map()),
        selector=label_selector(),
        storageClassName=text(),
        volumeAttributesClassName=text(),
        volumeMode=text(),
        volumeName=text(),
    )
    return obj("spec", metadata=Field(type="opaque"), spec=spec)


def _projection() -> Field:
    return obj(
        clusterTrustBundle=obj(
            "path",
            labelSelector=label_selector(),
            name=text(),
            optional=boolean(),
            path=text(),
            signerName=text(),
        ),
        configMap=named_reference(items=_keys_to_paths(), optional=boolean()),
        downwardAPI=obj(items=_downward_items()),
        podCertificate=obj(
            "keyType signerName",
            certificateChainPath=text(),
            credentialBundlePath=text(),
            keyPath=text(),
            keyType=text(),
            maxExpirationSeconds=integer(),
            signerName=text(),
            userAnnotations=string_map(),
        ),
        secret=named_reference(items=_keys_to_paths(), optional=boolean()),
        serviceAccountToken=obj("path", audience=text(), expirationSeconds=integer(bits=64), path=text()),
    )


def _cloud_disks() -> dict[str, Field]:
    """Disks of a cloud that can be attached directly."""
    disk = {"fsType": text(), "readOnly": boolean()}
    return {
        "awsElasticBlockStore": obj("volumeID", **disk, partition=integer(), volumeID=text()),
        "azureDisk": obj(
            "diskName diskURI",
            cachingMode=text(),
            diskName=text(),
            diskURI=text(),
            fsType=text(default="ext4"),
            kind=text(),
            readOnly=boolean(False),
        ),
        "azureFile": obj("secretName shareName", readOnly=boolean(), secretName=text(), shareName=text()),
        "cinder": obj("volumeID", **disk, secretRef=named_reference(), volumeID=text()),
        "gcePersistentDisk": obj("pdName", **disk, partition=integer(), pdName=text()),
        "photonPersistentDisk": obj("pdID", fsType=text(), pdID=text()),
        "vsphereVolume": obj(
            "volumePath", fsType=text(), storagePolicyID=text(), storagePolicyName=text(), volumePath=text()
        ),
    }


def _network_storage() -> dict[str, Field]:
    """Storage reached over the network by a protocol of its own."""
    return {
        "cephfs": obj(
            "monitors",
            monitors=strings(),
            path=text(),
            readOnly=boolean(),
            secretFile=text(),
            secretRef=named_reference(),
            user=text(),
        ),
        "fc": obj(fsType=text(), lun=integer(), readOnly=boolean(), targetWWNs=strings(), wwids=strings()),
        "glusterfs": obj("endpoints path", endpoints=text(), path=text(), readOnly=boolean()),
        "iscsi": obj(
            "iqn lun targetPortal",
            chapAuthDiscovery=boolean(),
            chapAuthSession=boolean(),
            fsType=text(),
            initiatorName=text(),
            iqn=text(),
            iscsiInterface=text(default="default"),
            lun=integer(),
            portals=strings(),
            readOnly=boolean(),
            secretRef=named_reference(),
            targetPortal=text(),
        ),
        "nfs": obj("path server", path=text(), readOnly=boolean(), server=text()),
        "rbd": obj(
            "image monitors",
            fsType=text(),
            image=text(),
            keyring=text(default="/etc/ceph/keyring"),
            monitors=strings(),
            pool=text(default="rbd"),
            readOnly=boolean(),
            secretRef=named_reference(),
            user=text(default="admin"),
        ),
    }


def _others() -> dict[str, Field]:
    """Drivers that Kubernetes keeps for compatibility."""
    return {
        "flexVolume": obj(
            "driver",
            driver=text(),
            fsType=text(),
            options=string_map(),
            readOnly=boolean(),
            secretRef=named_reference(),
        ),
        "flocker": obj(datasetName=text(), datasetUUID=text()),
        "gitRepo": obj("repository", directory=text(), repository=text(), revision=text()),
        "portworxVolume": obj("volumeID", fsType=text(), readOnly=boolean(), volumeID=text()),
        "quobyte": obj(
            "registry volume",
            group=text(),
            readOnly=boolean(),
            registry=text(),
            tenant=text(),
            user=text(),
            volume=text(),
        ),
        "scaleIO": obj(
            "gateway secretRef system",
            fsType=text(default="xfs"),
            gateway=text(),
            protectionDomain=text(),
            readOnly=boolean(),
            secretRef=named_reference(),
            sslEnabled=boolean(),
            storageMode=text(default="ThinProvisioned"),
            storagePool=text(),
            system=text(),
            volumeName=text(),
        ),
        "storageos": obj(
            fsType=text(),
            readOnly=boolean(),
            secretRef=named_reference(),
            volumeName=text(),
            volumeNamespace=text(),
        ),
    }

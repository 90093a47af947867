"""The Kubernetes side (cdk8s): a blueprint in, a GitOps tree out. Imports lib, never infra."""

from hyperpod_dpd.node import use_locked_node

use_locked_node()  # jsii starts its node as soon as cdk8s is imported

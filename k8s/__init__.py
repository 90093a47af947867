"""The Kubernetes side (cdk8s): a blueprint in, a GitOps tree out. Imports lib, never infra."""

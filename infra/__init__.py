"""The cloud side of an environment: CDK stacks that read a blueprint and compute nothing of their own."""

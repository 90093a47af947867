"""The InferenceEndpointConfig custom resource as we know it: fields, reading, merging and writing."""

"""Code that talks to running systems; the only place that may import boto3 or kubernetes."""

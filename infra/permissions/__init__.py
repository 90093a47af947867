"""What the controllers of a cluster may do, as plain IAM statements scoped to one environment."""

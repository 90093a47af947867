"""``resolve(environment)`` turns one environment document into a Blueprint."""

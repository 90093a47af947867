"""The charts of one environment, one for each GitOps app, so that the standard labels are said once."""

from __future__ import annotations

from cdk8s import App, Chart

MANAGED_BY = "hyperpod-dpd"


class AppCharts:
    """Collects the charts while they are made; asking cdk8s for them would be a call to Node for each."""

    def __init__(self, environment: str) -> None:
        self.made: dict[str, Chart] = {}
        self._labels = {
            "app.kubernetes.io/managed-by": MANAGED_BY,
            "app.kubernetes.io/part-of": f"dpd-{environment}",
        }
        self._app = App()

    def chart(self, app: str) -> Chart:
        """An empty chart whose objects all carry the standard labels.

        ``app.kubernetes.io/instance`` stays free: Argo CD writes its own value there.
        """
        made = Chart(self._app, app, disable_resource_name_hashes=True, labels=self._labels)
        self.made[app] = made
        return made

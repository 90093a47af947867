"""AWS clients of one environment's account and Region, and the failures that a user can do something about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment


class NoAccess(Exception):
    """AWS cannot be asked: no credentials, another account's, or no right; ``str()`` says what to do."""


class Aws:
    """Read access to one environment's account; the first client proves that it is that account."""

    def __init__(self, loaded: LoadedEnvironment) -> None:
        self.account = loaded.environment.account
        self.region = loaded.environment.region
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        """A boto3 client. Raises NoAccess when the credentials are missing or of another account."""
        if not self._clients:
            self._prove_account()
        if service not in self._clients:
            import boto3

            self._clients[service] = boto3.client(service, region_name=self.region)
        return self._clients[service]

    def call(self, service: str, operation: str, **parameters: Any) -> Any:
        """One call. Raises NoAccess for missing rights, KeyError for what AWS does not know."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            return getattr(self.client(service), operation)(**parameters)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            message = error.response.get("Error", {}).get("Message", str(error))
            if "Denied" in code or "Unauthorized" in code:
                raise NoAccess(
                    f"{service}:{operation} is not allowed to these credentials: {message}"
                ) from None
            raise KeyError(f"{service}:{operation}: {message}") from None
        except BotoCoreError as error:
            raise NoAccess(f"{service}:{operation}: {error}") from None

    def pages(
        self, service: str, operation: str, key: str, *, marker: str = "NextToken", **parameters: Any
    ) -> list[Any]:
        """All items of a listing, over all its pages; ``marker`` is how the service calls the next one."""
        found: list[Any] = []
        token: str | None = None
        while True:
            answer = self.call(service, operation, **parameters, **({marker: token} if token else {}))
            found += answer.get(key, [])
            token = answer.get(marker)
            if not token:
                return found

    def _prove_account(self) -> None:
        try:
            import boto3
            from botocore.exceptions import BotoCoreError, ClientError
        except ImportError:
            raise NoAccess("boto3 is not installed; pip install 'hyperpod-dpd[live]'") from None
        try:
            sts = boto3.client("sts", region_name=self.region)
            actual = sts.get_caller_identity()["Account"]
        except (BotoCoreError, ClientError) as error:
            raise NoAccess(f"AWS does not answer to these credentials: {error}") from None
        if actual != self.account:
            raise NoAccess(
                f"these credentials are of account {actual}, and the environment is in {self.account}; "
                "choose another profile (AWS_PROFILE)"
            )
        self._clients["sts"] = sts

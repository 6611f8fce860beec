"""Prometheus metrics of webhook deliveries, of all clubs together."""

from prometheus_client import CollectorRegistry, Counter, Gauge


class CallMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self.calls = Counter(
            "carnet_webhook_calls",
            "Calls to webhooks, by how they went",
            ["outcome"],
            registry=registry,
        )
        for outcome in ("delivered", "failed", "given_up"):
            self.calls.labels(outcome)
        self.off = Gauge(
            "carnet_webhooks_given_up",
            "Webhooks that were turned off because calls failed",
            registry=registry,
        )

"""Demo fleets that are configured as metrics sources."""

from telemetry.models import MetricsSource


def world_urls() -> list[str]:
    """The addresses of the synthetic sources, by name of the source; usually none or one."""
    synthetic = MetricsSource.objects.filter(kind=MetricsSource.Kind.SYNTHETIC)
    return list(synthetic.order_by("name").values_list("url", flat=True))

from django.db import models


class KeptScenario(models.Model):
    """A scenario somebody brought along for the allocator's page; its key is made of its text, so the same is one."""

    key = models.CharField(max_length=12, help_text="its name in addresses: how its digest begins")
    name = models.CharField(max_length=80, help_text="what it is called on the page")
    scenario = models.TextField(help_text="the scenario as JSON, as it was checked")
    gpus = models.PositiveIntegerField()
    steps = models.PositiveIntegerField()
    jobs = models.PositiveIntegerField()
    kept_by = models.ForeignKey("reservations.User", on_delete=models.CASCADE, related_name="+")
    kept_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["kept_at"], name="kept_scenario_age")]
        constraints = [models.UniqueConstraint(fields=["kept_by", "key"], name="kept_scenario_once")]

    def __str__(self) -> str:
        return f"{self.name}: {self.gpus} GPUs, {self.steps} steps, {self.jobs} jobs"

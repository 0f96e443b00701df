"""The demo fleet's configuration: the file beside this one, with the world's own names and days filled in."""

from datetime import datetime, timedelta
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from scheduler.services.configuration import apply_config
from telemetry.sources.synthetic.nodes import reservation_id
from telemetry.sources.synthetic.story import ACCOUNT_ID, REGION, World, instant

FLEET = Path(__file__).with_name("fleet.yaml")
ACCOUNT = "demo"
SOURCE = "demo"
REPRICED_DAYS_BEFORE = 140
OUTLIVED_DAYS_AFTER = 40
"""The training pool's generation is held to be of use for so long; its term lasts eleven weeks."""


def configuration(world: World, ec2_port: int) -> str:
    """The demo's configuration file for one world, whose EC2 answers on a port of this machine."""
    ids = {promise.key: reservation_id(world, promise) for promise in world.promises if not promise.block}
    repriced = instant(world.day_ms(-REPRICED_DAYS_BEFORE)).replace(day=1)
    return Template(FLEET.read_text(encoding="utf-8")).substitute(
        ids,
        account=ACCOUNT,
        account_id=ACCOUNT_ID,
        region=REGION,
        endpoint_url=f"http://127.0.0.1:{ec2_port}",
        source=SOURCE,
        world_url=world.url,
        began=f"{instant(world.began_ms):%Y-%m-%d}",
        repriced=f"{repriced:%Y-%m-%d}",
        grows=f"{instant(world.day_ms(7)):%Y-%m-%d}",
        outlived=f"{instant(world.day_ms(OUTLIVED_DAYS_AFTER)):%Y-%m-%d}",
        committed_until=f"{repriced + timedelta(days=365):%Y-%m-%d}",
    )


def configure(*, world: World, ec2_port: int, as_of: datetime) -> None:
    """Apply the demo's configuration; without effect where it stands already."""
    with TemporaryDirectory(prefix="moorage-demo-") as folder:
        path = Path(folder, FLEET.name)
        path.write_text(configuration(world, ec2_port), encoding="utf-8")
        apply_config(path=path, as_of=as_of)

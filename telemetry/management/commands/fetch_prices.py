from datetime import UTC

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from telemetry.domain.price_offer import PriceQuestion, UnableToFetchPrice
from telemetry.services.price_list import fetch_prices


class Command(BaseCommand):
    help = "Look up what an instance type costs on demand in the AWS Price List; stored in the price book on --write."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--shape", required=True, metavar="TYPE", help="instance type, as p5.48xlarge")
        parser.add_argument("--region", required=True, help="as us-east-1")
        parser.add_argument("--write", action="store_true", help="store it as a quote of the type from today on")
        parser.add_argument("--endpoint-url", default="", metavar="URL", help="where to ask; without it, AWS itself")

    def handle(self, *args: object, **options: object) -> None:
        question = PriceQuestion(str(options["shape"]), str(options["region"]), str(options["endpoint_url"]))
        try:
            found = fetch_prices(
                question=question,
                fetched_on=timezone.now().astimezone(UTC).date(),
                write=bool(options["write"]),
                entered_by="fetch_prices",
            )
        except UnableToFetchPrice as unable:
            raise CommandError(str(unable)) from unable
        offer = found.offer
        self.stdout.write(
            f"{offer.shape} in {offer.region}: on demand {offer.on_demand:f} {offer.currency} per node-hour "
            f"({found.source}; {offer.described or offer.sku})"
        )
        for change in found.changes:
            self.stdout.write(f"{change.outcome}: {change.kind} of {change.name}")
        if not options["write"]:
            self.stderr.write("nothing was stored: add --write to enter it")

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config import embedded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def _warmed_up() -> None:
    from scheduler.services.allocation import warm_up_allocator  # only now are the apps loaded

    warm_up_allocator()


application = get_wsgi_application()
embedded.start(settings.DATA_DIR, settings.EMBEDDED)
_warmed_up()

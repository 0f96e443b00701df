import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config import embedded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
embedded.start(settings.DATA_DIR, settings.EMBEDDED)

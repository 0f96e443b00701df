"""Where styles and scripts are found: looked up once by each process, since every page names thirty of them."""

from functools import lru_cache

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage

register = template.Library()


@register.simple_tag
def asset(path: str) -> str:
    """The address of a static file, with its content's hash where the storage gives it one."""
    return _address(path, id(staticfiles_storage._wrapped))


@lru_cache(maxsize=256)
def _address(path: str, _of_storage: int) -> str:
    address: str = staticfiles_storage.url(path)
    return address

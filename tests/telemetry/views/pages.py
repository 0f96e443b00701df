"""What a page says, as one line of text."""

import html
import re

from django.http import HttpResponse


def said(response: HttpResponse) -> str:
    """The words of a page in order, without its tags."""
    content = re.sub(r"<(script|style)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", content)).replace("\u202f", " ").split())

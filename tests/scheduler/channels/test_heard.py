"""What the library of services logs, while several messages go out at once."""

import logging
import threading

import apprise as library

from scheduler.channels import apprise


def test_each_call_hears_what_is_about_itself_and_no_other_log_hears_any() -> None:
    both, heard, elsewhere = threading.Barrier(2), {}, []

    class Elsewhere(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            elsewhere.append(record.getMessage())

    def call(name: str) -> None:
        with apprise._heard() as said:
            both.wait(timeout=10)
            library.logger.warning("told to %s", name)
            both.wait(timeout=10)
        heard[name] = said.getvalue()

    root, handler = logging.getLogger(), Elsewhere()
    root.addHandler(handler)
    try:
        threads = [threading.Thread(target=call, args=(name,)) for name in ("a", "b")]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        library.logger.warning("told to nobody")
    finally:
        root.removeHandler(handler)
    assert heard == {"a": "told to a\n", "b": "told to b\n"}
    assert elsewhere == []

"""Asks the server in this container whether it lives; exits 1 when it does not."""

import os
import sys
import urllib.error
import urllib.request

SECONDS_MAX = 2


def main() -> int:
    """Ask once."""
    url = f"http://127.0.0.1:{os.environ.get('MEMWIKI_PORT', '7470')}/healthz"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS_MAX) as answer:
            return 0 if answer.status == 200 else 1  # noqa: PLR2004 - the status of a healthy server
    except (OSError, urllib.error.URLError) as error:
        print(f"memwiki does not answer at {url}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

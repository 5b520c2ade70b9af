"""The command `apply-patch`, in process."""

from __future__ import annotations

import signal
import sys

from . import _native

PANICKED = 101
"""The exit status of a Rust program that panicked."""


def main() -> None:
    """Runs the command on the arguments of the process, and exits with its status."""
    # Python would only see an interrupt when the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        status = _native.main(["apply-patch", *sys.argv[1:]])
    except BaseException:
        # The panic is on standard error already, and 1 would say that the patch was refused.
        status = PANICKED
    sys.exit(status)


if __name__ == "__main__":
    main()

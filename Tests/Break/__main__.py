"""The breaker's command line: hardware/rig/python Tests/Break --help."""

import sys

from breaker.suite import main

if __name__ == "__main__":
    sys.exit(main())

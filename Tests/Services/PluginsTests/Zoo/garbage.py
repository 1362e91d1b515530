#!/usr/bin/env python3
"""Prints what is no JSON-RPC."""
import sys

import zoo


def deliver(request):
    sys.stdout.buffer.write(bytes(range(256)).replace(b"\n", b"") * 10 + b"\n")
    sys.stdout.buffer.flush()


zoo.run(deliver=deliver)

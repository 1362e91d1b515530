#!/usr/bin/env python3
"""Sends a line of ten megabytes."""
import sys

import zoo


def deliver(request):
    sys.stdout.write("x" * (10 << 20) + "\n")
    sys.stdout.flush()


zoo.run(deliver=deliver)

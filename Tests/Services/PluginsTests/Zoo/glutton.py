#!/usr/bin/env python3
"""Eats memory until there is none."""
import zoo


def deliver(request):
    hoard = []
    try:
        while True:
            hoard.append(bytearray(1 << 20))
    except MemoryError:
        hoard_size = len(hoard)
        del hoard
        zoo.log("warning: full after %d MiB" % hoard_size)
        raise SystemExit(9)


zoo.run(deliver=deliver)

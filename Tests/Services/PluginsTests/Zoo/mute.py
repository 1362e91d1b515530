#!/usr/bin/env python3
"""Never says a word."""
import time

while True:
    time.sleep(3600)

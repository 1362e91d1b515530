#!/usr/bin/env python3
"""Never answers a batch of traces."""
import zoo


def deliver(request):
    if request["params"]["lane"] == "trace":
        zoo.log("info: holding a batch of traces")
    else:
        zoo.accept(request)


zoo.run(deliver=deliver)

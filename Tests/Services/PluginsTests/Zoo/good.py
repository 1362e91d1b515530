#!/usr/bin/env python3
"""Takes everything, in order."""
import zoo


def other(request):
    if request.get("method") == "service.echo":
        zoo.reply(request, request["params"])
        return True


zoo.run(other=other)

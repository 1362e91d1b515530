"""Steps about the web endpoint that the hub posts its news to."""

from behave import given, then, when
from homeward_rig.configuration import FILE, with_plugin
from homeward_rig.stage import CheckFailed
from homeward_rig.virtual_machine import WEB_ADDRESS

CERTIFICATES = {
    "its own": "good",
    "an expired": "expired",
    "somebody else's": "wrong-name",
    "an unknown authority's": "unknown",
}
AUTHORITY = "/etc/homeward/web-authority.pem"


def web_server(context):
    return context.stage.peer("web-server", "--address", WEB_ADDRESS[0])


@given("a web endpoint")
def there_is(context):
    context.stage.options.web_port = web_server(context).do("port")


@given("the hub posts its news to the web endpoint")
def configure(context):
    """At once in a hub that is on; else from its next start on."""
    machine = context.stage.machine
    authority = web_server(context).do("authority")
    address, port = WEB_ADDRESS
    entry = "\n".join(
        [
            "    - name: webhook",
            "      grants: [network, position.precise, content.personal]",
            f"      readPaths: [{AUTHORITY}]",
            f"      loopback: [{port}]",
            "      settings:",
            f"        url: https://{address}:{port}/events",
            f"        caFile: {AUTHORITY}",
            "        timeoutSeconds: 5",
        ]
    )
    if not machine.is_on:
        context.stage.options.files[AUTHORITY] = authority
        context.stage.configuration.plugins.append(entry)
        return
    machine.run("/usr/bin/tee", AUTHORITY, data=authority.encode())
    configuration = machine.run("/bin/cat", FILE).output
    machine.run("/usr/bin/tee", FILE, data=with_plugin(configuration, entry).encode())
    machine.run("/bin/systemctl", "reload", "homeward.service")


@when("the web endpoint shows {kind} certificate")
def show(context, kind):
    note_requests(context)
    web_server(context).do("show", kind=CERTIFICATES[kind])


@when("the web endpoint answers {status:d}")
def answer(context, status):
    note_requests(context)
    web_server(context).do("answer", status=status)


@when("the web endpoint hangs")
def hang(context):
    note_requests(context)
    web_server(context).do("hang")


@when("the web endpoint goes on")
def go_on(context):
    web_server(context).do("go-on")


@when("the web endpoint vanishes")
def vanish(context):
    note_requests(context)
    web_server(context).do("vanish")


@when("the web endpoint comes back")
def come_back(context):
    web_server(context).do("come-back")


def note_requests(context):
    """Remembers what had been asked when the endpoint changed."""
    context.requests_before = len(web_server(context).do("requests"))


@then("nothing was sent to the web endpoint since")
def nothing_sent(context):
    if requests := web_server(context).do("requests", since=context.requests_before):
        raise CheckFailed(f"{len(requests)} requests were sent, and should not: {requests[0]['text'][:300]}")


@then("the web endpoint was asked in vain since")
def asked_in_vain(context):
    requests = web_server(context).do("requests", since=context.requests_before)
    if not requests or any(request["status"] in range(200, 300) for request in requests):
        answers = [request["status"] for request in requests]
        raise CheckFailed(f"expected requests that were not accepted; their answers were {answers}")

"""Whether the gateway says that nobody can be told."""

from ..gateway import ANNA, Gateway, holds
from ..judgement import Ground, attack


def _says_so(gateway: Gateway) -> bool:
    """Whether /health says that nobody can be told."""
    return holds(4, lambda: gateway.get("/health")[0] != 200, 0.2)


@attack("nobody-can-be-told", "F10")
def nobody_can_be_told(ground: Ground) -> None:
    """A guardian whom no plugin reaches, and a resident without a guardian: /health says that nobody can be told."""
    for words, offers in (
        ("there is no plugin", None),
        ("no plugin offers a way", ()),
        ("the last guardian is removed", ("notify.sms",)),
    ):
        gateway = Gateway(ground, f"gateway-{'none' if offers is None else len(offers)}")
        if offers is not None:
            gateway.add_puppet("phone", ["observe:delivery"], offers)
        gateway.start()
        gateway.settle()
        if offers is not None:
            gateway.puppets["phone"].await_ready()
        ground.count(1, "households")
        if offers:
            if not holds(10, lambda gateway=gateway: gateway.get("/health")[0] == 200, 0.2):
                ground.found("F10", "/health is not healthy though somebody can be told", gateway.get("/health"))
            gateway.command("guardian.remove", target=ANNA["id"])
        if not _says_so(gateway):
            ground.found("F10", f"{words}: /health calls itself healthy", gateway.get("/health")[1][:120])
        gateway.kill()

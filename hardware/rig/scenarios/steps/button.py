"""Steps about pressing the buttons, and what the hub's kernel saw of it."""

from behave import given, register_type, then, when
from homeward_rig.button import Button, EdgeLog, Press, presses
from homeward_rig.button import button as on_machine
from homeward_rig.stage import CheckFailed, eventually
from parse import with_pattern


@with_pattern(r"wired|big")
def button_name(text: str) -> str:
    return text


@with_pattern(r"once|twice|\d+ times")
def times(text: str) -> int:
    return {"once": 1, "twice": 2}.get(text) or int(text.split()[0])


register_type(Button=button_name, Times=times)


def button(context, name: str) -> Button:
    return on_machine(context.stage.machine, name)


def edge_log(context, name: str) -> EdgeLog:
    return EdgeLog(context.stage.machine, name)


def new_presses(context, name: str) -> list[Press]:
    """Presses that the story has not spoken of yet."""
    return presses(edge_log(context, name).edges())[context.presses_spoken_of[name] :]


@given("the hub watches its buttons")
def watch(context):
    context.presses_spoken_of = {"wired": 0, "big": 0}
    for name in context.presses_spoken_of:
        edge_log(context, name).start()
    for name in context.presses_spoken_of:
        eventually(f"the hub watches the {name} button", 120, edge_log(context, name).is_watching)


@when("the hub stops watching its {name:Button} button")
def stop_watching(context, name):
    edge_log(context, name).stop()


@when("the {name:Button} button is pressed for {seconds:g} seconds")
def press(context, name, seconds):
    context.held = button(context, name).press(seconds)


@when("the {name:Button} button is pressed for {seconds:g} seconds, and its contact bounces {bounces:d} times each way")
def press_with_bounce(context, name, seconds, bounces):
    context.held = button(context, name).press(seconds, bounces)


@when("the {name:Button} button is pressed {times:Times} in a row")
def press_again_and_again(context, name, times):
    context.held = button(context, name).press(0.2, times=times, pause=0.4)


@when("the {name:Button} button is clicked {times:Times}")
def click(context, name, times):
    """As quickly as one who means one thing by it."""
    button(context, name).press(0.12, times=times, pause=0.15)


@when("the {name:Button} button gets stuck")
def hold(context, name):
    button(context, name).hold()


@when("the {name:Button} button comes loose")
def let_go(context, name):
    button(context, name).let_go()


@then("within {seconds:g} seconds the hub has seen the {name:Button} button pressed {times:Times}")
def seen_pressed(context, seconds, name, times):
    def complete() -> bool:
        seen = new_presses(context, name)
        return len(seen) >= times and seen[-1].seconds is not None

    try:
        eventually(f"the {name} button pressed {times} times", seconds, complete)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the hub saw {described(new_presses(context, name))}") from None
    context.presses = new_presses(context, name)
    if len(context.presses) != times:
        raise CheckFailed(f"the {name} button was pressed {times} times; the hub saw {described(context.presses)}")
    context.presses_spoken_of[name] += times
    context.late = button(context, name).late


@then("by the kernel's clock each press lasted {seconds:g} seconds")
def lasted(context, seconds):
    """No less than the finger held it, no more, and what the story says; the finger itself may be slow."""
    if len(context.held) != len(context.presses):
        raise CheckFailed(f"{len(context.held)} presses, and the hub saw {described(context.presses)}")
    for held, seen in zip(context.held, context.presses, strict=True):
        shortest, longest = held.shortest - context.late, held.longest + context.late
        if not shortest <= seen.seconds <= longest:
            raise CheckFailed(f"the finger held it for {shortest:.3f} to {longest:.3f} s; the hub saw {seen}")
        if not seconds - context.late <= seen.seconds <= seconds + 1:
            raise CheckFailed(f"it was to be held for {seconds:g} s; the hub saw {seen}")


@then("the kernel saw its contact bounce, with at most {edges:d} edges")
def bounced(context, edges):
    """Two edges are a clean press. A busy kernel makes one of two that follow close upon each other, never more."""
    for seen in context.presses:
        if not 2 < len(seen.edges) <= edges:
            raise CheckFailed(f"a bouncing contact has 3 to {edges} edges; the hub saw {seen}")


@then("within {seconds:g} seconds the hub sees the {name:Button} button held down, and not let go")
def held_down(context, seconds, name):
    eventually(f"the {name} button held down", seconds, lambda: new_presses(context, name))
    seen = new_presses(context, name)
    if len(seen) != 1 or seen[0].seconds is not None:
        raise CheckFailed(f"the {name} button is held down; the hub saw {described(seen)}")


@then("the hub has seen no other press of the {name:Button} button")
def no_other(context, name):
    if seen := new_presses(context, name):
        raise CheckFailed(f"the {name} button was not pressed again; the hub saw {described(seen)}")


@then("within {seconds:g} seconds the hub watches its big button again")
def watches_again(context, seconds):
    log = edge_log(context, "big")
    eventually(
        "the hub watches its big button again",
        seconds,
        lambda: log.comings_and_goings()[-2:] == ["unplugged", "plugged"],
    )


def described(seen: list[Press]) -> str:
    return ", ".join(map(str, seen)) or "no press"

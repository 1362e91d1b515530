"""Steps about Bluetooth: tags, alarm buttons, glucose meters, and the hub's adapter."""

from behave import given, then, when
from homeward_rig.bluetooth import bluetooth, radio, strength
from homeward_rig.stage import CheckFailed, eventually, never

# Long enough that a busy machine finds a meter several times.
AWAKE_SECONDS = 600
# What is measured, in turn: mg/dL, and the meal that the meter notes with it.
MEASURED = [(104, None), (187, "after"), (96, "fasting"), (61, "before"), (243, "after"), (118, "bedtime"), (132, None)]
MEALS = {None: None, "before": 1, "after": 2, "fasting": 3, "casual": 4, "bedtime": 5}


def add_tag(context, name, kind, place):
    bluetooth(context).addresses[name] = radio(context).do("add-tag", name=name, kind=kind, rssi=strength(place))


# Devices


@given('a tag "{name}" {place}')
def tag(context, name, place):
    add_tag(context, name, "ibeacon", place)


@given('a tag that tells its battery, "{name}", {place}')
def tag_with_battery(context, name, place):
    add_tag(context, name, "eddystone", place)


@given('an alarm button "{name}" {place}')
def alarm_button(context, name, place):
    add_tag(context, name, "button", place)


@given('a glucose meter "{name}" {place}')
def glucose_meter(context, name, place):
    bluetooth(context).addresses[name] = radio(context).do("add-meter", name=name, rssi=strength(place))


@when('"{name}" is carried to where it is {place}')
def carry(context, name, place):
    radio(context).do("carry", name=name, rssi=strength(place))


@when('"{name}" falls silent')
def fall_silent(context, name):
    radio(context).do("silence", name=name)


@when('"{name}" speaks again')
def speak_again(context, name):
    radio(context).do("speak", name=name)


@when('"{name}" is pressed')
def press(context, name):
    radio(context).do("press", name=name, event="press")


# The adapter


@when("the Bluetooth adapter fails and is reset")
def fail_adapter(context):
    before = radio(context).do("resets")
    radio(context).do("fail-adapter")
    eventually("a reset of the failed adapter", 60, lambda: radio(context).do("resets") > before)


@when("the Bluetooth adapter is unplugged")
def unplug_adapter(context):
    radio(context).unplug()
    # The kernel hears from a UART only by silence; a plug that is pulled takes the device away at once.
    context.stage.machine.run("/bin/systemctl", "restart", "rig-radio")


@when("the Bluetooth adapter is plugged in again")
def plug_adapter_in(context):
    radio(context).plug_in()


@then("within {seconds:g} seconds the hub has a Bluetooth adapter")
def has_adapter(context, seconds):
    try:
        eventually("a Bluetooth adapter that is on", seconds, bluetooth(context).is_ready)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the kernel says: {bluetooth(context).adapter() or 'no adapter'}") from None


@then("within {seconds:g} seconds the hub has no Bluetooth adapter")
def has_no_adapter(context, seconds):
    eventually("no Bluetooth adapter", seconds, lambda: not bluetooth(context).adapter())


# Listening


@when("the hub listens for Bluetooth devices")
def listen(context):
    bluetooth(context).listen()


@when("the hub listens past BlueZ for {seconds:g} seconds")
def listen_past_bluez(context, seconds):
    bluetooth(context).listen_past_bluez(seconds)


@when('the hub watches for "{name}"')
def watch(context, name):
    bluetooth(context).watch_for(name)


@then('within {seconds:g} seconds the hub hears "{name}" {place}')
def hears(context, seconds, name, place):
    hub = bluetooth(context)
    failures = []

    def probe():
        try:
            hub.expect_strength(name, place, hub.scan.lines())
        except CheckFailed as failure:
            failures.append(str(failure))
            return False
        return True

    try:
        eventually(f"{name} {place}", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; {failures[-1]}") from None


@then('past BlueZ the hub heard "{name}" {place}')
def heard_past_bluez(context, name, place):
    bluetooth(context).expect_strength(name, place, bluetooth(context).bare)


@then('within {seconds:g} seconds the hub hears that "{name}" is a glucose meter')
def hears_meter(context, seconds, name):
    eventually(f"the glucose service of {name}", seconds, lambda: bluetooth(context).is_heard_as_meter(name))


@then('within {limit:g} seconds the hub has heard nothing of "{name}" for {seconds:g} seconds')
def hears_nothing(context, limit, name, seconds):
    eventually(f"silence of {name} for {seconds:g} s", limit, lambda: bluetooth(context).silence(name) >= seconds, 1)


@then('within {seconds:g} seconds the hub hears one press of "{name}"')
def hears_press(context, seconds, name):
    presses = eventually(f"a press of {name}", seconds, lambda: bluetooth(context).presses(name))
    if len(presses) != 1:
        raise CheckFailed(f"{name} was pressed once, and the hub heard {len(presses)} presses: {presses}")


@then('for {seconds:g} seconds the hub hears no other press of "{name}"')
def hears_no_other_press(context, seconds, name):
    def probe():
        presses = bluetooth(context).presses(name)
        return presses if len(presses) > 1 else None

    never(f"presses of {name} beside the one", seconds, probe)


@then('within {seconds:g} seconds the hub notices that "{name}" is {state}')
def notices(context, seconds, name, state):
    events = {"near": "found", "gone": "lost"}
    hub = bluetooth(context)
    lines = []

    def probe():
        lines[:] = hub.watch.lines()
        told = [line["event"] for line in lines if line.get("address") == hub.address(name)]
        return told[-1:] == [events[state]]

    try:
        eventually(f"{name} {state}", seconds, probe)
    except CheckFailed as failure:
        raise CheckFailed(f"{failure}; the watch told {lines or 'nothing'}") from None


# Glucose meters


@given('"{name}" has measured {count:d} times')
@when('"{name}" measures {count:d} times')
def measure(context, name, count):
    meter = radio(context)
    before = len(meter.do("meter", name=name)["readings"])
    # The first are some minutes old. Later ones come after them, or the meter's clock would seem to have gone back.
    apart = 1 if before == 0 else 1 / 60
    readings = []
    for number in range(before, before + count):
        mg_dl, meal = MEASURED[number % len(MEASURED)]
        minutes_ago = (before + count - number) * apart
        readings.append({"mg_dl": mg_dl, "minutes_ago": minutes_ago} | ({"meal": meal} if meal else {}))
    meter.do("measure", name=name, readings=readings)


@given('the clock of "{name}" is {minutes:g} minutes ahead')
@when('the clock of "{name}" is {minutes:g} minutes ahead')
def set_clock(context, name, minutes):
    radio(context).do("set-clock", name=name, error_seconds=minutes * 60)


@given('"{name}" is awake')
@when('"{name}" wakes')
def wake(context, name):
    radio(context).do("wake", name=name, seconds=AWAKE_SECONDS)


@when('"{name}" wakes with {count:d} new readings')
@when('"{name}" wakes with {count:d} new reading')
def wake_with_readings(context, name, count):
    measure(context, name, count)
    wake(context, name)


@when('"{name}" is put into pairing mode')
def pairing_mode(context, name):
    radio(context).do("wake", name=name, seconds=AWAKE_SECONDS, pairing=True)


@when('the hub pairs with "{name}", whose code somebody types in')
def pair(context, name):
    hub = bluetooth(context)
    hub.start_pairing(name)
    hub.type_code(hub.await_code(lambda: radio(context).do("display", name=name), 120))
    hub.await_pairing(120)


@when('the hub fetches the readings of "{name}"')
def fetch(context, name):
    context.fetch_ended = bluetooth(context).fetch(name)


@when('the hub fetches the readings of "{name}", and the link breaks after {count:d} of them')
def fetch_with_break(context, name, count):
    radio(context).do("break-after", name=name, readings=count)
    fetch(context, name)


@then('the hub was refused by "{name}"')
def was_refused(context, name):
    if not context.fetch_ended:
        raise CheckFailed(f"{name} has let the hub read without knowing it")
    if not bluetooth(context).has_connected:
        raise CheckFailed(f"{name} was not even reached: {context.fetch_ended}")
    if readings := bluetooth(context).readings[name]:
        raise CheckFailed(f"{name} has told the hub, which it does not know, {len(readings)} readings")
    if requests := radio(context).do("meter", name=name)["requests"]:
        raise CheckFailed(f"{name} has taken requests from the hub, which it does not know: {requests}")


@then('the hub and "{name}" know each other')
def know_each_other(context, name):
    bonds = radio(context).do("meter", name=name)["bonds"]
    if len(bonds) != 1:
        raise CheckFailed(f"{name} knows {bonds or 'nobody'}, and should know the hub alone")
    if not bluetooth(context).knows(name):
        raise CheckFailed(f"{name} knows the hub, and the hub does not know {name}")


@then('"{name}" was paired only once')
def paired_once(context, name):
    if (pairings := radio(context).do("meter", name=name)["pairings"]) != 1:
        raise CheckFailed(f"{name} was paired {pairings} times")


@then('the hub has {some} of the {count:d} readings of "{name}", each once and as it was measured')
def has_readings(context, some, count, name):
    if some not in ("all", "only a part"):
        raise ValueError(f"{some!r} is neither all nor only a part")
    stored = radio(context).do("meter", name=name)["readings"]
    if len(stored) != count:
        raise CheckFailed(f"{name} holds {len(stored)} readings, and the story speaks of {count}")
    wanted = [(reading["sequence"], reading["mg_dl"], reading["time"], MEALS[reading["meal"]]) for reading in stored]
    fetched = [
        (reading["sequence"], reading["mg_dl"], reading["time"], reading.get("meal"))
        for reading in bluetooth(context).readings.get(name, [])
    ]
    if len({sequence for sequence, *_ in fetched}) != len(fetched):
        raise CheckFailed(f"the hub has readings twice: {fetched}")
    if wrong := [reading for reading in fetched if reading not in wanted]:
        raise CheckFailed(f"the hub has {wrong}, and {name} measured {wanted}")
    if some == "all" and len(fetched) < len(wanted):
        raise CheckFailed(
            f"the hub lacks {[reading for reading in wanted if reading not in fetched]}"
            f"; the last fetch ended with: {context.fetch_ended or 'success'}"
        )
    if some == "only a part" and len(fetched) >= len(wanted):
        raise CheckFailed(f"the hub has all {len(wanted)} readings of {name}, though the link broke")


@then('the hub knows that the clock of "{name}" is {minutes:g} minutes ahead')
def knows_clock(context, name, minutes):
    ahead = bluetooth(context).clock_ahead.get(name)
    # A minute for a machine whose own clock lags, and for the way there.
    if ahead is None or abs(ahead - minutes * 60) > 60:
        raise CheckFailed(f"the clock of {name} is {minutes:g} minutes ahead, and the hub read {ahead} s")


@then('"{name}" was asked only for what the hub lacked')
def asked_for_rest(context, name):
    hub = bluetooth(context)
    request = bytes.fromhex(radio(context).do("meter", name=name)["requests"][-1])
    # Report, at least, by sequence number.
    if request[:3] != bytes([1, 3, 1]):
        raise CheckFailed(f"{name} was asked {request.hex()}, which is not for records from a number on")
    first = int.from_bytes(request[3:], "little")
    fetched = [reading["sequence"] for reading in hub.readings[name]]
    if fetched.count(first) != 1 or first == 1:
        raise CheckFailed(f"{name} was asked from {first} on, and the hub has {fetched}")

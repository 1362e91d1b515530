"""What every page of somebody who is looked after has to be: few things, large, apart, in few words, nothing cut."""

import math

# 16 mm on a telephone and on the hub's screen, and the least between two of them; in CSS pixels.
KEY, GAP = 92, 18
ACTIONS, KEYS_OF_THE_FRAME, WORDS = 6, 3, 40
# A telephone, a small one, a tablet, the hub's screen; each as it is, and with the largest letters.
SCREENS = [(390, 844), (320, 640), (820, 1180), (800, 480)]
# Of what can be pressed: where it is, what it says, whether it is the frame's; one group of figures counts as one.
MEASURED = """letters => {
  const root = document.documentElement;
  if (letters) root.dataset.size = letters; else delete root.dataset.size;
  // What lies behind a dialog can neither be pressed nor read.
  const open = document.querySelector('dialog[open]');
  const seen = one => {
    if (open && !open.contains(one)) return false;
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && !one.closest('[hidden], .unseen');
  };
  const pressed = [...document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea, summary')]
    .filter(seen).filter(one => !one.matches('.skip') && !one.closest('.leaflet-control-attribution'));
  const keys = pressed.map(one => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return {
      left, top, right, bottom, words: one.innerText || one.name || one.title,
      isFrame: one.closest('.frame') !== null, isPad: one.closest('.pad, .leaflet-control') !== null,
      isBanner: one.closest('#banner, #notices') !== null,
      isCut: one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1,
    };
  });
  const own = (open || document.querySelector('#main')).cloneNode(true);
  own.querySelectorAll('[data-theirs], .frame, .pad, #map, #drawn, [hidden], .unseen, .rose')
    .forEach(one => one.remove());
  const cut = [...document.querySelectorAll('#main p, #main h1, #main span, dialog p, dialog h1')].filter(seen)
    .filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
    .map(one => one.innerText);
  return { keys, words: own.textContent.trim(), cut, sideways: root.scrollWidth - root.clientWidth };
}"""


def apart(one, other):
    """How far two boxes are from each other, as the eye has it; 0 where they touch."""
    across = max(other["left"] - one["right"], one["left"] - other["right"], 0)
    down = max(other["top"] - one["bottom"], one["top"] - other["bottom"], 0)
    return math.hypot(across, down)


def counted(words):
    """How many words; of Chinese, two signs are about one."""
    chinese = sum("\u4e00" <= sign <= "\u9fff" for sign in words)
    others = "".join(" " if "\u4e00" <= sign <= "\u9fff" else sign for sign in words)
    return chinese // 2 + len([word for word in others.split() if any(sign.isalnum() for sign in word)])


def faults(page, screens=SCREENS, gap=GAP):
    """What is too small, too near, too much or cut, on each screen."""
    found = []
    for width, height in screens:
        page.set_viewport_size({"width": width, "height": height})
        for letters in ("", "larger"):
            told = page.evaluate(MEASURED, letters)
            where = f"{page.url} {width}×{height} {letters}"
            found += [f"{where}: {fault}" for fault in of_one(told, gap)]
    page.evaluate("() => { delete document.documentElement.dataset.size; }")
    return found


def of_one(told, gap):
    keys = [key for key in told["keys"] if not key["isBanner"]]
    for key in keys:
        side = min(key["right"] - key["left"], key["bottom"] - key["top"])
        if side < KEY - 0.5:
            yield f"small: {key['words']!r} {side:.0f}"
        if key["isCut"]:
            yield f"cut: {key['words']!r}"
    for number, one in enumerate(keys):
        for other in keys[number + 1 :]:
            if one["isPad"] and other["isPad"]:
                continue
            if (distance := apart(one, other)) < gap - 0.5:
                yield f"near: {one['words']!r} and {other['words']!r} {distance:.0f}"
    own = [key for key in keys if not key["isFrame"] and not key["isPad"]]
    actions = len(own) + any(key["isPad"] for key in keys)
    if actions > ACTIONS:
        yield f"{actions} actions: {[key['words'] for key in own]}"
    if (frame := sum(key["isFrame"] for key in keys)) > KEYS_OF_THE_FRAME:
        yield f"{frame} keys around"
    if (words := counted(told["words"])) > WORDS:
        yield f"{words} words: {told['words']!r}"
    yield from (f"cut: {words!r}" for words in told["cut"])
    if told["sideways"] > 0:
        yield f"sideways by {told['sideways']}"

"""Goes through pages with nothing but a keyboard, and sees how it is for whoever does."""

import re

# Puts an ear on a page: at each press it writes down where the focus is by then, and how it looks.
#
# Source: WCAG 2.2, 2.4.7 "Focus Visible", 2.4.11 "Focus Not Obscured", 1.4.11 "Non-text Contrast", 2.1.2 "No Keyboard
# Trap", 2.4.3 "Focus Order"; "contrast ratio" and "relative luminance".
LISTEN = """() => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
  const isThere = one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ checkVisibilityCSS: true });
  const name = one => one.id ? `#${one.id}` : one.outerHTML.slice(0, 100);
  const parts = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  // What is painted behind an element, its own colour on those that it lies in.
  const ground = one => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const [r, g, b, alpha = 1] = parts(getComputedStyle(at).backgroundColor);
      layers.push([r, g, b, alpha]);
      if (alpha === 1) break;
    }
    return layers.reverse().reduce((below, [r, g, b, alpha]) =>
      [r, g, b].map((value, index) => value * alpha + below[index] * (1 - alpha)), [255, 255, 255]);
  };
  const luminance = rgb => [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
    const part = rgb[index] / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ring = one => {
    const style = getComputedStyle(one), width = parseFloat(style.outlineWidth);
    if (style.outlineStyle === 'none' || width < 2) return [`no ring around ${name(one)}`];
    const inside = parseFloat(style.outlineOffset) + width <= 0;
    const found = contrast(parts(style.outlineColor), ground(inside ? one : one.parentElement));
    return found < 3 ? [`a ring of ${found.toFixed(1)} : 1 around ${name(one)}`] : [];
  };
  const sight = one => {
    const box = one.getBoundingClientRect();
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (bottom - top < Math.min(box.height, innerHeight) / 2) return [`${name(one)} is out of sight`];
    const seen = document.elementFromPoint((box.left + box.right) / 2, (top + bottom) / 2);
    const label = one.id ? document.querySelector(`label[for="${one.id}"]`) : null;
    return !seen || one.contains(seen) || seen.contains(one) || label?.contains(seen)
      ? [] : [`${name(one)} lies below ${name(seen)}`];
  };
  // What happens meanwhile is shown when the way is at its end.
  const hold = () => {
    const held = [], { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (...words) { held.push(() => send.apply(this, words)); };
    return () => { XMLHttpRequest.prototype.send = send; return held; };
  };
  window.walk = {
    release: hold(),
    awaited: [...document.querySelectorAll(controls)].filter(isThere), stops: [], faults: [],
    note() {
      const one = document.activeElement;
      if (!one || one === document.body || one === walk.stops.at(-1)) return;
      walk.stops.push(one);
      walk.faults.push(...ring(one), ...sight(one));
    },
    end() {
      walk.note();
      for (const send of walk.release()) send();
      const { awaited, stops, faults } = walk;
      // From the end of a page the way leads to its beginning.
      const round = stops.indexOf(stops[0], 1);
      const way = round > 0 ? stops.slice(0, round) : stops;
      // What is drawn anew under way, as the chosen corner of a border, is known by its id.
      const isOn = one => way.includes(one) || !one.isConnected && one.id && way.some(other => other.id === one.id);
      faults.push(...awaited.filter(one => !isOn(one)).map(one => `never reached: ${name(one)}`));
      faults.push(...way.filter((one, at) => way.indexOf(one) !== at).map(one => `comes twice: ${name(one)}`));
      const first = way[0];
      if (!first?.matches('a.skip[href="#main"]')) faults.push(`the way begins with ${first && name(first)}`);
      way.slice(1).forEach((one, at) => {
        const before = way[at], group = 'form, section, nav, header, ul, ol, .side, #map';
        if (before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) {
          faults.push(`${name(one)} comes after ${name(before)}, and is read before it`);
        }
        // What belongs together is gone through from top to bottom.
        const [here, there] = [one, before].map(each => each.getBoundingClientRect());
        // The corners of a border are gone through around it.
        const isAround = [one, before].some(each => each.matches('.leaflet-marker-icon'));
        if (!isAround && one.closest(group) === before.closest(group) && here.bottom <= there.top) {
          faults.push(`from ${name(before)} the way leads up to ${name(one)}`);
        }
      });
      if (round < 0) faults.push('the way does not lead back to its beginning');
      return { faults, isOld: walk.isOld === true };
    },
  };
  if (!window.isWalked) {
    addEventListener('keydown', () => walk.note(), true);
    document.addEventListener('refreshed', () => { walk.isOld = true; });
  }
  window.isWalked = true;
  return walk.awaited.length;
}"""
# The next press of Tab leads to what comes first on a page.
BEGIN = """() => {
  const start = document.createElement('span');
  start.tabIndex = -1;
  document.body.prepend(start);
  start.focus();
  start.remove();
}"""
IS_FOCUSED = """([selector, text]) => {
  const one = document.activeElement;
  const words = one && (one.textContent || '') + (one.getAttribute('aria-label') || '');
  return Boolean(one) && one.matches(selector) && words.includes(text);
}"""
WHERE = "() => 'the focus is on ' + document.activeElement.outerHTML.slice(0, 160)"
# More stops than any page has.
FAR = 200


def walk(page):
    """What is wrong for whoever goes through a page with Tab, from its beginning to its beginning."""
    for _ in range(5):
        awaited = page.evaluate(LISTEN)
        page.evaluate(BEGIN)
        # Fields for a date have more than one stop.
        for _ in range(awaited + 12):
            page.keyboard.press("Tab")
        found = page.evaluate("() => walk.end()")
        # What was shown anew under way has other stops.
        if not found["isOld"]:
            break
    return found["faults"]


def reach(page, selector, text="", key="Tab"):
    """Presses Tab until the focus is on something."""
    for _ in range(FAR):
        page.keyboard.press(key)
        if page.evaluate(IS_FOCUSED, [selector, text]):
            return
    raise AssertionError(f"no way leads to {selector} {text} at {page.url}, which says: {page.inner_text('body')}")


def press(page, selector, text="", key="Enter"):
    """Goes to something, and presses it."""
    reach(page, selector, text)
    page.keyboard.press(key)


def write(page, selector, text):
    """Goes to a field, and writes in it instead of what stands there."""
    reach(page, selector)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def log_in(page, email, password):
    """Logs in with the keyboard alone."""
    write(page, "[name=email]", email)
    write(page, "[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/(\?|$|welcome|me$)"), wait_until="load")

"""A telephone far from a mast: a page as slow as on one, and the proof that it is."""

# As Lighthouse has it ("slow 4G"): kilobits a second, milliseconds there and back, and a processor so many times slower
# than this one.
#
# Source: Lighthouse, docs/throttling.md, "The mobile network throttling preset".
DOWN, UP, ROUND_TRIP, SLOWDOWN = 1_638.4, 750.0, 150, 4
SPIN = """() => {
  const start = performance.now();
  let sum = 0;
  for (let i = 0; i < 2e7; i++) sum = (sum + i * i) % 1000003;
  return performance.now() - start + 0 * sum;
}"""
# How many bytes came by the wire, packed or not, and in which time.
DOWNLOAD = """async path => {
  const start = performance.now();
  const answer = await fetch(path, {cache: 'no-store'});
  await answer.arrayBuffer();
  const took = performance.now() - start;
  return [performance.getEntriesByName(answer.url).at(-1).encodedBodySize, took];
}"""


def conditions(is_slow=True):
    """What a browser is to do for a page to be as slow: orders of the Chrome DevTools Protocol."""
    yield "Network.enable", {}
    yield "Network.setCacheDisabled", {"cacheDisabled": True}
    if is_slow:
        line = {"latency": ROUND_TRIP, "downloadThroughput": DOWN * 125, "uploadThroughput": UP * 125}
        yield "Network.emulateNetworkConditions", {"offline": False, **line}
        yield "Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN}


def throttle(page, is_slow=True):
    """Makes the connection and the processor of a page those of a telephone.

    A worker's requests are not the page's: whoever looks at a page that is slow keeps no worker.
    """
    tools = page.context.new_cdp_session(page)
    for order, parameters in conditions(is_slow):
        tools.send(order, parameters)


def prove(page):
    """Throttles a page, which has no worker; how much longer a download and a piece of work of known size take then."""
    script = page.locator("script[src*='/static/']").first.get_attribute("src")
    found = []
    for is_slow in (False, True):
        throttle(page, is_slow)
        spin = min(page.evaluate(SPIN) for _ in range(3))
        found.append((spin, *page.evaluate(DOWNLOAD, script.rpartition("/")[0] + "/leaflet.js")))
    (fast_spin, _, fast_took), (spin, size, took) = found
    return {
        "downloadBytes": size,
        "downloadMilliseconds": took,
        "downloadExpectedMilliseconds": ROUND_TRIP + size * 8 / DOWN,
        "downloadUnthrottledMilliseconds": fast_took,
        "slowdown": spin / fast_spin,
    }

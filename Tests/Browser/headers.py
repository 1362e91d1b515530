"""Judges the headers of an answer by published lists.

- OWASP Secure Headers Project, ci/headers_add.json and ci/headers_remove.json of 2024-07-19: what to send and what not.
- Mozilla HTTP Observatory, scoring of 2024-02-27: what gets the best mark, by the names that it has there.

Where Homeward does something else than these say, it stands here with the reason.
"""

import re

# OWASP: what goes along with every answer.
EVERYWHERE = {
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "deny",
    "X-Permitted-Cross-Domain-Policies": "none",
}
# OWASP: what a page closes; of its list interest-cohort is left out, which browsers have given up and warn of.
CLOSED = """accelerometer autoplay camera cross-origin-isolated display-capture encrypted-media fullscreen geolocation
gyroscope keyboard-map magnetometer microphone midi payment picture-in-picture publickey-credentials-get
screen-wake-lock sync-xhr usb web-share xr-spatial-tracking clipboard-read clipboard-write gamepad hid
idle-detection serial unload"""
# The map shows where its reader is, and an alarm is heard.
OPENED = {"geolocation", "autoplay"}
# OWASP: what tells strangers which program, in which version, answers.
TELLING = """$wsep Host-Header K-Proxy-Request Liferay-Portal OracleCommerceCloud-Version Pega-Host Powered-By Product
Server SourceMap X-AspNet-Version X-AspNetMvc-Version X-B3-TraceId X-BEServer X-CF-Powered-By X-CMS
X-Cocoon-Version X-Content-Encoded-By X-DiagInfo X-FEServer X-Framework X-Generated-By X-Generator
X-Jitsi-Release X-Mod-Pagespeed X-Nextjs-Cache X-OWA-Version X-Page-Speed X-Php-Version X-Powered-By
X-Powered-CMS X-Redirect-By X-Server-Powered-By X-SourceFiles X-SourceMap X-Turbo-Charged-By
X-Umbraco-Version X-Varnish-Backend X-Varnish-Server"""
# Not asked for here. Strict-Transport-Security: by TLS alone, and where its owner wants it, because it takes away every
# other service of the name, and the way past a certificate that has expired; the console's tests say when it is sent.
# Clear-Site-Data: the worker behind the pages forgets them itself at log-out, and how the letters look stays with the
# device. upgrade-insecure-requests: nothing comes from elsewhere.


def faults(status, headers, is_personal=True):
    """What is wrong with the headers of an answer; `is_personal`: whether it holds something of somebody."""
    found = []
    for name, value in EVERYWHERE.items():
        if [one.lower() for one in headers.get_all(name, [])] != [value]:
            found.append(f"{name} is not {value}")
    found += [f"{name} is told" for name in TELLING.split() if name in headers]
    # cross-origin-resource-sharing-not-implemented.
    found += [f"{name} lets others in" for name in headers if name.lower().startswith("access-control-")]
    if is_personal and headers["Cache-Control"] != "no-store":
        found.append("Cache-Control is not no-store")
    kind = headers.get("Content-Type")
    if status not in (204, 303, 304) and not kind:
        found.append("Content-Type is missing")
    if kind and kind.startswith("text/") and kind != "text/event-stream" and not kind.endswith("charset=utf-8"):
        found.append("the charset is not told")
    found += _policy(headers, is_page=bool(kind) and kind.startswith("text/html"))
    for cookie in headers.get_all("Set-Cookie", []):
        # cookies-secure-with-httponly-sessions-and-samesite; Secure with TLS, which the console's tests check.
        found += [f"a cookie without {word}" for word in ("HttpOnly", "SameSite=Lax", "Path=/") if word not in cookie]
    return found


def _policy(headers, is_page):
    policies = headers.get_all("Content-Security-Policy", [])
    if len(policies) != 1:
        return [f"{len(policies)} Content-Security-Policies"]
    policy = {words[0]: set(words[1:]) for part in policies[0].split(";") if (words := part.split())}
    # csp-implemented-with-no-unsafe-default-src-none, x-frame-options-implemented-via-csp.
    wanted = {"default-src": {"'none'"}, "frame-ancestors": {"'none'"}}
    if is_page:
        wanted |= {"base-uri": {"'none'"}, "form-action": {"'self'"}, "script-src": {"'self'"}, "style-src": {"'self'"}}
    found = [f"{name} is not {value}" for name, value in wanted.items() if policy.get(name) != value]
    found += [f"{word} is allowed" for word in re.findall(r"'unsafe-[a-z-]+'|https?:|\*", policies[0])]
    if not is_page:
        return found
    features = dict(re.findall(r"([a-z-]+)=(\([^)]*\))", headers.get("Permissions-Policy", "")))
    return found + [
        f"{name} is not closed"
        for name in CLOSED.split()
        if features.get(name) != ("(self)" if name in OPENED else "()")
    ]

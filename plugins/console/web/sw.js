// The server puts `const version` before this: the folder of all files of this release.
/* global version */
const store = `homeward-${version}`;
const pages = "homeward-pages";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== store && name !== pages) await caches.delete(name);
    await self.clients.claim();
    // The pages that were open before this worker began, which nobody has asked it for yet.
    for (const page of await self.clients.matchAll({ type: "window" })) {
      if (isKept(new URL(page.url))) await pageOf(new Request(page.url)).catch(() => { /* it is kept the next time */ });
    }
  })());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(fileOf(request));
  else if (request.mode === "navigate" && isKept(url)) event.respondWith(pageOf(request));
});

// What the link in a message opens is kept nowhere, nor the way back from another service.
function isKept(url) { return !/^\/(g\/|openid$)/.test(url.pathname); }

async function fileOf(request) {
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(store)).put(request, answer.clone());
  return answer;
}

// Always anew where there is a connection; what was seen last, with the age on every value, where there is none.
async function pageOf(request) {
  const cache = await caches.open(pages);
  try {
    const answer = await fetch(request);
    const isOut = ["/log-in", "/screen"].includes(new URL(answer.url).pathname);
    if (isOut) await caches.delete(pages);
    else if (answer.ok && answer.type === "basic") await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    // What is not there leads to the first page, so that whoever looks finds their way and their keys.
    const known = await cache.match(request);
    if (known) return kept(known, "page");
    const first = await cache.match("/me") || await cache.match("/");
    return first ? kept(first, "first") : nothing();
  }
}

/** A page says of itself that it was kept, and so how old it is, and whether it is the one that was asked for. */
async function kept(answer, what) {
  if (!(answer.headers.get("Content-Type") || "").startsWith("text/html")) return answer;
  const text = (await answer.text()).replace("<body", `<body data-kept="${what}"`);
  return new Response(text, { headers: answer.headers });
}

/** Where nothing was seen yet that could be shown, the page is asked for again and again. */
function nothing() {
  const words = [["en", "I am not connected just now. One moment, please."], ["zh-Hans", "现在没有连接。请稍等。"]];
  const lines = words.map(([language, line]) => `<h1 lang="${language}">${line}</h1>`).join("");
  const style = "body { min-height: 90vh; display: grid; place-content: center; gap: 12px; padding: 24px; text-align: center; "
    + "background: #f6f3ec; color: #1f2a2e; font: 20px/1.3 Inter, system-ui, sans-serif; } h1 { margin: 0; font-size: 36px; }";
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5">`
    + `<meta name="viewport" content="width=device-width, initial-scale=1"><title>Homeward</title><style>${style}</style></head>`
    + `<body>${lines}</body></html>`;
  return new Response(page, {
    status: 503, headers: {
      "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}

// What the gateway says while no page is open; it names nobody.
self.addEventListener("push", (event) => {
  let message = {};
  try { message = event.data.json(); } catch { /* a message of nobody is shown as one of the gateway */ }
  event.waitUntil((async () => {
    // A page that was loaded past this worker, as with Shift or while it began, is told as well.
    for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) page.postMessage({ push: message.kind });
    const isAlarm = message.kind === "alarm";
    await self.registration.showNotification(message.title || "Homeward", {
      body: message.body || "", tag: message.tag || "homeward", renotify: isAlarm, requireInteraction: isAlarm,
      icon: `/static/${version}/icon-192.png`, data: { alarm: message.alarm || null },
      vibrate: isAlarm ? [400, 200, 400, 200, 400] : [200],
    });
  })());
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { alarm } = event.notification.data || {};
  const address = alarm ? `/alarm?id=${encodeURIComponent(alarm)}` : "/";
  event.waitUntil((async () => {
    const [page] = await self.clients.matchAll({ type: "window" });
    if (!page) return await self.clients.openWindow(address);
    try { await page.focus(); } catch { /* it comes to the front where the browser lets it */ }
    return await page.navigate(address);
  })());
});
// The browser's service has a new address for this browser.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil((async () => {
    const account = await (await fetch("/api/v1/account/show")).json();
    const session = account.sessions.find((one) => one.isThis);
    if (!session?.push) return;
    const options = event.oldSubscription?.options || { userVisibleOnly: true, applicationServerKey: (await (await fetch("/api/v1/push/key")).json()).key };
    const { endpoint, keys } = (await self.registration.pushManager.subscribe(options)).toJSON();
    await fetch("/api/v1/account/put-push", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ target: account.id, session: session.id, push: { endpoint, keys, wantsPlaces: session.push.wantsPlaces } }),
    });
  })());
});

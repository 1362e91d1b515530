// The server puts `const version` before this: the folder of all files of this release.
/* global version */
const store = `homeward-${version}`;
const pages = "homeward-pages";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== store && name !== pages) await caches.delete(name);
    await self.clients.claim();
  })());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(fileOf(request));
  // What the link in a message opens is kept nowhere, nor the way back from another service.
  else if (request.mode === "navigate" && !/^\/(g\/|openid$)/.test(url.pathname)) event.respondWith(pageOf(request));
});

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
    const isOut = new URL(answer.url).pathname === "/log-in";
    if (isOut) await caches.delete(pages);
    else if (answer.ok && answer.type === "basic") await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const known = await cache.match(request);
    if (known) return known;
    throw error;
  }
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

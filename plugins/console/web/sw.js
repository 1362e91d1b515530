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
  // What the link in a message opens is kept nowhere.
  else if (request.mode === "navigate" && !url.pathname.startsWith("/g/")) event.respondWith(pageOf(request));
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

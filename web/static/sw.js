// Keeps the page for use without a network. The build puts its list of files in, each with its hash: nothing is kept that
// differs from it, and a page never gets a part of another build. A new build takes over when the last window is closed.
const FILES = {/* path: hash, by the build */};
const CACHE = '/* the build */';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.all(Object.entries(FILES).map(async ([path, hash]) => {
    const answer = await fetch(path, { cache: 'no-cache', integrity: hash });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await cache.put(path, answer);
  }))));
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const path = url.pathname.slice(scope.pathname.length) || 'index.html';
  if (!(path in FILES)) {
    // Which worker there is, only the server knows; without it there is none.
    if (path === 'config.json') {
      event.respondWith(fetch(request).catch(() => Response.json({ worker_origin: null })));
    }
    return;
  }
  event.respondWith(caches.match(path, { cacheName: CACHE }).then((kept) => kept ?? fetch(request)));
});

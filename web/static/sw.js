// Keeps what this browser can use of the page for use without a network. The build puts its list of files in, each with its
// hash: nothing is kept that differs from it, and a page never gets a part of another build. A new build takes over when
// the last window is closed.
const FILES = {/* path: hash, by the build */};
const CACHE = '/* the build */';

// What is kept when the page has said what this browser can use, and whenever it is used. All else is there before a build takes
// over: without its own engine a page could not open a table.
const later = (path) => /^(samples|optimize|texts)\//.test(path);

// One of the two searches, one language if it is not the one inside the page, and everything else.
function useful(path, { threads, language }) {
  if (path.startsWith('optimize/')) return path.startsWith('optimize/threads/') === threads;
  return !path.startsWith('texts/') || path === `texts/${language}.txt`;
}

const fetched = (path) => fetch(path, { cache: 'no-cache', integrity: FILES[path] });

async function keep(paths) {
  const cache = await caches.open(CACHE);
  await Promise.all(paths.map(async (path) => {
    if (await cache.match(path)) return;
    const answer = await fetched(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await cache.put(path, answer);
  }));
}

// The paths that the build before this one has kept: this one must have them before it takes over.
async function keptBefore() {
  const kept = new Set();
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) kept.add(url.slice(self.registration.scope.length));
  }
  return kept;
}

self.addEventListener('install', (event) => {
  event.waitUntil(keptBefore().then((kept) => keep(Object.keys(FILES).filter((path) => !later(path) || kept.has(path)))));
});

self.addEventListener('message', (event) => {
  event.waitUntil(keep(Object.keys(FILES).filter((path) => useful(path, event.data))));
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
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(path);
    if (kept) return kept;
    const answer = await fetched(path);
    if (answer.ok) event.waitUntil(cache.put(path, answer.clone()));
    return answer;
  })());
});

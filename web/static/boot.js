// Starts the page. Everything else is in ui/ (the page), worker.js (the engine), vault.js (work over a reload) and sw.js (the page without a network).
// Asked for once the page is there, which does not wait for it.
const vault = (name) => [name, async (...told) => (await import('./vault.js')).default[name](...told)];
self.lookalikeVault = Object.fromEntries(['begin', 'recall', 'keep', 'forget'].map(vault));

try {
  const { default: init } = await import('./ui/ui.js');
  await init();
} catch (error) {
  const boot = document.getElementById('boot');
  if (boot) {
    boot.textContent = `The page could not start (${error}). It needs a browser with WebAssembly; reload, or try another.`;
  }
  throw error;
}

// What it takes to work without a network is fetched when the page is there: as much of it as this browser can use. Without
// it the page works as well.
async function keep() {
  try {
    await navigator.serviceWorker?.register('./sw.js');
    const registration = await navigator.serviceWorker?.ready;
    const page = document.documentElement;
    const tell = () => registration?.active.postMessage({ threads: crossOriginIsolated, language: page.lang });
    tell();
    // The language is a file of its own, which may come later than all this.
    new MutationObserver(tell).observe(page, { attributeFilter: ['lang'] });
  } catch (error) {
    console.info('not kept offline:', error);
  }
}
if (document.readyState === 'complete') keep();
else addEventListener('load', keep);

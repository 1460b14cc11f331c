// One thread of the search's pool: the receiving half of wasm-bindgen-rayon's workerHelpers.no-bundler.js, as a file of
// the page's own instead of a blob.
self.addEventListener('message', async ({ data }) => {
  if (data?.type !== 'wasm_bindgen_worker_init') return;
  const optimizer = await import(data.mainJS);
  await optimizer.default({ module_or_path: data.module, memory: data.memory });
  self.postMessage({ type: 'wasm_bindgen_worker_ready' });
  optimizer.wbg_rayon_start_worker(data.receiver);
}, { once: true });

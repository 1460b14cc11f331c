// The page as one file: its parts stand in this document, packed. The build puts the scripts that load them in.
const text = (id) => document.getElementById(id).textContent;

async function part(name) {
  const packed = Uint8Array.from(atob(text(`part-${name}`)), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

// There is no server: samples and languages stand here, and nothing says that there is a worker.
self.fetch = async (url) => {
  const kept = /(?:samples|texts)\/([a-z0-9-]+\.(?:csv|txt))$/.exec(String(url));
  if (kept) return new Response(await part(kept[1]));
  if (String(url).endsWith('config.json')) return Response.json({ worker_origin: null });
  throw new Error('this page has no connection');
};

// The engine's script from this document, with its parts beside it.
const NativeWorker = self.Worker;
self.Worker = class extends NativeWorker {
  constructor(_url, { name }) {
    const script = new Blob([text('engine-script')], { type: 'text/javascript' });
    super(URL.createObjectURL(script), { name });
    this.began = Promise.all(['engine', 'optimize', 'import'].map(part)).then((parts) => {
      super.postMessage({ parts }, parts);
    });
  }
};

(async () => {
  try {
    await glue({ module_or_path: await part('ui') });
  } catch (error) {
    document.getElementById('boot').textContent = `The page could not start (${error}). It needs a browser with WebAssembly; try another.`;
    throw error;
  }
})();

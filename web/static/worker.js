// The engine's Web Worker. Requests come in as { message, bulk }; the engine answers by itself, in the same shape.
// Long work is done step by step; between two steps the event loop turns, so that "stop" is heard.

// What comes before the engine is up has to wait.
const early = [];
self.onmessage = (event) => early.push(event);

// wasm-bindgen-rayon starts its threads from blob: URLs, which the page's policy forbids; pool.js does the same from a
// file of the page's own.
const NativeWorker = self.Worker;
self.Worker = class extends NativeWorker {
  constructor(_blob, options) {
    super(new URL('./pool.js', import.meta.url), options);
  }
};

async function load() {
  if (self.crossOriginIsolated) {
    try {
      const threaded = await import('./engine/threads/engine.js');
      await threaded.default();
      const threads = navigator.hardwareConcurrency || 1;
      await threaded.initThreadPool(threads);
      return [threaded, threads];
    } catch (error) {
      console.warn('no threads:', error);
    }
  }
  const single = await import('./engine/single/engine.js');
  await single.default();
  return [single, 1];
}

// After an error the engine's memory cannot be trusted: the page starts another one.
function lost(error) {
  self.onmessage = null;
  self.postMessage({ lost: String(error) });
}

// The part that reads other files than plain text is loaded when the first of them comes.
let importer;
async function loadImporter() {
  if (!importer) {
    const module = await import('./import/import.js');
    await module.default();
    importer = module;
  }
  return importer;
}

// So is the part that knows configuration files and checks published tables.
let desk;
async function loadDesk() {
  const module = await import('./desk/desk.js');
  await module.default();
  return new module.Counter();
}

// After an error its memory cannot be trusted, and the next question gets another one.
async function ask(question, bulk) {
  desk ??= loadDesk();
  try {
    const answer = (await desk).answer(question, bulk);
    self.postMessage(answer, answer.bulk);
  } catch (error) {
    desk = undefined;
    const message = `this part of the page could not be loaded, or has stopped (${error}): try again, or reload the page`;
    self.postMessage({ told: { failed: { message } }, bulk: [] });
  }
}

try {
  const [module, threads] = await load();
  module.reportPanics(self.name);
  const engine = new module.Engine(threads);

  const turn = new MessageChannel();
  let turning = false;
  const goOn = (more) => {
    turning = more;
    if (more) turn.port2.postMessage(0);
  };
  turn.port1.onmessage = () => {
    try {
      goOn(engine.step());
    } catch (error) {
      lost(error);
    }
  };
  const consumer = { consume: (form, next) => engine.readText(form, next) };
  const importFile = async (how, file) => {
    let module;
    try {
      module = await loadImporter();
    } catch (error) {
      const why = `the part of the page that reads such files could not be loaded (${error}): reload the page`;
      engine.finishImport({ error: why, notes: [], warnings: [] });
      return;
    }
    engine.finishImport(module.open(how, file, consumer));
  };
  self.onmessage = ({ data }) => {
    if (data.ask) {
      ask(data.ask, data.bulk);
      return;
    }
    try {
      const more = engine.handle(data.message, data.bulk, data.file);
      if (!turning) goOn(more);
      if (data.file && engine.wantsImport()) importFile(data.message.open.how, data.file).catch(lost);
    } catch (error) {
      lost(error);
    }
  };
  early.forEach((event) => self.onmessage(event));
} catch (error) {
  lost(error);
}

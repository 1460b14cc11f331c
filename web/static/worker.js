// The engine's Web Worker. Requests come in as { message, bulk, file } or { ask, file }; engine and desk answer by themselves,
// in the same shape. The parts of the page are wasm modules, loaded when they are needed: the engine with the first table.
// Long work is done step by step; between two steps the event loop turns, so that "stop" is heard.

// The page as one file has its parts inside; everywhere else they are files beside this one.
const part = self.lookalikePart ?? ((path) => import(path));

// The memory of each part, and the most it can get: what a module may address, or what the build lets it share.
const memories = new Map();
const most = (path) => (path.includes('threads') ? 2 : 4) * 2 ** 30;

async function load(path) {
  const module = await part(path);
  const { memory } = await module.default();
  memories.set(path, memory);
  return module;
}

// Tells how full the fullest part is, so that the page can say so before there is no more.
function tellMemory() {
  let fullest = { bytes: 0, most: 1 };
  for (const [path, memory] of memories) {
    const held = { bytes: memory.buffer.byteLength, most: most(path) };
    if (held.bytes / held.most > fullest.bytes / fullest.most) fullest = held;
  }
  self.postMessage({ memory: fullest });
}

// A part is loaded once; what could not be loaded is tried again the next time.
function once(loading) {
  let loaded;
  return () => {
    loaded ??= loading().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

function post(message) {
  self.postMessage({ message, bulk: [] });
}

// After an error the memory of engine or search cannot be trusted: the page starts others.
function lost(error) {
  self.onmessage = null;
  self.postMessage({ lost: String(error) });
}

// What a part says as a string is an answer; all else is a broken part.
function failed(error) {
  if (typeof error !== 'string') throw error;
  post({ failed: { message: error } });
}

const turn = new MessageChannel();
const waiting = [];
turn.port1.onmessage = () => waiting.shift()();
const nextTurn = () => new Promise((resolve) => {
  waiting.push(resolve);
  turn.port2.postMessage(0);
});

// The search, with as many threads as there may be.
self.lookalikeProgress = (json) => post({ progress: { progress: JSON.parse(json) } });
const threads = self.crossOriginIsolated ? navigator.hardwareConcurrency || 1 : 1;
const solver = once(async () => {
  if (self.crossOriginIsolated) {
    try {
      // wasm-bindgen-rayon starts its threads from blob: URLs, which the page's policy forbids; pool.js does the same
      // from a file of the page's own.
      const NativeWorker = self.Worker;
      self.Worker = class extends NativeWorker {
        constructor(_blob, options) {
          super(new URL('./pool.js', self.location.href), options);
        }
      };
      const module = await load('./solver/threads/solver.js');
      await module.initThreadPool(threads);
      return begun(module);
    } catch (error) {
      console.warn('no threads:', error);
      post({ ready: { threads: 1 } });
    }
  }
  return begun(await load('./solver/single/solver.js'));
});

function begun(module) {
  module.reportPanics(self.name);
  return new module.Solver();
}

// What went wrong on the way is an answer.
const theSolver = () => solver().catch((error) => {
  throw `the part of the page that searches could not be loaded (${error}): try again, or reload the page`;
});

let searching;
let stopped = false;

function stop() {
  stopped = true;
  searching?.stop();
}

// Solves a job; the engine verifies the answer, and knows that it is not a worker's.
async function search(engine, job) {
  try {
    const found = await theSolver();
    found.begin(job);
    searching = found;
    if (stopped) found.stop();
    do await nextTurn(); while (found.step());
    const answer = JSON.parse(found.finish());
    const labels = found.labels().buffer;
    if (engine.handle({ apply: { answer } }, [labels], undefined)) engine.step();
  } catch (error) {
    failed(error);
  } finally {
    searching = undefined;
  }
}

// The part that reads other files than plain text.
const importer = once(() => load('./import/import.js'));

async function importFile(how, file, reader) {
  let module;
  try {
    module = await importer();
  } catch (error) {
    const why = `the part of the page that reads such files could not be loaded (${error}): reload the page`;
    reader.finishImport({ error: why, members: [], notes: [], warnings: [] });
    return;
  }
  const consumer = { consume: (form, next) => reader.readText(form, next) };
  reader.finishImport(module.open(how, file, consumer));
}

// The part that knows configuration files and checks published tables. After an error its memory cannot be trusted, and
// the next question gets another one.
let desk;

async function ask(question, file) {
  desk ??= load('./desk/desk.js').then((module) => new module.Counter());
  try {
    const counter = await desk;
    counter.answer(question, file);
    if (counter.wantsImport()) await importFile(question.open.how, file, counter);
  } catch (error) {
    desk = undefined;
    const message = `this part of the page could not be loaded, or has stopped (${error}): try again, or reload the page`;
    self.postMessage({ told: { failed: { message } }, bulk: [] });
  }
}

// The engine that knows series of releases takes the place of the plain one when a table is opened in a series.
const serial = once(async () => {
  const module = await load('./series/series.js');
  module.reportPanics(self.name);
  return module.engine();
});

// The engine reads tables and makes releases. Without it nothing goes on.
const plain = once(async () => {
  const module = await load('./engine/engine.js');
  module.reportPanics(self.name);
  return new module.Engine();
});

let engine;

async function answer({ ask: question, message, bulk, file }) {
  if (message?.open?.series) {
    try {
      engine = await serial();
    } catch (error) {
      failed(`the part of the page that makes series of releases could not be loaded (${error}): try again, or reload the page`);
      return;
    }
  }
  if (question) {
    await ask(question, file);
    return;
  }
  engine ??= await plain();
  if (message === 'stop') stop();
  if (message.anonymize) stopped = false;
  const work = engine.handle(message, bulk, file);
  if (message.open) {
    if (engine.wantsImport()) await importFile(message.open.how, file, engine);
    // Nobody has to wait for the search later on. If it cannot be loaded now, that is said when it is needed.
    solver().catch(() => {});
  }
  if (!work) return;
  await nextTurn();
  engine.step();
  const doubt = engine.takeDoubt();
  if (doubt) {
    try {
      engine.confirmed((await theSolver()).confirm(doubt));
    } catch (error) {
      failed(error);
    }
  }
  const job = engine.takeJob();
  if (job) await search(engine, job);
}

self.onmessage = ({ data }) => answer(data).then(tellMemory, lost);
post({ ready: { threads } });

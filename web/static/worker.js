// The engine's Web Worker. Requests come in as { id, message, bulk, file }; the engine answers by itself, in the same shape and
// with the same id. The parts of the page are wasm modules, loaded when they are needed: the engine with the first request.
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

function post(id, message) {
  self.postMessage({ id, message, bulk: [] });
}

// After an error the memory of engine or search cannot be trusted: the page starts others.
function lost(error) {
  self.onmessage = null;
  self.postMessage({ lost: String(error) });
}

// What a part says as a string is an answer: a message as JSON, or words; all else is a broken part.
function failed(id, error) {
  if (typeof error !== 'string') throw error;
  post(id, { failed: { message: error.startsWith('{') ? JSON.parse(error) : error } });
}

const turn = new MessageChannel();
const waiting = [];
turn.port1.onmessage = () => waiting.shift()();
const nextTurn = () => new Promise((resolve) => {
  waiting.push(resolve);
  turn.port2.postMessage(0);
});

// The search, with as many threads as there may be.
self.lookalikeProgress = (json) => {
  // Estimates say what they have found, and nothing before.
  if (searched === running) post(searched, { progress: { progress: JSON.parse(json) } });
};
const threads = self.crossOriginIsolated ? navigator.hardwareConcurrency || 1 : 1;
const optimizer = once(async () => {
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
      const module = await load('./optimize/threads/optimize.js');
      await module.initThreadPool(threads);
      return begun(module);
    } catch (error) {
      console.warn('no threads:', error);
      post(undefined, { ready: { threads: 1 } });
    }
  }
  return begun(await load('./optimize/single/optimize.js'));
});

function begun(module) {
  module.reportPanics(self.name);
  return new module.Optimizer();
}

// What went wrong on the way is an answer.
const theOptimizer = () => optimizer().catch((error) => {
  throw `the part of the page that searches could not be loaded (${error}): try again, or reload the page`;
});

// What searches, for which request, and whether it is to end.
let searching;
let searched;
let stopped = false;

// The request of the estimates under way, and the run that searches here. What is asked for later ends estimates; they never get in
// the way of a run.
let estimating;
let running;

function endEstimates() {
  if (estimating === undefined) return;
  estimating = undefined;
  searching?.stop();
}

function stop() {
  stopped = true;
  searching?.stop();
}

// Solves a job; the engine verifies the answer, and knows that it is not a worker's. One search at a time: what a run before
// has left is ended first.
let lastSearch = Promise.resolve();
let searches = 0;

async function search(id, job) {
  searching?.stop();
  searches += 1;
  const number = searches;
  const before = lastSearch;
  let over;
  lastSearch = new Promise((resolve) => {
    over = resolve;
  });
  try {
    await before;
    const found = await theOptimizer();
    searched = id;
    found.begin(job);
    searching = found;
    if (stopped || number !== searches) found.stop();
    do await nextTurn(); while (found.step());
    const answer = JSON.parse(found.finish());
    return { message: { apply: { answer } }, bulk: [found.labels().buffer] };
  } catch (error) {
    failed(id, error);
    return undefined;
  } finally {
    searching = undefined;
    over();
  }
}

// The table that is being read, by the number of its request. Reading holds the event loop: how far it is goes to the page between
// two slices of the file, and that it was given up is looked up in memory that the page shares, where there is such memory.
let reading;
const OFTEN = 100;
self.lookalikeRead = (bytes) => {
  if (!reading) return true;
  const now = performance.now();
  if (now - reading.told > OFTEN || bytes === reading.size) {
    reading.told = now;
    tellRead(bytes);
  }
  return !(reading.givenUp && Atomics.load(reading.givenUp, 0) >= reading.id);
};
self.lookalikeFetched = (bytes) => {
  if (reading) reading.fetched += bytes;
};
function tellRead(bytes) {
  post(reading.id, { reading: { bytes, fetched: reading.fetched } });
}

// The part that reads other files than plain text, and writes them.
const importer = once(() => load('./import/import.js'));

// What the file of the table says of its columns: it goes with the published table where a form has a place for it.
let described = [];

async function importFile(id, how, file, engine, table) {
  let module;
  try {
    module = await importer();
  } catch (error) {
    const why = `the part of the page that reads such files could not be loaded (${error}): reload the page`;
    engine.finishImport(id, { error: why, members: [], notes: [], warnings: [] });
    return;
  }
  const consumer = { consume: (form, next) => engine.readText(id, form, next) };
  reading = table;
  try {
    const told = module.open(how, file, table !== undefined, consumer);
    if (table) {
      described = told.described ?? [];
      tellRead(table.size);
    }
    engine.finishImport(id, told);
  } catch (error) {
    // A library that reads such files has given up in the middle of it, as it does not do for a whole file.
    const why = `this file cannot be read, it may be damaged (${error}): reload the page before you open another one of its kind`;
    engine.finishImport(id, { error: why, members: [], notes: [], warnings: [] });
  }
  reading = undefined;
}

async function writeForm(id, { dialect, form, table }, file) {
  let module;
  try {
    module = await importer();
  } catch (error) {
    failed(id, `the part of the page that writes such files could not be loaded (${error})`);
    return;
  }
  module.writeForm(id, form, dialect, described, new Uint8Array(await file.arrayBuffer()), table);
}

// The engine reads tables and makes releases. Without it nothing goes on.
const theEngine = once(async () => {
  const module = await load('./engine/engine.js');
  module.reportPanics(self.name);
  return new module.Engine();
});

async function answer({ id, message, bulk, file, givenUp }) {
  if (message.workbook) {
    await writeForm(id, message.workbook, file);
    return;
  }
  const engine = await theEngine();
  if (message.estimate) {
    await estimate(id, message, engine);
    return;
  }
  if (message === 'stop' || message.open || message.anonymize || message.apply) endEstimates();
  if (message === 'stop') stop();
  if (message.anonymize) stopped = false;
  const table = message.open?.table === 'table' ? { id, givenUp, size: file?.size, told: performance.now(), fetched: 0 } : undefined;
  reading = table;
  if (table) described = [];
  let due = engine.handle(id, message, bulk, file);
  reading = undefined;
  if (message.open) {
    if (engine.wantsImport(id)) await importFile(id, message.open.how, file, engine, table);
    // Nobody has to wait for the search later on. If it cannot be loaded now, that is said when it is needed.
    if (message.open.table === 'table') optimizer().catch(() => {});
  }
  // A run goes on until its release is there, or until it waits for a worker.
  if (due) running = id;
  while (due) {
    await nextTurn();
    engine.step();
    const job = engine.takeJob();
    const found = job && await search(id, job);
    due = found && engine.handle(id, found.message, found.bulk, undefined);
  }
  if (running === id) running = undefined;
}

// Estimates go on until there is one for each number, or until something else is asked for.
async function estimate(id, message, engine) {
  if (running !== undefined) return;
  endEstimates();
  estimating = id;
  stopped = false;
  let due = engine.handle(id, message, [], undefined);
  while (due) {
    await nextTurn();
    if (estimating !== id) return;
    engine.stepEstimate();
    const job = engine.takeEstimateJob();
    const found = job && await search(id, job);
    if (estimating !== id) return;
    due = found && engine.handle(id, found.message, found.bulk, undefined);
  }
  estimating = undefined;
}

self.onmessage = ({ data }) => answer(data).then(tellMemory, lost);
post(undefined, { ready: { threads } });

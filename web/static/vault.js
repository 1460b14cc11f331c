// Work that outlives a reload of its tab, for those who asked for that: encrypted by AES-GCM in the browser's private file system.
// The key is in the storage of the tab's session alone. So this tab can read its work, no other tab can, and once the tab is closed
// nobody can: the next page that starts deletes what is left. Each tab has a folder of its own, and holds a lock of that name.
const NAME = 'lookalike-work';
const SETTINGS = 'settings';

// Bytes that are encrypted at a time, and what each piece has beside them: twelve random bytes, and sixteen that prove it whole.
const PIECE = 8 * 2 ** 20;
const BESIDE = 12 + 16;

// Milliseconds that the page before a reload has to let go, and that a tab which is being reloaded has to come back.
const PATIENCE = 2000;
const ABSENCE = 3000;

// The folder, key and lock of this tab; the table that is kept, and its file.
let mine;
let kept;

const isPossible = () => Boolean(crypto.subtle && navigator.locks && navigator.storage?.getDirectory);
const all = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(NAME, { create: true });
const own = async () => (await all()).getDirectoryHandle(mine.id, { create: true });
const lockOf = (id) => `${NAME} ${id}`;

// Holds the lock of a folder until the tab ends or the function that it gives is called; nothing if another tab has it.
const held = (id) => new Promise((resolve) => {
  navigator.locks.request(lockOf(id), { signal: AbortSignal.timeout(PATIENCE) }, () => new Promise(resolve))
    .catch(() => resolve(undefined));
});

async function begun(id, hex) {
  const bytes = Uint8Array.from(hex.match(/../g), (two) => parseInt(two, 16));
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const release = await held(id);
  return release && { id, key, release };
}

// A piece that stands in another file, or in another place of its own, is not taken.
const proof = (name, piece, size) => new TextEncoder().encode(`${name} ${piece} ${size}`);

async function write(folder, name, data) {
  const { key } = mine;
  const out = await (await folder.getFileHandle(name, { create: true })).createWritable();
  try {
    for (let piece = 0; piece * PIECE < data.size; piece += 1) {
      if (mine?.key !== key) throw new Error('no longer wanted');
      const plain = await data.slice(piece * PIECE, (piece + 1) * PIECE).arrayBuffer();
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const how = { name: 'AES-GCM', iv, additionalData: proof(name, piece, data.size) };
      await out.write(iv);
      await out.write(await crypto.subtle.encrypt(how, key, plain));
    }
    await out.close();
  } catch (error) {
    await out.abort().catch(() => {});
    throw error;
  }
}

async function read(folder, name) {
  const file = await (await folder.getFileHandle(name)).getFile();
  const pieces = Math.ceil(file.size / (PIECE + BESIDE));
  const plain = [];
  for (let piece = 0; piece < pieces; piece += 1) {
    const bytes = await file.slice(piece * (PIECE + BESIDE), (piece + 1) * (PIECE + BESIDE)).arrayBuffer();
    const additionalData = proof(name, piece, file.size - pieces * BESIDE);
    const how = { name: 'AES-GCM', iv: new Uint8Array(bytes, 0, 12), additionalData };
    plain.push(new Blob([await crypto.subtle.decrypt(how, mine.key, new Uint8Array(bytes, 12))]));
  }
  return plain;
}

// Writes follow each other; of those that wait, the last one counts.
let wanted;
let writing;

async function writeAll() {
  while (wanted && mine) {
    const { table, text } = wanted;
    wanted = undefined;
    const folder = await own();
    // The file of a table is there before the settings name it, and goes after them.
    const now = kept?.table === table ? kept : { table, file: `table-${crypto.randomUUID()}` };
    if (now !== kept) await write(folder, now.file, table);
    await write(folder, SETTINGS, new Blob([JSON.stringify({ file: now.file, name: table.name, text })]));
    kept = now;
    for await (const name of folder.keys()) {
      if (name !== SETTINGS && name !== now.file) await folder.removeEntry(name);
    }
  }
}

// Deletes the folders that no tab holds. A tab that is being reloaded holds nothing for a moment, so they are looked at twice.
async function sweep() {
  const folder = await all();
  const abandoned = async () => {
    const locks = new Set((await navigator.locks.query()).held.map(({ name }) => name));
    const ids = [];
    for await (const id of folder.keys()) if (id !== mine?.id && !locks.has(lockOf(id))) ids.push(id);
    return ids;
  };
  const before = await abandoned();
  if (before.length) await new Promise((resolve) => setTimeout(resolve, ABSENCE));
  const now = before.length ? await abandoned() : [];
  for (const id of before.filter((one) => now.includes(one))) await folder.removeEntry(id, { recursive: true });
  if (!mine) await tidy();
}

// Without work there is no folder.
async function tidy() {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(NAME).catch(() => {});
}

export default {
  // From now on work is kept.
  async begin() {
    if (!isPossible()) throw new Error('');
    await all();
    const hex = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const id = crypto.randomUUID();
    mine = await begun(id, hex);
    sessionStorage.setItem(NAME, `${id} ${hex}`);
  },

  // What this tab kept before it was reloaded: nothing without consent, and nothing inside if no table was open.
  async recall() {
    const [id, hex] = (sessionStorage.getItem(NAME) ?? '').split(' ');
    if (!isPossible()) return undefined;
    if (hex) mine = await begun(id, hex);
    const there = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) there.push(name);
    if (there.includes(NAME)) sweep().catch((error) => console.info('not swept:', error));
    if (!mine) {
      // A tab that was duplicated has the key, too: the work is the first one's.
      sessionStorage.removeItem(NAME);
      return undefined;
    }
    const folder = await own();
    let settings;
    try {
      settings = JSON.parse(await new Blob(await read(folder, SETTINGS)).text());
    } catch (error) {
      if (error.name === 'NotFoundError') return {};
      throw error;
    }
    const { file, name, text } = settings;
    const pieces = await read(folder, file);
    // Only a file of the user's has a name of its own.
    const table = name === undefined ? new Blob(pieces) : new File(pieces, name);
    kept = { table, file };
    return { table, text };
  },

  // Keeps this table and this text, in place of what was kept before.
  async keep(table, text) {
    if (!mine) return;
    wanted = { table, text };
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    await writing;
  },

  // Deletes what was kept, at once, and keeps nothing more.
  async forget() {
    const before = mine;
    mine = kept = wanted = undefined;
    sessionStorage.removeItem(NAME);
    await writing?.catch(() => {});
    if (!before) return;
    try {
      await (await all()).removeEntry(before.id, { recursive: true });
    } finally {
      before.release();
      await tidy();
    }
  },
};

import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { openChat, sqlite } from '../../../lib/index.ts';
import { answer } from './answering.ts';

/** As many in one call as `chatctl users import` sends. */
const AT_ONCE = 1_000;

/** Milliseconds until so many users of a file have accounts, in a new organization. */
async function create({ database, people }: { database: string; people: number }) {
  const chat = await openChat({ storage: sqlite(database) });
  const founder = { email: 'ada@example.com', full_name: 'Ada' };
  const owner = chat.as(await chat.createOrganization({ name: 'Bench', owner: founder }));
  await owner.channels.create({ name: 'general', subscribers: [], is_default_stream: true });
  const lines = Array.from({ length: people }, (_, at) => ({ email: `p${at}@example.com`, full_name: `Person ${at}` }));
  const start = performance.now();
  for (let from = 0; from < people; from += AT_ONCE) {
    await owner.users.createMany({ people: lines.slice(from, from + AT_ONCE) });
  }
  const taken = performance.now() - start;
  await chat.close();
  return taken;
}

/** Milliseconds until as many bare rows are durable, one by one. */
function insert({ database, people }: { database: string; people: number }) {
  const bare = new Database(database);
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, full_name TEXT NOT NULL) STRICT`);
  const insertion = bare.prepare('INSERT INTO people (email, full_name) VALUES (?, ?)');
  const start = performance.now();
  for (let at = 0; at < people; at++) insertion.run(`p${at}@example.com`, `Person ${at}`);
  const taken = performance.now() - start;
  bare.close();
  return taken;
}

answer({ create, insert });

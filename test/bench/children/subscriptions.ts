import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { type Chat, openChat, type Storage, sqlite } from '../../../lib/index.ts';
import { answer } from './answering.ts';
import { type Populated, populate } from './population.ts';

/** An organization in which one call subscribes the maximum of users to the maximum of channels. */

let chat: Chat;
let storage: Storage;
let bare: Database.Database;
let populated: Populated;
let rounds = 0;

async function start(given: { database: string; bareDatabase: string; people: number }) {
  storage = sqlite(given.database);
  chat = await openChat({ storage });
  populated = await populate(chat, storage, { people: given.people, channels: [] });
  bare = new Database(given.bareDatabase);
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE pairs (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
    CREATE INDEX pairs_by_b ON pairs (b)`);
}

/** Milliseconds until so many users are subscribed to so many new channels, with the events. */
async function subscribe({ channels, people }: { channels: number; people: number }) {
  const owner = chat.as(populated.owner);
  const round = ++rounds;
  const names = Array.from({ length: channels }, (_, at) => `pairs ${round} ${at}`);
  for (const name of names) await owner.channels.create({ name, subscribers: [] });
  const start = performance.now();
  await owner.subscriptions.add({
    subscriptions: names.map((name) => ({ name })),
    principals: populated.people.slice(0, people),
    send_new_subscription_messages: false,
  });
  return performance.now() - start;
}

/** Milliseconds until as many bare rows are durable. */
function insert({ channels, people }: { channels: number; people: number }) {
  const round = ++rounds * 100_000;
  const statement = bare.prepare('INSERT INTO pairs (a, b) VALUES (?, ?)');
  const start = performance.now();
  bare.transaction(() => {
    for (let a = 0; a < channels; a++) for (let b = 0; b < people; b++) statement.run(b, round + a);
  })();
  return performance.now() - start;
}

answer({ start, subscribe, insert });

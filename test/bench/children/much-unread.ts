import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { type Chat, openChat, sqlite } from '../../../lib/index.ts';
import { answer } from './answering.ts';
import { type Populated, populate } from './population.ts';

/** An organization with a channel for each number of messages, all in one unread topic. */

let chat: Chat;
let populated: Populated;
let topics: number[];
const storageOf = (file: string) => sqlite(file);
let storage: ReturnType<typeof storageOf>;

async function start(given: { database: string; people: number; messages: readonly number[] }) {
  storage = storageOf(given.database);
  chat = await openChat({ storage });
  const { people, messages } = given;
  populated = await populate(chat, storage, { people, channels: messages.map(() => people - 1) });
  topics = await storage.write(async (tx) => {
    const made: number[] = [];
    for (const channel of populated.channels) made.push((await tx.conversations.ensureTopic(channel, 'the log')).id);
    return made;
  });
  // A million by the operation, or one by one, would take longer than the benchmark.
  const database = new Database(given.database);
  const insert = database.prepare(`
    INSERT INTO messages (conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
      read_by_sender, folded_content)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    SELECT ?, ?, 'The lamp is lit.', '<p>The lamp is lit.</p>', 1700000000, 'Bench', 0, 1, 'the lamp is lit.' FROM n`);
  for (const [at, count] of messages.entries()) insert.run(count, topics[at], populated.owner);
  database.close();
}

/** A user has read all channels but one. */
async function readAllBut({ person, channel }: { person: number; channel: number }) {
  await storage.write(async (tx) => {
    const user = populated.people[person] as number;
    for (const [at, topic] of topics.entries()) {
      if (at !== channel) await tx.readState.markConversationsRead(user, [topic], Number.MAX_SAFE_INTEGER - 1);
    }
  });
}

const session = (person: number) => chat.as(populated.people[person] as number);
const UNREAD = ['message', 'update_message_flags'] as const;

async function register({ person }: { person: number }) {
  const begin = performance.now();
  await session(person).register({ event_types: [...UNREAD], fetch_event_types: [...UNREAD] });
  return performance.now() - begin;
}

async function markAll({ person }: { person: number }) {
  const begin = performance.now();
  for (let isOver = false; !isOver; ) isOver = (await session(person).messages.markAllRead()).complete;
  return performance.now() - begin;
}

/** Milliseconds of the 99th percentile of sends, one after another, by a user outside the channels. */
async function sending(isOver: () => boolean): Promise<number> {
  const { length } = populated.people;
  const times: number[] = [];
  while (!isOver()) {
    const begin = performance.now();
    const to = [populated.people[length - 1] as number];
    await session(length - 1).messages.send({ type: 'direct', to, content: 'All is well.' });
    times.push(performance.now() - begin);
  }
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] as number;
}

async function send({ forMs }: { forMs: number }) {
  const end = performance.now() + forMs;
  return sending(() => performance.now() >= end);
}

async function sendWhileMarking({ person }: { person: number }) {
  let isOver = false;
  const sent = sending(() => isOver);
  await markAll({ person });
  isOver = true;
  return sent;
}

answer({ start, readAllBut, register, markAll, send, sendWhileMarking });

import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { type Chat, openChat, type Storage, sqlite } from '../../../lib/index.ts';
import { transportOf } from '../../../lib/internal.ts';
import { answer } from './answering.ts';
import { type Populated, type Population, populate } from './population.ts';
import { fillTopic, readTopic } from './topic-population.ts';

/** An organization with topics of any length, called through the library. */

let chat: Chat;
let storage: Storage;
let file: string;
let populated: Populated;

async function start(given: Population & { database: string; schema?: string }) {
  if (given.schema === undefined) storage = sqlite(given.database);
  else {
    const { postgres } = await import('../../../lib/storage/postgres/postgres.ts');
    storage = postgres(given.database, { schema: given.schema });
  }
  file = given.database;
  chat = await openChat({ storage });
  populated = await populate(chat, storage, given);
  return populated;
}

/** Makes a topic and returns its first message. */
async function fill(given: { channel: number; topic: string; messages: number; isRead?: boolean }) {
  const people = populated.people.slice(0, 20);
  const ids = await fillTopic(storage, { ...given, people });
  if (given.isRead) await readTopic(storage, people, ids);
  return ids[0];
}

/** Milliseconds until a renaming of the message's whole topic is durable. */
async function rename(given: { message: number; topic: string }) {
  const { messages } = chat.as(populated.owner);
  const start = performance.now();
  await messages.edit({ message_id: given.message, topic: given.topic, propagate_mode: 'change_all' });
  return performance.now() - start;
}

/** Milliseconds until `readers` waiting subscribers have the event of a renaming. */
async function heard(given: { message: number; topic: string; readers: number }) {
  const waiting: Promise<unknown>[] = [];
  for (const reader of populated.people.slice(0, given.readers)) {
    const session = chat.as(reader);
    const { queue_id } = await session.register({ event_types: ['update_message'], fetch_event_types: [] });
    waiting.push(session.events.list({ queue_id: queue_id as string, last_event_id: -1 }));
  }
  while (transportOf(chat).engine.hub.waiting < given.readers) await new Promise((resolve) => setTimeout(resolve, 5));
  const start = performance.now();
  await rename(given);
  await Promise.all(waiting);
  return performance.now() - start;
}

/** Milliseconds of a bare select of the IDs of the message's topic. */
function idsOfTopic({ message }: { message: number }) {
  const database = new Database(file, { readonly: true });
  const topic = database.prepare('SELECT conversation_id FROM messages WHERE id = ?').pluck().get(message);
  const select = database.prepare('SELECT id FROM messages WHERE conversation_id = ? ORDER BY id').pluck();
  const start = performance.now();
  select.all(topic);
  const time = performance.now() - start;
  database.close();
  return time;
}

/** Milliseconds until a user who has read nothing of a topic has read all of it. */
async function markTopic(given: { person: number; channel: number; topic: string }) {
  const { messages } = chat.as(populated.people[given.person] as number);
  const start = performance.now();
  await messages.markTopicRead({ stream_id: given.channel, topic_name: given.topic });
  return performance.now() - start;
}

/** The same through windows of a narrow, as many as necessary. */
async function markNarrow(given: { person: number; channel: number; topic: string }) {
  const { messages } = chat.as(populated.people[given.person] as number);
  const narrow = [
    { operator: 'channel', operand: given.channel },
    { operator: 'topic', operand: given.topic },
  ];
  const start = performance.now();
  for (let anchor: number | 'oldest' = 'oldest', isOver = false; !isOver; ) {
    const window = { anchor, include_anchor: anchor === 'oldest', num_before: 0, num_after: 5_000, narrow };
    const done = await messages.updateFlagsNarrow({ ...window, op: 'add', flag: 'read' });
    isOver = done.found_newest || done.last_processed_id === null;
    anchor = done.last_processed_id ?? anchor;
  }
  return performance.now() - start;
}

answer({ start, fill, rename, heard, idsOfTopic, markTopic, markNarrow });

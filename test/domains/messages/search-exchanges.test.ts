import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { listMessages } from '../../../lib/domains/messages/listing/list.ts';
import { openChat, sqlite } from '../../../lib/index.ts';
import { transportOf } from '../../../lib/internal.ts';

/** Exchanges: versions; the words, and channels that the reader has left; the IDs; the messages with related data. */
const EXCHANGES = 4;

const given = { anchor: 'newest', num_before: 20, narrow: [['search', 'comet']] as [string, string][] } as const;

/** A chat with one reader thread and warm caches, and the messages of the search. */
async function searched(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const chat = await openChat({ storage: sqlite(join(folder, 'chat.db'), { threadsFromBytes: 0 }) });
  t.after(() => chat.close());
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  const { user_id } = await chat.createOrganization({
    name: 'Lighthouse keepers',
    owner: { email: 'keeper@example.com', full_name: 'Keeper' },
  });
  const { messages, channels } = chat.as(user_id);
  const sent: number[] = [];
  for (const name of ['lamp', 'horn']) {
    const { id: to } = await channels.create({ name, subscribers: [user_id] });
    sent.push((await messages.send({ type: 'channel', to, topic: 'night', content: `a comet over the ${name}` })).id);
  }
  await messages.list(given);
  assert.equal(workers.length, 1);
  return { chat, user_id, sent, thread: workers[0] as Worker };
}

test('a search takes four exchanges with a reader thread, however many users and channels it shows', async (t) => {
  const { chat, user_id, sent, thread } = await searched(t);
  let answers = 0;
  thread.on('message', () => answers++);
  const found = await chat.as(user_id).messages.list(given);
  assert.deepEqual(
    found.messages.map(({ id }) => id),
    sent,
  );
  assert.equal(answers, EXCHANGES);
});

test('the exchanges of a search with a reader thread, after the first one, count as its own work', async (t) => {
  const { chat, user_id, thread } = await searched(t);
  const happened: string[] = [];
  const { postMessage } = thread;
  t.mock.method(thread, 'postMessage', function (this: Worker, asked: unknown) {
    happened.push('asks');
    postMessage.call(this, asked);
  });
  const beginWork = () => {
    happened.push('begins');
    return () => happened.push('ends');
  };
  const permit = { beginWork, enter: async () => undefined, begin: async () => undefined, end: () => undefined };
  await transportOf(chat).engine.call(listMessages, { userId: user_id, client: 'Tests', permit }, given);
  assert.deepEqual(happened, ['asks', 'begins', ...Array(EXCHANGES - 1).fill('asks'), 'ends']);
});

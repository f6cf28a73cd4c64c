import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { openChat, sqlite } from '../../../lib/index.ts';

/** Caller and versions; where to look and the words; the ids; the messages with all that belongs to them. */
const EXCHANGES = 4;

test('a search travels to a reader thread and back four times, however many people and channels it shows', async (t) => {
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
  const search = () => messages.list({ anchor: 'newest', num_before: 20, narrow: [['search', 'comet']] });
  await search();
  let answers = 0;
  workers[0]?.on('message', () => answers++);
  const found = await search();
  assert.deepEqual(
    found.messages.map(({ id }) => id),
    sent,
  );
  assert.equal(workers.length, 1);
  assert.equal(answers, EXCHANGES);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { User } from '../../lib/model/users.ts';
import { transactionOn } from '../../lib/storage/sql/transaction.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { createChannel, createUsers, organization, send, subscribe } from '../contract/fixtures.ts';
import { Counting } from './counting.ts';

const SUBSCRIBERS = 3_000;
const LIMIT = 100;
const WAYS = { email: true, push: true };
const CHOOSING_ALL = { enable_stream_email_notifications: true };

/** A channel with many subscribers and a mention of all. Three users, who are not subscribed, chose all channels. */
async function world(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'chat.db');
  const storage = sqlite(file);
  await storage.open();
  const made = await storage.write(async (tx) => {
    await tx.organization.create(organization());
    const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
    for (const { id } of [Ada, Bob, Cyd]) await tx.users.update(id, { settings: CHOOSING_ALL });
    const users = Object.values(await createUsers(tx, ...Array.from({ length: SUBSCRIBERS }, (_, n) => `User${n}`)));
    const channel = await createChannel(tx, 'one');
    await subscribe(tx, channel, ...users);
    const topic = await tx.conversations.ensureTopic(channel, 'tea');
    const id = await send(tx, users[0] as User, topic);
    await tx.flags.setForReaders(id, 'all', 'wildcard_mentioned');
    const message = { id, conversation_id: topic.id, channel_id: channel, topic: 'tea' };
    return { channel, message, users: users.map(({ id }) => id) };
  });
  await storage.close();
  const connection = new Counting(file, ['subscriptions', 'users', 'message_flags']);
  t.after(() => connection.close());
  return {
    ...made,
    notices: transactionOn(connection).emailNotices,
    async visits(work: () => Promise<unknown>) {
      const before = connection.visits;
      await work();
      return connection.visits - before;
    },
  };
}

test('asking who wants all messages of a channel visits no subscriber if few users chose all channels', async (t) => {
  const { channel, notices, visits } = await world(t);
  const count = await visits(async () => assert.deepEqual(await notices.choosers(channel, 2, WAYS), []));
  assert.ok(count <= 20, `${count} rows`);
});

test('each page of the users whom a mention of all concerns visits as many rows as the page has users', async (t) => {
  const { message, users, notices, visits } = await world(t);
  const found: number[] = [];
  for (let isLast = false; !isLast; ) {
    const count = await visits(async () => {
      const page = await notices.concerned(message, found.at(-1) ?? 0, LIMIT, WAYS);
      found.push(...page);
      isLast = page.length < LIMIT;
    });
    assert.ok(count <= LIMIT + 20, `${count} rows`);
  }
  assert.deepEqual(found, users);
});

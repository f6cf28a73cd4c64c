import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readSearch } from '../../lib/rules/search.ts';
import type { Storage, Transaction, WriteOptions } from '../../lib/storage/interface/storage.ts';
import type { User } from '../../lib/storage/interface/users.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { type PostgresPlace, postgresPlace } from '../support/postgres.ts';
import {
  createChannel,
  createMessage,
  createUsers,
  holdUntil,
  newChannel,
  organization,
  send,
  subscribe,
  unsubscribe,
} from './fixtures.ts';

const test = testOn({ skip: withoutPostgres });

interface TwoProcesses {
  place: PostgresPlace;
  storages: readonly [Storage, Storage];
}

async function twoProcesses(t: TestContext): Promise<TwoProcesses> {
  const place = await postgresPlace();
  t.after(() => place.drop());
  const storages = [place.storage(), place.storage()] as const;
  for (const storage of storages) {
    await storage.open();
    t.after(() => storage.close());
  }
  await storages[0].write((tx) => tx.organization.create(organization()));
  return { place, storages };
}

async function isSomebodyWaiting({ url, schema }: PostgresPlace): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
    [schema],
  );
  await client.end();
  return rows.length > 0;
}

type Work = (tx: Transaction) => Promise<unknown>;

/**
 * Two writes of two processes: the first has done its work and is not committed yet when the other does its own, or
 * waits to do it. `isReversed`: the second of them is the first.
 */
async function overlapping(
  { place, storages }: TwoProcesses,
  isReversed: boolean,
  works: readonly [Work, Work],
  options: WriteOptions = {},
): Promise<void> {
  const [first, second] = isReversed ? ([1, 0] as const) : ([0, 1] as const);
  let hasWorked = false;
  let isAsked = false;
  const one = storages[first].write(async (tx) => {
    await works[first](tx);
    hasWorked = true;
    await holdUntil(tx, () => isAsked);
  }, options);
  while (!hasWorked) await sleep(5);
  let isDone = false;
  const other = storages[second].write(works[second], options).then(() => {
    isDone = true;
  });
  while (!isDone && !(await isSomebodyWaiting(place))) await sleep(5);
  isAsked = true;
  await Promise.all([one, other]);
}

describe('PostgreSQL with two transactions open', () => {
  for (const isReversed of [false, true]) {
    const order = isReversed ? 'the other way round' : 'one after the other';

    test(`two processes subscribe and unsubscribe people, and the count is right, ${order}`, async (t) => {
      const processes = await twoProcesses(t);
      const { storages } = processes;
      const { channel, people } = await storages[0].write(async (tx) => {
        const people = Object.values(await createUsers(tx, 'Ada', 'Bob', 'Eve', 'Ian'));
        const channel = await createChannel(tx, 'one');
        await subscribe(tx, channel, ...people.slice(0, 2));
        return { channel, people };
      });
      const [Ada, Bob, Eve, Ian] = people as [User, User, User, User];
      await overlapping(processes, isReversed, [
        async (tx) => {
          await subscribe(tx, channel, Ada, Eve, Ian);
          await unsubscribe(tx, channel, Bob);
        },
        async (tx) => {
          await unsubscribe(tx, channel, Ada, Bob);
          await subscribe(tx, channel, Eve);
        },
      ]);
      await storages[0].read(async (tx) => {
        const ids = (await tx.subscriptions.subscriberIds([channel])).get(channel) ?? [];
        assert.equal((await tx.channels.byId(channel))?.subscriber_count, ids.length);
        assert.deepEqual(ids.includes(Bob.id), false);
        assert.equal(ids.includes(Ada.id), isReversed);
      });
    });

    test(`two channels cannot come by one name in two processes, ${order}`, async (t) => {
      const processes = await twoProcesses(t);
      const { storages } = processes;
      const ids = await storages[0].write(async (tx) => [
        await createChannel(tx, 'one'),
        await createChannel(tx, 'two'),
      ]);
      const outcomes: unknown[] = [];
      const rename = (id: number, name: string) => async (tx: Transaction) => {
        outcomes.push(await tx.channels.update(id, { name }));
      };
      await overlapping(processes, isReversed, [rename(ids[0] as number, 'Three'), rename(ids[1] as number, 'tHREE')]);
      assert.deepEqual(outcomes.map(Boolean).sort(), [false, true]);
      const made = storages.map((storage) => storage.write((tx) => tx.channels.create([newChannel('Four')])));
      assert.equal((await Promise.all(made)).flat().length, 1);
    });

    test(`one person marks two conversations, and one conversation twice, in two processes, ${order}`, async (t) => {
      const processes = await twoProcesses(t);
      const { storages } = processes;
      const { Ada, topics, ids } = await storages[0].write(async (tx) => {
        const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
        const channel = await createChannel(tx, 'one');
        await subscribe(tx, channel, Ada, Bob);
        const topics = [
          await tx.conversations.ensureTopic(channel, 'x'),
          await tx.conversations.ensureTopic(channel, 'y'),
        ];
        const ids: number[] = [];
        for (let n = 0; n < 12; n++) ids.push(await send(tx, Bob, topics[n % 2] as (typeof topics)[0]));
        return { Ada, topics, ids };
      });
      const marked: number[] = [];
      const part = (at: number, most: number) => async (tx: Transaction) => {
        const done = await tx.readState.markConversationPart(Ada.id, (topics[at] as { id: number }).id, 0, most);
        marked.push(...done.message_ids);
      };
      await overlapping(processes, isReversed, [part(0, 3), part(0, 4)], { shared: true });
      await overlapping(processes, isReversed, [part(0, 10), part(1, 10)], { shared: true });
      assert.equal(new Set(marked).size, marked.length, 'nothing is told twice');
      const unread = await storages[0].read((tx) => tx.readState.unread(Ada.id, 100));
      assert.deepEqual(
        [...unread.map(({ id }) => id), ...marked].sort((one, other) => one - other),
        ids,
      );
    });

    test(`two senders bring up one word, and it is found in the messages of both, ${order}`, async (t) => {
      const processes = await twoProcesses(t);
      const { storages } = processes;
      const { Ada, topic } = await storages[0].write(async (tx) => {
        const { Ada } = await createUsers(tx, 'Ada');
        const channel = await createChannel(tx, 'one');
        await subscribe(tx, channel, Ada);
        return { Ada, topic: await tx.conversations.ensureTopic(channel, 'x') };
      });
      const ids: number[] = [];
      const say = async (tx: Transaction) => {
        ids.push(await createMessage(tx, Ada, topic, { content: 'xylophones everywhere' }));
      };
      await overlapping(processes, isReversed, [say, say], { shared: true });
      const search = readSearch('xylophone');
      const query = { viewer: Ada.id, conversations: [topic.id], terms: [{ test: 'words' as const, search }] };
      const found = await storages[0].read((tx) => tx.messages.fetchIds(query, 0, 'after', 10));
      assert.deepEqual(
        found,
        ids.sort((one, other) => one - other),
      );
    });
  }
});

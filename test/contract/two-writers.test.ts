import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { User } from '../../lib/model/users.ts';
import { readSearch } from '../../lib/rules/search.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { testOn } from '../support/engines.ts';
import { createChannel, createMessage, createUsers, newChannel, send, subscribe, unsubscribe } from './fixtures.ts';
import { twoProcesses } from './overlapping.ts';

for (const { name, skip, open } of twoProcesses) {
  const test = testOn({ skip });
  describe(`${name} with two concurrent transactions`, () => {
    for (const isReversed of [false, true]) {
      const order = isReversed ? 'the other way round' : 'one after the other';

      test(`subscriber_count is right after concurrent subscriptions and unsubscriptions, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const { channel, people } = await storages[0].write(async (tx) => {
          const people = Object.values(await createUsers(tx, 'Ada', 'Bob', 'Eve', 'Ian'));
          const channel = await createChannel(tx, 'one');
          await subscribe(tx, channel, ...people.slice(0, 2));
          return { channel, people };
        });
        const [Ada, Bob, Eve, Ian] = people as [User, User, User, User];
        await overlapping(isReversed, [
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

      test(`two processes cannot give two channels the same name, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const ids = await storages[0].write(async (tx) => [
          await createChannel(tx, 'one'),
          await createChannel(tx, 'two'),
        ]);
        const outcomes: unknown[] = [];
        const rename = (id: number, name: string) => async (tx: Transaction) => {
          outcomes.push(await tx.channels.update(id, { name }));
        };
        await overlapping(isReversed, [rename(ids[0] as number, 'Three'), rename(ids[1] as number, 'tHREE')]);
        assert.deepEqual(outcomes.map(Boolean).sort(), [false, true]);
        const made = storages.map((storage) => storage.write((tx) => tx.channels.create([newChannel('Four')])));
        assert.equal((await Promise.all(made)).flat().length, 1);
      });

      test(`concurrent marks of one user in one or two conversations return each message once, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
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
        await overlapping(isReversed, [part(0, 3), part(0, 4)], 'mark');
        await overlapping(isReversed, [part(0, 10), part(1, 10)], 'mark');
        assert.equal(new Set(marked).size, marked.length, 'no message is returned twice');
        const unread = await storages[0].read((tx) => tx.readState.unread(Ada.id, 100));
        assert.deepEqual(
          [...unread.map(({ id }) => id), ...marked].sort((one, other) => one - other),
          ids,
        );
      });

      test(`a new word in two concurrent messages is found in both, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
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
        await overlapping(isReversed, [say, say], 'mark');
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
}

import assert from 'node:assert/strict';
import type { ImportRecord } from '../../lib/import/source.ts';
import { type ImportSource, importChat, openChat, sqlite } from '../../lib/index.ts';

import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { testOn } from '../support/engines.ts';

const PEOPLE = 1_200;
const MOST_ROWS = 1_300;

const sourceOf = (records: readonly ImportRecord[]): ImportSource => ({
  open: async () => ({
    async *records() {
      yield* records;
    },
    close() {},
  }),
});

const users = Array.from({ length: PEOPLE }, (_, at) => `user ${at}`);
const message = { type: 'message', at: '', author: 'user 0', to: { channel: 'channel 0', topic: 'plans' } } as const;
const nobody = { reactions: [], starredBy: [], files: [] };

testOn({})('each transaction of an import has few rows, whatever the size of channels and messages', async (t) => {
  const storage = sqlite(':memory:');
  const chat = await openChat({ storage });
  t.after(() => chat.close());
  await chat.createOrganization({ name: 'Example', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const rowsIn = async (tx: Transaction) => {
    const subscriptions = (await tx.channels.all()).reduce((sum, channel) => sum + channel.subscriber_count, 0);
    return subscriptions + (await tx.reactions.of([1, 2, 3, 4, 5, 6])).length;
  };
  const added: number[] = [];
  const { write } = storage;
  storage.write = (work, ...given) =>
    write.call(
      storage,
      async (tx) => {
        const before = await rowsIn(tx);
        const result = await work(tx);
        added.push((await rowsIn(tx)) - before);
        return result;
      },
      ...given,
    ) as never;
  const records: ImportRecord[] = [
    ...users.map((key) => ({
      type: 'user' as const,
      key,
      name: key,
      role: 'member' as const,
      isActive: true,
      isBot: false,
    })),
    ...[0, 1, 2].map((at) => ({
      ...{ type: 'channel' as const, key: `channel ${at}`, name: `channel ${at}`, description: '' },
      ...{ isPrivate: false, isArchived: false, members: users },
    })),
    ...[0, 1, 2, 3].map((at) => ({
      ...{ ...message, ...nobody, key: `message ${at}`, timeMs: 1e12 + at, content: 'Hello' },
      reactions: users.map((user) => ({ user, name: 'tada' })),
    })),
  ];
  const { imported } = await importChat(chat, sourceOf(records));
  assert.deepEqual([imported.channel, imported.reaction], [3, 4 * PEOPLE]);
  const channels = await storage.read((tx) => tx.channels.all());
  assert.deepEqual(
    channels.filter(({ name }) => name.startsWith('channel')).map(({ subscriber_count }) => subscriber_count),
    [PEOPLE, PEOPLE, PEOPLE],
  );
  assert.ok(Math.max(...added) <= MOST_ROWS, `${Math.max(...added)} rows in a transaction`);
  const before = storage.statements;
  const starred = { ...message, ...nobody, key: 'starred', timeMs: 1e12 + 9, content: 'Look', starredBy: users };
  await importChat(chat, sourceOf([starred]));
  assert.ok(storage.statements - before < PEOPLE / 4, `${storage.statements - before} statements`);
  const narrow = [{ operator: 'is', operand: 'starred' }];
  const { messages } = await chat.as(7).messages.list({ narrow, anchor: 'newest', num_before: 5, num_after: 0 });
  assert.equal(messages.length, 1);
});

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Transaction, WriteKind } from '../../lib/storage/interface/storage.ts';
import { testOn } from '../support/engines.ts';
import { createChannel, createUsers, draft, newUser, send, subscribe, unsubscribe } from './fixtures.ts';
import { invited, offer } from './invitations-contract.ts';
import { twoProcesses, type Work } from './overlapping.ts';

const SHARED = 'mark';

/** Records that are limited for each user: how to count them, and how to add one. */
const LIMITED: Record<string, [kind: WriteKind, count: (tx: Transaction) => Promise<number>, add: Work]> = {
  drafts: [
    SHARED,
    async (tx) => (await tx.drafts.size(1)).count,
    (tx) => tx.drafts.add(1, [{ type: '', to: [], topic: '', content: 'x', timestamp: 1 }]),
  ],
  'saved snippets': [
    SHARED,
    async (tx) => (await tx.savedSnippets.size(1)).count,
    (tx) => tx.savedSnippets.add(1, { title: 'x', content: 'x', date_created: 1 }),
  ],
  'navigation views': [
    SHARED,
    async (tx) => (await tx.navigationViews.of(1, { toChange: true })).length,
    (tx) => tx.navigationViews.set(1, { fragment: `${Math.random()}`, is_pinned: true, name: null }),
  ],
  'stored texts': [
    SHARED,
    async (tx) => (await tx.botStorage.sizes(1, [])).all.entries,
    async (tx) => {
      const { all } = await tx.botStorage.sizes(1, []);
      const size = { entries: all.entries + 1, bytes: all.bytes + 2 };
      await tx.botStorage.set(1, [{ key: Math.random().toString(), value: 'x', bytes: 2 }], size);
    },
  ],
  'push devices': [
    SHARED,
    (tx) => tx.pushDevices.count(1),
    (tx) =>
      tx.pushDevices.register({
        user_id: 1,
        token_kind: 'fcm',
        push_public_key: 'x',
        push_account_id: Math.floor(Math.random() * 1e9),
      }),
  ],
  bots: [
    'write',
    async (tx) => (await tx.users.botsOwnedBy(1)).length,
    (tx) => tx.users.create(newUser(`bot${Math.random()}`, { bot_type: 1, bot_owner_id: 1 })),
  ],
  'pending invitations': [
    'write',
    async (tx) => (await tx.invitations.countPending(1, 1)).own,
    (tx) => tx.invitations.create(offer({ id: 1 }), [invited('x')], null),
  ],
  'custom emoji': [
    'write',
    (tx) => tx.customEmoji.count(),
    (tx) => tx.customEmoji.create({ name: `${Math.random()}`, author_id: 1, source_url: 'x', still_url: null }),
  ],
};

for (const { name, skip, open } of twoProcesses) {
  const test = testOn({ skip });
  describe(`${name} with two concurrent transactions about one user`, () => {
    for (const isReversed of [false, true]) {
      const order = isReversed ? 'the other way round' : 'one after the other';

      for (const [what, [kind, count, add]] of Object.entries(LIMITED)) {
        test(`concurrent additions to ${what} of a user do not exceed the limit, ${order}`, async (t) => {
          const { storages, overlapping } = await open(t);
          await storages[0].write((tx) => createUsers(tx, 'Ada'));
          const take: Work = async (tx) => {
            if ((await count(tx)) < 1) await add(tx);
          };
          await overlapping(isReversed, [take, take], kind);
          assert.equal(await storages[0].read(count), 1);
        });
      }

      test(`two concurrent uploads both count for the quota, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const ids = await storages[0].write(async (tx) => {
          const { Ada } = await createUsers(tx, 'Ada');
          const file = { name: 'x', file_name: 'x', content_type: 'text/plain', created_ms: 1, collect_ms: 9 };
          return [
            await tx.uploads.create({ ...file, file_key: 'a', owner_id: Ada.id }),
            await tx.uploads.create({ ...file, file_key: 'b', owner_id: Ada.id }),
          ];
        });
        const seen: number[] = [];
        const arrive = (at: number) => async (tx: Transaction) => {
          const facts = { size: 10, width: null, height: null, frames: null, collect_ms: 9 };
          await tx.uploads.complete(ids[at] as number, facts);
          seen.push(await tx.uploads.spaceUsed());
        };
        await overlapping(isReversed, [arrive(0), arrive(1)], SHARED);
        assert.deepEqual(seen, [10, 20]);
      });

      test(`a user who subscribes or unsubscribes during a send receives the message or not, by commit order, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const { Ada, Bob, Eve, channel, topic } = await storages[0].write(async (tx) => {
          const people = await createUsers(tx, 'Ada', 'Bob', 'Eve');
          const channel = await createChannel(tx, 'one');
          await subscribe(tx, channel, people.Bob, people.Eve);
          return { ...people, channel, topic: await tx.conversations.ensureTopic(channel, 'x') };
        });
        let id = 0;
        const say: Work = async (tx) => {
          id = await send(tx, Bob, topic);
        };
        say.kind = 'append';
        await overlapping(isReversed, [
          say,
          async (tx) => {
            await subscribe(tx, channel, Ada);
            await unsubscribe(tx, channel, Eve);
          },
        ]);
        const unread = (user: number) => storages[0].read((tx) => tx.readState.unread(user, 10));
        const received = (viewer: number) => storages[0].read((tx) => tx.messages.fetchIds({ viewer }, 0, 'after', 10));
        const [hers, theirs] = isReversed ? [[id], []] : [[], [id]];
        assert.deepEqual(await received(Ada.id), hers);
        assert.deepEqual(
          (await unread(Ada.id)).map((message) => message.id),
          hers,
        );
        assert.deepEqual(await received(Eve.id), theirs);
        assert.deepEqual(await unread(Eve.id), []);
        const next = await storages[1].write((tx) => send(tx, Bob, topic), say.kind);
        assert.deepEqual(await received(Ada.id), [...hers, next]);
      });

      test(`a message sent during unmuting is read or unread by commit order, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const { Ada, Bob, topic } = await storages[0].write(async (tx) => {
          const people = await createUsers(tx, 'Ada', 'Bob');
          const channel = await createChannel(tx, 'one');
          await subscribe(tx, channel, people.Ada, people.Bob);
          await tx.mutedUsers.add(people.Ada.id, { id: people.Bob.id, timestamp: 1 });
          return { ...people, topic: await tx.conversations.ensureTopic(channel, 'x') };
        });
        let id = 0;
        const say: Work = async (tx) => {
          id = await send(tx, Bob, topic);
        };
        say.kind = 'append';
        await overlapping(isReversed, [say, (tx) => tx.mutedUsers.remove(Ada.id, Bob.id)]);
        const unread = await storages[0].read((tx) => tx.readState.unread(Ada.id, 10));
        assert.deepEqual(
          unread.map((message) => message.id),
          isReversed ? [id] : [],
        );
      });

      test(`the last event about a read mark matches the stored state, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const { Ada, id } = await storages[0].write(async (tx) => {
          const people = await createUsers(tx, 'Ada', 'Bob');
          const channel = await createChannel(tx, 'one');
          await subscribe(tx, channel, people.Ada, people.Bob);
          const topic = await tx.conversations.ensureTopic(channel, 'x');
          const id = await send(tx, people.Bob, topic);
          await tx.readState.markRead(people.Ada.id, [id]);
          return { ...people, id };
        });
        const tell = (tx: Transaction, note: string) => tx.events.append([draft(note, { users: [Ada.id] })], 1);
        const mark = async (tx: Transaction) => {
          if ((await tx.readState.markUnread(Ada.id, [id])).length > 0) await tell(tx, 'unread');
        };
        const tellRead = async (tx: Transaction) => {
          if ((await tx.readState.markedAmong(Ada.id, [id])).length === 0) await tell(tx, 'read');
        };
        await overlapping(isReversed, [mark, tellRead], SHARED);
        const events = await storages[0].read((tx) => tx.events.since(0, 10));
        assert.equal(events.at(-1)?.event.note, 'unread');
      });
    }
  });
}

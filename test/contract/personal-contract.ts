import assert from 'node:assert/strict';
import type { UserStatus } from '../../lib/model/users.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, openFounded, send, subscribe } from './fixtures.ts';

const status = (user_id: number, fields: Partial<UserStatus>): UserStatus => ({
  user_id,
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
  ...fields,
});

/** Statuses, muted users, alert words and the retention of messages. */
export function personalContract(engine: Engine): void {
  const test = testOn(engine);
  test('setting a user status replaces it, and an empty one removes it', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      await tx.userStatuses.set(status(Bob.id, { status_text: 'out' }));
      const emoji = { emoji_name: 'tada', emoji_code: '1f389' };
      await tx.userStatuses.set(status(Ada.id, { status_text: 'in', ...emoji }));
      await tx.userStatuses.set(status(Ada.id, emoji));
      assert.deepEqual(await tx.userStatuses.all(), [status(Ada.id, emoji), status(Bob.id, { status_text: 'out' })]);
      assert.deepEqual(await tx.userStatuses.of([Bob.id, 999]), [status(Bob.id, { status_text: 'out' })]);
      assert.deepEqual(await tx.userStatuses.of([]), []);
      await tx.userStatuses.set(status(Bob.id, {}));
      assert.deepEqual(await tx.userStatuses.all(), [status(Ada.id, emoji)]);
    });
  });

  test('muted users are listed by the muting and by the muted user, and muting twice changes nothing', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      assert.equal(await tx.mutedUsers.add(Ada.id, { id: Cyd.id, timestamp: 7 }), true);
      assert.equal(await tx.mutedUsers.add(Ada.id, { id: Bob.id, timestamp: 8 }), true);
      assert.equal(await tx.mutedUsers.add(Bob.id, { id: Cyd.id, timestamp: 9 }), true);
      assert.equal(await tx.mutedUsers.add(Ada.id, { id: Cyd.id, timestamp: 10 }), false);
      assert.deepEqual(await tx.mutedUsers.of(Ada.id), [
        { id: Bob.id, timestamp: 8, is_blocked: false },
        { id: Cyd.id, timestamp: 7, is_blocked: false },
      ]);
      assert.deepEqual(await tx.mutedUsers.mutersOf(Cyd.id), [Ada.id, Bob.id]);
      assert.equal(await tx.mutedUsers.remove(Ada.id, Cyd.id), true);
      assert.equal(await tx.mutedUsers.remove(Ada.id, Cyd.id), false);
      assert.deepEqual(await tx.mutedUsers.of(Ada.id), [{ id: Bob.id, timestamp: 8, is_blocked: false }]);
      assert.deepEqual(await tx.mutedUsers.mutersOf(Cyd.id), [Bob.id]);
      assert.equal(await tx.mutedUsers.add(Ada.id, { id: Cyd.id, timestamp: 11 }), true);
      assert.deepEqual((await tx.mutedUsers.of(Ada.id))[1], { id: Cyd.id, timestamp: 11, is_blocked: false });
    });
  });

  test('a blocked user is muted too, and a mute does not end or start a block', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { mutedUsers } = tx;
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const everyone = [Ada.id, Bob.id, Cyd.id];
      const blocks = async () =>
        (await mutedUsers.blocksAmong(everyone, everyone)).map(({ user_id, blocked_id }) => `${user_id}-${blocked_id}`);
      const block = (user: { id: number }) => ({ id: user.id, timestamp: 9, is_blocked: true });
      assert.equal(await mutedUsers.add(Ada.id, { id: Bob.id, timestamp: 8 }), true);
      assert.deepEqual(await blocks(), []);
      assert.equal(await mutedUsers.add(Ada.id, block(Bob)), true);
      assert.equal(await mutedUsers.add(Ada.id, block(Bob)), false);
      assert.equal(await mutedUsers.add(Ada.id, { id: Bob.id, timestamp: 10 }), false);
      assert.equal(await mutedUsers.add(Cyd.id, block(Bob)), true);
      assert.deepEqual((await blocks()).sort(), [`${Ada.id}-${Bob.id}`, `${Cyd.id}-${Bob.id}`].sort());
      assert.deepEqual(await mutedUsers.blocksAmong([Ada.id], [Cyd.id]), []);
      const against = async (...ids: number[]) => (await mutedUsers.blocksOf(ids)).map(({ user_id }) => user_id).sort();
      assert.deepEqual([await against(Bob.id), await against(Ada.id, Cyd.id)], [[Ada.id, Cyd.id], []]);
      assert.deepEqual(await mutedUsers.of(Ada.id), [{ id: Bob.id, timestamp: 9, is_blocked: true }]);
      assert.deepEqual(await mutedUsers.endBlocks([Ada.id, Bob.id], [Bob.id]), [Ada.id]);
      assert.deepEqual([await mutedUsers.of(Ada.id), await blocks()], [[], [`${Cyd.id}-${Bob.id}`]]);
      await mutedUsers.add(Ada.id, { id: Bob.id, timestamp: 11 });
      assert.deepEqual(await mutedUsers.endBlocks([Ada.id], [Bob.id]), []);
      assert.deepEqual(await mutedUsers.mutersOf(Bob.id), [Ada.id, Cyd.id]);
    });
  });

  test('reports are listed newest first by page, and each is resolved once', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { reports } = tx;
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const given = { report_type: 'spam', description: 'Why', content: 'Buy' };
      const ids: number[] = [];
      for (let n = 1; n <= 4; n++) {
        const [sender_id, reporter_id] = n === 4 ? [Bob.id, Ada.id] : [Ada.id, Bob.id];
        ids.push(await reports.create({ ...given, message_id: n, sender_id, reporter_id, timestamp: n }));
      }
      const [first = 0, second = 0, third = 0] = ids;
      const all = { isOpen: true, beforeId: 1_000, exceptSender: Bob.id, limit: 2 };
      const listed = async (selection: object) => (await reports.list({ ...all, ...selection })).map(({ id }) => id);
      assert.deepEqual(await listed({}), [third, second]);
      assert.deepEqual(await listed({ beforeId: second }), [first]);
      assert.equal(await reports.countSince(Bob.id, 2, 50), 2);
      assert.equal(await reports.countSince(Bob.id, 1, 2), 2);
      assert.equal(await reports.hasOpen(Bob.id, 2), true);
      const outcome = { resolved_timestamp: 9, resolver_id: null, outcome: 'Deleted.' };
      assert.deepEqual([await reports.resolve(second, outcome), await reports.resolve(second, outcome)], [true, false]);
      assert.equal(await reports.hasOpen(Bob.id, 2), false);
      assert.deepEqual(await listed({ limit: 9 }), [third, first]);
      assert.deepEqual(await listed({ isOpen: false }), [second]);
      assert.deepEqual(await reports.byId(second), {
        ...{ id: second, message_id: 2, sender_id: Ada.id, reporter_id: Bob.id, ...given, timestamp: 2 },
        ...outcome,
      });
    });
  });

  test('messages that a user sent while muted stay read after unmuting, and later ones are unread', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada, Bob);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const before = await send(tx, Bob, topic);
      const range = { after_id: 0, to_id: before };
      assert.deepEqual(await tx.readState.unreadFrom(Ada.id, Bob.id, range, 9), { message_ids: [before] });
      assert.equal(await tx.mutedUsers.mutedUntil(Ada.id, Bob.id), 0);
      await tx.mutedUsers.add(Ada.id, { id: Bob.id, timestamp: 1 });
      const during = await send(tx, Bob, topic);
      assert.deepEqual(await tx.readState.unread(Ada.id, 9), []);
      assert.deepEqual(await tx.readState.readersOf(during), [Ada.id, Bob.id]);
      await tx.mutedUsers.remove(Ada.id, Bob.id);
      assert.equal(await tx.mutedUsers.mutedUntil(Ada.id, Bob.id), during);
      const after = await send(tx, Bob, topic);
      const unread = async () => (await tx.readState.unread(Ada.id, 9)).map(({ id }) => id);
      assert.deepEqual(await unread(), [after]);
      assert.deepEqual(await tx.readState.markUnread(Ada.id, [before, during]), [before, during]);
      assert.deepEqual(await unread(), [after, during, before]);
    });
  });

  test('alert words are stored once in any case, and found by their first word', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      await tx.alertWords.add(Ada.id, ['Zebra', 'apple pie', 'Ärger']);
      await tx.alertWords.add(Ada.id, ['ZEBRA', 'bee']);
      await tx.alertWords.add(Bob.id, ['zebra', 'apple']);
      await tx.alertWords.add(Bob.id, []);
      assert.deepEqual(await tx.alertWords.of(Ada.id), ['apple pie', 'bee', 'Zebra', 'Ärger']);
      const found = async (...openings: string[]) =>
        (await tx.alertWords.openingWith(openings))
          .map(({ word, user_ids }) => [word, user_ids.sort((a, b) => a - b)])
          .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
      assert.deepEqual(await found('apple', 'zebra'), [
        ['apple', [Bob.id]],
        ['apple pie', [Ada.id]],
        ['zebra', [Ada.id, Bob.id]],
      ]);
      assert.deepEqual(await found('app', 'pie'), []);
      assert.deepEqual(await found(), []);
      await tx.alertWords.remove(Ada.id, ['zEbra', 'bee', 'never']);
      assert.deepEqual(await tx.alertWords.of(Ada.id), ['apple pie', 'Ärger']);
      assert.deepEqual(await found('zebra'), [['zebra', [Bob.id]]]);
    });
  });

  test('expired messages are found by the retention of their channel, in limited batches', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const week = await createChannel(tx, 'week', { message_retention_days: 7 });
      const usual = await createChannel(tx, 'usual');
      const kept = await createChannel(tx, 'kept', { message_retention_days: -1 });
      const topics = [
        await tx.conversations.ensureTopic(week, 'a'),
        await tx.conversations.ensureTopic(week, 'b'),
        await tx.conversations.ensureTopic(usual, 'a'),
        await tx.conversations.ensureTopic(kept, 'a'),
        await tx.conversations.ensureDirect([Ada.id, Bob.id]),
      ] as const;
      const ids: number[][] = [];
      for (const timestamp of [100, 200, 300]) {
        const round: number[] = [];
        for (const topic of topics) round.push(await send(tx, Ada, topic, { timestamp }));
        ids.push(round);
      }
      const [old, next, newest] = ids as [number[], number[], number[]];
      assert.equal(await tx.retention.firstSince(100), 0);
      assert.equal(await tx.retention.firstSince(200), next[0]);
      assert.equal(await tx.retention.firstSince(201), newest[0]);
      assert.ok((await tx.retention.firstSince(301)) > (newest.at(-1) as number));
      assert.deepEqual(await tx.retention.channelDays(), [7]);
      const before = { timestamp: 250, id: await tx.retention.firstSince(250) };
      const [a, b, other, , direct] = topics;
      const found = async (days: number, organizationDays: number, from = 0, limit = 9) =>
        (await tx.retention.expired({ days, organizationDays }, before, { fromConversation: from, limit })).map(
          (one) => [one.id, one.conversation_id, one.channel_id],
        );
      const ofWeek = [
        [old[0], a.id, week],
        [next[0], a.id, week],
        [old[1], b.id, week],
        [next[1], b.id, week],
      ];
      assert.deepEqual(await found(7, -1), ofWeek);
      assert.deepEqual(await found(7, -1, a.id, 3), ofWeek.slice(0, 3));
      assert.deepEqual(await found(7, -1, b.id), ofWeek.slice(2));
      assert.deepEqual(await found(30, 30), [
        [old[2], other.id, usual],
        [next[2], other.id, usual],
        [old[4], direct.id, null],
        [next[4], direct.id, null],
      ]);
      assert.deepEqual(await found(14, 30), []);
    });
  });

  test('the next retention run is claimed by one of several processes only', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const due = () => storage.read((tx) => tx.retention.due());
    const move = (one: Storage, from: number, to?: number) =>
      one.write((tx) => tx.retention.moveDue(from, to), 'silent');
    assert.equal(await due(), undefined);
    await storage.write((tx) => tx.retention.setDue(5));
    assert.equal(await due(), 5);
    const claims = await Promise.all([storage, other, storage, other].map((one) => move(one, 5, 9)));
    assert.deepEqual(claims.sort(), [false, false, false, true]);
    assert.equal(await move(other, 5, 10), false);
    assert.equal(await move(other, 9), true);
    assert.equal(await due(), undefined);
  });
}

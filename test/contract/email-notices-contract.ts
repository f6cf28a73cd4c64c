import assert from 'node:assert/strict';
import type { PlacedMessage } from '../../lib/storage/interface/messages.ts';
import type { ByWays } from '../../lib/storage/interface/notifications.ts';
import { MAX_EMAIL_NOTICES, SEVERAL_CONVERSATIONS } from '../../lib/storage/interface/notifications.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, openFounded, send, subscribe } from './fixtures.ts';

const byEmail = { email: true, push: false, onlyDevices: false };

/** Whether a user other than the sender wants all messages of the channel. */
async function isChosen(tx: Transaction, channel_id: number, sender: number) {
  const choosers = await tx.emailNotices.choosers(channel_id, 2, byEmail);
  return choosers.some((id) => id !== sender);
}

async function candidatesFor(
  tx: Transaction,
  message: Pick<PlacedMessage, 'id' | 'conversation_id' | 'channel_id' | 'topic'>,
  ways: Partial<ByWays & { onlyDevices: boolean }> = {},
) {
  const options = { ...byEmail, ...ways };
  return tx.emailNotices.candidates(message.id, await tx.emailNotices.concerned(message, 0, 10, options), options);
}

/** Messages that wait for the e-mails about them. */
export function emailNoticesContract(engine: Engine): void {
  const test = testOn(engine);

  test('a channel message is wanted by e-mail if another user chose the channel', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const channel_id = await createChannel(tx, 'one');
      await subscribe(tx, channel_id, Ada, Bob);
      const isWanted = (sender = Ada.id) => isChosen(tx, channel_id, sender);
      assert.equal(await isWanted(), false);
      await tx.subscriptions.update(Bob.id, 'email_notifications', new Map([[channel_id, true]]));
      assert.deepEqual([await isWanted(), await isWanted(Bob.id)], [true, false]);
      await tx.subscriptions.update(Bob.id, 'email_notifications', new Map([[channel_id, false]]));
      const settings = { enable_stream_email_notifications: true };
      await tx.users.update(Cyd.id, { settings });
      assert.equal(await isWanted(), false, 'a user who chose all channels is not in this one');
      await tx.users.update(Ada.id, { settings });
      assert.deepEqual([await isWanted(), await isWanted(Bob.id)], [false, true]);
    });
  });

  test('with many users who chose all channels, subscribers are still found', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const names = Array.from({ length: 60 }, (_, n) => `User${n}`);
      const users = Object.values(await createUsers(tx, ...names));
      for (const { id } of users) await tx.users.update(id, { settings: { enable_stream_email_notifications: true } });
      const [sender, last] = [users[0], users[59]] as const;
      const channel_id = await createChannel(tx, 'one');
      await subscribe(tx, channel_id, sender as never);
      assert.equal(await isChosen(tx, channel_id, sender?.id as number), false);
      await subscribe(tx, channel_id, last as never);
      assert.equal(await isChosen(tx, channel_id, sender?.id as number), true);
      const topic = await tx.conversations.ensureTopic(channel_id, 'tea');
      const id = await send(tx, sender as never, topic);
      const found = await candidatesFor(tx, { id, conversation_id: topic.id, channel_id, topic: 'tea' });
      assert.deepEqual(
        found.map(({ user_id }) => user_id),
        [last?.id],
      );
    });
  });

  test('users whom a message concerns are candidates: mentioned, following, by their settings for the channel', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd, Dee, Eve, Fay } = await createUsers(tx, 'Ada', 'Bob', 'Cyd', 'Dee', 'Eve', 'Fay');
      const channel_id = await createChannel(tx, 'one');
      await subscribe(tx, channel_id, Ada, Bob, Cyd, Dee, Eve, Fay);
      const topic = await tx.conversations.ensureTopic(channel_id, 'Tea');
      await tx.subscriptions.update(Bob.id, 'email_notifications', new Map([[channel_id, true]]));
      const follow = { channel_id, topic: 'tea', visibility_policy: 3, last_updated: 1 } as const;
      await tx.userTopics.set([Ada.id, Cyd.id], follow);
      await tx.subscriptions.update(Eve.id, 'push_notifications', new Map([[channel_id, true]]));
      await tx.users.update(Fay.id, { settings: { enable_stream_push_notifications: true } });
      await tx.pushTokens.add({ user_id: Eve.id, kind: 'fcm', token: 'x', ios_app_id: null });
      const id = await send(tx, Ada, topic);
      await tx.flags.setForReaders(id, [Dee.id], 'mentioned');
      const message = { id, conversation_id: topic.id, channel_id, topic: 'Tea' };
      const names = async (ways: Parameters<typeof candidatesFor>[2] = {}) =>
        (await candidatesFor(tx, message, ways)).map(({ user_id }) => user_id);
      assert.deepEqual(await names(), [Bob.id, Cyd.id, Dee.id]);
      assert.deepEqual(await names({ push: true }), [Bob.id, Cyd.id, Dee.id, Eve.id, Fay.id]);
      assert.deepEqual(await names({ push: true, email: false }), [Cyd.id, Dee.id, Eve.id, Fay.id]);
      assert.deepEqual(await names({ push: true, onlyDevices: true }), [Eve.id]);
      const both = { email: true, push: true };
      assert.deepEqual(await tx.emailNotices.concerned(message, 0, 4, both), [Ada.id, Bob.id, Cyd.id, Dee.id]);
      assert.deepEqual(await tx.emailNotices.concerned(message, Cyd.id, 4, both), [Dee.id, Eve.id, Fay.id]);
      const [bob, , dee] = await candidatesFor(tx, message);
      assert.deepEqual(
        [bob?.email_notifications, bob?.is_mentioned, dee?.email_notifications, dee?.is_mentioned],
        [true, false, null, true],
      );
      await tx.readState.markRead(Bob.id, [id]);
      await tx.mutedUsers.add(Cyd.id, { id: Ada.id, timestamp: 1 });
      assert.deepEqual(await names(), [Dee.id]);
      const direct = await tx.conversations.ensureDirect([Ada.id, Fay.id]);
      const whispered = await send(tx, Ada, direct);
      const given = { id: whispered, conversation_id: direct.id, channel_id: null, topic: '' };
      const found = await candidatesFor(tx, given);
      assert.deepEqual(
        found.map(({ user_id, connected_ms, has_phone, has_browser }) => [
          user_id,
          connected_ms,
          has_phone,
          has_browser,
        ]),
        [[Fay.id, null, false, false]],
      );
    });
  });

  test('the first message of a conversation starts the period of each user, and later ones wait with it', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const waits = ({ id }: { id: number }, due_ms: number, group_id: number | null = null) => ({
        user_id: id,
        due_ms,
        group_id,
      });
      assert.equal(await tx.emailNotices.nextDue(), undefined);
      await tx.emailNotices.add({ id: 7, conversation_id: 1 }, [waits(Ada, 100), waits(Bob, 300)]);
      await tx.emailNotices.add({ id: 9, conversation_id: 1 }, [waits(Ada, 200, 5)]);
      await tx.emailNotices.add({ id: 8, conversation_id: 2 }, [waits(Ada, 150)]);
      assert.equal(await tx.emailNotices.nextDue(), 100);
      assert.deepEqual(await tx.emailNotices.takeDue(99, 10), []);
      const all = [
        {
          user_id: Ada.id,
          conversation_id: 1,
          messages: 2,
          sender_ids: [],
          notices: [
            { message_id: 7, group_id: null },
            { message_id: 9, group_id: 5 },
          ],
        },
      ];
      assert.deepEqual(await tx.emailNotices.takeDue(200, 1), all);
      assert.deepEqual(
        (await tx.emailNotices.takeDue(200, 10)).map(({ notices }) => notices.map(({ message_id }) => message_id)),
        [[8]],
      );
      await tx.emailNotices.add({ id: 10, conversation_id: 1 }, [waits(Ada, 400)]);
      assert.equal(await tx.emailNotices.nextDue(), 300);
      assert.equal((await tx.emailNotices.takeDue(400, 10)).length, 2);
      assert.equal(await tx.emailNotices.nextDue(), undefined);
    });
  });

  test(`a period stores ${MAX_EMAIL_NOTICES} messages and counts the others`, async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      for (let id = 1; id <= MAX_EMAIL_NOTICES + 2; id++)
        await tx.emailNotices.add({ id, conversation_id: 1 }, [{ user_id: Ada.id, due_ms: 5, group_id: null }]);
      const [batch] = await tx.emailNotices.takeDue(5, 10);
      assert.deepEqual([batch?.notices.length, batch?.messages], [MAX_EMAIL_NOTICES, MAX_EMAIL_NOTICES + 2]);
    });
  });

  test(`postponed messages of an account wait in one period, which stores ${MAX_EMAIL_NOTICES}`, async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const batch = (user_id: number, conversation_id: number, from: number, count: number, due_ms: number) => ({
        ...{ user_id, conversation_id, due_ms, messages: count + 1, sender_ids: [] },
        notices: Array.from({ length: count }, (_, n) => ({ message_id: from + n, group_id: null })),
      });
      await tx.emailNotices.postpone([
        batch(Bob.id, 1, 5, 1, 70),
        batch(Ada.id, 2, 3, 2, 60),
        batch(Ada.id, 1, 1, 2, 50),
      ]);
      assert.equal(await tx.emailNotices.nextDue(), 50);
      await tx.emailNotices.postpone([batch(Ada.id, 3, 10, MAX_EMAIL_NOTICES, 90)]);
      const taken = await tx.emailNotices.takeDue(50, 10);
      assert.deepEqual(
        taken.map(({ user_id, conversation_id, messages }) => [user_id, conversation_id, messages]),
        [[Ada.id, SEVERAL_CONVERSATIONS, MAX_EMAIL_NOTICES + 7]],
      );
      // The counts of the first two batches include messages that no period has stored.
      assert.deepEqual(
        [taken[0]?.notices.length, taken[0]?.notices[0]?.message_id, taken[0]?.notices.at(-1)?.message_id],
        [MAX_EMAIL_NOTICES - 2, 1, 10 + MAX_EMAIL_NOTICES - 7],
      );
      assert.equal(await tx.emailNotices.nextDue(), 70);
    });
  });

  test('e-mails count for an hour from the first one, to and from each account', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const count = async (nowMs: number, ...added: [user: { id: number }, is_sender: boolean, emails: number][]) => {
        const given = added.map(([{ id: user_id }, is_sender, emails]) => ({ user_id, is_sender, emails }));
        const counts = await tx.emailNotices.count(given, { nowMs, startedAfterMs: nowMs - 100 });
        return counts
          .map(({ user_id, is_sender, emails, since_ms }) => [user_id, is_sender, emails, since_ms])
          .sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]));
      };
      assert.deepEqual(await count(1_000, [Bob, true, 2], [Ada, false, 3], [Ada, true, 1]), [
        [Ada.id, false, 3, 1_000],
        [Ada.id, true, 1, 1_000],
        [Bob.id, true, 2, 1_000],
      ]);
      assert.deepEqual(await count(1_099, [Ada, false, 1]), [[Ada.id, false, 4, 1_000]]);
      assert.deepEqual(await count(1_100, [Ada, false, 1]), [[Ada.id, false, 1, 1_100]]);
      assert.deepEqual(await count(1_100), []);
    });
  });

  test('readers of the digest are active people who were away and want it, page by page', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd, Dee } = await createUsers(tx, 'Ada', 'Bob', 'Cyd', 'Dee');
      await tx.presences.record([{ user_id: Bob.id, active_ms: null, connected_ms: 500 }]);
      await tx.users.update(Cyd.id, { settings: { enable_digest_emails: false } });
      await tx.users.update(Dee.id, { is_active: false });
      const readers = async (after: number, limit: number, since: number) =>
        (await tx.emailNotices.digestReaders(after, limit, since)).filter((id) => id >= Ada.id);
      assert.deepEqual(await readers(0, 100, 501), [Ada.id, Bob.id]);
      assert.deepEqual(await readers(0, 100, 500), [Ada.id]);
      assert.deepEqual(await readers(Ada.id, 1, 501), [Bob.id]);
      assert.equal(await tx.emailNotices.lastDigest(), undefined);
      await tx.emailNotices.setDigest({ due_ms: 5, after_user_id: 7 });
      await tx.emailNotices.setDigest({ due_ms: 5, after_user_id: null });
      assert.deepEqual(await tx.emailNotices.lastDigest(), { due_ms: 5, after_user_id: null });
      await tx.emailNotices.setDigest({ due_ms: 9, after_user_id: 0 });
      assert.deepEqual(await tx.emailNotices.lastDigest(), { due_ms: 9, after_user_id: 0 });
    });
  });

  test('a message stands while its user can see it and has not read it', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const [one, two] = [await send(tx, Ada, direct), await send(tx, Ada, direct)];
      const standing = async (id: number) =>
        (await tx.emailNotices.standing(id, [two, one, 99])).map(({ message_id }) => message_id);
      assert.deepEqual([await standing(Bob.id), await standing(Ada.id)], [[one, two], []]);
      const [first] = await tx.emailNotices.standing(Bob.id, [one]);
      assert.deepEqual([first?.conversation_id, first?.channel_id], [direct.id, null]);
      await tx.readState.markRead(Bob.id, [one]);
      assert.deepEqual(await standing(Bob.id), [two]);
      await tx.users.update(Bob.id, { is_active: false });
      assert.deepEqual(await standing(Bob.id), []);
    });
  });

  test('bounces count for the address that bounced, and older ones are deleted', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const bounce = (bounced_ms: number, address = 'a@example.org', keep = 0) =>
        tx.emailNotices.noteBounce({ user_id: Ada.id, address, bounced_ms }, keep);
      for (const at of [5, 6, 7, 7]) await bounce(at);
      await bounce(8, 'b@example.org');
      assert.deepEqual(await tx.emailNotices.bouncesOf(Ada.id, 'a@example.org', 6), [6, 7]);
      await bounce(9, 'a@example.org', 7);
      assert.deepEqual(await tx.emailNotices.bouncesOf(Ada.id, 'a@example.org', 0), [7, 9]);
    });
  });
}

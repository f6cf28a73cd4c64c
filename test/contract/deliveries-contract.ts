import assert from 'node:assert/strict';
import type { NewReminder, NewScheduledMessage } from '../../lib/storage/interface/deliveries.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded } from './fixtures.ts';

const message = (sender_id: number, fields: Partial<NewScheduledMessage> = {}): NewScheduledMessage => ({
  sender_id,
  channel_id: null,
  recipient_ids: [sender_id],
  topic: '',
  content: 'ä',
  rendered_content: '<p>ä</p>',
  client: 'test',
  read_by_sender: true,
  scheduled_delivery_timestamp: 100,
  ...fields,
});

const reminder = (user_id: number, scheduled_delivery_timestamp: number): NewReminder => ({
  user_id,
  message_id: 7,
  note: 'ö',
  content: 'x',
  rendered_content: '<p>x</p>',
  scheduled_delivery_timestamp,
});

const claim = (storage: Storage, nowMs: number, leaseUntilMs: number, limit = 10) =>
  storage.write((tx) => tx.scheduledMessages.claimDue(nowMs, leaseUntilMs, limit), 'mark');

export function deliveriesContract(engine: Engine): void {
  const test = testOn(engine);

  test("a scheduled message is read back as created, and a sender's messages are listed by time", async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const { scheduledMessages } = tx;
      assert.equal(await scheduledMessages.nextDue(), undefined);
      const later = await scheduledMessages.create(message(Ada.id, { scheduled_delivery_timestamp: 253_402_300_799 }));
      const sooner = await scheduledMessages.create(message(Ada.id, { recipient_ids: [Bob.id, 9], topic: 'x' }));
      await scheduledMessages.create(message(Bob.id, { scheduled_delivery_timestamp: 50 }));
      assert.equal(await scheduledMessages.nextDue(), 50_000);
      assert.deepEqual(
        (await scheduledMessages.of(Ada.id)).map(({ id }) => id),
        [sooner, later],
      );
      assert.equal((await scheduledMessages.size(Ada.id)).count, 2);
      assert.deepEqual(await scheduledMessages.byId(sooner), {
        ...message(Ada.id, { recipient_ids: [Bob.id, 9], topic: 'x' }),
        id: sooner,
        failure: null,
        revision: 0,
      });
      assert.equal(await scheduledMessages.remove(sooner, Bob.id), false);
      assert.equal(await scheduledMessages.remove(sooner, Ada.id), true);
      assert.equal(await scheduledMessages.remove(sooner, Ada.id), false);
      assert.equal(await scheduledMessages.byId(sooner), undefined);
      assert.equal((await scheduledMessages.size(Ada.id)).count, 1);
    });
  });

  test('the ID of a removed scheduled message or reminder is never used again', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const first = await tx.scheduledMessages.create(message(Ada.id));
      await tx.scheduledMessages.remove(first, Ada.id);
      assert.ok((await tx.scheduledMessages.create(message(Ada.id))) > first);
      const reminded = await tx.reminders.create(reminder(Ada.id, 100));
      await tx.reminders.remove(reminded, Ada.id);
      assert.ok((await tx.reminders.create(reminder(Ada.id, 100))) > reminded);
    });
  });

  test('due scheduled messages are claimed earliest first, up to the limit, and again after their lease', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      for (const scheduled_delivery_timestamp of [30, 10, 20, 90]) {
        await tx.scheduledMessages.create(message(Ada.id, { scheduled_delivery_timestamp }));
      }
    });
    const times = async (...args: [number, number, number?]) =>
      (await claim(storage, ...args)).map((one) => one.scheduled_delivery_timestamp);
    assert.deepEqual(await times(9_999, 50_000), []);
    assert.deepEqual(await times(40_000, 50_000, 2), [10, 20]);
    assert.deepEqual(await times(40_000, 60_000), [30]);
    assert.deepEqual(await times(49_999, 70_000), []);
    assert.equal(await storage.read((tx) => tx.scheduledMessages.nextDue()), 50_000);
    assert.deepEqual(await times(50_000, 70_000), [10, 20]);
  });

  test('a claimed message that was edited, removed or claimed again can be neither sent nor failed', async (t) => {
    const { storage } = await openFounded(t, engine);
    const Ada = await storage.write(async (tx) => {
      const users = await createUsers(tx, 'Ada');
      for (let n = 0; n < 4; n++) await tx.scheduledMessages.create(message(users.Ada.id, { content: `${n}` }));
      return users.Ada;
    });
    const [one, two, three, four] = (await claim(storage, 100_000, 130_000)) as [never, never, never, never];
    await storage.write(async ({ scheduledMessages }) => {
      const { id, revision } = one as { id: number; revision: number };
      assert.equal(revision, 1);
      assert.equal(await scheduledMessages.markSent(one, 5_000), true);
      assert.equal(await scheduledMessages.markSent(one, 5_000), false);
      assert.equal(await scheduledMessages.fail(one, 'gone'), false);
      assert.equal(await scheduledMessages.byId(id), undefined);
      assert.equal(await scheduledMessages.remove(id, Ada.id + 1), false);
      assert.equal(await scheduledMessages.remove(id, Ada.id), true);
      assert.equal(await scheduledMessages.remove(id, Ada.id), false);
      assert.equal(await scheduledMessages.fail(two, 'no'), true);
      assert.equal(await scheduledMessages.markSent(two, 5_000), false);
      await scheduledMessages.replace((three as { id: number }).id, message(Ada.id, { content: 'new' }));
      assert.equal(await scheduledMessages.markSent(three, 5_000), false);
      assert.equal(await scheduledMessages.fail(three, 'late'), false);
    });
    // The lease of the first claim had expired.
    const again = (await claim(storage, 130_000, 160_000)) as { content: string; failure: string | null }[];
    assert.deepEqual(
      again.map(({ content, failure }) => [content, failure]),
      [
        ['new', null],
        ['3', null],
      ],
    );
    assert.equal(await storage.write((tx) => tx.scheduledMessages.markSent(four, 5_000)), false);
  });

  test('a sent delivery can be removed for a week, and reminders do not expire with scheduled messages', async (t) => {
    const { storage } = await openFounded(t, engine);
    const week = 7 * 24 * 3_600_000;
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      for (let n = 0; n < 2; n++) await tx.scheduledMessages.create(message(Ada.id, { content: `${n}` }));
      await tx.reminders.create(reminder(Ada.id, 10));
      const [one, two] = (await tx.scheduledMessages.claimDue(100_000, 130_000, 10)) as [never, never];
      const [due] = (await tx.reminders.claimDue(100_000, 130_000, 10)) as [never];
      await tx.scheduledMessages.markSent(one, 100_000);
      await tx.scheduledMessages.markSent(two, 100_001);
      await tx.reminders.markSent(due, 100_000);
      await tx.scheduledMessages.claimDue(week + 100_001, week + 130_000, 10);
      const idOf = (taken: { id: number }) => taken.id;
      assert.equal(await tx.scheduledMessages.remove(idOf(one), Ada.id), false);
      assert.equal(await tx.scheduledMessages.remove(idOf(two), Ada.id), true);
      assert.equal(await tx.reminders.remove(idOf(due), Ada.id), true);
    });
  });

  test('a failed scheduled message is not due until it gets a new time', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const { scheduledMessages } = tx;
      const id = await scheduledMessages.create(message(Ada.id));
      const [claimed] = await scheduledMessages.claimDue(100_000, 130_000, 10);
      assert.ok(claimed && (await scheduledMessages.fail(claimed, 'no')));
      assert.equal((await scheduledMessages.byId(id))?.failure, 'no');
      assert.equal(await scheduledMessages.nextDue(), undefined);
      assert.deepEqual(await scheduledMessages.claimDue(1e12, 2e12, 10), []);
      await scheduledMessages.replace(id, message(Ada.id, { scheduled_delivery_timestamp: 200 }));
      assert.equal((await scheduledMessages.byId(id))?.failure, null);
      assert.equal(await scheduledMessages.nextDue(), 200_000);
    });
  });

  test('two workers that claim at the same time never claim the same scheduled message', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      for (let n = 0; n < 200; n++) await tx.scheduledMessages.create(message(Ada.id));
    });
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => claim(n % 2 ? storage : other, 100_000, 130_000, 10)),
    );
    const ids = claims.flat().map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const rest = await claim(storage, 100_000, 130_000, 1_000);
    assert.equal(ids.length + rest.length, 200);
    assert.ok(ids.length > 0);
  });

  test('reminders are stored and claimed like scheduled messages', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await tx.reminders.create(reminder(Ada.id, 100));
      await tx.reminders.create(reminder(Bob.id, 50));
      assert.deepEqual(await tx.reminders.of(Ada.id), [{ ...reminder(Ada.id, 100), id, failure: null, revision: 0 }]);
      assert.deepEqual([(await tx.reminders.size(Ada.id)).count, await tx.reminders.nextDue()], [1, 50_000]);
      const claimed = await tx.reminders.claimDue(100_000, 130_000, 10);
      assert.deepEqual(
        claimed.map(({ user_id }) => user_id),
        [Bob.id, Ada.id],
      );
      const [ofBob, ofAda] = claimed as [never, never];
      assert.deepEqual([await tx.reminders.markSent(ofBob, 5_000), await tx.reminders.fail(ofAda, 'no')], [true, true]);
      assert.equal((await tx.reminders.byId(id))?.failure, 'no');
      assert.equal(await tx.reminders.nextDue(), undefined);
    });
  });
}

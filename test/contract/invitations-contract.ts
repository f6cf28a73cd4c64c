import assert from 'node:assert/strict';
import type { User } from '../../lib/model/users.ts';
import type { InvitationOffer, NewInvitation } from '../../lib/storage/interface/invitations.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded } from './fixtures.ts';

export const offer = ({ id }: Pick<User, 'id'>, more: Partial<InvitationOffer> = {}): InvitationOffer => ({
  invited_by_user_id: id,
  invited_as: 400,
  stream_ids: [3, 4],
  group_ids: [9],
  created_ms: 1_000,
  include_realm_default_subscriptions: false,
  notify_referrer_on_join: true,
  welcome_message_custom_text: 'Hello',
  expires_ms: null,
  seed: 'seed',
  ...more,
});

export const invited = (name: string, more: Partial<NewInvitation> = {}): NewInvitation => ({
  email: `${name}@example.com`,
  email_state: 'waiting',
  ...more,
});

export function invitationsContract(engine: Engine): void {
  const test = testOn(engine);

  test('an invitation is found by ID, with its offer', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const ids = await tx.invitations.create(offer(Ada), [invited('Zoe'), invited('bob')], null);
      const [zoe, bob] = ids as [number, number];
      assert.ok(zoe < bob);
      const found = await tx.invitations.byId(zoe);
      const rest = { is_numbered: true, ended: null, email_error: null };
      assert.deepEqual(found, { id: zoe, ...invited('Zoe'), ...rest, ...offer(Ada) });
      assert.equal(await tx.invitations.byKeyHash('seed'), undefined);
      assert.equal(await tx.invitations.byId(999), undefined);
    });
  });

  test('pending invitations have neither ended nor expired, of all users or of one inviter', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const { invitations } = tx;
      const [one, two] = await invitations.create(offer(Ada), [invited('one'), invited('two')], null);
      const [brief] = await invitations.create(offer(Bob, { expires_ms: 5_000 }), [invited('brief')], null);
      const link = { email: null, email_state: null };
      const [many] = await invitations.create(offer(Bob), [invited('many', link)], null);
      const ids = async (now: number, by?: User) => (await invitations.pending(now, by?.id)).map(({ id }) => id);
      assert.deepEqual(await ids(4_999), [one, two, brief, many]);
      assert.deepEqual(await ids(5_000), [one, two, many]);
      assert.deepEqual(await ids(4_999, Bob), [brief, many]);
      assert.deepEqual(await invitations.countPending(4_999, Bob.id), { all: 4, own: 2 });
      assert.deepEqual(await invitations.countPending(5_000, Bob.id), { all: 3, own: 1 });
      const [later] = await invitations.create(offer(Bob), [invited('one')], null);
      const idsFor = async (email: string, now = 4_999) =>
        (await invitations.pendingFor(email, now)).map(({ id }) => id);
      assert.deepEqual(await idsFor(' ONE@example.com'), [later, one]);
      assert.deepEqual([await idsFor('brief@example.com'), await idsFor('brief@example.com', 5_000)], [[brief], []]);
      await invitations.end(later as number, 'revoked', 3_000);
      assert.deepEqual(await idsFor('one@example.com'), [one]);
      assert.equal(await invitations.end(two as number, 'accepted', 3_000), true);
      assert.equal(await invitations.end(two as number, 'revoked', 3_000), false);
      assert.equal((await invitations.byId(two as number))?.ended, 'accepted');
      await invitations.revokeFor(' ONE@example.com', 3_000);
      assert.equal((await invitations.byId(one as number))?.ended, 'revoked');
      await invitations.revokeFor('two@example.com', 3_000);
      assert.equal((await invitations.byId(two as number))?.ended, 'accepted');
      assert.deepEqual(await ids(5_000), [many]);
      assert.deepEqual(await invitations.countPending(5_000, Ada.id), { all: 1, own: 0 });
    });
  });

  test('ended and expired invitations are deleted in batches, with their offers', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const { invitations } = tx;
      assert.equal(await invitations.oldestEnd(), undefined);
      const [one, two, three] = await invitations.create(offer(Ada), [invited('a'), invited('b'), invited('c')], null);
      const brief = await invitations.create(offer(Ada, { expires_ms: 4_000 }), [invited('d'), invited('e')], null);
      await invitations.create(offer(Ada, { expires_ms: 8_000 }), [invited('f')], null);
      await invitations.end(one as number, 'accepted', 2_000);
      await invitations.end(two as number, 'revoked', 3_000);
      assert.equal(await invitations.oldestEnd(), 2_000);
      assert.equal(await invitations.forget(1_999, 10), 0);
      assert.equal(await invitations.forget(5_000, 3), 3);
      const left = async () => (await invitations.pending(0)).map(({ id }) => id);
      assert.deepEqual((await left()).filter((id) => brief.includes(id)).length, 1);
      assert.equal(await invitations.oldestEnd(), 4_000);
      assert.equal(await invitations.forget(5_000, 3), 1);
      assert.equal(await invitations.byId(one as number), undefined);
      assert.ok((await left()).includes(three as number));
      assert.equal(await invitations.oldestEnd(), 8_000);
      await invitations.countSent(Ada.id, 3, 6_000);
      assert.equal(await invitations.oldestEnd(), 6_000);
      assert.equal(await invitations.forget(6_000, 3), 1);
      assert.equal(await invitations.oldestEnd(), 8_000);
    });
  });

  test('email verifications are found by key, counted by address and used up together', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async ({ emailVerifications: proofs }) => {
      const proof = (key_hash: string, created_ms: number, email = 'Zoe@example.com') => ({
        key_hash,
        invitation_id: 7,
        email,
        created_ms,
        is_mailed: true,
        is_used: false,
      });
      for (const at of [30, 10, 20]) await proofs.add(proof(`hash ${at}`, at));
      await proofs.add(proof('other', 15, 'bob@example.com'));
      assert.deepEqual(await proofs.byKeyHash('hash 20'), proof('hash 20', 20));
      assert.equal(await proofs.byKeyHash('hash'), undefined);
      assert.deepEqual(await proofs.mailedSince('ZOE@example.com', 10), [20, 30]);
      await proofs.uncount('hash 30');
      assert.deepEqual(await proofs.mailedSince('zoe@example.com', 0), [10, 20]);
      await proofs.use('zoe@EXAMPLE.com');
      const isUsed = [];
      for (const hash of ['hash 10', 'hash 20', 'hash 30', 'other'])
        isUsed.push((await proofs.byKeyHash(hash))?.is_used);
      assert.deepEqual(isUsed, [true, true, true, false]);
      assert.equal(await proofs.oldest(), 10);
      assert.equal(await proofs.removeBefore(20, 1), 1);
      assert.equal(await proofs.oldest(), 15);
      assert.equal(await proofs.removeBefore(30, 10), 2);
      assert.equal(await proofs.removeBefore(30, 10), 0);
      assert.equal(await proofs.oldest(), 30);
      await proofs.removeBefore(31, 10);
      assert.equal(await proofs.oldest(), undefined);
    });
  });

  test('invitation reminders are taken once, in due order, and dropped with their invitation', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const { invitations } = tx;
      assert.equal(await invitations.nextReminder(), undefined);
      const make = async (name: string, remindMs: number, expires_ms = 9_000) =>
        (await invitations.create(offer(Ada, { expires_ms }), [invited(name)], remindMs))[0] as number;
      const late = await make('late', 3_000);
      const early = await make('early', 2_000);
      const over = await make('over', 2_500, 2_600);
      await invitations.end(await make('gone', 1_000), 'revoked', 500);
      await make('other', 1_500);
      await invitations.dropReminders(['OTHER@example.com']);
      const again = await make('again', 1_600);
      await invitations.resend(again, 8_000);
      assert.equal(await invitations.nextReminder(), 2_000);
      assert.deepEqual(await invitations.claimReminders(1_999, 10), []);
      assert.deepEqual(await invitations.claimReminders(2_700, 1), [{ id: early, isPending: true }]);
      assert.deepEqual(await invitations.claimReminders(3_000, 10), [
        { id: late, isPending: true },
        { id: over, isPending: false },
      ]);
      assert.deepEqual(await invitations.claimReminders(3_000, 10), []);
      assert.equal(await invitations.nextReminder(), 8_000);
    });
  });

  test('an invitation keeps the result of its e-mail until the next e-mail is sent', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const { invitations } = tx;
      const ids = await invitations.create(offer(Ada), [invited('one'), invited('two'), invited('three')], null);
      const [one, two, three] = ids as [number, number, number];
      await invitations.recordEmails([]);
      await invitations.recordEmails([
        { id: one, state: 'sent', error: null },
        { id: two, state: 'failed', error: 'nobody there' },
      ]);
      const state = async (id: number) => {
        const found = await invitations.byId(id);
        return [found?.email_state, found?.email_error];
      };
      assert.deepEqual(await state(one), ['sent', null]);
      assert.deepEqual(await state(two), ['failed', 'nobody there']);
      assert.deepEqual(await state(three), ['waiting', null]);
      await invitations.resend(two, null);
      assert.deepEqual(await state(two), ['waiting', null]);
    });
  });

  test('invitations that a user sent count for one day', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const { invitations } = tx;
      const DAY = 86_400_000;
      assert.equal(await invitations.sentSince(Ada.id, 0), 0);
      await invitations.countSent(Ada.id, 3, 1_000);
      await invitations.countSent(Ada.id, 4, 2_000);
      await invitations.countSent(Bob.id, 9, 2_000);
      assert.equal(await invitations.sentSince(Ada.id, 999), 7);
      assert.equal(await invitations.sentSince(Ada.id, 1_000), 4);
      await invitations.countSent(Ada.id, 1, 1_000 + DAY);
      assert.equal(await invitations.sentSince(Ada.id, 0), 5);
    });
  });
}

import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { smtp } from '../../../../lib/index.ts';
import { testOn } from '../../../support/engines.ts';
import { type Mailbox, openMailbox } from '../../../support/mailbox.ts';
import { featureEngines } from '../../../world/copies.ts';
import type { World } from '../../../world/world.ts';
import { latestId, link } from './keys.ts';

const OSRIC = 'Osric@example.com';

interface Place {
  world: World;
  box: Mailbox;
  /** The key of a reusable link. */
  key: string;
}

const confirm = async ({ world: { chat }, key }: Place, email = OSRIC) => {
  await chat.anonymous().invites.confirmAddress({ key, email });
  await chat.runDue();
};

const join = ({ world }: Place, key: string, more: { email?: string; full_name?: string } = {}) =>
  world.chat.anonymous().invites.accept({ key, full_name: 'Osric', ...more });

/** The key of the link in the latest e-mail. */
const keyIn = ({ box }: Place) => {
  const key = /\/join\/(me-[0-9a-f]{64})\/$/m.exec(box.latest().text ?? '')?.[1];
  assert.ok(key, 'the e-mail has a link');
  return key;
};

const unusable = (reason: string) => ({ code: 'INVITATION_UNUSABLE', data: { reason } });

for (const engine of featureEngines) {
  const test = testOn(engine);
  const setUp = async (t: TestContext): Promise<Place> => {
    const box = await openMailbox(t);
    const world = await engine.world({ mail: smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 }) });
    t.after(() => world.close());
    return { world, box, key: await link(world, 'owner', { stream_ids: [world.channels.public] }) };
  };

  describe(`addresses of users who join by a reusable link, on ${engine.name}`, () => {
    test('the link of a confirmation e-mail creates an account with the confirmed address, once', async (t) => {
      const place = await setUp(t);
      const { world, box } = place;
      await assert.rejects(join(place, place.key, { email: OSRIC }), { code: 'ADDRESS_NOT_CONFIRMED' });
      await confirm(place);
      assert.deepEqual(box.latest().to, [{ address: OSRIC, name: '' }]);
      assert.match(String(box.latest().subject), /Confirm your address to join Elsinore/);
      const key = keyIn(place);
      assert.ok(box.latest().html?.includes(`href="https://chat.example.com/join/${key}/"`));
      const session = world.chat.anonymous();
      const seen = await session.invites.preview({ key });
      assert.equal(seen.email, OSRIC);
      assert.equal(seen.must_confirm_address, false);
      assert.equal(seen.expiry_date, Math.floor(world.clock.now() / 1000) + 86_400);
      assert.deepEqual(seen.channels, ['Denmark']);
      await assert.rejects(join(place, key, { email: 'fortinbras@example.com' }), { code: 'BAD_REQUEST' });
      const { email } = await join(place, key);
      assert.equal(email, OSRIC);
      await assert.rejects(join(place, key, { full_name: 'Osric 2' }), unusable('used'));
      await confirm(place, 'marcellus@example.com');
      assert.equal((await join(place, keyIn(place), { full_name: 'Marcellus' })).email, 'marcellus@example.com');
    });

    test('concurrent uses of the confirmation links of one address create one account', async (t) => {
      const place = await setUp(t);
      await confirm(place);
      const first = keyIn(place);
      await confirm(place);
      const second = keyIn(place);
      assert.notEqual(first, second);
      const outcomes = await Promise.allSettled([first, first, second].map((key) => join(place, key)));
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
      for (const key of [first, second]) await assert.rejects(join(place, key), unusable('used'));
    });

    test('a confirmation link expires after a day or with its invitation', async (t) => {
      const place = await setUp(t);
      const { world } = place;
      await confirm(place);
      const key = keyIn(place);
      world.clock.advance({ milliseconds: 86_399_999 });
      await world.chat.anonymous().invites.preview({ key });
      world.clock.advance({ milliseconds: 1 });
      await assert.rejects(join(place, key), unusable('expired'));
      await confirm(place);
      await world.as('owner').invites.revokeMultiuse({ invite_id: await latestId(world) });
      await assert.rejects(join(place, keyIn(place)), unusable('revoked'));
    });

    test('a confirmation link is refused when its inviter may no longer invite', async (t) => {
      const place = await setUp(t);
      const { world } = place;
      const made = await link(world, 'administrator');
      await confirm({ ...place, key: made });
      await world.as('owner').users.deactivate({ user_id: world.users.administrator });
      await assert.rejects(join(place, keyIn(place)), unusable('revoked'));
    });

    test('confirming an address with an account sends an e-mail that says so, without a link to join', async (t) => {
      const place = await setUp(t);
      const { box } = place;
      await confirm(place, 'hamlet@example.com');
      assert.match(String(box.latest().subject), /You already have an account in Elsinore/);
      assert.match(box.latest().text ?? '', /Hello Hamlet,[\s\S]*accounts\/password\/reset/);
      assert.doesNotMatch(box.latest().text ?? '', /\/join\//);
      await confirm(place, 'yorick@example.com');
      assert.match(box.latest().text ?? '', /deactivated/);
      await confirm(place, 'clerk-bot@chat.example.com');
      assert.equal(box.letters.length, 2);
    });

    test('an address gets at most two confirmation e-mails in an hour and five in a day', async (t) => {
      const place = await setUp(t);
      const { world, box } = place;
      const session = world.chat.anonymous();
      for (const email of [OSRIC, 'hamlet@example.com']) {
        const perHour: number[] = [];
        for (let hour = 0; hour < 4; hour++) {
          const before = box.letters.length;
          for (let time = 0; time < 3; time++) await session.invites.confirmAddress({ key: place.key, email });
          await world.chat.runDue();
          perHour.push(box.letters.length - before);
          world.clock.advance({ seconds: 3_600 });
        }
        assert.deepEqual(perHour, [2, 2, 1, 0]);
      }
    });

    test('a confirmation e-mail is retried while the mail server is down', async (t) => {
      const place = await setUp(t);
      const { world, box } = place;
      await box.close();
      await confirm(place);
      for (const seconds of [5, 30, 120]) {
        if (seconds === 120) await box.reopen();
        assert.equal(box.letters.length, 0);
        world.clock.advance({ seconds });
        await world.chat.runDue();
      }
      assert.equal(box.letters.length, 1);
      await join(place, keyIn(place));
    });

    test('a revoked invitation sends no confirmation e-mail, and no key is stored in the database', async (t) => {
      const place = await setUp(t);
      const { world, box, key } = place;
      await confirm(place);
      assert.equal(await world.storage.read((tx) => tx.emailVerifications.byKeyHash(keyIn(place))), undefined);
      await world.chat.anonymous().invites.confirmAddress({ key, email: 'fortinbras@example.com' });
      await world.as('owner').invites.revokeMultiuse({ invite_id: await latestId(world) });
      await world.chat.runDue();
      assert.equal(box.letters.length, 1);
    });

    test('a session with confirmedEmail accepts a reusable link for that address alone', async (t) => {
      const place = await setUp(t);
      const { world, key } = place;
      const sure = world.chat.anonymous({ confirmedEmail: ` ${OSRIC} ` });
      const seen = await sure.invites.preview({ key });
      assert.deepEqual([seen.email, seen.must_confirm_address], [OSRIC, false]);
      await assert.rejects(sure.invites.accept({ key, full_name: 'Osric', email: 'fortinbras@example.com' }), {
        code: 'BAD_REQUEST',
      });
      const { answer } = await sure.dryRun.invites.accept({ key, full_name: 'Osric' });
      assert.equal(answer?.email, OSRIC);
      assert.equal((await sure.invites.accept({ key, full_name: 'Osric' })).email, OSRIC);
      const none = world.chat.anonymous({ confirmedEmail: 'nobody' });
      await assert.rejects(none.invites.accept({ key, full_name: 'Osric' }), { code: 'BAD_REQUEST' });
    });
  });
}

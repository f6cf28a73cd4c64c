import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { smtp } from '../../../../lib/index.ts';
import { testOn } from '../../../support/engines.ts';
import { type Mailbox, openMailbox } from '../../../support/mailbox.ts';
import { featureEngines } from '../../../world/copies.ts';
import { PASSWORD } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { linksIn, tokenOf } from './links.ts';

const NEW = 'the play is the thing';
const HOUR = { seconds: 3_600 };

for (const engine of featureEngines) {
  const test = testOn(engine);
  const setUp = async (t: TestContext): Promise<{ world: World; box: Mailbox }> => {
    const box = await openMailbox(t);
    const world = await engine.world({ mail: smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 }) });
    t.after(() => world.close());
    return { world, box };
  };
  const request = async ({ chat }: World, email: string) => {
    await chat.anonymous().passwords.requestReset({ email });
    await chat.runDue();
  };

  describe(`e-mails about passwords, on ${engine.name}`, () => {
    test('a reset e-mail has a link that sets a password, and a second e-mail reports the change', async (t) => {
      const { world, box } = await setUp(t);
      await request(world, 'HAMLET@example.com');
      const [email] = box.letters;
      assert.deepEqual(email?.to, [{ address: 'Hamlet@example.com', name: '' }]);
      assert.match(String(email?.subject), /Reset your password for Elsinore/);
      const links = linksIn(email?.text)
        .map(tokenOf)
        .filter((token) => token !== '');
      assert.equal(links.length, 1);
      assert.match(
        String(email?.text),
        /^Hello Hamlet,\n\nsomeone asked .* in Elsinore.*\n\nTo choose a new password, open\n\nhttps/,
      );
      assert.ok(email?.html?.includes(`href="https://chat.example.com/accounts/password/reset/${links[0]}/"`));
      assert.match(
        String(email?.html),
        /<p>Hello Hamlet,<\/p>[\s\S]*works once, within 24 hours[\s\S]*does not change/,
      );
      const token = String(links[0]);
      const { email: address } = await world.chat.anonymous().passwords.checkReset({ token });
      assert.equal(address, 'Hamlet@example.com');
      await world.chat.anonymous().passwords.reset({ token, new_password: NEW });
      await world.chat.runDue();
      assert.match(String(box.letters[1]?.subject), /password for Elsinore was changed/);
      assert.equal(box.letters.length, 2);
    });

    test('a reset by e-mail to a verified address keeps the scheduled messages of the account', async (t) => {
      const { world, box } = await setUp(t);
      const hamlet = world.as('hamlet');
      await hamlet.scheduledMessages.create({
        type: 'channel',
        to: world.channels.public,
        topic: 'ghosts',
        content: 'Boo',
        scheduled_delivery_timestamp: Math.floor(world.clock.now() / 1000) + 86_400,
      });
      await request(world, 'hamlet@example.com');
      const token = linksIn(box.letters[0]?.text).map(tokenOf).find(Boolean) ?? '';
      await world.chat.anonymous().passwords.reset({ token, new_password: NEW });
      assert.equal((await hamlet.scheduledMessages.list()).scheduled_messages.length, 1);
    });

    test('the token of a reset link is not stored in the database', async (t) => {
      const { world, box } = await setUp(t);
      await request(world, 'hamlet@example.com');
      const token = tokenOf(linksIn(box.letters[0]?.text).at(-1));
      assert.match(token, /^[0-9a-f]{64}$/);
      const reset = await world.storage.read((tx) => tx.passwordResets.byToken(token));
      assert.equal(reset, undefined);
      assert.equal(await world.storage.read((tx) => tx.outbox.nextDue('password reset')), undefined);
    });

    test('unknown addresses, deactivated users, bots and users without password login get no reset e-mail', async (t) => {
      const { world, box } = await setUp(t);
      for (const email of ['fortinbras@example.com', 'yorick@example.com', 'clerk-bot@chat.example.com']) {
        await request(world, email);
      }
      await world.chat.anonymous().passwords.requestReset({ email: 'hamlet@example.com' });
      await world.settings({ password_login: false });
      await world.chat.runDue();
      assert.deepEqual(box.letters, []);
      assert.deepEqual(await world.chat.givenUp(), []);
    });

    test('an address gets at most two reset e-mails in an hour and five in a day', async (t) => {
      const { world, box } = await setUp(t);
      const perHour: number[] = [];
      for (let hour = 0; hour < 4; hour++) {
        const before = box.letters.length;
        for (let time = 0; time < 4; time++)
          await world.chat.anonymous().passwords.requestReset({ email: 'hamlet@example.com' });
        await world.chat.runDue();
        perHour.push(box.letters.length - before);
        world.clock.advance(HOUR);
      }
      assert.deepEqual(perHour, [2, 2, 1, 0]);
      await request(world, 'cordelia@example.com');
      assert.equal(box.letters.length, 6);
      world.clock.advance({ days: 1 });
      await request(world, 'hamlet@example.com');
      assert.equal(box.letters.length, 7);
    });

    test('a reset e-mail is retried while the mail server is down', async (t) => {
      const { world, box } = await setUp(t);
      await box.close();
      await request(world, 'hamlet@example.com');
      for (const seconds of [5, 30, 120]) {
        if (seconds === 120) await box.reopen();
        assert.equal(box.letters.length, 0);
        world.clock.advance({ seconds });
        await world.chat.runDue();
      }
      assert.equal(box.letters.length, 1);
      const token = tokenOf(linksIn(box.letters[0]?.text).at(-1));
      await world.chat.anonymous().passwords.reset({ token, new_password: NEW });
    });

    test('a user who changes their password gets an e-mail', async (t) => {
      const { world, box } = await setUp(t);
      await world.as('hamlet').settings.edit({ old_password: PASSWORD, new_password: NEW });
      await world.chat.runDue();
      assert.deepEqual(
        box.letters.map(({ to, subject }) => [to?.[0]?.address, subject]),
        [['Hamlet@example.com', 'Your password for Elsinore was changed']],
      );
    });

    test('a dry run with a password is refused, so that it does not reveal the password', async (t) => {
      const { world } = await setUp(t);
      const { dryRun } = world.as('hamlet');
      const passwords = { old_password: PASSWORD, new_password: NEW };
      await assert.rejects(dryRun.settings.edit(passwords), { code: 'BAD_REQUEST', message: /dry run/ });
      await assert.rejects(dryRun.settings.edit({ ...passwords, old_password: 'wrong' }), { message: /dry run/ });
      await dryRun.settings.edit({ enter_sends: true });
    });

    test('of two concurrent uses of one reset link, one sets the password', async (t) => {
      const { world } = await setUp(t);
      const { reset_link } = await world.as('owner').users.createResetLink({ user_id: world.users.hamlet });
      const token = tokenOf(reset_link);
      const outcomes = await Promise.allSettled(
        [NEW, 'the readiness is all'].map((new_password) =>
          world.chat.anonymous().passwords.reset({ token, new_password }),
        ),
      );
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });
  });
}

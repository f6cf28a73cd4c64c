import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { isChatError, smtp } from '../../../../lib/index.ts';
import { transportOf } from '../../../../lib/internal.ts';
import { testOn } from '../../../support/engines.ts';
import { openMailbox } from '../../../support/mailbox.ts';
import { featureEngines } from '../../../world/copies.ts';
import { PASSWORD, type UserName } from '../../../world/fixture.ts';
import { beforeFirstCommit, twoProcesses } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';
import { linksIn, newLink, tokenOf } from '../password-reset/links.ts';
import { codeNow, givenFactor, setUp, wrongCode } from './factors.ts';

const NEW = 'the play is the thing';
const STEP = { seconds: 30 };

const logsIn = ({ chat, emails }: World, code?: string) =>
  chat
    .anonymous()
    .fetchApiKey({ username: emails.hamlet, password: PASSWORD, ...(code === undefined ? {} : { code }) });

/** `key`, the reason of the refusal, or the seconds to wait. */
const outcome = (login: Promise<object>) =>
  login.then(
    () => 'key',
    (error: unknown) => {
      if (isChatError(error, 'SECOND_FACTOR_NEEDED')) return error.data.reason;
      if (isChatError(error, 'RATE_LIMIT_HIT')) return error.data['retry-after'];
      throw error;
    },
  );

for (const engine of featureEngines) {
  const test = testOn(engine);
  const opened = async (t: TestContext) => {
    const world = await engine.world();
    t.after(() => world.close());
    return world;
  };

  describe(`second factors, on ${engine.name}`, () => {
    test('of two logins at once with the same code, in two processes, one succeeds; so with a recovery code', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { code, recoveryCodes } = await setUp(here, 'hamlet', PASSWORD);
      // The set-up has used up the code.
      assert.equal(await outcome(logsIn(here, code())), 'code_wrong');
      here.clock.advance(STEP);
      there.clock.advance(STEP);
      for (const one of [code(), recoveryCodes[3] ?? '']) {
        const other = beforeFirstCommit(here, engine, () => outcome(logsIn(there, one)));
        assert.deepEqual([await outcome(logsIn(here, one)), await other].sort(), ['code_wrong', 'key']);
        // The count of wrong codes must not delay the next round.
        await here.as('owner').users.unlock({ user_id: here.users.hamlet });
      }
      assert.equal((await here.as('hamlet').secondFactor.get()).recovery_codes_left, 9);
    });

    test('after five wrong codes right ones wait longer and longer, until an unlock', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'hamlet');
      const wrong = () => outcome(logsIn(world, wrongCode(world)));
      for (let attempt = 0; attempt < 5; attempt++) assert.equal(await wrong(), 'code_wrong');
      assert.equal(await outcome(logsIn(world, codeNow(world))), 60);
      world.clock.advance({ seconds: 60 });
      assert.equal(await wrong(), 'code_wrong');
      assert.equal(await outcome(logsIn(world, codeNow(world))), 120);
      for (let attempt = 0; attempt < 20; attempt++) {
        world.clock.advance({ days: 1 });
        assert.equal(await wrong(), 'code_wrong');
      }
      assert.equal(await outcome(logsIn(world, codeNow(world))), 86_400);
      await world.as('owner').users.unlock({ user_id: world.users.hamlet });
      assert.equal(await outcome(logsIn(world, codeNow(world))), 'key');
    });

    test('wrong codes of a set-up wait like those of a login', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'hamlet', { isOn: false });
      const confirm = (code: string) => outcome(world.as('hamlet').secondFactor.confirm({ code }));
      for (let attempt = 0; attempt < 5; attempt++) assert.equal(await confirm(wrongCode(world)), 'code_wrong');
      assert.equal(await confirm(codeNow(world)), 60);
      world.clock.advance({ seconds: 60 });
      assert.equal(await confirm(codeNow(world)), 'key');
    });

    test('an administrator cannot end the wait of the own codes', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'owner');
      const { secondFactor, users } = world.as('owner');
      const remove = (code: string) => outcome(secondFactor.remove({ code }));
      for (let attempt = 0; attempt < 5; attempt++) assert.equal(await remove(wrongCode(world)), 'code_wrong');
      await users.unlock({ user_id: world.users.owner });
      assert.equal(await remove(codeNow(world)), 60);
    });

    test('a bot that the owner has made an owner opens no way around the own code', async (t) => {
      const world = await opened(t);
      const { users, storage } = world;
      await givenFactor(world, 'owner');
      const owner = world.as('owner');
      const { user_id } = await owner.bots.create({ full_name: 'Yorick', short_name: 'yorick' });
      await owner.users.edit({ user_id, role: 100 });
      const bot = world.chat.as(user_id).users;
      await assert.rejects(bot.resetSecondFactor({ user_id: users.owner }), /your own second factor/);
      await storage.write((tx) => tx.users.update(users.owner, { is_email_verified: false }));
      const { owner: email } = world.emails;
      await assert.rejects(bot.ensure({ email, full_name: 'Olivia', adopt: 'reset' }), /your own account/);
      const remove = (code: string) => outcome(owner.secondFactor.remove({ code }));
      for (let attempt = 0; attempt < 5; attempt++) assert.equal(await remove(wrongCode(world)), 'code_wrong');
      await bot.unlock({ user_id: users.owner });
      assert.equal(await remove(codeNow(world)), 60);
    });

    test('an administrator of the machine removes the second factor of the only owner', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'owner');
      transportOf(world.chat).actLocally();
      await world.as('owner').users.resetSecondFactor({ user_id: world.users.owner });
      assert.equal((await world.as('owner').secondFactor.get()).is_on, false);
    });

    test('new recovery codes replace the earlier ones, and one of these can ask for them', async (t) => {
      const world = await opened(t);
      const { recoveryCodes } = await setUp(world, 'hamlet', PASSWORD);
      const [first = '', second = ''] = recoveryCodes;
      const { recovery_codes } = await world.as('hamlet').secondFactor.renewCodes({ code: first });
      assert.equal(await outcome(logsIn(world, second)), 'code_wrong');
      assert.equal(await outcome(logsIn(world, recovery_codes[9])), 'key');
      assert.equal((await world.as('hamlet').secondFactor.get()).recovery_codes_left, 9);
    });

    test('administrators see who has a second factor, and others do not', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'hamlet');
      await givenFactor(world, 'cordelia', { isOn: false });
      const { hamlet, cordelia } = world.users;
      const include_second_factor = true;
      const seen = async (as: UserName, user_ids?: number[]) => {
        const given = { include_second_factor, ...(user_ids && { user_ids }) };
        const { members } = await world.as(as).users.list(given);
        const { user } = await world.as(as).users.get({ user_id: hamlet, include_second_factor });
        const of = (id: number) => members.find(({ user_id }) => user_id === id)?.has_second_factor;
        return [
          of(hamlet),
          of(cordelia),
          user.has_second_factor,
          members.filter((each) => each.is_bot && 'has_second_factor' in each),
        ];
      };
      assert.deepEqual(await seen('administrator'), [true, false, true, []]);
      assert.deepEqual(await seen('administrator', [hamlet, cordelia]), [true, false, true, []]);
      assert.deepEqual(await seen('cordelia'), [undefined, undefined, undefined, []]);
      const { members } = await world.as('administrator').users.list();
      assert.ok(
        members.every((each) => !('has_second_factor' in each)),
        'only on request',
      );
    });

    test('a recovery code logs in while codes wait, in any case and without hyphens', async (t) => {
      const world = await opened(t);
      const { recoveryCodes } = await setUp(world, 'hamlet', PASSWORD);
      for (let attempt = 0; attempt < 6; attempt++) await outcome(logsIn(world, '000000x'));
      const [first = '', second = ''] = recoveryCodes;
      assert.equal(typeof (await outcome(logsIn(world, '000000x'))), 'number');
      assert.equal(await outcome(logsIn(world, first.toLowerCase().replaceAll('-', ' '))), 'key');
      assert.equal(await outcome(logsIn(world, second)), 'key');
    });

    test('logins that exist go on when the second factor is turned on, and when the role comes to need one', async (t) => {
      const world = await opened(t);
      const { api_key } = await logsIn(world);
      await setUp(world, 'hamlet', PASSWORD);
      await world.settings({ second_factor_required_for: 'everyone' });
      assert.equal(await world.chat.apiKeyOf(world.users.hamlet), api_key);
    });

    test('a reset link sets no password without a code, whoever made it', async (t) => {
      const box = await openMailbox(t);
      const world = await engine.world({ mail: smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 }) });
      t.after(() => world.close());
      const { chat, storage, users } = world;
      const { code } = await setUp(world, 'hamlet', PASSWORD);
      // The mailbox of an unverified address must not get around it either.
      await storage.write((tx) => tx.users.update(users.hamlet, { is_email_verified: false }));
      await chat.anonymous().passwords.requestReset({ email: 'hamlet@example.com' });
      await chat.runDue();
      const mailed = tokenOf(linksIn(box.letters.find(({ subject }) => /Reset/.test(subject ?? ''))?.text).at(-1));
      const byHand = tokenOf(await newLink(world, 'hamlet'));
      const reset = (token: string, given?: string) =>
        chat.anonymous().passwords.reset({ token, new_password: NEW, ...(given === undefined ? {} : { code: given }) });
      for (const token of [mailed, byHand]) {
        assert.equal((await chat.anonymous().passwords.checkReset({ token })).needs_code, true);
        assert.equal(await outcome(reset(token)), 'code_missing');
        assert.equal(await outcome(reset(token, '000000x')), 'code_wrong');
        await assert.rejects(chat.anonymous().dryRun.passwords.reset({ token, new_password: NEW, code: code() }), {
          message: /dry run/,
        });
      }
      world.clock.advance(STEP);
      assert.equal(await outcome(logsIn(world, code())), 'key');
      world.clock.advance(STEP);
      const { api_key } = await reset(mailed, code());
      assert.match(String(api_key), /^\w{32}$/);
      // The code shows that it is the same person: what they have stays.
      assert.equal((await world.as('hamlet').secondFactor.get()).is_on, true);
      assert.equal((await storage.read((tx) => tx.users.byId(users.hamlet)))?.is_email_verified, true);
    });

    test('a reset link sets a password but gives no API key to a role that must set up a second factor', async (t) => {
      const world = await opened(t);
      await world.settings({ second_factor_required_for: 'members' });
      const token = tokenOf(await newLink(world, 'hamlet'));
      const answer = await world.chat.anonymous().passwords.reset({ token, new_password: NEW });
      assert.deepEqual(answer, { email: 'Hamlet@example.com', user_id: world.users.hamlet });
      const login = world.chat.anonymous().fetchApiKey({ username: world.emails.hamlet, password: NEW });
      assert.equal(await outcome(login), 'not_set_up');
    });

    test('the second factor goes with the access of an earlier user, and with the data of an erased one', async (t) => {
      const world = await opened(t);
      const { storage, users, emails } = world;
      const isGone = async () => (await storage.read((tx) => tx.secondFactors.of(users.hamlet))) === undefined;
      await setUp(world, 'hamlet', PASSWORD);
      await storage.write((tx) => tx.users.update(users.hamlet, { is_email_verified: false }));
      await world.as('owner').users.ensure({ email: emails.hamlet, full_name: 'Hamlet', adopt: 'reset' });
      assert.equal(await isGone(), true);
      await givenFactor(world, 'hamlet');
      await world.as('owner').users.erase({ user_id: users.hamlet });
      assert.equal(await isGone(), true);
    });

    test('dry runs check neither the password nor codes', async (t) => {
      const world = await opened(t);
      const { secondFactor } = world.as('hamlet').dryRun;
      await assert.rejects(secondFactor.begin({ password: PASSWORD }), { message: /dry run/ });
      await givenFactor(world, 'hamlet');
      for (const code of [codeNow(world), wrongCode(world)])
        await assert.rejects(secondFactor.remove({ code }), { message: /dry run/ });
    });

    test('a wrong code is a refusal in the audit log, also where it commits its count', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'hamlet');
      const token = tokenOf(await newLink(world, 'hamlet'));
      const code = wrongCode(world);
      const { chat, users } = world;
      assert.equal(await outcome(world.as('hamlet').secondFactor.remove({ code })), 'code_wrong');
      assert.equal(await outcome(chat.anonymous().passwords.reset({ token, new_password: NEW, code })), 'code_wrong');
      world.clock.advance({ seconds: 20 });
      await chat.runDue();
      assert.deepEqual(
        (await chat.auditLog({ limit: 2 })).map(({ action, user_id, status }) => [action, user_id, status]).sort(),
        [
          ['passwords.reset', null, 401],
          ['secondFactor.remove', users.hamlet, 401],
        ],
      );
    });

    test('turning it on, turning it off and a reset are in the audit log, and mailed to the person', async (t) => {
      const box = await openMailbox(t);
      const world = await engine.world({ mail: smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 }) });
      t.after(() => world.close());
      const { recoveryCodes } = await setUp(world, 'hamlet', PASSWORD);
      await world.as('hamlet').secondFactor.remove({ code: recoveryCodes[0] ?? '' });
      await givenFactor(world, 'hamlet');
      await world.as('owner').users.resetSecondFactor({ user_id: world.users.hamlet });
      await world.chat.runDue();
      const entries = await world.chat.auditLog({ limit: 3 });
      assert.deepEqual(
        entries.map(({ action, details }) => [action, details]),
        [
          ['secondFactor.confirm', { code: 'given' }],
          ['secondFactor.remove', { code: 'given' }],
          ['users.resetSecondFactor', { user_id: world.users.hamlet }],
        ],
      );
      assert.deepEqual(box.letters.map(({ subject }) => subject).sort(), [
        'Your second factor is off',
        'Your second factor is on',
        'Your second factor was removed',
      ]);
    });
  });
}

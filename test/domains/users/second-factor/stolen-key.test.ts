import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { isChatError, type OperationName, smtp } from '../../../../lib/index.ts';
import { operationNamed, transportOf } from '../../../../lib/internal.ts';
import { testOn } from '../../../support/engines.ts';
import { openMailbox } from '../../../support/mailbox.ts';
import { featureEngines } from '../../../world/copies.ts';
import { PASSWORD, type UserName } from '../../../world/fixture.ts';
import { beforeTransaction, twoProcesses } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';
import { codeNow, givenFactor, wrongCode } from './factors.ts';

type Values = Record<string, unknown>;

/** Calls an operation with the API key of a user, as a client does. */
async function withKey(
  world: World,
  user: UserName | number,
  name: OperationName,
  values: Values = {},
): Promise<Values> {
  const userId = typeof user === 'number' ? user : world.users[user];
  const account = await world.storage.read((tx) => tx.users.byId(userId));
  const caller = { userId, keyGeneration: account?.key_generation ?? 0, client: 'test' };
  return transportOf(world.chat).engine.call(operationNamed(name), caller, values) as Promise<Values>;
}

/** `done`, the reason for which a second factor is needed, or the seconds to wait. */
const outcome = (call: Promise<object>) =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (isChatError(error, 'SECOND_FACTOR_NEEDED')) return error.data.reason;
      if (isChatError(error, 'RATE_LIMIT_HIT')) return error.data['retry-after'];
      throw error;
    },
  );

/** How other programs raise Hamlet. The claims of a provider log a person in too. */
const raises: Readonly<Record<string, (world: World) => Promise<object>>> = {
  'chat.sync': ({ chat, emails }) =>
    chat.sync({ users: [{ external_id: 'prince', email: emails.hamlet, name: 'Hamlet', role: 'administrator' }] }),
  'the claims of a provider': ({ chat, emails }) =>
    transportOf(chat).externalLogin(
      { issuer: 'https://sso', subject: '7', email: emails.hamlet, name: 'Hamlet', role: 200, groups: undefined },
      { adopt: 'verified', isOpen: false },
      { client: 'test' },
    ),
};

/** The token of the link in a text. */
const tokenIn = (text: string | undefined) => /\/([\w-]{40,})\/?$/m.exec(String(text))?.[1] ?? '';

const person = { email: 'laertes@example.com', full_name: 'Laertes' };

/** Everything that an API key could leave behind to act as an administrator later. */
const ways: readonly (readonly [what: string, operation: OperationName, (world: World) => Values | Promise<Values>])[] =
  [
    ['raises a member', 'users.edit', ({ users }) => ({ user_id: users.hamlet, role: 200 })],
    [
      'raises a moderator, found by address',
      'users.editByEmail',
      ({ emails }) => ({ email: emails.moderator, role: 200 }),
    ],
    ['raises a member to moderator', 'users.edit', ({ users }) => ({ user_id: users.hamlet, role: 300 })],
    ['lowers an administrator', 'users.edit', ({ users }) => ({ user_id: users.administrator, role: 400 })],
    ['raises a bot', 'bots.edit', ({ users }) => ({ bot_id: users.bot, role: 200 })],
    ['creates an account', 'users.create', () => ({ ...person, role: 200, password: 'the readiness is all' })],
    ['creates many accounts', 'users.createMany', () => ({ people: [{ ...person, role: 100 }] })],
    ['ensures an account', 'users.ensure', () => ({ ...person, role: 200 })],
    ['resets an account', 'users.ensure', (world) => unverified(world, 'administrator')],
    ['invites an address', 'invites.send', () => ({ invitee_emails: person.email, stream_ids: [], invite_as: 200 })],
    ['makes a link to join', 'invites.createMultiuse', () => ({ invite_as: 200 })],
    ['reads an API key', 'users.getApiKey', ({ users }) => ({ user_id: users.administrator })],
    [
      'sets a password',
      'users.setPassword',
      ({ users }) => ({ user_id: users.administrator, password: 'words, words' }),
    ],
    ['makes a reset link', 'users.createResetLink', ({ users }) => ({ user_id: users.administrator })],
    ['makes a reset link for the own account', 'users.createResetLink', ({ users }) => ({ user_id: users.owner })],
    ['removes a second factor', 'users.resetSecondFactor', ({ users }) => ({ user_id: users.secondOwner })],
    ['unlocks an account to guess its password', 'users.unlock', ({ users }) => ({ user_id: users.administrator })],
    ['unlocks the own account to guess its password', 'users.unlock', ({ users }) => ({ user_id: users.owner })],
    ['reactivates an account', 'users.reactivate', (world) => deactivated(world)],
    ['reads the key of a bot', 'bots.getApiKey', (world) => raisedBot(world)],
    ['replaces the key of a bot', 'bots.regenerateApiKey', (world) => raisedBot(world)],
    [
      'gives a bot away',
      'bots.edit',
      async (world) => ({ ...(await raisedBot(world)), bot_owner_id: world.users.cordelia }),
    ],
    ['moves the own account to another mailbox', 'settings.edit', () => ({ email: person.email })],
    ['turns off the second factor of all', 'organization.edit', () => ({ second_factor_required_for: 'nobody' })],
    ['turns it off for administrators', 'organization.edit', () => ({ second_factor_required_for: 'owners' })],
    ['turns off passwords', 'organization.edit', () => ({ password_login: false })],
  ];

async function unverified({ storage, users, emails }: World, user: UserName): Promise<Values> {
  await storage.write((tx) => tx.users.update(users[user], { is_email_verified: false }));
  return { email: emails[user], full_name: user, adopt: 'reset' };
}

async function deactivated({ storage, users }: World): Promise<Values> {
  await storage.write((tx) => tx.users.update(users.deactivated, { role: 200 }));
  return { user_id: users.deactivated };
}

async function raisedBot({ storage, users }: World): Promise<Values> {
  await storage.write((tx) => tx.users.update(users.bot, { role: 200 }));
  return { bot_id: users.bot };
}

for (const engine of featureEngines) {
  const test = testOn(engine);
  const opened = async (t: TestContext, required?: string) => (await openedWithMail(t, required)).world;
  const openedWithMail = async (t: TestContext, required = 'moderators') => {
    const box = await openMailbox(t);
    const world = await engine.world({ mail: smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 }) });
    t.after(() => world.close());
    await world.settings({ second_factor_required_for: required });
    return { world, box };
  };

  describe(`an API key where administrators need a second factor, on ${engine.name}`, () => {
    for (const [what, name, values] of ways) {
      test(`${what} only with a code`, async (t) => {
        const world = await opened(t);
        const given = await values(world);
        const call = (more: Values = {}) => outcome(withKey(world, 'owner', name, { ...given, ...more }));
        if (name === 'users.resetSecondFactor') await givenFactor(world, 'secondOwner');
        assert.equal(await call(), 'not_set_up');
        assert.equal(await call({ code: '111111' }), 'not_set_up');
        await givenFactor(world, 'owner');
        assert.equal(await call(), 'code_missing');
        assert.equal(await call({ code: wrongCode(world) }), 'code_wrong');
        assert.equal(await call({ code: codeNow(world) }), 'done');
      });
    }

    test('does everything as before where only owners need one, or nobody does', async (t) => {
      for (const required of ['owners', 'nobody']) {
        const world = await opened(t, required);
        const { users } = world;
        await withKey(world, 'administrator', 'users.edit', { user_id: users.bot, role: 200 });
        await withKey(world, 'administrator', 'users.create', { ...person, role: 200 });
        await withKey(world, 'administrator', 'bots.getApiKey', { bot_id: users.bot });
        await withKey(world, 'administrator', 'organization.edit', { second_factor_required_for: 'members' });
      }
    });

    test('creates members and changes other things without a code, also where everyone needs one', async (t) => {
      const world = await opened(t, 'everyone');
      const { users } = world;
      await withKey(world, 'owner', 'users.createMany', { people: [person] });
      await withKey(world, 'owner', 'users.getApiKey', { user_id: users.hamlet });
      await withKey(world, 'owner', 'users.edit', { user_id: users.administrator, full_name: 'Gertrude' });
    });

    test('of a bot raises nobody, and programs of the host need no code', async (t) => {
      const world = await opened(t);
      const { users } = world;
      await world.as('owner').users.edit({ user_id: users.bot, role: 100 });
      const raise = { user_id: users.hamlet, role: 200 };
      assert.equal(await outcome(withKey(world, 'bot', 'users.edit', raise)), 'not_set_up');
      await world.chat.as(users.bot).users.edit({ user_id: users.hamlet, role: 200 });
    });

    test('shows neither keys of bots nor links to join that would make an administrator', async (t) => {
      const world = await opened(t);
      const { users } = world;
      await world.storage.write((tx) => tx.users.update(users.bot, { role: 200, bot_owner_id: users.owner }));
      await world.as('owner').invites.createMultiuse({ invite_as: 200 });
      await world.as('owner').invites.send({ invitee_emails: person.email, stream_ids: [], invite_as: 200 });
      await world.as('owner').invites.send({ invitee_emails: 'osric@example.com', stream_ids: [] });
      const links = async (more: Values = {}) => {
        const { invites } = await withKey(world, 'owner', 'invites.list', { include_links: true, ...more });
        return (invites as Values[]).filter(({ link_url }) => link_url !== undefined).length;
      };
      const { bots } = await withKey(world, 'owner', 'bots.list');
      const mine = (bots as Values[]).find(({ user_id }) => user_id === users.bot);
      assert.deepEqual([mine?.user_id, mine?.api_key], [users.bot, undefined]);
      assert.equal(await links(), 1);
      await givenFactor(world, 'owner');
      assert.equal(await links({ code: codeNow(world) }), 3);
    });

    test('sets no first password, with which it could set up a second factor', async (t) => {
      const world = await opened(t);
      await world.storage.write((tx) => tx.users.update(world.users.administrator, { password_hash: null }));
      const change = (user: UserName) => withKey(world, user, 'settings.edit', { new_password: 'words, words, words' });
      await assert.rejects(change('administrator'), /first password/);
      await world.storage.write((tx) => tx.users.update(world.users.cordelia, { password_hash: null }));
      await change('cordelia');
    });

    test('gets no link again that another call has got with a code', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'owner');
      const create = (more: Values = {}) =>
        withKey(world, 'owner', 'invites.createMultiuse', { invite_as: 200, idempotency_key: 'links', ...more });
      const first = await create({ code: codeNow(world) });
      await assert.rejects(create(), { code: 'IDEMPOTENCY_KEY_REUSED' });
      world.clock.advance({ minutes: 1 });
      assert.deepEqual(await create({ code: codeNow(world) }), first);
    });

    test('guesses no code: wrong ones wait, also in calls that fail, and a second key does not end the wait', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'owner');
      const raise = { user_id: world.users.hamlet, role: 200 };
      const guess = (code: string) => outcome(withKey(world, 'owner', 'users.edit', { ...raise, code }));
      for (let attempt = 0; attempt < 5; attempt++) assert.equal(await guess(wrongCode(world)), 'code_wrong');
      assert.equal(await guess(codeNow(world)), 60);
      const unlock = withKey(world, 'secondOwner', 'users.unlock', { user_id: world.users.owner });
      assert.equal(await outcome(unlock), 'not_set_up');
      assert.equal(await guess(codeNow(world)), 60);
    });

    test('leaves guesses in the audit log, once each, also of calls that are not audited', async (t) => {
      const world = await opened(t);
      await givenFactor(world, 'owner');
      const guess = (name: OperationName, values: Values) =>
        outcome(withKey(world, 'owner', name, { ...values, code: wrongCode(world) }));
      assert.equal(await guess('invites.list', {}), 'code_wrong');
      assert.equal(await guess('settings.edit', { email: 'thief@example.com' }), 'code_wrong');
      assert.equal(await guess('users.getApiKey', { user_id: world.users.administrator }), 'code_wrong');
      world.clock.advance({ seconds: 30 });
      await transportOf(world.chat).engine.refusals.flush();
      const { entries } = await world.as('owner').organization.auditLog();
      assert.deepEqual(
        entries
          .filter(({ code }) => code === 'SECOND_FACTOR_NEEDED')
          .map(({ action, user_id, times }) => [action, user_id, times])
          .sort(),
        ['invites.list', 'settings.edit', 'users.getApiKey'].map((action) => [action, world.users.owner, 1]),
      );
    });

    test('uses a code once, also in two processes at once', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      await here.settings({ second_factor_required_for: 'moderators' });
      await givenFactor(here, 'owner');
      const code = codeNow(here);
      const call = (world: World, user: UserName) =>
        outcome(withKey(world, 'owner', 'users.edit', { user_id: world.users[user], role: 200, code }));
      const outcomes = await Promise.all([call(here, 'hamlet'), call(there, 'cordelia')]);
      assert.deepEqual(outcomes.sort(), ['code_wrong', 'done']);
    });

    test('gets no password in between: another process raises the person, or requires the second factor', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { users } = here;
      await here.settings({ second_factor_required_for: 'administrators' });
      const password = 'words, words, words';
      beforeTransaction(here, 'write', () => there.as('owner').users.edit({ user_id: users.hamlet, role: 200 }));
      const set = withKey(here, 'owner', 'users.setPassword', { user_id: users.hamlet, password });
      assert.equal(await outcome(set), 'not_set_up');
      await here.settings({ second_factor_required_for: 'nobody' });
      beforeTransaction(here, 'write', () => there.settings({ second_factor_required_for: 'administrators' }));
      const create = withKey(here, 'owner', 'users.create', { ...person, role: 200, password });
      assert.equal(await outcome(create), 'not_set_up');
    });

    test('ends when its account is raised: the person gets a link for a new password, then sets up a second factor', async (t) => {
      const { world, box } = await openedWithMail(t);
      const { chat, users, emails } = world;
      const logIn = (password: string) => chat.anonymous().fetchApiKey({ username: emails.hamlet, password });
      const stolen = { userId: users.hamlet, keyGeneration: 0, client: 'test' };
      const me = () => transportOf(chat).engine.call(operationNamed('users.me'), stolen);
      await me();
      await world.as('owner').users.edit({ user_id: users.hamlet, role: 200 });
      await assert.rejects(me(), { code: 'UNAUTHORIZED' });
      await assert.rejects(logIn(PASSWORD), { code: 'AUTHENTICATION_FAILED' });
      await chat.runDue();
      const [letter] = box.letters;
      assert.deepEqual(letter?.to, [{ address: emails.hamlet, name: '' }]);
      assert.match(String(letter?.text), /now an administrator/);
      const new_password = 'words, words, words';
      const reset = await chat
        .anonymous()
        .passwords.reset({ token: tokenIn(letter?.text), new_password, keep_api_key: true });
      assert.equal(reset.api_key, undefined);
      assert.equal(await outcome(logIn(new_password)), 'not_set_up');
      // A key that was read before the account became important is not one of an administrator.
      const generations = async () => {
        const found = await world.storage.read((tx) => tx.users.byIds([users.bot, users.cordelia, users.hamlet]));
        return found.map(({ key_generation, login_generation }) => [key_generation, login_generation]);
      };
      await givenFactor(world, 'cordelia');
      for (const user_id of [users.cordelia, users.bot]) await world.as('owner').users.edit({ user_id, role: 200 });
      assert.deepEqual(
        await generations(),
        [1, 1, 1].map(() => [1, 1]),
      );
      // Within these roles, and on the way down, nothing ends.
      for (const role of [100, 200, 400] as const) await world.as('owner').users.edit({ user_id: users.bot, role });
      assert.deepEqual(
        await generations(),
        [1, 1, 1].map(() => [1, 1]),
      );
    });

    for (const [how, raise] of Object.entries(raises)) {
      test(`ends when ${how} raises its account, between the password and the code of a login`, async (t) => {
        const { world, box } = await openedWithMail(t);
        const { chat, users, emails } = world;
        const { newCookie, checkLogin, engine: calls } = transportOf(chat);
        await givenFactor(world, 'hamlet');
        const logIn = (code: Values = {}) =>
          chat.anonymous().fetchApiKey({ username: emails.hamlet, password: PASSWORD, ...code });
        assert.equal(await outcome(logIn()), 'code_missing');
        const { value } = await newCookie({ userId: users.hamlet });
        const me = async (cookie: string) =>
          calls.call(operationNamed('users.me'), { ...(await checkLogin('cookie', cookie)), client: 'test' });
        await me(value);
        const proven = await raise(world);
        const { user } = await world.as('owner').users.get({ user_id: users.hamlet });
        assert.equal(user.role, 200);
        await assert.rejects(logIn({ code: codeNow(world) }), { code: 'AUTHENTICATION_FAILED' });
        const stolen = { userId: users.hamlet, keyGeneration: 0, client: 'test' };
        await assert.rejects(calls.call(operationNamed('users.me'), stolen), { code: 'UNAUTHORIZED' });
        await assert.rejects(me(value), { status: 401 });
        await chat.runDue();
        assert.deepEqual(
          box.letters.map(({ subject }) => subject),
          ['Your new role in Elsinore'],
        );
        if (how !== 'the claims of a provider') return;
        // The login that brought the role goes on. A later raise ends it, also before the browser gets its cookie.
        const account = proven as Awaited<ReturnType<ReturnType<typeof transportOf>['externalLogin']>>;
        await me((await newCookie(account)).value);
        const owner = world.as('owner');
        for (const role of [400, 200] as const) await owner.users.edit({ user_id: users.hamlet, role });
        await assert.rejects(newCookie(account), { message: /Log in again/ });
      });
    }

    test('of a person who is lowered before the e-mail leaves is replaced by a link, without the name of a role', async (t) => {
      const { world, box } = await openedWithMail(t);
      const { chat, users, emails } = world;
      const owner = world.as('owner');
      await owner.users.setPassword({ user_id: users.cordelia, password: 'sweet lady' });
      await chat.runDue();
      box.letters.splice(0);
      for (const role of [200, 300] as const) await owner.users.edit({ user_id: users.hamlet, role });
      for (const role of [200, 400] as const) await owner.users.edit({ user_id: users.cordelia, role });
      await chat.runDue();
      const letterTo = (user: UserName) => box.letters.filter(({ to }) => to?.[0]?.address === emails[user]);
      const [raised, lowered] = [letterTo('hamlet'), letterTo('cordelia')];
      assert.deepEqual([raised.length, lowered.length], [1, 1]);
      assert.match(String(raised[0]?.text), /you are now a moderator of/);
      assert.equal(lowered[0]?.subject, 'Your account in Elsinore');
      assert.match(String(lowered[0]?.text), /your role in Elsinore, .* was changed\. So your password .* ended/);
      assert.doesNotMatch(String(lowered[0]?.text), /now an? |second factor/);
      // The next raise ends this link, so the person gets another one.
      await owner.users.edit({ user_id: users.cordelia, role: 200 });
      await chat.runDue();
      const reset = (at: number) =>
        chat
          .anonymous()
          .passwords.reset({ token: tokenIn(letterTo('cordelia')[at]?.text), new_password: 'my new words' });
      await assert.rejects(reset(0), { message: /does not work/ });
      await reset(1);
    });

    test('of a person without a password is raised like others: the dry run does not reveal who has one', async (t) => {
      const { world, box } = await openedWithMail(t);
      const { chat, storage, users } = world;
      await storage.write((tx) => tx.users.update(users.cordelia, { password_hash: null }));
      const { dryRun } = chat.as(users.owner);
      const effects = async (user: UserName) =>
        (await dryRun.users.edit({ user_id: users[user], role: 200 })).side_effects;
      assert.deepEqual(await effects('cordelia'), await effects('hamlet'));
      assert.deepEqual(await effects('hamlet'), [{ kind: 'first password' }]);
      await world.as('owner').users.edit({ user_id: users.cordelia, role: 200 });
      await chat.runDue();
      assert.deepEqual(box.letters, []);
    });

    test('of a raised person without e-mail, or who is deactivated, is replaced by a link that the host creates', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      await world.settings({ second_factor_required_for: 'moderators' });
      const { chat, users, emails } = world;
      const owner = world.as('owner');
      await owner.users.deactivate({ user_id: users.cordelia });
      for (const user of ['hamlet', 'cordelia'] as const) {
        const user_id = users[user];
        await owner.users.edit({ user_id, role: 200 });
        if (user === 'cordelia') await owner.users.reactivate({ user_id });
        const logIn = (password: string) => chat.anonymous().fetchApiKey({ username: emails[user], password });
        await assert.rejects(logIn(PASSWORD), { code: 'AUTHENTICATION_FAILED' });
        const { reset_link } = await owner.users.createResetLink({ user_id });
        const new_password = 'words, words, words';
        await chat.anonymous().passwords.reset({ token: tokenIn(reset_link), new_password });
        assert.equal(await outcome(logIn(new_password)), 'not_set_up');
      }
    });

    test('leaves nothing in a member that opens the account when it is raised', async (t) => {
      const { world, box } = await openedWithMail(t);
      const { chat, users, emails } = world;
      const user_id = users.hamlet;
      await withKey(world, 'owner', 'users.setPassword', { user_id, password: 'mine now', keep_api_key: true });
      const { reset_link } = await withKey(world, 'owner', 'users.createResetLink', { user_id });
      await withKey(world, 'hamlet', 'settings.edit', { email: 'thief@example.com' });
      await chat.runDue();
      const confirmed = tokenIn(box.letters.find(({ to }) => to?.[0]?.address === 'thief@example.com')?.text);
      await world.as('owner').users.edit({ user_id, role: 200 });
      const thief = chat.anonymous();
      const attempts = [
        () => thief.fetchApiKey({ username: emails.hamlet, password: 'mine now' }),
        () => thief.passwords.reset({ token: tokenIn(String(reset_link)), new_password: 'mine again' }),
        () => thief.settings.confirmEmail({ token: confirmed }),
      ];
      for (const attempt of attempts) await assert.rejects(attempt(), { message: /wrong|does not work/ });
    });

    test('asks for no code in a dry run, whose secrets are fake', async (t) => {
      const world = await opened(t);
      const caller = { userId: world.users.owner, keyGeneration: 0, client: 'test' };
      const given = { user_id: world.users.administrator };
      await transportOf(world.chat).dryRun(operationNamed('users.createResetLink'), caller, given);
    });
  });
}

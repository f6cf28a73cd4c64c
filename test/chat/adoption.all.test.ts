import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Adopt,
  type Chat,
  connect,
  isChatError,
  openChat,
  type SyncChange,
  type SyncLists,
  type SyncOptions,
} from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { type Person, testChat } from '../../lib/testing/testing.ts';
import { requestListener } from '../../server/index.ts';
import { featureEngines, testOn } from '../support/engines.ts';

const BOSS = { email: 'boss@example.com', full_name: 'Bo Boss' };
const PASSWORD = 'a password of the attacker';
const ROW = { external_id: 'boss', name: 'Bo Boss', email: BOSS.email, role: 'owner' } as const;

const brief = ({ kind, external_id, action, adoption, code, fields }: SyncChange) =>
  [
    `${action} ${kind} ${external_id}${adoption ? ` (${adoption})` : ''}${code ? ` ${code}` : ''}`,
    ...fields.map(({ field, from, to }) => `${field}: ${JSON.stringify(from)} > ${JSON.stringify(to)}`),
  ].join('; ');

const pick = ({ user_id, email, full_name }: Person) => ({ user_id, email, full_name });

const keyOf = (link: string | undefined) => link?.split('/').at(-2) ?? assert.fail('There is no link.');

/** Creates an account with any address by a multi-use link. */
async function join({ chat, ada }: { chat: Chat; ada: Person }, person: { email: string; full_name: string }) {
  const { invite_link } = await ada.invites.createMultiuse({ stream_ids: [] });
  return chat.anonymous().invites.accept({ key: keyOf(invite_link), ...person, password: PASSWORD });
}

/** A server with the given listener options. Calls its API with a header. */
async function serving(t: TestContext, chat: Chat, options: Parameters<typeof requestListener>[1] = {}) {
  const server = createServer(requestListener(chat, { rateLimits: false, ...options })).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = async (headers: Record<string, string>, path = 'users/me', init: RequestInit = {}) => {
    const response = await fetch(`${site}/api/v1/${path}`, { ...init, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { site, call };
}

const basic = (email: string, key: string) => ({
  authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
});

for (const engine of featureEngines) {
  describe(`adoption on ${engine.name}`, () => {
    const test = testOn(engine);

    /** A server without mail: it cannot verify addresses. */
    async function open(t: TestContext, { withMail = false } = {}) {
      const place = await engine.open();
      const made = await testChat({ storage: place.storage });
      const again = async () => openChat({ storage: await place.reopen(), clock: made.clock });
      const chat = withMail ? made.chat : await again();
      t.after(async () => {
        await chat.close();
        await made.close();
        await place.dispose();
      });
      const sessionOf = (person: Person): Person =>
        withMail ? person : Object.assign(chat.as(person.user_id), pick(person));
      const people = Object.fromEntries(
        Object.entries(made.people).map(([name, person]) => [name, sessionOf(person)]),
      ) as typeof made.people;
      const sync = async (lists: SyncLists, syncOptions?: SyncOptions) =>
        (await chat.sync(lists, syncOptions)).changes.map(brief);
      const dryRunThenRun = async (lists: SyncLists, syncOptions?: SyncOptions) => {
        const tried = await sync(lists, { ...syncOptions, dryRun: true });
        const done = await sync(lists, syncOptions);
        assert.deepEqual(tried, done);
        return done;
      };
      return { ...made, chat, people, ada: people.ada, sync, dryRunThenRun, again };
    }

    test('an account with an unverified address is refused, and other users are synced', async (t) => {
      const { chat, ada, dryRunThenRun } = await open(t);
      const mallory = await join({ chat, ada }, BOSS);
      const users = [ROW, { external_id: 'u2', name: 'Udo Two' }];
      const changes = await dryRunThenRun({ users });
      assert.deepEqual(
        changes.map((change) => change.split(';')[0]),
        ['failed user boss ADOPTION_REFUSED', 'created user u2'],
      );
      const { changes: again } = await chat.sync({ users: [ROW] });
      assert.equal(again[0]?.id, mallory.user_id);
      assert.match(again[0]?.reason ?? '', /adopt "reset"/);
      const { user } = await ada.users.get({ user_id: mallory.user_id, include_external_ids: true });
      assert.deepEqual([user.role, user.external_id], [400, undefined]);
      await assert.rejects(ada.users.ensure(BOSS), { code: 'ADOPTION_REFUSED', status: 403 });
      const many = await ada.users.createMany({ people: [BOSS, { email: 'x@example.com', full_name: 'X Y' }] });
      assert.deepEqual(
        many.people.map(({ outcome }) => outcome),
        ['failed', 'created'],
      );
    });

    test('a user cannot join with the address that a sync gives to a user without an address', async (t) => {
      const { chat, ada, sync } = await open(t);
      const digest = createHash('sha256').update('other').digest('hex').slice(0, 32);
      for (const domain of ['users.invalid', 'Users.INVALID']) {
        const joining = join({ chat, ada }, { email: `${digest}@${domain}`, full_name: 'Mallory' });
        await assert.rejects(joining, { code: 'BAD_REQUEST' });
      }
      const users = [{ external_id: 'other', name: 'Other' }];
      assert.match((await sync({ users })).join(), /^created user other;/);
      const { user } = await ada.users.get({ user_id: (await chat.idOf('user', 'other')) ?? 0 });
      const email = user.delivery_email ?? assert.fail('The user has no address.');
      assert.equal(email, `${digest}@users.invalid`);
      const named = users.map((row) => ({ ...row, name: 'Another', email }));
      assert.deepEqual(await sync({ users: named }), ['changed user other; name: "Other" > "Another"']);
    });

    test('the reset link of an account without a password ends with reset', async (t) => {
      const { chat, ada } = await open(t);
      const { invite_link } = await ada.invites.createMultiuse({ stream_ids: [] });
      const { user_id } = await chat.anonymous().invites.accept({ key: keyOf(invite_link), ...BOSS });
      const token = keyOf((await ada.users.createResetLink({ user_id })).reset_link);
      await ada.users.ensure({ ...BOSS, adopt: 'reset' });
      await assert.rejects(chat.anonymous().passwords.checkReset({ token }));
    });

    test('a mailed reset link verifies an address, and ends the access of the earlier user', async (t) => {
      const { chat, ada } = await open(t);
      const mallory = await join({ chat, ada }, BOSS);
      const bot = await chat.as(mallory.user_id).bots.create({ full_name: 'Spy', short_name: 'spy' });
      // This address was set by an administrator, which does not verify it.
      const given = await ada.users.createResetLink({ user_id: mallory.user_id });
      const reset = (link: string | undefined) =>
        chat.anonymous().passwords.reset({ token: keyOf(link), new_password: PASSWORD, keep_api_key: true });
      await reset(given.reset_link);
      await assert.rejects(ada.users.ensure(BOSS), { code: 'ADOPTION_REFUSED' });
      const mailed = await ada.users.createResetLink({ user_id: mallory.user_id });
      await transportOf(chat).engine.storage.write(async (tx) => {
        const token_hash = createHash('sha256').update(keyOf(mailed.reset_link)).digest('base64url');
        const stored = (await tx.passwordResets.byToken(token_hash)) ?? assert.fail();
        await tx.passwordResets.removeOf(mallory.user_id);
        await tx.passwordResets.add({ ...stored, is_mailed: true }, 1);
      });
      const { api_key } = await reset(mailed.reset_link);
      assert.notEqual(api_key, mallory.api_key);
      assert.equal((await ada.users.get({ user_id: bot.user_id })).user.is_active, false);
      assert.equal((await ada.users.ensure(BOSS)).adopted, 'verified');
    });

    const doors: Record<
      string,
      (t: TestContext, made: { chat: Chat; ada: Person }, adopt: Adopt) => Promise<string | undefined>
    > = {
      async 'chat.sync'(_t, { chat }, adopt) {
        const { changes } = await chat.sync({ users: [ROW] }, { adopt });
        return changes[0]?.code ?? changes[0]?.adoption;
      },
      async 'users.ensure'(_t, { ada }, adopt) {
        try {
          return (await ada.users.ensure({ ...BOSS, adopt })).adopted;
        } catch (error) {
          if (!isChatError(error)) throw error;
          return error.code ?? '';
        }
      },
      async authenticate(t, { chat }, adopt) {
        const { call } = await serving(t, chat, { authenticate: () => BOSS.email, adopt });
        const { status, body } = await call({});
        return status === 200 ? (adopt === 'reset' ? 'reset' : 'verified') : `${body.code}`;
      },
    };

    for (const [door, open_] of Object.entries(doors)) {
      test(`after ${door} with reset, nothing that the earlier user held gives access or acts`, async (t) => {
        const made = await open(t);
        const { chat, ada, clock } = made;
        const { user_groups } = await ada.userGroups.list();
        const members = user_groups.find(({ name }) => name === 'role:members')?.id ?? 0;
        await ada.organization.edit({ create_multiuse_invite_group: { new: members } });
        const mallory = await join(made, BOSS);
        const session = chat.as(mallory.user_id);
        const { call, site } = await serving(t, chat);

        const { token } = await session.tokens.create({});
        const cookie = await transportOf(chat).newCookie({ userId: mallory.user_id });
        const bot = await session.bots.create({ full_name: 'Spy', short_name: 'spy' });
        const hook = await session.bots.create({ full_name: 'Hook', short_name: 'hook', bot_type: 2 });
        const reset = await ada.users.createResetLink({ user_id: mallory.user_id });
        const invitation = await session.invites.createMultiuse({ stream_ids: [] });
        await session.invites.send({ invitee_emails: 'friend@example.com', stream_ids: [] });
        const personal = (await ada.invites.list({ include_links: true })).invites.find(({ email }) => email);
        await session.subscriptions.add({ subscriptions: [{ name: 'general' }] });
        const { id: message_id } = await session.messages.send({
          type: 'channel',
          to: 'general',
          topic: 'x',
          content: 'x',
        });
        const soon = Math.floor(clock.now() / 1000) + 60;
        await session.scheduledMessages.create({
          type: 'channel',
          to: made.channels.general,
          topic: 'x',
          content: 'Pay Mallory at once.',
          scheduled_delivery_timestamp: soon,
        });
        await session.reminders.create({ message_id, scheduled_delivery_timestamp: soon });
        await session.push.addFcmToken({ token: 'phone' });
        const { queue_id } = await session.register({ event_types: ['message'] });
        await session.drafts.create({ drafts: [{ type: '', to: [], topic: '', content: 'kept' }] });
        const bots = await Promise.all(
          [bot, hook].map(async ({ user_id }) => {
            const email = (await ada.users.get({ user_id })).user.delivery_email ?? assert.fail();
            return { email, key: (await session.bots.getApiKey({ bot_id: user_id })).api_key };
          }),
        );

        const send = new URLSearchParams({ type: 'stream', to: 'general', topic: 'x', content: 'x' });
        const attempts: Record<string, () => Promise<unknown>> = {
          password: () => chat.anonymous().fetchApiKey({ username: BOSS.email, password: PASSWORD }),
          'API key': () => connect({ site, email: BOSS.email, api_key: mallory.api_key }).users.me(),
          token: () => connect({ site, token }).users.me(),
          cookie: async () => transportOf(chat).checkLogin('cookie', cookie.value),
          'key of a bot': () => connect({ site, email: bots[0]?.email ?? '', api_key: bots[0]?.key ?? '' }).users.me(),
          'key of an incoming webhook': async () => {
            const headers = basic(bots[1]?.email ?? '', bots[1]?.key ?? '');
            const { body } = await call(headers, 'messages', { method: 'POST', body: send });
            if (body.result !== 'success') throw new Error(String(body.code));
          },
          'reset link': () => chat.anonymous().passwords.checkReset({ token: keyOf(reset.reset_link) }),
          'own invitation link': () => chat.anonymous().invites.preview({ key: keyOf(invitation.invite_link) }),
          'own personal invitation': () => chat.anonymous().invites.preview({ key: keyOf(personal?.link_url) }),
          'event queue': () => session.events.list({ queue_id: queue_id ?? '', last_event_id: -1, dont_block: true }),
        };
        for (const [what, attempt] of Object.entries(attempts)) await assert.doesNotReject(attempt, what);
        assert.equal(await open_(t, made, 'reset'), 'reset');
        for (const [what, attempt] of Object.entries(attempts)) await assert.rejects(attempt, `${what} has ended`);

        clock.advance({ minutes: 2 });
        await chat.runDue();
        const { messages } = await ada.messages.list({ anchor: 'newest', num_before: 50 });
        assert.ok(!JSON.stringify(messages).includes('Pay Mallory'), 'a scheduled message is not sent');
        const boss = chat.as(mallory.user_id);
        const own = await boss.messages.list({ anchor: 'newest', num_before: 50, narrow: [['is', 'dm']] });
        assert.equal(own.messages.length, 0, 'no reminder is sent');
        assert.equal((await boss.drafts.list()).drafts[0]?.content, 'kept');
        assert.deepEqual(
          (await boss.bots.list()).bots.map(({ is_active }) => is_active),
          [false, false],
        );
        await boss.bots.edit({ bot_id: bot.user_id, is_active: true });
        await assert.rejects(
          attempts['key of a bot'] as () => Promise<unknown>,
          'the old key of a reactivated bot does not work',
        );
        assert.equal(
          (await connect({ site, token: (await boss.tokens.create({})).token }).users.me()).email,
          BOSS.email,
        );

        const tokens = await transportOf(chat).engine.storage.read((tx) => tx.pushTokens.of(mallory.user_id));
        assert.deepEqual(tokens, [], 'phones get no notifications');

        // The account is verified from here on.
        assert.notEqual(await open_(t, made, 'verified'), 'ADOPTION_REFUSED');
      });

      test(`${door} refuses an unverified account by default, and every account with never`, async (t) => {
        const made = await open(t);
        await join(made, BOSS);
        assert.equal(await open_(t, made, 'verified'), 'ADOPTION_REFUSED');
        assert.equal(await open_(t, made, 'never'), 'ADOPTION_REFUSED');
        const mallory = await made.ada.users.getByEmail({ email: BOSS.email });
        assert.equal(mallory.user.role, 400);
      });

      test(`${door} adopts an account of an administrator as it is, but not with never`, async (t) => {
        const made = await open(t);
        const { user_id } = await made.ada.users.create({ ...BOSS, password: PASSWORD });
        const before = await made.chat.apiKeyOf(user_id);
        assert.equal(await open_(t, made, 'never'), 'ADOPTION_REFUSED');
        assert.equal(await open_(t, made, 'verified'), 'verified');
        assert.equal(await made.chat.apiKeyOf(user_id), before);
        await made.chat.anonymous().fetchApiKey({ username: BOSS.email, password: PASSWORD });
      });
    }

    const invite = async ({ chat, ada }: { chat: Chat; ada: Person }, inviter: Person) => {
      await inviter.invites.send({ invitee_emails: BOSS.email, stream_ids: [] });
      const { invites } = await ada.invites.list({ include_links: true });
      await chat.anonymous().invites.accept({ key: keyOf(invites[0]?.link_url), full_name: BOSS.full_name });
    };
    type Origin = (made: Awaited<ReturnType<typeof open>>) => Promise<unknown>;
    const origins: Record<string, { join: Origin; withMail?: true; isVerified: boolean }> = {
      'by a multi-use link without e-mail': { join: (made) => join(made, BOSS), isVerified: false },
      'by an invitation of a member that was not mailed': {
        join: (made) => invite(made, made.people.dora),
        isVerified: false,
      },
      'by an invitation of an administrator that was not mailed': {
        join: (made) => invite(made, made.people.ben),
        isVerified: true,
      },
      'by a mailed invitation of a member': {
        withMail: true,
        join: (made) => invite(made, made.people.dora),
        isVerified: true,
      },
      'with an address that the program has confirmed': {
        async join({ chat, ada }) {
          const key = keyOf((await ada.invites.createMultiuse({ stream_ids: [] })).invite_link);
          await chat.anonymous({ confirmedEmail: BOSS.email }).invites.accept({ key, full_name: BOSS.full_name });
        },
        isVerified: true,
      },
      'with an address that a mailed link has confirmed': {
        withMail: true,
        async join({ chat, ada, emails }) {
          const key = keyOf((await ada.invites.createMultiuse({ stream_ids: [] })).invite_link);
          await chat.anonymous().invites.confirmAddress({ key, email: BOSS.email });
          await chat.runDue();
          const [link] = /https?:\S+\/join\/\S+/.exec(emails.at(-1)?.text ?? '') ?? [];
          await chat.anonymous().invites.accept({ key: keyOf(link), full_name: BOSS.full_name });
        },
        isVerified: true,
      },
      'by chat.createOrganization, users.create and later a change of the address by the host': {
        async join({ chat, ada }) {
          const { user_id } = await join({ chat, ada }, { ...BOSS, email: 'old@example.com' });
          await chat.setSpecialPermission(ada, 'can_change_user_emails', true);
          await ada.users.edit({ user_id, new_email: BOSS.email });
          await ada.users.ensure({ email: ada.email, full_name: 'Ada' });
        },
        isVerified: true,
      },
    };
    for (const [how, origin] of Object.entries(origins)) {
      test(`an account that joined ${how} ${origin.isVerified ? 'is adopted' : 'is refused'}`, async (t) => {
        const made = await open(t, { withMail: origin.withMail ?? false });
        await origin.join(made);
        const [change] = (await made.chat.sync({ users: [ROW] })).changes;
        assert.equal(change?.adoption ?? change?.code, origin.isVerified ? 'verified' : 'ADOPTION_REFUSED');
      });
    }

    /** An attacker's channel and group with a bot, a guest and other accounts in every role. */
    async function foreign(made: Awaited<ReturnType<typeof open>>, { invite_only = false } = {}) {
      const { chat, ada, people } = made;
      const mallory = await join(made, { email: 'mallory@example.com', full_name: 'Mallory' });
      const session = chat.as(mallory.user_id);
      const bot = await session.bots.create({ full_name: 'Spy', short_name: 'spy' });
      const left = await ada.users.create({ email: 'left@example.com', full_name: 'Left' });
      const subscribers = [mallory, bot, left, people.dora, people.emil, people.finn].map(({ user_id }) => user_id);
      const { id } = await session.channels.create({ name: 'Board', invite_only, subscribers });
      const setting = { direct_members: [mallory.user_id, people.emil.user_id], direct_subgroups: [] };
      const membersGroup =
        (await ada.userGroups.list()).user_groups.find(({ name }) => name === 'role:members')?.id ?? 0;
      await session.channels.edit({
        stream_id: id,
        can_remove_subscribers_group: { new: setting },
        can_add_subscribers_group: { new: membersGroup },
        can_send_message_group: { new: membersGroup },
      });
      const inner = await session.userGroups.create({ name: 'Inner', description: '', members: [mallory.user_id] });
      const group = await session.userGroups.create({
        name: 'Directors',
        description: '',
        members: subscribers.slice(2),
      });
      await session.userGroups.updateMembers({ user_group_id: group.group_id, add_subgroups: [inner.group_id] });
      await session.userGroups.edit({ user_group_id: group.group_id, can_join_group: { new: setting } });
      await ada.users.deactivate({ user_id: left.user_id });
      return { mallory, session, left, channel: id, group: group.group_id, inner: inner.group_id };
    }

    const lists = ({ people }: Awaited<ReturnType<typeof open>>) => ({
      channels: [{ external_id: 'b', name: 'board' }],
      groups: [
        { external_id: 'd', name: 'directors' },
        { external_id: 'i', name: 'Inner two', groups: ['d'] },
      ],
      users: [
        { external_id: 'dora', name: 'Dora', email: people.dora.email, channels: ['b'], groups: ['Directors'] },
        { external_id: 'new', name: 'Nelly New', channels: ['Board'], groups: ['d'] },
        { external_id: 'emil', name: 'Emil', email: people.emil.email },
      ],
    });

    for (const invite_only of [false, true]) {
      const kind = invite_only ? 'private channel, with reset,' : 'public channel';
      test(`an adopted ${kind} and an adopted group keep only the users of the list`, async (t) => {
        const made = await open(t);
        const { chat, ada, people, dryRunThenRun } = made;
        const { mallory, session, left, channel, group } = await foreign(made, { invite_only });
        const changes = await dryRunThenRun(lists(made), invite_only ? { adopt: 'reset' } : {});
        assert.match(changes.join('\n'), /^adopted channel b; .*subscribers: "Mallory" > null/m);
        assert.match(changes.join('\n'), /^adopted group d; .*subgroups: "Inner" > null/m);
        const expected = [people.dora.user_id, await chat.idOf('user', 'new')];
        const members = async () => [
          (await ada.channels.subscribers({ stream_id: channel })).subscribers,
          (await ada.userGroups.members({ user_group_id: group, direct_member_only: true })).members,
        ];
        assert.deepEqual(await members(), [expected, expected]);
        await ada.users.reactivate({ user_id: left.user_id });
        assert.deepEqual(await members(), [expected, expected], 'members stay the same after a reactivation');
        const subgroups = (await ada.userGroups.subgroups({ user_group_id: group, direct_subgroup_only: true }))
          .subgroups;
        assert.deepEqual(subgroups, [await chat.idOf('group', 'i')]);
        for (const attempt of [
          () => session.channels.edit({ stream_id: channel, description: 'mine' }),
          () => session.subscriptions.add({ subscriptions: [{ name: 'Board' }], principals: [people.finn.user_id] }),
          () => session.userGroups.edit({ user_group_id: group, description: 'mine' }),
          () => session.userGroups.updateMembers({ user_group_id: group, add: [mallory.user_id] }),
        ])
          if (invite_only || !String(attempt).includes('subscriptions.add')) await assert.rejects(attempt);
        if (invite_only) {
          const { messages } = await session.messages.list({ anchor: 'newest', narrow: [['channel', 'Board']] });
          assert.deepEqual(
            messages.map(({ content }) => content),
            [],
            'only what she received before',
          );
        }
        const { stream } = await chat.as(people.dora.user_id).channels.get({ stream_id: channel });
        const { user_groups } = await ada.userGroups.list();
        const named = (name: string) => user_groups.find((one) => one.name === name)?.id;
        assert.deepEqual(
          [stream.can_administer_channel_group, stream.can_add_subscribers_group, stream.can_send_message_group],
          [named('role:nobody'), named('role:nobody'), named('role:members')],
        );
        assert.deepEqual((await chat.sync(lists(made))).changes, []);
      });
    }

    test('a private channel is refused by default, and references to it do not lead into it', async (t) => {
      const made = await open(t);
      const { channel } = await foreign(made, { invite_only: true });
      const before = await made.ada.channels.subscribers({ stream_id: channel });
      const changes = (await made.dryRunThenRun({ ...lists(made), groups: [] })).map((change) => change.split(';')[0]);
      assert.deepEqual(changes.sort(), [
        'adopted user emil (verified)',
        'failed channel b ADOPTION_REFUSED',
        'failed user dora BAD_REQUEST',
        'failed user new BAD_REQUEST',
      ]);
      assert.deepEqual(await made.ada.channels.subscribers({ stream_id: channel }), before);
      const [never] = await made.sync({ groups: [{ external_id: 'd', name: 'Directors' }] }, { adopt: 'never' });
      assert.equal(never, 'failed group d ADOPTION_REFUSED');
      await assert.rejects(made.chat.sync({}, { adopt: 'always' as Adopt }), { code: 'BAD_REQUEST' });
    });

    test('a web-public channel is refused by default, and is public after an adoption with reset', async (t) => {
      const made = await open(t);
      const { id: stream_id } = await made.ada.channels.create({ name: 'Finance', subscribers: [] });
      const write = (is_web_public: boolean) =>
        transportOf(made.chat).engine.storage.write((tx) => tx.channels.update(stream_id, { is_web_public }));
      await write(true);
      const channels = [{ external_id: 'f', name: 'finance' }];
      assert.deepEqual(await made.dryRunThenRun({ channels }), ['failed channel f ADOPTION_REFUSED']);
      assert.match((await made.chat.sync({ channels })).changes[0]?.reason ?? '', /web-public.*adopt "reset"/);
      const changes = await made.dryRunThenRun({ channels }, { adopt: 'reset' });
      assert.match(changes.join(), /^adopted channel f;.*; is_web_public: true > false/);
      assert.equal((await made.ada.channels.get({ stream_id })).stream.is_web_public, false);
      assert.deepEqual((await made.chat.sync({ channels })).changes, []);
    });

    test('a sync that adopts a deactivated account gives its earlier user no access', async (t) => {
      const made = await open(t);
      const { user_id } = await made.ada.users.create({ ...BOSS, password: PASSWORD });
      const before = await made.chat.apiKeyOf(user_id);
      await made.ada.users.deactivate({ user_id });
      const [change] = await made.dryRunThenRun({ users: [ROW] });
      assert.match(change ?? '', /^adopted user boss \(reset\);.*is_active: false > true/);
      assert.notEqual(await made.chat.apiKeyOf(user_id), before);
      await assert.rejects(made.chat.anonymous().fetchApiKey({ username: BOSS.email, password: PASSWORD }));
    });

    test('concurrent joining and adopting give the account only to its user', async (t) => {
      const made = await open(t);
      const other = await made.again();
      t.after(() => other.close());
      const outcomes = new Set<string>();
      for (let round = 0; round < 8; round++) {
        const email = `boss${round}@example.com`;
        const row = { ...ROW, external_id: `boss${round}`, name: `Boss ${round}`, email };
        const joining = join(made, { email, full_name: 'Mallory' }).catch((error: unknown) => {
          if (!isChatError(error, 'EMAIL_ALREADY_IN_USE')) throw error;
        });
        const adopt = round % 2 === 0 ? 'verified' : 'reset';
        // Either may be first.
        const syncing = delay(10 * (round >> 1)).then(() => other.sync({ users: [row] }, { adopt }));
        const [joined, { changes }] = await Promise.all([joining, syncing]);
        const isOwner = changes[0]?.action !== 'failed';
        outcomes.add(changes[0]?.action ?? '');
        if (!joined) continue;
        const { site } = await serving(t, made.chat);
        const calling = connect({ site, email, api_key: joined.api_key }).users.me();
        if (isOwner) await assert.rejects(calling);
        else assert.equal((await calling).role, 400);
      }
      assert.ok(outcomes.size > 1, `only ${[...outcomes]} happened`);
    });
  });
}

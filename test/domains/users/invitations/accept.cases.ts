import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { accept, channelsOf, HORATIO, invite, keyOf, latestId, link } from './keys.ts';

const made = { user_id: (id: unknown) => Number.isSafeInteger(id), api_key: /^[A-Za-z0-9]{32}$/ };

const accepts = (
  name: string,
  given: (world: World) => Promise<unknown>,
  more: Partial<Case> & { with?: Params } = {},
): Case => {
  const { with: params = {}, ...rest } = more;
  return {
    name,
    as: 'anonymous',
    given,
    call: ['invites.accept', (world) => ({ key: keyOf(world), full_name: 'Horatio', ...params })],
    ...(rest.refuses ? {} : { returns: made }),
    ...rest,
  };
};

const unusable = (reason: string): Case['refuses'] => ({ code: 'INVITATION_UNUSABLE', data: { reason } });

const joins = (
  name: string,
  given: (world: World) => Promise<unknown>,
  channels: string[],
  more: { with?: Params } = {},
): Case =>
  accepts(name, given, {
    ...more,
    state: async (world, { user_id }) => assert.deepEqual(await channelsOf(world, user_id), channels),
  });

const direct = async (world: World, user_id: number) => {
  const { messages } = await world.chat.as(user_id).messages.list({
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
    apply_markdown: false,
  });
  return messages.map(({ sender_full_name, content }) => `${sender_full_name}: ${content}`);
};

export const acceptInviteCases = cases('invites.accept', [
  ...([{ password: 'correct horse battery' }, {}] as Params[]).map((params) =>
    accepts(
      `a role that needs a second factor gets no API key, ${params.password === undefined ? 'without' : 'with'} a password`,
      async (world) => {
        await invite(world, 'hamlet');
        await world.settings({ second_factor_required_for: 'members' });
      },
      { with: params, returns: { user_id: made.user_id, email: HORATIO, api_key: ABSENT } },
    ),
  ),
  accepts(
    'without logins by password, nobody gets an API key past the login elsewhere',
    async (world) => {
      await invite(world, 'hamlet');
      await world.settings({ password_login: false });
    },
    { returns: { user_id: made.user_id, email: HORATIO, api_key: ABSENT } },
  ),
  accepts(
    'without logins by password, a password is refused',
    async (world) => {
      await invite(world, 'hamlet');
      await world.settings({ password_login: false });
    },
    { with: { password: 'correct horse battery' }, refuses: { code: 'PASSWORD_AUTH_DISABLED', status: 401 } },
  ),
  accepts(
    'an account is created with the role and address of the invitation, and all users get the events',
    (world) => invite(world, 'hamlet'),
    {
      with: { password: 'correct horse battery', timezone: 'Europe/Copenhagen', default_language: 'de' },
      returns: { ...made, email: HORATIO },
      events: () => ({
        hamlet: [
          { type: 'realm_user', op: 'add', person: { full_name: 'Horatio', role: 400, timezone: 'Europe/Copenhagen' } },
          { type: 'user_group', op: 'add_members' },
          { type: 'user_group', op: 'add_members' },
          { type: 'invites_changed' },
          { type: 'message' },
        ],
        administrator: [
          { type: 'realm_user', op: 'add', person: { delivery_email: HORATIO } },
          { type: 'user_group', op: 'add_members' },
          { type: 'user_group', op: 'add_members' },
          { type: 'invites_changed' },
        ],
        cordelia: [
          { type: 'realm_user', op: 'add' },
          { type: 'user_group', op: 'add_members' },
          { type: 'user_group', op: 'add_members' },
        ],
      }),
      state: async (world, { user_id, api_key }) => {
        assert.deepEqual(await channelsOf(world, user_id), []);
        assert.equal(await world.chat.apiKeyOf(user_id), api_key);
        const signedIn = await world.chat
          .anonymous()
          .fetchApiKey({ username: HORATIO, password: 'correct horse battery' });
        assert.deepEqual(signedIn, { api_key, email: HORATIO, user_id });
        const { user_settings } = await world.chat.as(user_id).register({ fetch_event_types: ['user_settings'] });
        assert.equal(user_settings?.default_language, 'de');
        assert.equal(user_settings?.enter_sends, true);
      },
    },
  ),
  accepts(
    'the default of the organization for enter_sends applies to an account with an invitation',
    async (world) => {
      await world.as('owner').userSettingsDefaults.edit({ enter_sends: false });
      return invite(world, 'hamlet');
    },
    {
      state: async (world, { user_id }) => {
        const { user_settings } = await world.chat.as(user_id).register({ fetch_event_types: ['user_settings'] });
        assert.equal(user_settings?.enter_sends, false);
      },
    },
  ),
  ...([100, 200, 300, 400, 600] as const).map((invite_as) =>
    accepts(
      `an invitation to the role ${invite_as} creates an account with this role`,
      (world) => invite(world, 'owner', { invite_as }),
      {
        state: async (world, { user_id }) =>
          assert.equal((await world.as('owner').users.get({ user_id })).user.role, invite_as),
      },
    ),
  ),
  joins(
    'a new user is subscribed to the channels of the invitation',
    (world) => invite(world, 'cordelia', { stream_ids: [world.channels.public, world.channels.protected] }),
    ['Denmark', 'Vault'],
  ),
  joins(
    'include_realm_default_subscriptions adds the default channels as they are at acceptance',
    async (world) => {
      const { channels } = world;
      await invite(world, 'hamlet', { stream_ids: [channels.public], include_realm_default_subscriptions: true });
      await world.as('owner').defaultChannels.add({ stream_id: channels.quiet });
      await world.as('owner').defaultChannels.remove({ stream_id: channels.default });
    },
    ['Denmark', 'Norway'],
  ),
  joins(
    'a former default channel named in the invitation is still subscribed',
    async (world) => {
      await invite(world, 'hamlet', { stream_ids: [world.channels.default] });
      await world.as('owner').defaultChannels.remove({ stream_id: world.channels.default });
    },
    ['Square'],
  ),
  accepts(
    'a new user joins the groups of the invitation',
    (world) => invite(world, 'owner', { group_ids: [world.groups.kitchen] }),
    {
      state: async (world, { user_id }) => {
        const { members } = await world.as('owner').userGroups.members({ user_group_id: world.groups.kitchen });
        assert.ok(members.includes(user_id));
      },
    },
  ),
  accepts('the inviter gets one message from the notification bot', (world) => invite(world, 'hamlet'), {
    state: async (world, { user_id }) =>
      assert.deepEqual(
        (await direct(world, world.users.hamlet)).filter((text) => text.startsWith('Notification')),
        [`Notification Bot: @_**Horatio|${user_id}** has accepted your invitation and joined.`],
      ),
  }),
  accepts(
    'the inviter gets no message when notify_referrer_on_join is false',
    (world) => invite(world, 'hamlet', { notify_referrer_on_join: false }),
    {
      state: async (world) =>
        assert.deepEqual(
          (await direct(world, world.users.hamlet)).filter((text) => text.startsWith('Notification')),
          [],
        ),
    },
  ),
  accepts(
    'the welcome bot sends the welcome text of the invitation',
    (world) => invite(world, 'owner', { welcome_message_custom_text: 'Be **welcome**.' }),
    {
      state: async (world, { user_id }) =>
        assert.deepEqual(await direct(world, user_id), ['Welcome Bot: Be **welcome**.']),
    },
  ),
  accepts(
    "the welcome bot sends the organization's welcome text for an invitation of a member",
    async (world) => {
      await world.settings({ welcome_message_custom_text: 'Hello!' });
      await invite(world, 'hamlet', { welcome_message_custom_text: 'Not mine to say' });
    },
    {
      state: async (world, { user_id }) => assert.deepEqual(await direct(world, user_id), ['Welcome Bot: Hello!']),
    },
  ),
  accepts(
    'an invitation with an empty welcome text sends no welcome message',
    async (world) => {
      await world.settings({ welcome_message_custom_text: 'Hello!' });
      await invite(world, 'owner', { welcome_message_custom_text: '' });
    },
    {
      state: async (world, { user_id }) => assert.deepEqual(await direct(world, user_id), []),
    },
  ),
  accepts('no welcome message is sent without a welcome text', (world) => invite(world, 'owner'), {
    state: async (world, { user_id }) => assert.deepEqual(await direct(world, user_id), []),
  }),
  accepts(
    'other invitations to the same address are revoked',
    async (world) => {
      await invite(world, 'cordelia');
      await invite(world, 'owner', { invitee_emails: 'horatio@EXAMPLE.com' });
      await invite(world, 'hamlet', { invitee_emails: `${HORATIO}, marcellus@example.com` });
    },
    {
      state: async (world) => {
        const { invites } = await world.as('owner').invites.list();
        assert.deepEqual(
          invites.map(({ email }) => email),
          ['marcellus@example.com'],
        );
      },
    },
  ),
  accepts(
    'an invitation that was accepted is refused as used',
    async (world) => {
      await accept(world, await invite(world, 'hamlet'));
    },
    { refuses: unusable('used') },
  ),
  accepts('the invited address is accepted as the email parameter', (world) => invite(world, 'hamlet'), {
    with: { email: ' horatio@example.com ' },
    returns: { ...made, email: HORATIO },
  }),
  accepts('another address than the invited one is refused', (world) => invite(world, 'hamlet'), {
    with: { email: 'osric@example.com' },
    refuses: { code: 'BAD_REQUEST', says: /only for Horatio@example.com/ },
  }),
  accepts(
    'a revoked invitation is refused',
    async (world) => {
      await invite(world, 'hamlet');
      await world.as('hamlet').invites.revoke({ invite_id: await latestId(world) });
    },
    { refuses: unusable('revoked') },
  ),
  accepts(
    'an invitation that has just expired is refused',
    async (world) => {
      await invite(world, 'hamlet', { invite_expires_in_minutes: 60 });
      world.clock.advance({ seconds: 3_600 });
    },
    { refuses: unusable('expired') },
  ),
  accepts('an invitation that is about to expire is accepted', async (world) => {
    await invite(world, 'hamlet', { invite_expires_in_minutes: 60 });
    world.clock.advance({ seconds: 3_599 });
  }),
  {
    name: 'a key that belongs to no invitation is refused',
    as: 'anonymous',
    call: ['invites.accept', { key: 'a'.repeat(24), full_name: 'Horatio' }],
    refuses: unusable('unknown'),
  },
  {
    name: 'an invitation accepted without a name is refused',
    as: 'anonymous',
    given: (world) => invite(world, 'hamlet'),
    call: ['invites.accept', (world) => ({ key: keyOf(world) })],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'full_name' } },
  },
  accepts('an invalid name is refused', (world) => invite(world, 'hamlet'), {
    with: { full_name: 'X' },
    refuses: { code: 'BAD_REQUEST', says: /name/ },
  }),
  accepts(
    'a name in use is refused where names are unique',
    async (world) => {
      await world.settings({ require_unique_names: true });
      await invite(world, 'hamlet');
    },
    { with: { full_name: 'cordelia' }, refuses: { code: 'BAD_REQUEST', says: /taken/ } },
  ),
  accepts('a weak password is refused', (world) => invite(world, 'hamlet'), {
    with: { password: 'horatio' },
    refuses: { code: 'PASSWORD_TOO_WEAK' },
  }),
  accepts('an unknown time zone is refused', (world) => invite(world, 'hamlet'), {
    with: { timezone: 'Europe/Elsinore' },
    refuses: { code: 'BAD_REQUEST' },
  }),
  accepts('an unknown language is refused', (world) => invite(world, 'hamlet'), {
    with: { default_language: 'xx-none' },
    refuses: { code: 'BAD_REQUEST' },
  }),
  accepts(
    'an invited address that now has an account is refused',
    async (world) => {
      await invite(world, 'hamlet');
      await world.as('owner').users.create({ email: 'horatio@example.com', full_name: 'Horatio' });
    },
    { refuses: { code: 'EMAIL_ALREADY_IN_USE' } },
  ),
  accepts(
    'a reusable link creates accounts with the addresses given, without a message to the inviter',
    (world) => link(world, 'owner', { stream_ids: [world.channels.public] }),
    {
      with: { email: 'osric@example.com' },
      returns: { ...made, email: 'osric@example.com' },
      state: async (world, { user_id }) => {
        assert.deepEqual(await channelsOf(world, user_id), ['Denmark']);
        assert.deepEqual(
          (await direct(world, world.users.owner)).filter((text) => text.startsWith('Notification')),
          [],
        );
        const second = await accept(world, keyOf(world), { email: 'marcellus@example.com', full_name: 'Marcellus' });
        assert.equal(second.email, 'marcellus@example.com');
      },
    },
  ),
  accepts(
    'an unconfirmed address is refused for a reusable link on a server with e-mail',
    (world) => link(world, 'owner'),
    {
      mail: true,
      with: { email: 'osric@example.com' },
      refuses: { code: 'ADDRESS_NOT_CONFIRMED', says: /confirm_address/ },
    },
  ),
  accepts('an e-mail invitation needs no confirmation of the address', (world) => invite(world, 'hamlet'), {
    mail: true,
    returns: { ...made, email: HORATIO },
  }),
  accepts('a reusable link without an address is refused', (world) => link(world, 'owner'), {
    refuses: { code: 'BAD_REQUEST', says: /address/ },
  }),
  accepts('a disposable address is refused for a reusable link', (world) => link(world, 'owner'), {
    with: { email: 'osric@mailinator.com' },
    refuses: { code: 'BAD_REQUEST', says: /disposable/ },
  }),
  accepts('an address in use is refused for a reusable link', (world) => link(world, 'owner'), {
    with: { email: 'HAMLET@example.com' },
    refuses: { code: 'EMAIL_ALREADY_IN_USE' },
  }),
  accepts(
    'a revoked reusable link is refused',
    async (world) => {
      await link(world, 'owner');
      await world.as('owner').invites.revokeMultiuse({ invite_id: await latestId(world) });
    },
    { with: { email: 'osric@example.com' }, refuses: unusable('revoked') },
  ),
]);

export const previewInviteCases = cases('invites.preview', [
  {
    name: 'a preview shows the organization, inviter, role, channels and groups',
    as: 'anonymous',
    given: (world) =>
      invite(world, 'owner', {
        stream_ids: [world.channels.public],
        include_realm_default_subscriptions: true,
        group_ids: [world.groups.kitchen],
        invite_as: 300,
      }),
    call: ['invites.preview', (world) => ({ key: keyOf(world) })],
    returns: (world) => ({
      realm_name: 'Elsinore',
      realm_description: 'A castle by the *sea*',
      invited_by: 'Olivia Owner',
      invited_as: 300,
      email: HORATIO,
      expiry_date: Math.floor(world.clock.now() / 1000) + 14_400 * 60,
      channels: ['Denmark', 'Square'],
      groups: ['kitchen'],
      link_url: ABSENT,
      must_confirm_address: false,
    }),
  },
  {
    name: 'the preview of a reusable link says that the address must be confirmed on a server with e-mail',
    as: 'anonymous',
    mail: true,
    given: (world) => link(world, 'owner'),
    call: ['invites.preview', (world) => ({ key: keyOf(world) })],
    returns: { email: null, must_confirm_address: true },
  },
  {
    name: 'the preview of a reusable link without expiry has null as email and expiry_date',
    as: 'anonymous',
    given: (world) => link(world, 'owner', { invite_expires_in_minutes: null }),
    call: ['invites.preview', (world) => ({ key: ` ${keyOf(world)} ` })],
    returns: { email: null, expiry_date: null, invited_as: 400, channels: [], groups: [] },
  },
  {
    name: 'a used invitation is refused as used',
    as: 'anonymous',
    given: async (world) => accept(world, await invite(world, 'hamlet')),
    call: ['invites.preview', (world) => ({ key: keyOf(world) })],
    refuses: unusable('used') as NonNullable<Case['refuses']>,
  },
  {
    name: 'an unknown key is refused as unknown',
    as: 'anonymous',
    call: ['invites.preview', { key: '' }],
    refuses: unusable('unknown') as NonNullable<Case['refuses']>,
  },
]);

import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { ABSENT, including } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { accept, invite, keyIn } from './keys.ts';

const params = (given: Params = {}): Params => ({ invitee_emails: 'horatio@example.com', stream_ids: [], ...given });

type Pending = Awaited<ReturnType<ReturnType<World['as']>['invites']['list']>>['invites'];

const pending = async (world: World): Promise<Pending> =>
  (await world.as('owner').invites.list({ include_links: true })).invites;

const addresses = async (world: World) => (await pending(world)).map(({ email }) => email);

const refused = (
  name: string,
  as: UserName,
  given: Params | ((world: World) => Params),
  more: Partial<Case> = {},
): Case => ({
  name,
  as,
  call: ['invites.send', (world) => params(typeof given === 'function' ? given(world) : given)],
  refuses: { code: 'BAD_REQUEST' },
  ...more,
});

const done = (
  name: string,
  as: UserName,
  given: Params | ((world: World) => Params),
  more: Partial<Case> = {},
): Case => ({
  name,
  as,
  call: ['invites.send', (world) => params(typeof given === 'function' ? given(world) : given)],
  ...more,
});

const failed = (
  name: string,
  invitee_emails: string,
  data: Params,
  more: Partial<Case> & { did?: 'a part' } = {},
): Case => {
  const { did, ...rest } = more;
  const nothing = { errors: [], sent_invitations: false, daily_limit_reached: false, license_limit_reached: false };
  return {
    name,
    as: 'owner',
    call: ['invites.send', params({ invitee_emails })],
    refuses: { code: 'INVITATION_FAILED', data: { ...nothing, ...data }, ...(did ? { did } : {}) },
    ...rest,
  };
};

const ROLES = [100, 200, 300, 400, 600] as const;
const INVITERS = { owner: 100, administrator: 200, moderator: 300, cordelia: 400 } as const;

const ofRoles: Case[] = Object.entries(INVITERS).flatMap(([as, own]) =>
  ROLES.map((invite_as): Case => {
    const call: Case['call'] = ['invites.send', params({ invite_as })];
    if (invite_as < own) {
      return {
        name: `${as} cannot invite to the role ${invite_as}, which is above their own`,
        as: as as UserName,
        call,
        refuses: { code: 'BAD_REQUEST' },
      };
    }
    return {
      name: `${as} invites to the role ${invite_as}`,
      as: as as UserName,
      call,
      state: async (world) => assert.equal((await pending(world))[0]?.invited_as, invite_as),
    };
  }),
);

export const sendInvitesCases = cases('invites.send', [
  {
    name: 'A1: a member invites an address for ten days, and only they and administrators get the event',
    as: 'hamlet',
    call: ['invites.send', params()],
    events: () => ({
      hamlet: [{ type: 'invites_changed' }],
      owner: [{ type: 'invites_changed' }],
      administrator: [{ type: 'invites_changed' }],
      moderator: [],
      guest: [],
    }),
    state: async (world) => {
      const [one] = await pending(world);
      const { id: _, invited = 0, link_url, ...rest } = one ?? {};
      assert.match(link_url ?? '', /join/);
      assert.deepEqual(rest, {
        invited_by_user_id: world.users.hamlet,
        invited_as: 400,
        is_multiuse: false,
        email: 'horatio@example.com',
        notify_referrer_on_join: true,
        email_state: 'none',
        expiry_date: invited + 14_400 * 60,
      });
    },
  },
  done(
    'D1: a name without an address makes its line invalid, and nothing is sent',
    'hamlet',
    {
      invitee_emails:
        ' a@example.com,b@example.com\nCyd <c@example.com>\r\n,,"D, d" , A@EXAMPLE.COM\n\n<e@example.com>',
    },
    {
      refuses: {
        code: 'INVITATION_FAILED',
        data: {
          errors: (errors: unknown[]) => errors.length === 1,
          sent_invitations: false,
          daily_limit_reached: false,
          license_limit_reached: false,
        },
      },
    },
  ),
  done(
    'addresses are separated by commas and newlines, may have names, and are invited once',
    'hamlet',
    { invitee_emails: ' a@example.com,b@example.com\nCyd <c@example.com>\r\n,, A@EXAMPLE.COM\n\n<e@example.com>' },
    {
      state: async (world) =>
        assert.deepEqual(await addresses(world), ['a@example.com', 'b@example.com', 'c@example.com', 'e@example.com']),
    },
  ),
  ...Object.entries({
    'D1: named addresses separated by semicolons': ['Ann <a@x.org>; Ben <b@x.org>', ['a@x.org', 'b@x.org']],
    'D1: a bare and a named address separated by a semicolon': ['a@x.org; Ben <b@x.org>', ['a@x.org', 'b@x.org']],
    'D1: semicolons, commas and line breaks together': ['a@x.org;b@x.org,c@x.org\nd@x.org', 4],
    'D1: a group of addresses': ['Team: Ann <a@x.org>, b@x.org;', ['a@x.org', 'b@x.org']],
    'D2: a quoted name with a comma': ['"Bar, Erin" <a@x.org>', ['a@x.org']],
    'D2: a trailing semicolon': ['a@x.org; b@x.org;', ['a@x.org', 'b@x.org']],
    'D2: a quoted name with a semicolon and an escaped quote': ['"Bar; \\"E\\"" <a@x.org>; b@x.org', 2],
    'D2: a quoted name with an at sign': ['"ann@work" <a@x.org>', ['a@x.org']],
    'D4: a domain in both spellings is one address': [
      'k@bücher.example, K@xn--bcher-kva.example',
      ['k@bücher.example'],
    ],
    'D4: a domain with an international top level': ['k@例え.テスト', ['k@例え.テスト']],
  } satisfies Record<string, [string, string[] | number]>).map(([name, [invitee_emails, expected]]) =>
    done(
      `${name} is invited`,
      'hamlet',
      { invitee_emails },
      {
        state: async (world) => {
          const invited = (await addresses(world)).sort();
          assert.deepEqual(typeof expected === 'number' ? invited.length : invited, expected);
        },
      },
    ),
  ),
  ...Object.entries({
    'D1: two addresses without a separator': 'a@x.org b@x.org',
    'D1: an address and a word': 'a@x.org zzz',
    'D1: a group without addresses': 'Team:',
    'D1: an open quote': '"Ann <a@x.org>',
    'D1: an address that is not closed': 'Ann <a@x.org; Ben <b@x.org>',
    'D3: U+200B before the local part': '\u200Ba@x.org',
    'D3: U+200B in the local part': 'a\u200Bb@x.org',
    'D3: U+202E in the local part': 'a\u202Eb@x.org',
    'D3: U+00AD (soft hyphen) in the local part': 'a\u00ADb@x.org',
    'D3: a no-break space in the local part': 'a\u00A0b@x.org',
    'D3: two dots in the local part': 'a..b@x.org',
    'D3: a dot before the local part': '.a@x.org',
    'D3: a dot after the local part': 'a.@x.org',
    'D4: an invalid international domain': 'k@bü cher.example',
  }).map(([name, invitee_emails]) =>
    failed(`${name}: nothing is sent, and the error has the text`, `z@x.org\n${invitee_emails}`, {
      errors: (errors: [string, string, boolean][]) =>
        errors.length > 0 && errors.every(([text]) => invitee_emails.includes(text)),
    }),
  ),
  failed('D1: 100,000 characters of escaped quotes are one invalid address', '\\"'.repeat(50_000), {
    errors: (errors: unknown[]) => errors.length === 1,
  }),
  refused('an empty list of addresses is refused', 'hamlet', { invitee_emails: '' }),
  refused('a list of only commas and spaces is refused', 'hamlet', { invitee_emails: ' ,\n, ' }),
  {
    name: 'invitee_emails is required',
    as: 'hamlet',
    call: ['invites.send', { stream_ids: [] }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'invitee_emails' } },
  },
  {
    name: 'stream_ids is required',
    as: 'hamlet',
    call: ['invites.send', { invitee_emails: 'horatio@example.com' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'stream_ids' } },
  },
  done('1,000 addresses in one request are invited', 'owner', {
    invitee_emails: Array.from({ length: 1_000 }, (_, at) => `p${at}@example.com`).join('\n'),
  }),
  refused('more than 1,000 addresses in one request are refused', 'owner', {
    invitee_emails: Array.from({ length: 1_001 }, (_, at) => `p${at}@example.com`).join('\n'),
  }),
  ...ofRoles,
  refused('a guest cannot invite', 'guest', {}),
  refused('a bot cannot invite', 'bot', {}),
  refused('an unknown role is refused', 'owner', { invite_as: 500 }),
  refused(
    'a user outside the group that may invite is refused',
    'hamlet',
    {},
    {
      given: (world) => world.settings({ can_invite_users_group: 4 }),
    },
  ),
  done(
    'a member of the group that may invite can invite',
    'moderator',
    {},
    { given: (world) => world.settings({ can_invite_users_group: 4 }) },
  ),
  refused(
    'an owner is refused where the group that may invite is role:nobody',
    'owner',
    {},
    {
      given: (world) => world.settings({ can_invite_users_group: 1 }),
    },
  ),
  refused(
    'a new member cannot invite where full members may invite',
    'newcomer',
    {},
    {
      given: (world) => world.settings({ can_invite_users_group: 5, waiting_period_threshold: 20 }),
    },
  ),
  done(
    'a full member can invite where full members may invite',
    'hamlet',
    {},
    {
      given: (world) => world.settings({ can_invite_users_group: 5, waiting_period_threshold: 20 }),
    },
  ),
  done(
    'invite_expires_in_minutes null makes an invitation that never expires',
    'hamlet',
    { invite_expires_in_minutes: null },
    {
      state: async (world) => {
        assert.equal((await pending(world))[0]?.expiry_date, null);
        world.clock.advance({ days: 10_000 });
        assert.equal((await pending(world)).length, 1);
      },
    },
  ),
  done(
    'an invitation of 60 minutes is no longer pending after 60 minutes',
    'hamlet',
    { invite_expires_in_minutes: 60 },
    {
      state: async (world) => {
        const [sent] = await pending(world);
        assert.equal((sent?.expiry_date ?? 0) - (sent?.invited ?? 0), 60 * 60);
        // A separate program uses the system clock, which is ahead and has parts of a second.
        const left = (sent?.expiry_date ?? 0) * 1000 - world.clock.now();
        world.clock.advance({ seconds: left / 1000 - 1 });
        assert.equal((await pending(world)).length, 1);
        world.clock.advance({ seconds: 2 });
        assert.deepEqual(await pending(world), []);
      },
    },
  ),
  ...[0, -1, 2_147_483_648].map((invite_expires_in_minutes) =>
    refused(`an expiry of ${invite_expires_in_minutes} minutes is refused`, 'hamlet', { invite_expires_in_minutes }),
  ),
  done(
    'channels the caller may subscribe others to are accepted, a private one among them',
    'cordelia',
    ({ channels }) => ({
      stream_ids: [channels.public, channels.protected, channels.default],
    }),
  ),
  refused('a missing channel is refused', 'hamlet', { stream_ids: [9_999] }),
  refused(
    'a private channel the caller cannot see is refused as missing',
    'hamlet',
    ({ channels }) => ({
      stream_ids: [channels.protected],
    }),
    { refuses: { code: 'BAD_REQUEST', says: /^There is no channel with ID \d+ that you can access\. No/ } },
  ),
  refused('an owner cannot invite to a private channel they cannot read', 'owner', ({ channels }) => ({
    stream_ids: [channels.protected],
  })),
  refused('an archived channel is refused', 'hamlet', ({ channels }) => ({ stream_ids: [channels.archived] })),
  refused(
    'a channel without the permission to subscribe others is refused',
    'hamlet',
    ({ channels }) => ({ stream_ids: [channels.public] }),
    {
      given: (world) => world.settings({ can_add_subscribers_group: 2 }),
      refuses: { code: 'BAD_REQUEST', says: /"Denmark"/ },
    },
  ),
  refused(
    'default channels are refused to a user who cannot subscribe others anywhere',
    'hamlet',
    ({ channels }) => ({ stream_ids: [channels.default] }),
    {
      given: (world) => world.settings({ can_add_subscribers_group: 2 }),
    },
  ),
  done(
    'a user who cannot subscribe others invites without channels',
    'hamlet',
    { include_realm_default_subscriptions: true },
    {
      given: (world) => world.settings({ can_add_subscribers_group: 2 }),
    },
  ),
  done(
    'can_add_subscribers_group of a channel allows the channel together with default channels',
    'hamlet',
    ({ channels }) => ({
      stream_ids: [channels.public, channels.default],
    }),
    {
      given: async (world) => {
        await world.settings({ can_add_subscribers_group: 2 });
        const can_add_subscribers_group = { new: { direct_members: [world.users.hamlet], direct_subgroups: [] } };
        await world.as('owner').channels.edit({ stream_id: world.channels.public, can_add_subscribers_group });
      },
    },
  ),
  done(
    'default channels are accepted from a user who can subscribe others to any one channel',
    'hamlet',
    ({ channels }) => ({ stream_ids: [channels.default] }),
    {
      given: async (world) => {
        await world.settings({ can_add_subscribers_group: 2 });
        const can_add_subscribers_group = { new: { direct_members: [world.users.hamlet], direct_subgroups: [] } };
        await world.as('owner').channels.edit({ stream_id: world.channels.public, can_add_subscribers_group });
      },
    },
  ),
  done(
    'default channels are accepted from a user who can subscribe others to one channel by a subgroup',
    'cordelia',
    ({ channels }) => ({ stream_ids: [channels.default] }),
    {
      given: async (world) => {
        await world.settings({ can_add_subscribers_group: 2 });
        const can_add_subscribers_group = { new: world.groups.kitchen };
        await world.as('owner').channels.edit({ stream_id: world.channels.public, can_add_subscribers_group });
      },
    },
  ),
  done('groups with the permission to add members are accepted', 'owner', ({ groups }) => ({
    group_ids: [groups.kitchen, groups.cooks],
  })),
  refused('a group without the permission to add members is refused', 'hamlet', ({ groups }) => ({
    group_ids: [groups.kitchen],
  })),
  refused('a deactivated group is refused', 'owner', ({ groups }) => ({ group_ids: [groups.disbanded] })),
  refused('a system group is refused', 'owner', { group_ids: [3] }),
  refused('an unknown group is refused', 'owner', { group_ids: [9_999] }),
  refused('more than 100 groups are refused', 'owner', { group_ids: Array.from({ length: 101 }, (_, at) => at) }),
  refused('a welcome text of more than 8000 characters is refused', 'owner', {
    welcome_message_custom_text: 'x'.repeat(8_001),
  }),
  done('a welcome text of 8000 characters is accepted', 'owner', { welcome_message_custom_text: '🎉'.repeat(8_000) }),
  done('a welcome text from a member is accepted', 'hamlet', { welcome_message_custom_text: 'Hello!' }),
  done(
    "welcome_message_custom_text null sends the organization's welcome text",
    'owner',
    { welcome_message_custom_text: null },
    {
      given: (world) => world.settings({ welcome_message_custom_text: 'Hello!' }),
      state: async (world) => {
        const link = (await pending(world))[0]?.link_url;
        const { user_id } = await accept(world, keyIn(link));
        const narrow = [{ operator: 'is', operand: 'dm' }];
        const fetched = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false } as const;
        const { messages } = await world.chat.as(user_id).messages.list(fetched);
        assert.deepEqual(
          messages.map(({ content }) => content),
          ['Hello!'],
        );
      },
    },
  ),
  {
    name: 'A1: on a server without e-mail, the response is empty and the list has the links',
    as: 'administrator',
    call: ['invites.send', params({ invitee_emails: 'a@example.com,b@example.com' })],
    returns: { invitations: ABSENT },
    state: async (world) => {
      const links = (await pending(world)).map(({ link_url }) => link_url);
      assert.equal(links.length, 2);
      for (const link of links) assert.match(link ?? '', /^https:\/\/chat\.example\.com\/join\/[A-Za-z0-9]{25,}\/$/);
    },
  },
  failed('an invalid address is refused, and no address is invited', 'a@example.com, b at example.com', {
    errors: [['b at example.com', /no|not/, false]],
  }),
  failed('an address with line break characters is refused', 'a@example.com\u0085Bcc: b@example.com', {
    errors: (errors: unknown[]) => errors.length === 1,
  }),
  failed('a disposable address is refused', 'a@mailinator.com', {
    errors: [['a@mailinator.com', /disposable/, false]],
  }),
  failed('an address in a subdomain of a disposable domain is refused', 'a@x.mailinator.com', {
    errors: (all: unknown[]) => all.length === 1,
  }),
  {
    name: 'a disposable address is invited when the organization allows disposable addresses',
    as: 'owner',
    given: (world) => world.settings({ disallow_disposable_email_addresses: false }),
    call: ['invites.send', params({ invitee_emails: 'a@mailinator.com' })],
  },
  failed('a request with only addresses in use is refused', 'CORDELIA@example.com', {
    errors: [['CORDELIA@example.com', /account/, false]],
  }),
  failed(
    'the address of a deactivated account is refused, and the error says that it is deactivated',
    'yorick@example.com',
    {
      errors: [['yorick@example.com', /deactivated/, true]],
    },
  ),
  failed('the address of a system bot is refused', 'notification-bot@zulip.com', {
    errors: [['notification-bot@zulip.com', /account/, false]],
  }),
  failed('the errors list invalid addresses before addresses with accounts', 'cordelia@example.com,nobody', {
    errors: [
      ['nobody', /address/, false],
      ['cordelia@example.com', /account/, false],
    ],
  }),
  failed(
    'addresses with accounts fail the request, and all other addresses are invited',
    'cordelia@example.com, horatio@example.com, yorick@example.com',
    {
      errors: [
        ['cordelia@example.com', /account/, false],
        ['yorick@example.com', /deactivated/, true],
      ],
      sent_invitations: true,
    },
    {
      did: 'a part',
      events: () => ({ owner: [{ type: 'invites_changed' }], hamlet: [] }),
      state: async (world) => assert.deepEqual(await addresses(world), ['horatio@example.com']),
    },
  ),
  {
    name: 'a second invitation to an address is added to the first',
    as: 'hamlet',
    given: (world) => invite(world, 'cordelia'),
    call: ['invites.send', params()],
    state: async (world) => assert.equal((await pending(world)).length, 2),
  },
  {
    name: 'a member cannot invite more than 100 addresses in 24 hours',
    as: 'hamlet',
    call: [
      'invites.send',
      params({ invitee_emails: Array.from({ length: 101 }, (_, at) => `p${at}@example.com`).join() }),
    ],
    refuses: {
      code: 'INVITATION_FAILED',
      data: { errors: [], sent_invitations: false, daily_limit_reached: true, license_limit_reached: false },
    },
  },
  {
    name: 'an invitation of the last 24 hours counts for the limit even when revoked',
    as: 'hamlet',
    given: async (world) => {
      await world.settings({ max_invites: 2 });
      await invite(world, 'hamlet');
      const [one] = await pending(world);
      await world.as('hamlet').invites.revoke({ invite_id: one?.id as number });
    },
    call: ['invites.send', params({ invitee_emails: 'a@example.com,b@example.com' })],
    refuses: {
      code: 'INVITATION_FAILED',
      data: { errors: [], sent_invitations: false, daily_limit_reached: true, license_limit_reached: false },
    },
  },
  {
    name: 'the limit of invitations is available again after 24 hours',
    as: 'hamlet',
    given: async (world) => {
      await world.settings({ max_invites: 2 });
      await world.as('hamlet').invites.send({ invitee_emails: 'a@example.com,b@example.com', stream_ids: [] });
      world.clock.advance({ days: 1 });
    },
    call: ['invites.send', params({ invitee_emails: 'c@example.com,d@example.com' })],
  },
  {
    name: 'invitations of one member do not count for the limit of another',
    as: 'cordelia',
    given: async (world) => {
      await world.settings({ max_invites: 1 });
      await world.as('hamlet').invites.send({ invitee_emails: 'a@example.com', stream_ids: [] });
    },
    call: ['invites.send', params()],
  },
  {
    name: 'the address of a user who joined by an invitation is refused as in use',
    as: 'owner',
    given: async (world) => accept(world, await invite(world, 'hamlet')),
    call: ['invites.send', params({ invitee_emails: 'horatio@example.com' })],
    refuses: {
      code: 'INVITATION_FAILED',
      data: {
        sent_invitations: false,
        daily_limit_reached: false,
        license_limit_reached: false,
        errors: including(['horatio@example.com', 'Already has an account.', false]),
      },
    },
  },
]);

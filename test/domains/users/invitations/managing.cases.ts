import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { invite, latestId, link } from './keys.ts';

const linksForAll = (world: World) => world.settings({ create_multiuse_invite_group: 6 });

/** Keeps the ID of the invitation that `given` creates. */
const keeping = (given: (world: World) => Promise<unknown>) => async (world: World) => {
  await given(world);
  world.kept.invite = await latestId(world);
};

type Managing = 'invites.revoke' | 'invites.revokeMultiuse' | 'invites.resend';

const about = (
  operation: Managing,
  name: string,
  as: UserName,
  given: (world: World) => Promise<unknown>,
  more: Partial<Case> = {},
): Case => ({
  name,
  as,
  given: keeping(given),
  call: [operation, ({ kept }) => ({ invite_id: kept.invite })],
  ...more,
});

const NO = { refuses: { code: 'BAD_REQUEST', says: /^There is no pending invitation/ } };

const left = async (world: World) => (await world.as('owner').invites.list()).invites.length;

/** Cases that apply to an invitation and to a reusable link. */
function common(operation: Managing, make: (world: World, as: UserName, invite_as?: 100) => Promise<unknown>): Case[] {
  const by = (as: UserName, invite_as?: 100) => (world: World) => make(world, as, invite_as);
  return [
    about(operation, 'a user revokes their own invitation', 'hamlet', by('hamlet'), {
      events: () => ({
        hamlet: [{ type: 'invites_changed' }],
        owner: [{ type: 'invites_changed' }],
        cordelia: [],
      }),
    }),
    about(operation, 'an administrator revokes an invitation of another user', 'administrator', by('hamlet'), {
      events: () => ({ hamlet: [{ type: 'invites_changed' }], administrator: [{ type: 'invites_changed' }] }),
    }),
    about(operation, 'an invitation of another user is refused as missing', 'moderator', by('hamlet'), NO),
    about(operation, 'an owner may manage an invitation to the owner role', 'secondOwner', by('owner', 100)),
    about(
      operation,
      'an administrator is refused for an invitation to the owner role',
      'administrator',
      by('owner', 100),
      {
        refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
      },
    ),
    about(
      operation,
      'an expired invitation is refused',
      'hamlet',
      async (world) => {
        await make(world, 'hamlet');
        world.kept.invite = await latestId(world);
      },
      {
        ...NO,
        given: async (world) => {
          await make(world, 'hamlet');
          world.kept.invite = await latestId(world);
          world.clock.advance({ days: 10 });
        },
      },
    ),
    { name: 'an unknown invitation is refused', as: 'owner', call: [operation, { invite_id: 9_999 }], ...NO },
    { name: 'a guest is refused', as: 'guest', call: [operation, { invite_id: 1 }], refuses: { code: 'BAD_REQUEST' } },
    { name: 'a bot is refused', as: 'bot', call: [operation, { invite_id: 1 }], refuses: { code: 'BAD_REQUEST' } },
  ];
}

const sent = (world: World, as: UserName, invite_as: 100 | 400 = 400) => invite(world, as, { invite_as });
const linked = async (world: World, as: UserName, invite_as: 100 | 400 = 400) => {
  await linksForAll(world);
  return link(world, as, { invite_as });
};

export const revokeInviteCases = cases('invites.revoke', [
  ...common('invites.revoke', sent),
  about('invites.revoke', 'a revoked invitation is not listed', 'hamlet', (world) => sent(world, 'hamlet'), {
    state: async (world) => assert.equal(await left(world), 0),
  }),
  about(
    'invites.revoke',
    'an invitation that is already revoked is refused',
    'hamlet',
    async (world) => sent(world, 'hamlet'),
    {
      given: async (world) => {
        await sent(world, 'hamlet');
        world.kept.invite = await latestId(world);
        await world.as('hamlet').invites.revoke({ invite_id: world.kept.invite as number });
      },
      ...NO,
    },
  ),
  about(
    'invites.revoke',
    'a reusable link is refused as an invitation',
    'owner',
    (world) => linked(world, 'owner'),
    NO,
  ),
]);

export const revokeMultiuseInviteCases = cases('invites.revokeMultiuse', [
  ...common('invites.revokeMultiuse', linked),
  about('invites.revokeMultiuse', 'a revoked invitation is not listed', 'hamlet', (world) => linked(world, 'hamlet'), {
    state: async (world) => assert.equal(await left(world), 0),
  }),
  about(
    'invites.revokeMultiuse',
    'an invitation that is already revoked is refused',
    'hamlet',
    (world) => linked(world, 'hamlet'),
    {
      given: async (world) => {
        await linked(world, 'hamlet');
        world.kept.invite = await latestId(world);
        await world.as('hamlet').invites.revokeMultiuse({ invite_id: world.kept.invite as number });
      },
      ...NO,
    },
  ),
  about(
    'invites.revokeMultiuse',
    'an e-mail invitation is refused as a reusable link',
    'owner',
    (world) => sent(world, 'owner'),
    NO,
  ),
]);

export const resendInviteCases = cases('invites.resend', [
  about(
    'invites.resend',
    'on a server without e-mail, an administrator gets the link of the invitation',
    'administrator',
    (world) => sent(world, 'hamlet'),
    {
      returns: { link_url: /\/join\/[A-Za-z0-9]{25,}\/$/ },
    },
  ),
  about(
    'invites.resend',
    'on a server without e-mail, a member does not get the link of the invitation',
    'hamlet',
    (world) => sent(world, 'hamlet'),
    {
      returns: { link_url: ABSENT },
    },
  ),
  about(
    'invites.resend',
    'a user who may no longer invite cannot resend an invitation',
    'hamlet',
    async (world) => {
      await sent(world, 'hamlet');
      await world.settings({ can_invite_users_group: 2 });
    },
    { refuses: { code: 'BAD_REQUEST', says: /not allowed/ } },
  ),
  ...common('invites.resend', sent).filter(({ events }) => events === undefined),
  about('invites.resend', 'a reusable link cannot be resent', 'owner', (world) => linked(world, 'owner'), NO),
]);

const everything = async (world: World) => {
  await linksForAll(world);
  await invite(world, 'hamlet', { notify_referrer_on_join: false });
  await invite(world, 'owner', {
    invitee_emails: 'osric@example.com',
    invite_as: 100,
    invite_expires_in_minutes: null,
  });
  await link(world, 'hamlet', { invite_as: 600 });
  await link(world, 'owner', { invite_as: 100 });
  const gone = await invite(world, 'cordelia');
  assert.ok(gone);
  await world.as('cordelia').invites.revoke({ invite_id: await latestId(world) });
};

export const listInvitesCases = cases('invites.list', [
  {
    name: 'a new organization has an empty list of invitations',
    as: 'owner',
    call: ['invites.list'],
    returns: { invites: [] },
  },
  {
    name: 'an owner gets all pending invitations with their links',
    as: 'owner',
    given: everything,
    call: ['invites.list', { include_links: true }],
    returns: ({ users }) => ({
      invites: [
        { invited_by_user_id: users.hamlet, is_multiuse: false, notify_referrer_on_join: false, link_url: /\/join\// },
        {
          invited_by_user_id: users.owner,
          email: 'osric@example.com',
          expiry_date: null,
          invited_as: 100,
          link_url: /\/join\//,
        },
        { invited_by_user_id: users.hamlet, is_multiuse: true, invited_as: 600, email: ABSENT, link_url: /\/join\// },
        { invited_by_user_id: users.owner, is_multiuse: true, invited_as: 100, link_url: /\/join\// },
      ],
    }),
  },
  {
    name: 'an administrator gets all pending invitations, without links to the owner role',
    as: 'administrator',
    given: everything,
    call: ['invites.list', { include_links: true }],
    returns: {
      invites: [
        { invited_as: 400, link_url: /\/join\// },
        { invited_as: 100, link_url: ABSENT },
        { invited_as: 600, link_url: /\/join\// },
        { invited_as: 100, link_url: ABSENT },
      ],
    },
  },
  {
    name: 'a member gets only their own invitations, with links of reusable ones alone',
    as: 'hamlet',
    given: everything,
    call: ['invites.list', { include_links: true }],
    returns: {
      invites: [
        { is_multiuse: false, email: 'Horatio@example.com', link_url: ABSENT, email_state: 'none' },
        { is_multiuse: true, link_url: /\/join\// },
      ],
    },
  },
  ...[{ include_links: false }, undefined].map(
    (given): Case => ({
      name: `A1: without ${given ? 'include_links' : 'parameters'}, only reusable invitations have links`,
      as: 'owner',
      given: everything,
      call: ['invites.list', given],
      returns: {
        invites: [
          { is_multiuse: false, link_url: ABSENT },
          { is_multiuse: false, link_url: ABSENT },
          { is_multiuse: true, link_url: /\/join\// },
          { is_multiuse: true, link_url: /\/join\// },
        ],
      },
      // chatctl requests the links by default.
      ...(given ? {} : { only: 'HTTP' as const }),
    }),
  ),
  { name: 'a guest is refused', as: 'guest', call: ['invites.list'], refuses: { code: 'BAD_REQUEST' } },
  { name: 'a bot is refused', as: 'bot', call: ['invites.list'], refuses: { code: 'BAD_REQUEST' } },
]);

const multiuse = (
  name: string,
  as: UserName,
  given: object | ((world: World) => object),
  more: Partial<Case> = {},
): Case => ({
  name,
  as,
  call: ['invites.createMultiuse', (world) => ({ ...(typeof given === 'function' ? given(world) : given) })],
  ...(more.refuses ? {} : { returns: { invite_link: /^https:\/\/chat\.example\.com\/join\/[A-Za-z0-9]{25,}\/$/ } }),
  ...more,
});

const refuses = { code: 'BAD_REQUEST' };

export const createMultiuseInviteCases = cases('invites.createMultiuse', [
  multiuse(
    'an administrator creates a reusable link, and only administrators get the event',
    'administrator',
    {},
    {
      events: () => ({
        administrator: [{ type: 'invites_changed' }],
        owner: [{ type: 'invites_changed' }],
        hamlet: [],
      }),
      state: async (world, { invite_link }) => {
        const { invites } = await world.as('administrator').invites.list();
        assert.deepEqual(
          invites.map(({ link_url }) => link_url),
          [invite_link],
        );
      },
    },
  ),
  multiuse(
    'invites.list shows the created link, with expiry_date null for a link that never expires',
    'owner',
    { invite_as: 600, invite_expires_in_minutes: null },
    {
      state: async (world, { invite_link }) => {
        const [one] = (await world.as('secondOwner').invites.list()).invites;
        assert.equal(one?.link_url, invite_link);
        assert.equal(one?.expiry_date, null);
      },
    },
  ),
  multiuse('a member cannot create a reusable link by default', 'hamlet', {}, { refuses }),
  multiuse('a member of create_multiuse_invite_group creates a reusable link', 'hamlet', {}, { given: linksForAll }),
  multiuse('a user who may only invite by e-mail cannot create a reusable link', 'moderator', {}, { refuses }),
  multiuse('a guest cannot create a reusable link', 'guest', {}, { refuses }),
  multiuse('a bot cannot create a reusable link', 'bot', {}, { refuses }),
  multiuse("a link to a role above the caller's own is refused", 'administrator', { invite_as: 100 }, { refuses }),
  multiuse('a link to an unknown role is refused', 'owner', { invite_as: 500 }, { refuses }),
  multiuse('a reusable link with channels is created', 'owner', ({ channels }) => ({
    stream_ids: [channels.public, channels.default],
  })),
  multiuse('a reusable link with a missing channel is refused', 'owner', { stream_ids: [9_999] }, { refuses }),
  multiuse(
    'a reusable link with a channel the caller may not subscribe others to is refused',
    'hamlet',
    ({ channels }) => ({ stream_ids: [channels.public] }),
    {
      given: async (world) => {
        await linksForAll(world);
        await world.settings({ can_add_subscribers_group: 2 });
      },
      refuses,
    },
  ),
  multiuse(
    'a reusable link with a group the caller may not add members to is refused',
    'administrator',
    ({ groups }) => ({ group_ids: [groups.kitchen] }),
    {
      refuses,
    },
  ),
  multiuse(
    'parameters of e-mail invitations are ignored and reported as unsupported',
    'owner',
    {
      invitee_emails: 'horatio@example.com',
      notify_referrer_on_join: true,
    },
    {
      returns: { invite_link: /join/, ignored_parameters_unsupported: ['invitee_emails', 'notify_referrer_on_join'] },
    },
  ),
]);

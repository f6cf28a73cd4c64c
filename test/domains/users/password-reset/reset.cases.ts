import assert from 'node:assert/strict';
import { transportOf } from '../../../../lib/internal.ts';
import { type Case, cases, type Params } from '../../../world/case.ts';
import { PASSWORD, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { givenLink, givenToken, newLink } from './links.ts';

const NEW = 'the play is the thing';

const signsIn = ({ chat, emails }: World, user: UserName, password: string) =>
  chat.anonymous().fetchApiKey({ username: emails[user], password });

const resetting =
  (more: Params = {}) =>
  (world: World) => ({ token: givenToken(world), new_password: NEW, ...more });
const checking = (world: World) => ({ token: givenToken(world) });

const dead = { code: 'BAD_REQUEST', says: /does not work/ } as const;

/** Unusable links. The refusal does not show the reason. */
const USELESS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a used link': async (world) => {
    await givenLink('hamlet')(world);
    await world.chat.anonymous().passwords.reset(resetting()(world));
  },
  'a link to an account whose other link was used': async (world) => {
    await givenLink('hamlet')(world);
    const first = givenToken(world);
    await givenLink('hamlet')(world);
    await world.chat.anonymous().passwords.reset({ token: first, new_password: NEW });
  },
  'a link from before an administrator set the password': async (world) => {
    await givenLink('hamlet')(world);
    await world.as('owner').users.setPassword({ user_id: world.users.hamlet, password: NEW });
  },
  'a link from before the user changed the password': async (world) => {
    await givenLink('hamlet')(world);
    await world.as('hamlet').settings.edit({ old_password: PASSWORD, new_password: NEW });
  },
  'a link from before the address of the user changed': async (world) => {
    await givenLink('hamlet')(world);
    await world.mayChangeAddresses('owner');
    await world.as('owner').users.edit({ user_id: world.users.hamlet, new_email: 'prince@example.com' });
  },
  'a link of 24 hours ago': async (world) => {
    await givenLink('hamlet')(world);
    world.clock.advance({ days: 1 });
  },
  'the link of a user who was deactivated': async (world) => {
    await givenLink('hamlet')(world);
    await world.as('owner').users.deactivate({ user_id: world.users.hamlet });
  },
  'a link from before password login was turned off': async (world) => {
    await givenLink('hamlet')(world);
    await world.settings({ password_login: false });
  },
  'the eleventh newest link of a user': async (world) => {
    await givenLink('hamlet')(world);
    for (let more = 0; more < 10; more++) {
      world.clock.advance({ seconds: 1 });
      await newLink(world, 'hamlet');
    }
  },
  'an unknown link': async () => undefined,
};

const useless = (call: Case['call']): Case[] =>
  Object.entries(USELESS).map(([what, given]) => ({
    name: `${what} is refused`,
    as: 'anonymous',
    given,
    call,
    refuses: dead,
  }));

export const checkPasswordResetCases = cases('passwords.checkReset', [
  {
    name: 'the response names the user of the link, and the link can still be used',
    as: 'anonymous',
    given: async (world) => {
      await givenLink('cordelia')(world);
      await world.chat.anonymous().passwords.checkReset(checking(world));
    },
    call: ['passwords.checkReset', checking],
    returns: { email: 'cordelia@example.com', full_name: 'Cordelia', realm_name: 'Elsinore' },
  },
  ...useless(['passwords.checkReset', checking]),
]);

export const resetPasswordCases = cases('passwords.reset', [
  {
    name: 'the new password signs in; the old password and the old API key stop working',
    as: 'anonymous',
    given: givenLink('hamlet'),
    call: ['passwords.reset', resetting()],
    returns: ({ users }) => ({ email: 'Hamlet@example.com', user_id: users.hamlet, api_key: /^\w{32}$/ }),
    state: async (world, { api_key }) => {
      assert.equal((await signsIn(world, 'hamlet', NEW)).api_key, api_key);
      await assert.rejects(signsIn(world, 'hamlet', PASSWORD), { code: 'AUTHENTICATION_FAILED' });
      const account = await world.storage.read((tx) => tx.users.byId(world.users.hamlet));
      assert.deepEqual([account?.key_generation, account?.sign_in_unlocks], [1, 1]);
      await transportOf(world.chat).authenticate(world.emails.hamlet, api_key);
    },
  },
  {
    name: 'keep_api_key keeps the API key',
    as: 'anonymous',
    given: givenLink('hamlet'),
    call: ['passwords.reset', resetting({ keep_api_key: true })],
    state: async (world) => {
      const account = await world.storage.read((tx) => tx.users.byId(world.users.hamlet));
      assert.equal(account?.key_generation, 0);
    },
  },
  {
    name: 'a user without a password gets one by a link',
    as: 'anonymous',
    given: givenLink('cordelia'),
    call: ['passwords.reset', resetting()],
    state: async (world) => void (await signsIn(world, 'cordelia', NEW)),
    events: () => ({ cordelia: [], owner: [] }),
  },
  {
    name: 'a link can be used until the last millisecond of its 24 hours',
    as: 'anonymous',
    given: async (world) => {
      await givenLink('hamlet')(world);
      world.clock.advance({ milliseconds: 86_399_999 });
    },
    call: ['passwords.reset', resetting()],
  },
  {
    name: 'the tenth newest link of a user can be used',
    as: 'anonymous',
    given: async (world) => {
      await givenLink('hamlet')(world);
      for (let more = 0; more < 9; more++) {
        world.clock.advance({ seconds: 1 });
        await newLink(world, 'hamlet');
      }
    },
    call: ['passwords.reset', resetting()],
  },
  ...['short', 'hamlet@EXAMPLE.com', 'Hamlet', 'aaaaaaaaaa'].map(
    (new_password): Case => ({
      name: `the password ${new_password} is refused as too weak, and the link can be used again`,
      as: 'anonymous',
      given: givenLink('hamlet'),
      call: ['passwords.reset', resetting({ new_password })],
      refuses: { code: 'PASSWORD_TOO_WEAK' },
      state: async (world) => void (await world.chat.anonymous().passwords.reset(resetting()(world))),
    }),
  ),
  {
    name: 'a password of more than 1000 characters is refused as too long',
    as: 'anonymous',
    given: givenLink('hamlet'),
    call: ['passwords.reset', resetting({ new_password: 'ab'.repeat(501) })],
    refuses: { code: 'BAD_REQUEST', says: /new_password.*too long/ },
  },
  {
    name: 'a token of more than 100 characters is refused as too long',
    as: 'anonymous',
    call: ['passwords.reset', { token: 'x'.repeat(101), new_password: NEW }],
    refuses: { code: 'BAD_REQUEST', says: /token.*too long/ },
  },
  ...['token', 'new_password'].map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'anonymous',
      call: ['passwords.reset', { token: 'a', new_password: NEW, [missing]: undefined }],
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
  ...useless(['passwords.reset', resetting({ new_password: 'the readiness is all' })]),
]);

const linkFor = (user: UserName) =>
  ['users.createResetLink', ({ users }: World) => ({ user_id: users[user] })] as const;

export const createResetLinkCases = cases('users.createResetLink', [
  {
    name: 'an administrator makes a link to a page that sets the password of a member',
    as: 'administrator',
    call: linkFor('hamlet'),
    returns: { reset_link: /^https:\/\/chat\.example\.com\/accounts\/password\/reset\/[0-9a-f]{64}\/$/ },
    state: async (world, { reset_link }) => {
      const [, token] = /reset\/([\w-]+)\/$/.exec(reset_link) ?? [];
      await world.chat.anonymous().passwords.reset({ token: String(token), new_password: NEW });
      await signsIn(world, 'hamlet', NEW);
    },
  },
  {
    name: 'the token of a link is not stored as it is',
    as: 'owner',
    call: linkFor('hamlet'),
    state: async ({ storage }, { reset_link }) => {
      const [, token = ''] = /reset\/([\w-]+)\/$/.exec(reset_link) ?? [];
      assert.equal(await storage.read((tx) => tx.passwordResets.byToken(token)), undefined);
    },
  },
  { name: 'an owner makes a link for another owner', as: 'owner', call: linkFor('secondOwner') },
  {
    name: 'an administrator cannot make a link for an owner',
    as: 'administrator',
    call: linkFor('owner'),
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ },
  },
  {
    name: 'a member cannot make a link, not even for themselves',
    as: 'hamlet',
    call: linkFor('hamlet'),
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  {
    name: 'a deactivated user is refused',
    as: 'administrator',
    call: linkFor('deactivated'),
    refuses: { code: 'BAD_REQUEST', says: /deactivated/ },
  },
  {
    name: 'a bot is refused as the account',
    as: 'owner',
    call: linkFor('bot'),
    refuses: { code: 'BAD_REQUEST', says: /bot/ },
  },
  {
    name: 'an organization without password login refuses the request',
    as: 'owner',
    given: (world) => world.settings({ password_login: false }),
    call: linkFor('hamlet'),
    refuses: { code: 'BAD_REQUEST', says: /Password login is disabled/ },
  },
  {
    name: 'an unknown user is refused',
    as: 'owner',
    call: ['users.createResetLink', { user_id: 9999 }],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
  },
]);

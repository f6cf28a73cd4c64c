import assert from 'node:assert/strict';
import { transportOf } from '../../../../lib/internal.ts';
import { type Case, cases, type OperationName, type Params } from '../../../world/case.ts';
import { PASSWORD, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const NEW = 'the play is the thing';

const of = (operation: OperationName, user: UserName, params: Params = {}) =>
  [operation, ({ users }: World) => ({ user_id: users[user], ...params })] as const;

const signsIn = ({ chat, emails }: World, user: UserName, password: string) =>
  chat.anonymous().fetchApiKey({ username: emails[user], password });

/** Administrators can manage all accounts except those of owners, and no account that cannot sign in. */
const whoMay = (operation: OperationName, params: Params = {}): Case[] => {
  const refused = (name: string, as: UserName, user: UserName, code: string, says?: RegExp): Case => ({
    name,
    as,
    call: of(operation, user, params),
    refuses: { code, ...(says ? { says } : {}) },
  });
  return [
    { name: 'an owner is allowed for an administrator', as: 'owner', call: of(operation, 'administrator', params) },
    { name: 'an owner is allowed for another owner', as: 'owner', call: of(operation, 'secondOwner', params) },
    { name: 'an administrator is allowed for a guest', as: 'administrator', call: of(operation, 'guest', params) },
    refused('an administrator is refused for an owner', 'administrator', 'owner', 'UNAUTHORIZED_PRINCIPAL', /owner/),
    refused('a moderator is refused', 'moderator', 'guest', 'UNAUTHORIZED_PRINCIPAL'),
    refused('a member is refused for themselves', 'hamlet', 'hamlet', 'UNAUTHORIZED_PRINCIPAL'),
    refused('a bot is refused as the account', 'owner', 'bot', 'BAD_REQUEST', /bot/),
    {
      name: 'a system bot is refused as missing',
      as: 'owner',
      call: [operation, { user_id: 1, ...params }],
      refuses: { code: 'BAD_REQUEST', says: /no user with ID 1/ },
    },
    {
      name: 'an unknown user is refused',
      as: 'owner',
      call: [operation, { user_id: 9999, ...params }],
      refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
    },
  ];
};

const weak = (name: string, password: string): Case => ({
  name: `${name} is refused`,
  as: 'administrator',
  call: of('users.setPassword', 'hamlet', { password }),
  refuses: { code: 'PASSWORD_TOO_WEAK' },
  state: async (world) => void (await signsIn(world, 'hamlet', PASSWORD)),
});

export const setPasswordCases = cases('users.setPassword', [
  ...whoMay('users.setPassword', { password: NEW }),
  {
    name: 'the new password signs in; the old password and the old API key stop working',
    as: 'administrator',
    call: of('users.setPassword', 'hamlet', { password: NEW }),
    state: async (world) => {
      const { api_key } = await signsIn(world, 'hamlet', NEW);
      assert.equal(api_key, await world.chat.apiKeyOf(world.users.hamlet));
      await assert.rejects(signsIn(world, 'hamlet', PASSWORD), { code: 'AUTHENTICATION_FAILED' });
      const account = await world.storage.read((tx) => tx.users.byId(world.users.hamlet));
      assert.equal(account?.key_generation, 1);
      await transportOf(world.chat).authenticate(world.emails.hamlet, api_key);
    },
  },
  {
    name: 'keep_api_key keeps the API key',
    as: 'administrator',
    call: of('users.setPassword', 'cordelia', { password: NEW, keep_api_key: true }),
    state: async (world) => {
      await signsIn(world, 'cordelia', NEW);
      const account = await world.storage.read((tx) => tx.users.byId(world.users.cordelia));
      assert.equal(account?.key_generation, 0);
    },
  },
  {
    name: 'a deactivated user gets a password, which signs in after reactivation',
    as: 'administrator',
    call: of('users.setPassword', 'deactivated', { password: NEW }),
    state: async (world) => {
      await assert.rejects(signsIn(world, 'deactivated', NEW), { code: 'USER_DEACTIVATED' });
      await world.as('owner').users.reactivate({ user_id: world.users.deactivated });
      await signsIn(world, 'deactivated', NEW);
    },
  },
  {
    name: 'a password of 8 characters is accepted',
    as: 'administrator',
    call: of('users.setPassword', 'hamlet', { password: 'ab cd ef' }),
    state: async (world) => void (await signsIn(world, 'hamlet', 'ab cd ef')),
  },
  weak('a password of 7 characters', 'ab cd e'),
  weak('an empty password', ''),
  weak('a password that is the address', 'hamlet@EXAMPLE.com'),
  weak('a password of one character repeated', 'aaaaaaaaaa'),
  {
    name: 'a password that is the name is refused',
    as: 'administrator',
    call: of('users.setPassword', 'cordelia', { password: ' CORDELIA' }),
    refuses: { code: 'PASSWORD_TOO_WEAK', says: /name or address/ },
  },
  {
    name: 'a password of more than 1000 characters is refused as too long',
    as: 'administrator',
    call: of('users.setPassword', 'hamlet', { password: 'ab'.repeat(501) }),
    refuses: { code: 'BAD_REQUEST', says: /password.*too long/ },
  },
  {
    name: 'a new password sends no event',
    as: 'administrator',
    call: of('users.setPassword', 'hamlet', { password: NEW }),
    events: () => ({ hamlet: [], guest: [] }),
  },
]);

export const getUserApiKeyCases = cases('users.getApiKey', [
  ...whoMay('users.getApiKey'),
  {
    name: 'the returned API key authenticates as the user',
    as: 'administrator',
    call: of('users.getApiKey', 'cordelia'),
    state: async ({ chat, emails, users }, { api_key }) => {
      const { userId } = await transportOf(chat).authenticate(emails.cordelia, api_key);
      assert.equal(userId, users.cordelia);
    },
  },
  {
    name: 'a deactivated user is refused',
    as: 'administrator',
    call: of('users.getApiKey', 'deactivated'),
    refuses: { code: 'BAD_REQUEST', says: /deactivated/ },
  },
]);

export const unlockUserCases = cases('users.unlock', [
  ...whoMay('users.unlock'),
  {
    name: 'each unlock of a user starts a new count of wrong passwords, without an event',
    as: 'administrator',
    given: ({ as, users }) => as('administrator').users.unlock({ user_id: users.hamlet }),
    call: of('users.unlock', 'hamlet'),
    events: () => ({ hamlet: [] }),
    state: async ({ chat }) => {
      const timesUnlocked = async (user: string) => (await transportOf(chat).signInState(user)).timesUnlocked;
      assert.equal(await timesUnlocked(' HAMLET@example.com'), 2);
      assert.equal(await timesUnlocked('nobody@example.com'), 0);
    },
  },
]);

export const endLoginsCases = cases('users.endLogins', [
  ...whoMay('users.endLogins'),
  {
    name: 'keys, tokens and browser logins of before are invalid, and the password still signs in',
    as: 'administrator',
    given: async ({ as }) => {
      const { token_id } = await as('hamlet').tokens.create({});
      await as('hamlet').tokens.revoke({ token_id });
    },
    call: of('users.endLogins', 'hamlet'),
    events: () => ({ hamlet: [] }),
    state: async (world) => {
      const { api_key } = await signsIn(world, 'hamlet', PASSWORD);
      const account = await world.storage.read((tx) => tx.users.byId(world.users.hamlet));
      assert.deepEqual([account?.key_generation, account?.login_generation, account?.ended_logins], [1, 1, null]);
      assert.equal(api_key, await world.chat.apiKeyOf(world.users.hamlet));
    },
  },
]);

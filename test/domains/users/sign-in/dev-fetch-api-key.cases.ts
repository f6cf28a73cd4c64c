import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';

const list: Case[] = [
  {
    name: 'gives api_key, email and user_id, and needs no authentication',
    as: 'nobody',
    development: true,
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    returns: ({ users }) => ({ api_key: /^[A-Za-z0-9]{32}$/, email: 'cordelia@example.com', user_id: users.cordelia }),
    state: async (world, { api_key }) => assert.equal(api_key, await world.chat.apiKeyOf(world.users.cordelia)),
  },
  {
    name: 'the address compares trimmed and without regard to case, and comes back as the account has it',
    as: 'nobody',
    development: true,
    call: ['devFetchApiKey', { username: ' hAMLET@example.COM ' }],
    returns: ({ users }) => ({ email: 'Hamlet@example.com', user_id: users.hamlet }),
  },
  {
    name: 'the real address is given even where it is hidden',
    as: 'nobody',
    development: true,
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 4 })),
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    returns: { email: 'cordelia@example.com' },
  },
  {
    name: 'on a production server it always returns an error',
    as: 'nobody',
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /not a development server/ },
  },
  {
    name: 'on a production server credentials do not help',
    as: 'owner',
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /not a development server/ },
  },
  {
    name: 'username is required, which is looked at first',
    as: 'nobody',
    call: ['devFetchApiKey', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'username' } },
  },
  {
    name: 'something that is no e-mail address is refused',
    as: 'nobody',
    development: true,
    call: ['devFetchApiKey', { username: 'cordelia' }],
    refuses: { code: 'BAD_REQUEST', says: /not an e-mail address/ },
  },
  {
    name: 'an unknown user cannot be authenticated',
    as: 'nobody',
    development: true,
    call: ['devFetchApiKey', { username: 'fortinbras@example.com' }],
    refuses: { code: 'AUTHENTICATION_FAILED', status: 401 },
  },
  {
    name: 'a deactivated user is told so',
    as: 'nobody',
    development: true,
    call: ['devFetchApiKey', { username: 'yorick@example.com' }],
    refuses: { code: 'USER_DEACTIVATED', status: 401 },
  },
  {
    name: 'a system bot has no key to fetch',
    as: 'nobody',
    development: true,
    call: ['devFetchApiKey', { username: 'notification-bot@zulip.com' }],
    refuses: { code: 'AUTHENTICATION_FAILED', status: 401 },
  },
];

export const devFetchApiKeyCases = cases('devFetchApiKey', list);

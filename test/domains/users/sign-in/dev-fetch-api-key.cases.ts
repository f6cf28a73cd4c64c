import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';

const list: Case[] = [
  {
    name: 'a caller without credentials gets api_key, email and user_id of a user',
    as: 'anonymous',
    development: true,
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    returns: ({ users }) => ({ api_key: /^[A-Za-z0-9]{32}$/, email: 'cordelia@example.com', user_id: users.cordelia }),
    state: async (world, { api_key }) => assert.equal(api_key, await world.chat.apiKeyOf(world.users.cordelia)),
  },
  {
    name: 'a user is found whatever the case of the address, which is returned as stored',
    as: 'anonymous',
    development: true,
    call: ['devFetchApiKey', { username: ' hAMLET@example.COM ' }],
    returns: ({ users }) => ({ email: 'Hamlet@example.com', user_id: users.hamlet }),
  },
  {
    name: 'a user is found by a hidden real address',
    as: 'anonymous',
    development: true,
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 4 })),
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    returns: { email: 'cordelia@example.com' },
  },
  {
    name: 'a production server refuses the request',
    as: 'anonymous',
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /not a development server/ },
  },
  {
    name: 'a production server refuses the request even with credentials of an owner',
    as: 'owner',
    call: ['devFetchApiKey', { username: 'cordelia@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /not a development server/ },
  },
  {
    name: 'a missing username is refused before the check for a development server',
    as: 'anonymous',
    call: ['devFetchApiKey', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'username' } },
  },
  {
    name: 'a username that is not an e-mail address is refused',
    as: 'anonymous',
    development: true,
    call: ['devFetchApiKey', { username: 'cordelia' }],
    refuses: { code: 'BAD_REQUEST', says: /not an e-mail address/ },
  },
  {
    name: 'an unknown user cannot be authenticated',
    as: 'anonymous',
    development: true,
    call: ['devFetchApiKey', { username: 'fortinbras@example.com' }],
    refuses: { code: 'AUTHENTICATION_FAILED', status: 401 },
  },
  {
    name: 'a deactivated user is refused with USER_DEACTIVATED',
    as: 'anonymous',
    development: true,
    call: ['devFetchApiKey', { username: 'yorick@example.com' }],
    refuses: { code: 'USER_DEACTIVATED', status: 401 },
  },
  {
    name: 'a system bot is refused',
    as: 'anonymous',
    development: true,
    call: ['devFetchApiKey', { username: 'notification-bot@zulip.com' }],
    refuses: { code: 'AUTHENTICATION_FAILED', status: 401 },
  },
];

export const devFetchApiKeyCases = cases('devFetchApiKey', list);

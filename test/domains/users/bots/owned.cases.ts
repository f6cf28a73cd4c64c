import assert from 'node:assert/strict';
import { transportOf } from '../../../../lib/internal.ts';
import { type Case, type CaseTable, cases, type OperationName } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { memberships } from '../../../world/group-events.ts';
import type { World } from '../../../world/world.ts';

const on = (operation: OperationName, user: UserName): Case['call'] => [
  operation,
  ({ users }: World) => ({ bot_id: users[user] }),
];

const ownsOrganization = ({ as, users }: World) => as('owner').users.edit({ user_id: users.bot, role: 100 });

/** Callers who can manage a bot of Hamlet. */
const ownership = (operation: OperationName): Case[] => [
  { name: 'the owner of the bot is allowed', as: 'hamlet', call: on(operation, 'bot') },
  { name: 'an administrator is allowed', as: 'administrator', call: on(operation, 'bot') },
  {
    name: 'a user who does not own the bot is refused',
    as: 'cordelia',
    call: on(operation, 'bot'),
    refuses: { code: 'BAD_REQUEST', says: /administer/ },
  },
  { name: 'a moderator is refused', as: 'moderator', call: on(operation, 'bot'), refuses: { code: 'BAD_REQUEST' } },
  {
    name: 'a user who is not a bot is refused as bot_id',
    as: 'owner',
    call: on(operation, 'hamlet'),
    refuses: { code: 'BAD_REQUEST', says: /no bot/ },
  },
  {
    name: 'a bot that does not exist is refused',
    as: 'owner',
    call: [operation, { bot_id: 9999 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a system bot is refused as missing',
    as: 'owner',
    call: [operation, { bot_id: 1 }],
    refuses: { code: 'BAD_REQUEST' },
  },
  { name: 'a bot is refused', as: 'bot', call: on(operation, 'bot'), refuses: { code: 'BAD_REQUEST' } },
  {
    name: 'an administrator is refused for a bot with the owner role',
    as: 'administrator',
    given: ownsOrganization,
    call: on(operation, 'bot'),
    refuses: { code: 'BAD_REQUEST', says: /administer/ },
  },
  {
    name: 'the owner of the bot is allowed although the bot has the owner role',
    as: 'hamlet',
    given: ownsOrganization,
    call: on(operation, 'bot'),
  },
  {
    name: 'an owner is allowed for a bot with the owner role',
    as: 'owner',
    given: ownsOrganization,
    call: on(operation, 'bot'),
  },
];

export const ownedBotCases: readonly CaseTable[] = [
  cases('bots.list', [
    {
      name: 'the list has the bots of the caller, with their keys',
      as: 'hamlet',
      call: ['bots.list'],
      returns: ({ users }) => ({
        bots: [
          { user_id: users.bot, bot_type: 1, api_key: /^\w{32}$/ },
          { user_id: users.webhook, bot_type: 2, api_key: /^\w{32}$/ },
        ],
      }),
    },
    { name: 'a user without bots gets an empty list', as: 'owner', call: ['bots.list'], returns: { bots: [] } },
    { name: 'a bot is refused', as: 'bot', call: ['bots.list'], refuses: { code: 'BAD_REQUEST', says: /Bots/ } },
  ]),
  cases('bots.edit', ownership('bots.edit')),
  cases('bots.getApiKey', [
    ...ownership('bots.getApiKey'),
    {
      name: 'the owner of a bot gets its present API key',
      as: 'hamlet',
      call: on('bots.getApiKey', 'bot'),
      state: async (world, { api_key }) => assert.equal(api_key, await world.chat.apiKeyOf(world.users.bot)),
    },
  ]),
  cases('bots.regenerateApiKey', [
    ...ownership('bots.regenerateApiKey'),
    {
      name: 'the old key stops working, and no event carries the new one',
      as: 'administrator',
      given: async (world) => void earlier.set(world, await world.chat.apiKeyOf(world.users.bot)),
      call: on('bots.regenerateApiKey', 'bot'),
      events: () => ({ hamlet: [], cordelia: [], owner: [] }),
      state: async (world, { api_key }) => {
        await transportOf(world.chat).authenticate(world.emails.bot, api_key);
        const old = transportOf(world.chat).authenticate(world.emails.bot, earlier.get(world) as string);
        await assert.rejects(old, { code: 'UNAUTHORIZED' });
      },
    },
  ]),
  cases('bots.deactivate', [
    ...ownership('bots.deactivate'),
    {
      name: 'B13: a bot that is an administrator deactivates another bot',
      as: 'bot',
      given: ({ as, users }) => as('owner').users.edit({ user_id: users.bot, role: 200 }),
      call: on('bots.deactivate', 'webhook'),
    },
    {
      name: "all users get the account event, the bot's owner and administrators also the bot event",
      as: 'hamlet',
      call: on('bots.deactivate', 'bot'),
      events: ({ users }) => ({
        hamlet: [
          { type: 'realm_user', op: 'update', person: { user_id: users.bot, is_active: false } },
          { type: 'realm_bot', op: 'update', bot: { user_id: users.bot, is_active: false } },
          ...memberships('remove_members'),
        ],
        owner: [{ type: 'realm_user' }, { type: 'realm_bot' }, ...memberships('remove_members')],
        cordelia: [{ type: 'realm_user', op: 'update' }, ...memberships('remove_members')],
      }),
    },
  ]),
];

const earlier = new WeakMap<object, string>();

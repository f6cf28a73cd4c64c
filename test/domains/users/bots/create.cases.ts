import { type Case, cases } from '../../../world/case.ts';
import { memberships } from '../../../world/group-events.ts';

const clock = { full_name: 'Clock', short_name: 'clock' };

export const createBotCases = cases('bots.create', [
  {
    name: 'a generic bot is created for the caller, and the response has its API key',
    as: 'cordelia',
    call: ['bots.create', clock],
    returns: ({ users }) => ({
      username: 'clock-bot@chat.example.com',
      bot_type: 1,
      owner_id: users.cordelia,
      is_active: true,
      api_key: /^[A-Za-z0-9]{32}$/,
    }),
  },
  {
    name: 'all users get the account, its owner and administrators the bot event, without the API key',
    as: 'cordelia',
    call: ['bots.create', clock],
    events: ({ users }) => ({
      cordelia: [
        { type: 'realm_user', op: 'add', person: { is_bot: true, bot_owner_id: users.cordelia } },
        ...memberships('add_members'),
        { type: 'realm_bot', op: 'add', bot: (bot: object) => !('api_key' in bot) },
      ],
      administrator: [
        { type: 'realm_user', op: 'add' },
        ...memberships('add_members'),
        { type: 'realm_bot', op: 'add', bot: (bot: object) => !('api_key' in bot) },
      ],
      hamlet: [{ type: 'realm_user', op: 'add' }, ...memberships('add_members')],
      guest: [{ type: 'realm_user', op: 'add' }, ...memberships('add_members')],
    }),
  },
  {
    name: 'small: the name of another active bot is refused',
    as: 'cordelia',
    given: async ({ as }) => void (await as('hamlet').bots.create({ ...clock, short_name: 'other' })),
    call: ['bots.create', clock],
    refuses: { code: 'BAD_REQUEST', says: /An active account has the name "Clock"/ },
  },
  {
    name: 'small: the name of an active person is refused for a bot',
    as: 'cordelia',
    given: ({ as, users }) => as('owner').users.edit({ user_id: users.hamlet, full_name: 'Clock' }),
    call: ['bots.create', clock],
    refuses: { code: 'BAD_REQUEST', says: /Choose another name for the bot/ },
  },
  {
    name: 'small: the name of a deactivated account, and a name in other case, are free',
    as: 'cordelia',
    given: async ({ as, users }) => {
      await as('owner').users.edit({ user_id: users.hamlet, full_name: 'Clock' });
      await as('owner').users.deactivate({ user_id: users.hamlet });
      await as('cordelia').bots.create({ full_name: 'clock', short_name: 'small' });
    },
    call: ['bots.create', clock],
    returns: { full_name: 'Clock' },
  },
  {
    name: 'an incoming-webhook bot is created with bot_type 2',
    as: 'cordelia',
    call: ['bots.create', { ...clock, bot_type: 2 }],
    returns: { bot_type: 2 },
  },
  {
    name: 'an outgoing-webhook bot is created, and its event has the service without the token',
    as: 'cordelia',
    call: ['bots.create', { ...clock, bot_type: 3, payload_url: 'https://example.com/hook', interface_type: 2 }],
    returns: {
      bot_type: 3,
      services: [{ base_url: 'https://example.com/hook', interface: 2, token: /^\w{32}$/ }],
    },
    events: () => ({
      cordelia: [
        { type: 'realm_user', op: 'add' },
        ...memberships('add_members'),
        { type: 'realm_bot', op: 'add', bot: { services: [{ base_url: 'https://example.com/hook', interface: 2 }] } },
      ],
    }),
  },
  {
    name: 'an outgoing-webhook bot with a private address is refused',
    as: 'cordelia',
    call: ['bots.create', { ...clock, bot_type: 3, payload_url: 'http://localhost/hook' }],
    refuses: { code: 'BAD_REQUEST', says: /public internet address/ },
  },
  ...[
    'https://scout@example.com/hook',
    'https://:secret@example.com/hook',
    'https://scout:secret@example.com/hook',
    'ftp://example.com/hook',
  ].map(
    (payload_url): Case => ({
      name: `the payload URL ${payload_url} is refused`,
      as: 'cordelia',
      call: ['bots.create', { ...clock, bot_type: 3, payload_url }],
      refuses: { code: 'BAD_REQUEST', says: /payload_url must be an http or https URL/ },
    }),
  ),
  {
    name: 'an unknown bot type is refused',
    as: 'cordelia',
    call: ['bots.create', { ...clock, bot_type: 4 }],
    refuses: { code: 'BAD_REQUEST', says: /bot_type/ },
  },
  {
    name: 'a short name whose address is in use is refused',
    as: 'cordelia',
    call: ['bots.create', { full_name: 'Clerk', short_name: 'CLERK' }],
    refuses: { code: 'BAD_REQUEST', says: /already/ },
  },
  ...['', ' '].map(
    (short_name): Case => ({
      name: `the short name ${JSON.stringify(short_name)} is refused`,
      as: 'hamlet',
      call: ['bots.create', { full_name: 'Clock', short_name }],
      refuses: { code: 'BAD_REQUEST', says: /short_name|cannot be part of an e-mail address/ },
    }),
  ),
  {
    name: 'a short name with a space is refused',
    as: 'cordelia',
    call: ['bots.create', { full_name: 'Clock', short_name: 'clock tower' }],
    refuses: { code: 'BAD_REQUEST', says: /address/ },
  },
  {
    name: 'a generic bot is refused to a user outside can_create_bots_group',
    as: 'cordelia',
    given: (world) => world.settings({ can_create_bots_group: 4 }),
    call: ['bots.create', clock],
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'a user in can_create_write_only_bots_group creates an incoming-webhook bot',
    as: 'cordelia',
    given: (world) => world.settings({ can_create_bots_group: 4 }),
    call: ['bots.create', { ...clock, bot_type: 2 }],
    returns: { bot_type: 2 },
  },
  {
    name: 'a guest is refused',
    as: 'guest',
    call: ['bots.create', clock],
    refuses: { code: 'BAD_REQUEST', says: /Guests/ },
  },
  { name: 'a bot is refused', as: 'bot', call: ['bots.create', clock], refuses: { code: 'BAD_REQUEST', says: /Bots/ } },
]);

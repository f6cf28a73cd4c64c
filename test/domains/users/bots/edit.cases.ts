import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { memberships } from '../../../world/group-events.ts';
import type { World } from '../../../world/world.ts';

const edit = (change: object | ((world: World) => object), bot: UserName = 'bot'): Case['call'] => [
  'bots.edit',
  (world) => ({ bot_id: world.users[bot], ...(typeof change === 'function' ? change(world) : change) }),
];

const called = new WeakMap<World, number>();

/** Gives Hamlet an outgoing-webhook bot. */
const oracle = async (world: World) => {
  const service = { bot_type: 3, payload_url: 'https://example.com/ask', interface_type: 2 } as const;
  const { user_id } = await world.as('hamlet').bots.create({ full_name: 'Oracle', short_name: 'oracle', ...service });
  called.set(world, user_id);
};

const editOracle = (change: object): Case['call'] => [
  'bots.edit',
  (world) => ({ bot_id: called.get(world), ...change }),
];

const isHeld = async ({ as, users }: World, owner: UserName) => {
  const { bots } = await as(owner).bots.list();
  return bots.some(({ user_id }) => user_id === users.bot);
};

const toCordelia = ({ users }: World) => ({ bot_owner_id: users.cordelia });

export const editBotCases = cases('bots.edit', [
  {
    name: 'the owner of a bot renames it, and all users get the event',
    as: 'hamlet',
    call: edit({ full_name: ' Scribe ' }),
    returns: ({ users, emails }) => ({
      user_id: users.bot,
      full_name: 'Scribe',
      owner_id: users.hamlet,
      is_active: true,
      bot_owner: emails.hamlet,
      service_payload_url: null,
      service_interface: 1,
      config_data: null,
    }),
    events: ({ users }) => ({
      hamlet: [
        { type: 'realm_user', op: 'update', person: { user_id: users.bot, full_name: 'Scribe' } },
        { type: 'realm_bot', op: 'update', bot: { user_id: users.bot, full_name: 'Scribe' } },
      ],
      guest: [{ type: 'realm_user', op: 'update' }],
    }),
  },
  ...['', '  '].map(
    (full_name): Case => ({
      name: `a bot cannot get the name ${JSON.stringify(full_name)}`,
      as: 'hamlet',
      call: edit({ full_name }),
      refuses: { code: 'BAD_REQUEST', says: /at least 2/ },
    }),
  ),
  {
    name: 'small: a bot cannot get the name of another active bot',
    as: 'hamlet',
    given: oracle,
    call: edit({ full_name: ' Oracle ' }),
    refuses: { code: 'BAD_REQUEST', says: /An active account has the name "Oracle"/ },
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'small: a bot can get the name of a deactivated bot, and its own name in other case',
    as: 'hamlet',
    given: async (world) => {
      await oracle(world);
      await world.as('hamlet').bots.deactivate({ bot_id: called.get(world) as number });
      await world.as('hamlet').bots.edit({ bot_id: world.users.bot, full_name: 'oracle' });
    },
    call: edit({ full_name: 'Oracle' }),
    returns: { full_name: 'Oracle' },
  },
  {
    name: 'small: a bot cannot be reactivated while another active bot has its name',
    as: 'hamlet',
    given: async (world) => {
      await oracle(world);
      await world.as('hamlet').bots.deactivate({ bot_id: called.get(world) as number });
      await world.as('hamlet').bots.edit({ bot_id: world.users.bot, full_name: 'Oracle' });
    },
    call: editOracle({ is_active: true }),
    refuses: { code: 'BAD_REQUEST', says: /active account has the name/ },
  },
  {
    name: 'the owner of a bot who is not an administrator cannot change its role',
    as: 'hamlet',
    call: edit({ role: 200 }),
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  { name: 'an administrator changes the role of a bot', as: 'administrator', call: edit({ role: 300 }) },
  {
    name: 'the webhook URL changes alone, and the interface stays',
    as: 'hamlet',
    given: oracle,
    call: editOracle({ service_payload_url: 'https://example.com/other' }),
    returns: {
      services: [{ base_url: 'https://example.com/other', interface: 2 }],
      service_payload_url: 'https://example.com/other',
      service_interface: 2,
    },
    events: (world) => {
      const services = [{ base_url: 'https://example.com/other', interface: 2 }];
      const told = { type: 'realm_bot', op: 'update', bot: { user_id: called.get(world), services } };
      return { hamlet: [told], administrator: [told], cordelia: [] };
    },
  },
  {
    name: 'the interface changes alone, and the webhook URL stays',
    as: 'administrator',
    given: oracle,
    call: editOracle({ service_interface: 1 }),
    returns: { services: [{ base_url: 'https://example.com/ask', interface: 1 }] },
  },
  {
    name: 'values equal to the present ones send no event',
    as: 'hamlet',
    given: oracle,
    call: editOracle({ service_payload_url: 'https://example.com/ask', full_name: 'Oracle', is_active: true }),
    events: () => ({ hamlet: [], administrator: [] }),
  },
  {
    name: 'a private webhook URL is refused, and the name does not change',
    as: 'hamlet',
    given: oracle,
    call: editOracle({ full_name: 'Pythia', service_payload_url: 'http://10.0.0.1/ask' }),
    refuses: { code: 'BAD_REQUEST', says: /service_payload_url must be a public internet address/ },
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a webhook URL for a bot without an outgoing webhook is refused',
    as: 'hamlet',
    call: edit({ service_payload_url: 'https://example.com/ask' }),
    refuses: { code: 'BAD_REQUEST', says: /outgoing-webhook bots/ },
  },
  {
    name: 'a bot gets a new owner; the new owner gets an add event, the former owner a delete event',
    as: 'hamlet',
    call: edit(toCordelia),
    returns: ({ users }) => ({ owner_id: users.cordelia }),
    events: ({ users }) => {
      const person = { type: 'realm_user', op: 'update', person: { user_id: users.bot, bot_owner_id: users.cordelia } };
      return {
        hamlet: [person, { type: 'realm_bot', op: 'delete', bot: { user_id: users.bot } }],
        cordelia: [person, { type: 'realm_bot', op: 'add', bot: { user_id: users.bot, owner_id: users.cordelia } }],
        administrator: [person, { type: 'realm_bot', op: 'update', bot: { owner_id: users.cordelia } }],
        guest: [person],
      };
    },
    state: async (world) => {
      assert.deepEqual([await isHeld(world, 'hamlet'), await isHeld(world, 'cordelia')], [false, true]);
    },
  },
  {
    name: 'an administrator who gives away a bot gets an update event, since they still administer it',
    as: 'administrator',
    given: ({ as, users }) => as('owner').users.edit({ user_id: users.hamlet, role: 200 }),
    call: edit(toCordelia),
    events: () => ({
      hamlet: [
        { type: 'realm_user', op: 'update' },
        { type: 'realm_bot', op: 'update' },
      ],
    }),
  },
  ...(['bot', 'webhook', 'guest', 'deactivated'] as const).map(
    (owner): Case => ({
      name: `a ${owner} user cannot own a bot`,
      as: 'hamlet',
      call: edit(({ users }) => ({ bot_owner_id: users[owner] })),
      refuses: { code: 'BAD_REQUEST' },
    }),
  ),
  {
    name: 'an unknown user cannot own a bot',
    as: 'hamlet',
    call: edit({ bot_owner_id: 9999 }),
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
  },
  {
    name: 'a bot is deactivated with is_active false',
    as: 'hamlet',
    call: edit({ is_active: false }),
    returns: { is_active: false },
    events: ({ users }) => ({
      hamlet: [
        { type: 'realm_user', op: 'update', person: { user_id: users.bot, is_active: false } },
        { type: 'realm_bot', op: 'update', bot: { user_id: users.bot, is_active: false } },
        ...memberships('remove_members'),
      ],
    }),
  },
  {
    name: 'a bot of a deactivated owner is reactivated with a new owner',
    as: 'administrator',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.hamlet }),
    call: edit(({ users }) => ({ is_active: true, bot_owner_id: users.cordelia })),
    returns: ({ users }) => ({ is_active: true, owner_id: users.cordelia }),
  },
  {
    name: 'an owner who may not create bots cannot reactivate a bot',
    as: 'hamlet',
    given: async (world) => {
      await world.as('hamlet').bots.deactivate({ bot_id: world.users.bot });
      await world.settings({ can_create_bots_group: 4 });
    },
    call: edit({ is_active: true }),
    refuses: { code: 'BAD_REQUEST', says: /not allowed to create/ },
  },
]);

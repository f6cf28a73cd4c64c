import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const editing = (user: UserName, change: Params) =>
  ['users.edit', ({ users }: World) => ({ user_id: users[user], ...change })] as const;

const updated = (user: UserName, change: object) => (world: World) => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: world.users[user], ...change },
});

const members = (op: 'add_members' | 'remove_members', group_id: number, user_id: number) => ({
  type: 'user_group',
  op,
  group_id,
  user_ids: [user_id],
});

const roleOf = async ({ as, users }: World, user: UserName) =>
  (await as('owner').users.get({ user_id: users[user] })).user.role;

const gives = (as: UserName, user: UserName, role: number): Case => ({
  name: `${as} gives ${user} the role ${role}`,
  as,
  call: editing(user, { role }),
  state: async (world) => assert.equal(await roleOf(world, user), role),
});

const refused = (
  name: string,
  as: UserName,
  user: UserName,
  change: Params,
  more: Partial<Case['refuses']> = {},
): Case => ({
  name,
  as,
  call: editing(user, change),
  refuses: { code: 'BAD_REQUEST', ...more },
});

const ofOwner = { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ };
const letters = (length: number) => 'H'.repeat(length);

const withRight = (world: World) => world.mayChangeAddresses('owner');

export const editUserCases = cases('users.edit', [
  ...[200, 300, 400].map((role) => gives('administrator', role === 300 ? 'hamlet' : 'moderator', role)),
  gives('administrator', 'hamlet', 600),
  gives('administrator', 'guest', 300),
  gives('administrator', 'guest', 400),
  gives('administrator', 'administrator', 400),
  gives('owner', 'secondOwner', 600),
  gives('owner', 'hamlet', 100),
  gives('owner', 'owner', 400),
  gives('owner', 'bot', 600),
  gives('administrator', 'bot', 300),
  gives('administrator', 'deactivated', 600),
  refused('only an owner adds the owner role', 'administrator', 'hamlet', { role: 100 }, ofOwner),
  refused('only an owner removes the owner role', 'administrator', 'secondOwner', { role: 200 }, ofOwner),
  refused(
    'an administrator cannot give themselves the owner role',
    'administrator',
    'administrator',
    { role: 100 },
    ofOwner,
  ),
  refused('a guest cannot be made an organization administrator', 'owner', 'guest', { role: 200 }, { says: /guest/ }),
  refused('a guest cannot be made an owner', 'owner', 'guest', { role: 100 }, { says: /guest/ }),
  {
    ...refused('the owner role cannot be removed from the only owner', 'owner', 'owner', { role: 400 }),
    given: ({ as, users }) => as('owner').users.edit({ user_id: users.secondOwner, role: 400 }),
    refuses: { code: 'BAD_REQUEST', says: /only owner/ },
  },
  {
    name: 'a deactivated owner does not count: the only active owner cannot give up the role',
    as: 'owner',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.secondOwner }),
    call: editing('owner', { role: 400 }),
    refuses: { code: 'BAD_REQUEST', says: /only owner/ },
  },
  {
    name: 'a deactivated owner can lose the owner role when one active owner remains',
    as: 'owner',
    given: ({ as, users }) => as('owner').users.deactivate({ user_id: users.secondOwner }),
    call: editing('secondOwner', { role: 400 }),
    state: async (world) => assert.equal(await roleOf(world, 'secondOwner'), 400),
  },
  {
    name: 'a bot with the owner role does not count: the only human owner cannot give up the role',
    as: 'owner',
    given: async ({ as, users }) => {
      await as('owner').users.edit({ user_id: users.bot, role: 100 });
      await as('owner').users.edit({ user_id: users.secondOwner, role: 400 });
    },
    call: editing('owner', { role: 200 }),
    refuses: { code: 'BAD_REQUEST', says: /only owner/ },
  },
  {
    name: 'a guest becomes an administrator in two steps',
    as: 'owner',
    given: ({ as, users }) => as('owner').users.edit({ user_id: users.guest, role: 400 }),
    call: editing('guest', { role: 200 }),
    state: async (world) => assert.equal(await roleOf(world, 'guest'), 200),
  },
  ...[0, 500, 'boss', null].map((role) =>
    refused(`a role cannot be ${JSON.stringify(role)}`, 'owner', 'hamlet', { role }, { says: /role/ }),
  ),
  refused('a moderator is refused', 'moderator', 'hamlet', { full_name: 'Prince' }),
  refused('a member cannot edit their own account with users.edit', 'hamlet', 'hamlet', { full_name: 'Prince' }),
  refused('a guest is refused', 'guest', 'hamlet', { full_name: 'Prince' }),
  { name: 'the owner of a bot edits its name', as: 'hamlet', call: editing('bot', { full_name: 'Scribe' }) },
  refused(
    'the owner of a bot does not edit its role',
    'hamlet',
    'bot',
    { role: 300 },
    { code: 'UNAUTHORIZED_PRINCIPAL' },
  ),
  {
    name: 'an unknown user is refused',
    as: 'owner',
    call: ['users.edit', { user_id: 9999, role: 300 }],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 9999/ },
  },
  {
    name: 'a system bot is refused as missing',
    as: 'owner',
    call: ['users.edit', { user_id: 1, full_name: 'Other' }],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID 1/ },
  },
  {
    name: 'setting the present role sends no event',
    as: 'owner',
    call: editing('hamlet', { role: 400 }),
    events: () => ({ hamlet: [], guest: [] }),
  },
  {
    name: 'a request without changes succeeds',
    as: 'owner',
    call: editing('hamlet', {}),
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a member made a guest no longer sees public channels without a subscription, and keeps subscribed ones',
    as: 'owner',
    call: editing('cordelia', { role: 600 }),
    events: (world) => {
      const id = world.users.cordelia;
      const told = [
        updated('cordelia', { role: 600 })(world),
        members('remove_members', 5, id),
        members('remove_members', 6, id),
        members('add_members', 7, id),
      ];
      return { hamlet: told, guest: told, administrator: told };
    },
    state: async ({ as, channels }) => {
      const { streams } = await as('cordelia').channels.list();
      const ids = streams.map(({ stream_id }) => stream_id);
      assert.deepEqual(ids.sort(), [channels.public, channels.protected].sort());
    },
  },
  {
    name: 'an administrator made a member no longer sees private channels and bots of others, but keeps own bots',
    as: 'owner',
    given: ({ as }) => as('administrator').bots.create({ full_name: 'Own Bot', short_name: 'own' }),
    call: editing('administrator', { role: 400 }),
    events: (world) => {
      const { users, channels } = world;
      const gone = [channels.shared, channels.protected].map((stream_id) => ({
        type: 'stream',
        op: 'delete',
        stream_ids: [stream_id],
      }));
      const bots = [users.bot, users.webhook].map((user_id) => ({ type: 'realm_bot', op: 'delete', bot: { user_id } }));
      return {
        administrator: [
          { type: 'realm_user', person: { role: 400 } },
          members('remove_members', 3, users.administrator),
          members('add_members', 5, users.administrator),
          members('add_members', 6, users.administrator),
          ...gone,
          ...bots,
        ],
      };
    },
  },
  {
    name: 'a new name is trimmed, and all users get the event',
    as: 'administrator',
    call: editing('cordelia', { full_name: ' Cordelia of France ' }),
    events: (world) => {
      const told = [updated('cordelia', { full_name: 'Cordelia of France' })(world)];
      return { guest: told, cordelia: told };
    },
  },
  { name: 'a name may have 2 characters', as: 'administrator', call: editing('hamlet', { full_name: 'Ha' }) },
  { name: 'a name may have 100 characters', as: 'administrator', call: editing('hamlet', { full_name: letters(100) }) },
  refused('a name of 1 character is refused', 'administrator', 'hamlet', { full_name: 'H' }, { says: /at least 2/ }),
  refused(
    'a name of 101 characters is refused',
    'administrator',
    'hamlet',
    { full_name: letters(101) },
    { says: /100/ },
  ),
  refused('a name with a forbidden character is refused', 'administrator', 'hamlet', { full_name: 'H*mlet' }),
  {
    name: 'a blank name changes nothing',
    as: 'administrator',
    call: editing('hamlet', { full_name: '  ' }),
    events: () => ({ guest: [] }),
  },
  {
    name: 'an administrator changes a name when name changes are disabled',
    as: 'administrator',
    given: ({ settings }) => settings({ name_changes_disabled: true }),
    call: editing('hamlet', { full_name: 'Prince Hamlet' }),
  },
  {
    name: 'a name in use is refused when names must be unique',
    as: 'administrator',
    given: ({ settings }) => settings({ require_unique_names: true }),
    call: editing('hamlet', { full_name: 'CORDELIA' }),
    refuses: { code: 'BAD_REQUEST', says: /taken/ },
  },
  {
    name: 'an invalid name is refused together with the new role in the same request',
    as: 'owner',
    call: editing('hamlet', { role: 300, full_name: 'H' }),
    refuses: { code: 'BAD_REQUEST' },
    events: () => ({ guest: [] }),
    state: async (world) => assert.equal(await roleOf(world, 'hamlet'), 400),
  },
  {
    name: 'an owner with the permission changes an address, and only the new address signs in',
    as: 'owner',
    given: withRight,
    call: editing('hamlet', { new_email: ' Prince@example.com ' }),
    events: (world) => {
      const told = [
        updated('hamlet', { new_email: 'Prince@example.com' })(world),
        updated('hamlet', { delivery_email: 'Prince@example.com' })(world),
      ];
      return { guest: told, hamlet: told, bot: told };
    },
    state: async ({ chat, users, emails }) => {
      const [password, anybody] = ['correct horse battery', chat.anonymous()];
      const { user_id } = await anybody.fetchApiKey({ username: 'prince@EXAMPLE.com', password });
      assert.equal(user_id, users.hamlet);
      await assert.rejects(anybody.fetchApiKey({ username: emails.hamlet, password }), {
        code: 'AUTHENTICATION_FAILED',
      });
    },
  },
  refused(
    'an owner without can_change_user_emails cannot change an address',
    'owner',
    'hamlet',
    { new_email: 'x@example.com' },
    { says: /can_change_user_emails/ },
  ),
  {
    ...refused('an administrator with can_change_user_emails cannot change an address', 'administrator', 'hamlet', {
      new_email: 'x@example.com',
    }),
    given: (world) => world.mayChangeAddresses('administrator'),
  },
  {
    ...refused(
      'an erased account gets no other address, with which it could be reactivated',
      'owner',
      'cordelia',
      { new_email: 'back@example.com' },
      { says: /was erased/ },
    ),
    given: async (world) => {
      await withRight(world);
      await world.as('owner').users.erase({ user_id: world.users.cordelia });
    },
  },
  {
    ...refused(
      'an invalid new address is refused',
      'owner',
      'hamlet',
      { new_email: 'prince' },
      { says: /not an e-mail address/ },
    ),
    given: withRight,
  },
  {
    name: 'the present address is accepted also if it is a placeholder',
    as: 'owner',
    given: async (world) => {
      await withRight(world);
      const delivery_email = 'hamlet@users.invalid';
      await world.storage.write((tx) => tx.users.update(world.users.hamlet, { delivery_email }));
    },
    call: editing('hamlet', { new_email: 'hamlet@users.invalid' }),
    events: () => ({ guest: [] }),
  },
  {
    name: 'an address in use is refused, whatever its case',
    as: 'owner',
    given: withRight,
    call: editing('hamlet', { new_email: 'CORDELIA@example.com' }),
    refuses: { code: 'BAD_REQUEST', says: /already/ },
  },
  {
    name: 'the address of a deactivated account is refused as in use',
    as: 'owner',
    given: withRight,
    call: editing('hamlet', { new_email: 'yorick@example.com' }),
    refuses: { code: 'BAD_REQUEST', says: /already/ },
  },
  {
    name: 'a disposable address is refused by default',
    as: 'owner',
    given: withRight,
    call: editing('hamlet', { new_email: 'hamlet@mailinator.com' }),
    refuses: { code: 'BAD_REQUEST', says: /disposable/ },
  },
  {
    name: 'a disposable address is accepted when the organization allows disposable addresses',
    as: 'owner',
    given: async (world) => {
      await withRight(world);
      await world.settings({ disallow_disposable_email_addresses: false });
    },
    call: editing('hamlet', { new_email: 'hamlet@mailinator.com' }),
    state: async ({ as, users }) => {
      const { user } = await as('owner').users.get({ user_id: users.hamlet });
      assert.equal(user.delivery_email, 'hamlet@mailinator.com');
    },
  },
  {
    name: 'an address can change its case alone',
    as: 'owner',
    given: withRight,
    call: editing('hamlet', { new_email: 'hamlet@example.com' }),
    state: async ({ as, users }) => {
      const { user } = await as('owner').users.get({ user_id: users.hamlet });
      assert.equal(user.delivery_email, 'hamlet@example.com');
    },
  },
  {
    name: 'an owner whose can_change_user_emails was revoked cannot change an address',
    as: 'owner',
    given: async (world) => {
      await withRight(world);
      await world.chat.setSpecialPermission(world.users.owner, 'can_change_user_emails', false);
    },
    call: editing('hamlet', { new_email: 'prince@example.com' }),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'only users who may see a new address get it; a Gravatar avatar changes for all users',
    as: 'owner',
    given: async (world) => {
      await withRight(world);
      await world.as('cordelia').settings.edit({ email_address_visibility: 3 });
      await world.storage.write((tx) => tx.users.update(world.users.cordelia, { avatar_source: 'G' }));
    },
    call: editing('cordelia', { new_email: 'queen@example.com' }),
    events: (world) => ({
      administrator: [updated('cordelia', { delivery_email: 'queen@example.com' })(world)],
      cordelia: [updated('cordelia', { delivery_email: 'queen@example.com' })(world)],
      hamlet: [updated('cordelia', { delivery_email: null })(world)],
    }),
  },
]);

import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { registerPhone } from '../../../world/relay.ts';
import type { World } from '../../../world/world.ts';

const GIVEN = {
  token_kind: 'fcm' as const,
  push_account_id: 2408,
  push_public_key: 'key',
  bouncer_public_key: 'relay',
  encrypted_push_registration: 'box',
};

const devicesOf = async ({ as }: World, user: UserName = 'hamlet') =>
  (await as(user).register({ fetch_event_types: ['push_device'] })).push_devices;
const waiting = ({ storage }: World) => storage.read((tx) => tx.outbox.nextDue('push-registration'));
const PENDING = { 2408: { status: 'pending', error_code: null } };

const refused = (name: string, params: Record<string, unknown>, says: RegExp): Case => ({
  name,
  as: 'hamlet',
  call: ['push.register', { ...GIVEN, ...params }],
  refuses: { code: 'BAD_REQUEST', says },
});
const missing = (name: keyof typeof GIVEN): Case => {
  const { [name]: _, ...rest } = GIVEN;
  return {
    name: `${name} is required`,
    as: 'hamlet',
    call: ['push.register', rest],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: name } },
  };
};
/** The maximum number of devices of a user. */
const fill = async ({ as }: World, from = 1) => {
  for (let id = from; id < from + 50; id++) await as('hamlet').push.register({ ...GIVEN, push_account_id: id });
};

export const registerPushDeviceCases = cases('push.register', [
  {
    name: 'a device is stored for the relay, and only clients of its owner get the event',
    as: 'hamlet',
    call: ['push.register', GIVEN],
    returns: {},
    events: () => ({
      hamlet: [{ type: 'push_device', push_account_id: '2408', status: 'pending' }],
      owner: [],
      cordelia: [],
    }),
    state: async (world) => {
      assert.deepEqual(await devicesOf(world), PENDING);
      assert.deepEqual(await devicesOf(world, 'cordelia'), {});
      assert.ok(await waiting(world));
    },
  },
  {
    name: 'keys and encrypted data are stored without a check',
    as: 'guest',
    call: [
      'push.register',
      {
        ...GIVEN,
        push_account_id: -(2 ** 50),
        push_public_key: '',
        bouncer_public_key: '?',
        encrypted_push_registration: '',
      },
    ],
    returns: {},
    state: async (world) => assert.deepEqual(Object.keys(await devicesOf(world, 'guest')), [String(-(2 ** 50))]),
  },
  {
    name: 'registering a device again changes nothing and sends no event',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').push.register(GIVEN),
    call: ['push.register', { ...GIVEN, token_kind: 'apns', push_public_key: 'other' }],
    returns: {},
    events: () => ({ hamlet: [] }),
    state: async ({ storage, users }) => {
      const [device, ...others] = await storage.read((tx) => tx.pushDevices.of(users.hamlet));
      assert.deepEqual([device?.token_kind, device?.push_public_key, others], ['fcm', 'key', []]);
    },
  },
  {
    name: 'two users can have devices with the same push_account_id',
    as: 'cordelia',
    given: ({ as }) => as('hamlet').push.register(GIVEN),
    call: ['push.register', GIVEN],
    events: () => ({ cordelia: [{ type: 'push_device', status: 'pending' }], hamlet: [] }),
    state: async (world) => assert.deepEqual(await devicesOf(world), await devicesOf(world, 'cordelia')),
  },
  {
    name: 'a failed device can be registered again',
    as: 'hamlet',
    given: async (world) => {
      await world.as('hamlet').push.register(GIVEN);
      await world.chat.runDue();
      assert.deepEqual(await devicesOf(world), { 2408: { status: 'failed', error_code: 'INVALID_PUSH_KEY' } });
    },
    call: ['push.register', { ...GIVEN, push_public_key: 'other' }],
    events: () => ({ hamlet: [{ type: 'push_device', push_account_id: '2408', status: 'pending' }] }),
    state: async (world) => {
      assert.deepEqual(await devicesOf(world), PENDING);
      assert.ok(await waiting(world));
    },
  },
  {
    name: 'a bot is refused whatever the parameters',
    as: 'bot',
    call: ['push.register', {}],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a server without push notifications refuses the request',
    as: 'hamlet',
    pushRelay: false,
    call: ['push.register', GIVEN],
    refuses: { code: 'PUSH_SERVICE_NOT_CONFIGURED' },
  },
  {
    name: 'invalid parameters are refused before the server without push notifications',
    as: 'hamlet',
    pushRelay: false,
    call: ['push.register', { ...GIVEN, token_kind: 'gcm' }],
    refuses: { code: 'BAD_REQUEST', says: /token_kind.* must be one of/ },
  },
  ...(Object.keys(GIVEN) as (keyof typeof GIVEN)[]).map(missing),
  refused('an unknown service is refused', { token_kind: 'web' }, /token_kind.* must be one of fcm, apns/),
  refused('a push_account_id that is not a number is refused', { push_account_id: 'x' }, /push_account_id/),
  refused(
    'a push_account_id that is not an integer is refused',
    { push_account_id: 1.5 },
    /push_account_id.* must be an integer/,
  ),
  refused('a push_account_id beyond the safe integers is refused', { push_account_id: 2 ** 53 }, /push_account_id/),
  refused('a key that is too long is refused', { push_public_key: 'k'.repeat(201) }, /limit: 200/),
  refused('a relay key that is too long is refused', { bouncer_public_key: 'k'.repeat(201) }, /limit: 200/),
  refused(
    'a registration that is too long is refused',
    { encrypted_push_registration: 'x'.repeat(10_001) },
    /limit: 10000/,
  ),
  refused('a key with a NUL character is refused', { push_public_key: 'a\0b' }, /NUL/),
  {
    name: 'more than fifty devices of one user are refused',
    as: 'hamlet',
    given: fill,
    call: ['push.register', GIVEN],
    refuses: { code: 'BAD_REQUEST', says: /at most 50 devices/ },
  },
  {
    name: 'a registered device can be registered again when the limit is reached',
    as: 'hamlet',
    given: (world) => fill(world, 2400),
    call: ['push.register', GIVEN],
    returns: {},
  },
]);

export const sendTestNotificationCases = cases('push.sendTest', [
  {
    name: 'a test notification succeeds when the relay accepts it',
    as: 'hamlet',
    given: (world) => registerPhone(world, 'hamlet'),
    call: ['push.sendTest'],
    returns: {},
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a test notification is sent to the given device',
    as: 'hamlet',
    given: async (world) => {
      world.kept.phone = (await registerPhone(world, 'hamlet')).push_account_id;
    },
    call: ['push.sendTest', ({ kept: { phone } }) => ({ push_account_id: phone })],
    returns: {},
  },
  {
    name: 'a user without a device is refused',
    as: 'hamlet',
    given: (world) => registerPhone(world, 'cordelia'),
    call: ['push.sendTest'],
    refuses: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  },
  {
    name: 'a device that waits for the relay is refused',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').push.register(GIVEN),
    call: ['push.sendTest', { push_account_id: 2408 }],
    refuses: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  },
  {
    name: 'a failed device is refused',
    as: 'hamlet',
    given: async ({ as, chat }) => {
      await as('hamlet').push.register(GIVEN);
      await chat.runDue();
    },
    call: ['push.sendTest'],
    refuses: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  },
  {
    name: 'an unknown device is refused',
    as: 'hamlet',
    given: (world) => registerPhone(world, 'hamlet'),
    call: ['push.sendTest', { push_account_id: 1 }],
    refuses: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  },
  {
    name: 'a device of another user is refused as missing',
    as: 'cordelia',
    given: async (world) => {
      await registerPhone(world, 'cordelia');
      world.kept.phone = (await registerPhone(world, 'hamlet')).push_account_id;
    },
    call: ['push.sendTest', ({ kept: { phone } }) => ({ push_account_id: phone })],
    refuses: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  },
  {
    name: 'a user without devices is refused before the relay is checked',
    as: 'hamlet',
    pushRelay: false,
    call: ['push.sendTest'],
    refuses: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  },
  { name: 'a bot is refused', as: 'bot', call: ['push.sendTest'], refuses: { code: 'BAD_REQUEST' } },
  {
    name: 'a push_account_id that is not a number is refused',
    as: 'hamlet',
    call: ['push.sendTest', { push_account_id: 'x' }],
    refuses: { code: 'BAD_REQUEST', says: /push_account_id/ },
  },
]);

import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const APNS = { token: 'c0ffee', appid: 'com.example.chat' };

const tokensOf = ({ storage, users }: World, user: UserName = 'hamlet') =>
  storage.read(async (tx) =>
    (await tx.pushTokens.of(users[user])).map(({ kind, token, ios_app_id }) => [kind, token, ios_app_id]),
  );

type Name = 'push.addApnsToken' | 'push.addFcmToken' | 'push.removeApnsToken' | 'push.removeFcmToken';

const refused = (operation: Name, name: string, params: Record<string, unknown>, says: RegExp): Case => ({
  name,
  as: 'hamlet',
  call: [operation, params],
  refuses: { code: 'BAD_REQUEST', says },
});
const invalidTokens = (operation: Name, more: Record<string, unknown> = {}): Case[] => [
  refused(operation, 'an empty token is refused', { ...more, token: '' }, /must not be empty/),
  refused(operation, 'a token of more than 4096 characters is refused', { ...more, token: 'a'.repeat(4_098) }, /4096/),
  {
    name: 'a request without a token is refused',
    as: 'hamlet',
    call: [operation, more],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'token' } },
  },
  {
    name: 'a bot is refused',
    as: 'bot',
    call: [operation, { ...more, token: 'aa' }],
    refuses: { code: 'BAD_REQUEST' },
  },
];
const added = (name: string, token: string, stored = token): Case => ({
  name,
  as: 'hamlet',
  call: ['push.addApnsToken', { ...APNS, token }],
  returns: {},
  events: () => ({ hamlet: [] }),
  state: async (world) => assert.deepEqual(await tokensOf(world), [['apns', stored, 'com.example.chat']]),
});

export const addApnsTokenCases = cases('push.addApnsToken', [
  added('D10: a hexadecimal token is stored in lower case, without an event', 'c0FFee', 'c0ffee'),
  added('D10: the case of a base64 token is kept', 'ABcd'.concat('wP/u')),
  {
    name: 'D10: a hexadecimal token added again in the other case is one device',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').push.addApnsToken({ ...APNS, token: 'C0FFEE' }),
    call: ['push.addApnsToken', APNS],
    state: async (world) => assert.deepEqual(await tokensOf(world), [['apns', 'c0ffee', 'com.example.chat']]),
  },
  added('a base64 token is stored', 'wP/ujg=='),
  {
    name: 'a token added again is stored once, with its new app',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').push.addApnsToken(APNS),
    call: ['push.addApnsToken', { ...APNS, appid: 'com.example.other' }],
    returns: {},
    state: async (world) => assert.deepEqual(await tokensOf(world), [['apns', 'c0ffee', 'com.example.other']]),
  },
  {
    name: 'two users can have the same token, and of both kinds',
    as: 'cordelia',
    given: async ({ as }) => {
      await as('hamlet').push.addApnsToken(APNS);
      await as('cordelia').push.addFcmToken(APNS);
    },
    call: ['push.addApnsToken', APNS],
    state: async (world) => {
      assert.equal((await tokensOf(world)).length, 1);
      assert.deepEqual(
        (await tokensOf(world, 'cordelia')).map(([kind]) => kind),
        ['apns', 'fcm'],
      );
    },
  },
  {
    name: 'a token is stored on a server without a relay',
    as: 'hamlet',
    pushRelay: false,
    call: ['push.addApnsToken', APNS],
    returns: {},
    state: async (world) => assert.equal((await tokensOf(world)).length, 1),
  },
  ...invalidTokens('push.addApnsToken', { appid: 'com.example.chat' }),
  refused(
    'push.addApnsToken',
    'a token that is neither hexadecimal nor base64 is refused',
    { ...APNS, token: 'zz!' },
    /not a token/,
  ),
  refused('push.addApnsToken', 'a token of half a byte is refused', { ...APNS, token: 'abc' }, /not a token/),
  refused('push.addApnsToken', 'an app ID that is a path is refused', { ...APNS, appid: '../x' }, /appid can contain/),
  refused('push.addApnsToken', 'an empty app ID is refused', { ...APNS, appid: '' }, /appid can contain/),
  {
    name: 'a request without an app ID is refused',
    as: 'hamlet',
    call: ['push.addApnsToken', { token: 'c0ffee' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'appid' } },
  },
  {
    name: 'more than fifty tokens of one user are refused',
    as: 'hamlet',
    given: ({ storage, users: { hamlet: user_id } }) =>
      storage.write(async (tx) => {
        for (let n = 0; n < 50; n++)
          await tx.pushTokens.add({ user_id, kind: 'fcm', token: String(n), ios_app_id: null });
      }),
    call: ['push.addApnsToken', APNS],
    refuses: { code: 'BAD_REQUEST', says: /at most 50/ },
  },
]);

export const addFcmTokenCases = cases('push.addFcmToken', [
  {
    name: 'a token of any characters is stored',
    as: 'guest',
    call: ['push.addFcmToken', { token: 'x:y/z_é' }],
    returns: {},
    state: async (world) => assert.deepEqual(await tokensOf(world, 'guest'), [['fcm', 'x:y/z_é', null]]),
  },
  ...invalidTokens('push.addFcmToken'),
]);

const inOtherCase: Case = {
  name: 'D10: a hexadecimal token is removed in the other case',
  as: 'hamlet',
  given: ({ as }) => as('hamlet').push.addApnsToken(APNS),
  call: ['push.removeApnsToken', { token: 'C0FFEE' }],
  state: async (world) => assert.deepEqual(await tokensOf(world), []),
};

const removing = (operation: 'push.removeApnsToken' | 'push.removeFcmToken', kind: 'apns' | 'fcm'): Case[] => [
  {
    name: 'the token is removed; tokens of other users and of the other kind stay',
    as: 'hamlet',
    given: async ({ as }) => {
      for (const user of ['hamlet', 'cordelia'] as const) {
        await as(user).push.addApnsToken(APNS);
        await as(user).push.addFcmToken({ token: APNS.token });
      }
    },
    call: [operation, { token: APNS.token }],
    returns: {},
    state: async (world) => {
      assert.deepEqual(
        (await tokensOf(world)).map(([left]) => left),
        [kind === 'apns' ? 'fcm' : 'apns'],
      );
      assert.equal((await tokensOf(world, 'cordelia')).length, 2);
    },
  },
  {
    name: 'an unknown token is refused',
    as: 'hamlet',
    given: ({ as }) => as('cordelia').push.addApnsToken(APNS),
    call: [operation, { token: APNS.token }],
    refuses: { code: 'BAD_REQUEST', says: /no device with this token/ },
  },
  ...invalidTokens(operation),
];

export const sendPlainTestNotificationCases = cases('push.sendPlainTest', [
  {
    name: 'B11: a test notification to all tokens succeeds when the relay accepts it',
    as: 'hamlet',
    given: async ({ as }) => {
      await as('hamlet').push.addApnsToken(APNS);
      await as('hamlet').push.addFcmToken({ token: 'x' });
    },
    call: ['push.sendPlainTest'],
    returns: {},
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'B11: an Apple token is found in either case',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').push.addApnsToken(APNS),
    call: ['push.sendPlainTest', { token: 'C0FFEE' }],
    returns: {},
  },
  { name: 'B11: a user without devices succeeds', as: 'hamlet', call: ['push.sendPlainTest'], returns: {} },
  {
    name: 'B11: an unknown token is refused',
    as: 'hamlet',
    given: ({ as }) => as('cordelia').push.addApnsToken(APNS),
    call: ['push.sendPlainTest', { token: APNS.token }],
    refuses: { code: 'INVALID_PUSH_DEVICE_TOKEN', says: /no device with this token/ },
  },
  {
    name: 'B11: without a relay a test notification is refused',
    as: 'hamlet',
    pushRelay: false,
    given: ({ as }) => as('hamlet').push.addApnsToken(APNS),
    call: ['push.sendPlainTest'],
    refuses: { code: 'ADMIN_ACTION_REQUIRED', status: 403 },
  },
  { name: 'B11: a bot is refused', as: 'bot', call: ['push.sendPlainTest'], refuses: { code: 'BAD_REQUEST' } },
]);

export const removeApnsTokenCases = cases('push.removeApnsToken', [
  ...removing('push.removeApnsToken', 'apns'),
  inOtherCase,
]);
export const removeFcmTokenCases = cases('push.removeFcmToken', removing('push.removeFcmToken', 'fcm'));

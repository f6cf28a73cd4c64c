import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const { public: DENMARK, quiet: NORWAY, shared: COUNCIL, archived: RUINS } = CHANNELS;

/** The channels of these cases to which Cordelia is subscribed. */
const readByCordelia = async ({ as }: World) => {
  const { subscriptions } = await as('cordelia').subscriptions.list();
  return subscriptions
    .map(({ name }) => name)
    .filter((name) => [DENMARK, NORWAY, COUNCIL, 'Wittenberg'].includes(name));
};
const isUnchanged = async (world: World) => assert.deepEqual(await readByCordelia(world), [DENMARK]);

export const updateSubscriptionsCases = cases('subscriptions.update', [
  {
    name: 'a user joins some channels and leaves others in one request',
    as: 'cordelia',
    call: ['subscriptions.update', { add: [{ name: NORWAY, color: '#123456' }], delete: [DENMARK] }],
    returns: ({ users }) => ({
      subscribed: { [users.cordelia]: [NORWAY] },
      already_subscribed: {},
      removed: [DENMARK],
      not_removed: [],
      unauthorized: ABSENT,
    }),
    events: ({ users, channels }) => ({
      cordelia: [
        { type: 'subscription', op: 'add', subscriptions: [{ stream_id: channels.quiet, color: '#123456' }] },
        { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: channels.public }] },
        { type: 'update_message_flags', op: 'add', flag: 'read' },
      ],
      hamlet: [
        { type: 'subscription', op: 'peer_add', stream_ids: [channels.quiet], user_ids: [users.cordelia] },
        { type: 'subscription', op: 'peer_remove', stream_ids: [channels.public], user_ids: [users.cordelia] },
      ],
      guest: [],
    }),
    state: async (world) => assert.deepEqual(await readByCordelia(world), [NORWAY]),
  },
  {
    name: 'a request with only channels to join succeeds',
    as: 'cordelia',
    call: ['subscriptions.update', { add: [{ name: NORWAY }, { name: DENMARK }] }],
    returns: ({ users }) => ({
      subscribed: { [users.cordelia]: [NORWAY] },
      already_subscribed: { [users.cordelia]: [DENMARK] },
      removed: [],
      not_removed: [],
    }),
  },
  {
    name: 'a request with only channels to leave succeeds',
    as: 'cordelia',
    call: ['subscriptions.update', { delete: [NORWAY, DENMARK] }],
    returns: { subscribed: {}, already_subscribed: {}, removed: [DENMARK], not_removed: [NORWAY] },
  },
  {
    name: 'a channel that does not exist is created, and is public',
    as: 'cordelia',
    call: [
      'subscriptions.update',
      { add: [{ name: 'Wittenberg', description: 'Where one studies' }], delete: [DENMARK] },
    ],
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: ['Wittenberg'] }, removed: [DENMARK] }),
    state: async ({ as }) => {
      const { streams } = await as('hamlet').channels.list();
      const made = streams.find(({ name }) => name === 'Wittenberg');
      assert.deepEqual([made?.invite_only, made?.description], [false, 'Where one studies']);
    },
  },
  {
    name: 'a channel in both lists is unsubscribed',
    as: 'cordelia',
    call: ['subscriptions.update', { add: [{ name: NORWAY }], delete: [NORWAY] }],
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: [NORWAY] }, removed: [NORWAY] }),
    state: isUnchanged,
  },
  {
    name: 'a channel the caller may not join is refused, and nothing changes',
    as: 'cordelia',
    call: ['subscriptions.update', { add: [{ name: NORWAY }, { name: COUNCIL }], delete: [DENMARK] }],
    refuses: { code: 'BAD_REQUEST', says: /not allowed to subscribe to "Council"/ },
    events: () => ({ cordelia: [], hamlet: [] }),
    state: isUnchanged,
  },
  {
    name: 'a missing channel to leave is refused, and nothing changes',
    as: 'cordelia',
    call: ['subscriptions.update', { add: [{ name: NORWAY }, { name: 'Wittenberg' }], delete: [DENMARK, 'Elba'] }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'Elba' } },
    events: () => ({ cordelia: [], hamlet: [] }),
    state: async (world) => {
      await isUnchanged(world);
      const { streams } = await world.as('owner').channels.list();
      assert.ok(!streams.some(({ name }) => name === 'Wittenberg'));
    },
  },
  {
    name: 'an archived channel can be left, and not joined',
    as: 'hamlet',
    call: ['subscriptions.update', { add: [{ name: RUINS }], delete: [RUINS] }],
    refuses: { code: 'BAD_REQUEST', says: /"Ruins"/ },
  },
  {
    name: 'two empty lists are refused',
    as: 'cordelia',
    call: ['subscriptions.update', { add: [], delete: [] }],
    refuses: { code: 'BAD_REQUEST', says: /No channels given/ },
  },
  {
    name: 'a request without parameters is refused like two empty lists',
    as: 'cordelia',
    call: ['subscriptions.update', {}],
    refuses: { code: 'BAD_REQUEST', says: /No channels given/ },
  },
  {
    name: 'channels to join are objects with a name',
    as: 'cordelia',
    call: ['subscriptions.update', { add: [NORWAY] }],
    refuses: { code: 'BAD_REQUEST', says: /add\[0\]/ },
  },
  {
    name: 'a guest is refused',
    as: 'guest',
    call: ['subscriptions.update', { delete: [CHANNELS.default] }],
    refuses: { code: 'BAD_REQUEST', says: /[Gg]uest/ },
  },
]);

import { type Attacks, numbers, pick, randomName, some } from './attack.ts';

/** Channels, subscriptions and register. */
export const CHANNELS: Attacks = {
  'subscribe 1,000 users to 10 channels': ({ rooms, people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: some(rooms, 10).map((name) => ({ name })), principals: some(people, 1_000) },
  }),
  'subscribe all users to all channels, above the limit': ({ rooms, people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: rooms.map((name) => ({ name })), principals: people },
  }),
  'subscribe to all channels': ({ rooms }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: rooms.map((name) => ({ name })) },
  }),
  'unsubscribe from all channels': ({ rooms }) => ({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    fields: { subscriptions: [...rooms, 'open'] },
  }),
  'subscribe to three channels again': () => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: ['open', 'noise', 'topics'].map((name) => ({ name })) },
  }),
  'subscribe to 500 channels and unsubscribe from the others': ({ rooms }) => ({
    method: 'PATCH',
    path: '/users/me/subscriptions',
    fields: { add: rooms.slice(0, 500).map((name) => ({ name })), delete: rooms.slice(500) },
  }),
  'create 10 channels with 500 subscribers': ({ people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: numbers(10).map(() => ({ name: randomName('new') })), principals: some(people, 500) },
  }),
  'create a channel with all users': ({ people }) => ({
    method: 'POST',
    path: '/channels/create',
    fields: { name: randomName('own'), subscribers: people.slice(0, 10_000), invite_only: pick([true, false]) },
  }),
  'set 1,000 channel colors': ({ open, topics, noise }) => ({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    fields: {
      subscription_data: numbers(1_000).map(() => ({
        stream_id: pick([open, topics, noise]),
        property: 'color',
        value: '#c2c2c2',
      })),
    },
  }),
  'mute or unmute a channel': ({ open }) => ({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    fields: { subscription_data: [{ stream_id: open, property: 'is_muted', value: pick([true, false]) }] },
  }),
  'register with all state': () => ({ method: 'POST', path: '/register', fields: { client_capabilities: {} } }),
  'register with subscribers': () => ({
    method: 'POST',
    path: '/register',
    fields: { include_subscribers: true, fetch_event_types: ['subscription', 'realm_user', 'message'] },
  }),
  'register a queue with all_public_streams': () => ({
    method: 'POST',
    path: '/register',
    fields: { event_types: ['message'], all_public_streams: true, fetch_event_types: [] },
  }),
  'register a queue with a narrow': () => ({
    method: 'POST',
    path: '/register',
    fields: {
      event_types: ['message'],
      narrow: [['search', 'more']],
      fetch_event_types: [],
      queue_lifespan_secs: 604_800,
    },
  }),
  'list all users': () => ({ method: 'GET', path: '/users', fields: { include_custom_profile_fields: true } }),
  'list all channels': () => ({
    method: 'GET',
    path: '/streams',
    fields: { include_all: true, include_subscribed: true, include_default: true },
  }),
  'list subscriptions with subscribers': () => ({
    method: 'GET',
    path: '/users/me/subscriptions',
    fields: { include_subscribers: true },
  }),
  'list subscribers of the largest channel': ({ open }) => ({ method: 'GET', path: `/streams/${open}/members` }),
};

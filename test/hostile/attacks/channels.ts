import { type Attacks, numbers, pick, randomName, some } from './attack.ts';

/** Channels, subscriptions, and what a client begins with. */
export const CHANNELS: Attacks = {
  'many into many channels': ({ rooms, people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: some(rooms, 10).map((name) => ({ name })), principals: some(people, 1_000) },
  }),
  'too many into too many channels': ({ rooms, people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: rooms.map((name) => ({ name })), principals: people },
  }),
  'into all channels': ({ rooms }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: rooms.map((name) => ({ name })) },
  }),
  'out of all channels': ({ rooms }) => ({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    fields: { subscriptions: [...rooms, 'open'] },
  }),
  'back again': () => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: ['open', 'noise', 'topics'].map((name) => ({ name })) },
  }),
  'into all channels and out of all others': ({ rooms }) => ({
    method: 'PATCH',
    path: '/users/me/subscriptions',
    fields: { add: rooms.slice(0, 500).map((name) => ({ name })), delete: rooms.slice(500) },
  }),
  'new channels': ({ people }) => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: numbers(10).map(() => ({ name: randomName('new') })), principals: some(people, 500) },
  }),
  'a channel for everybody': ({ people }) => ({
    method: 'POST',
    path: '/channels/create',
    fields: { name: randomName('own'), subscribers: people.slice(0, 10_000), invite_only: pick([true, false]) },
  }),
  'the colours of all channels': ({ open, topics, noise }) => ({
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
  'a channel muted': ({ open }) => ({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    fields: { subscription_data: [{ stream_id: open, property: 'is_muted', value: pick([true, false]) }] },
  }),
  'all that there is': () => ({ method: 'POST', path: '/register', fields: { client_capabilities: {} } }),
  'all that there is, with subscribers': () => ({
    method: 'POST',
    path: '/register',
    fields: { include_subscribers: true, fetch_event_types: ['subscription', 'realm_user', 'message'] },
  }),
  'a queue for everything public': () => ({
    method: 'POST',
    path: '/register',
    fields: { event_types: ['message'], all_public_streams: true, fetch_event_types: [] },
  }),
  'a queue for a narrow': () => ({
    method: 'POST',
    path: '/register',
    fields: {
      event_types: ['message'],
      narrow: [['search', 'more']],
      fetch_event_types: [],
      queue_lifespan_secs: 604_800,
    },
  }),
  people: () => ({ method: 'GET', path: '/users', fields: { include_custom_profile_fields: true } }),
  'all channels, with all that is known': () => ({
    method: 'GET',
    path: '/streams',
    fields: { include_all: true, include_subscribed: true, include_default: true },
  }),
  'subscriptions with subscribers': () => ({
    method: 'GET',
    path: '/users/me/subscriptions',
    fields: { include_subscribers: true },
  }),
  'subscribers of the largest channel': ({ open }) => ({ method: 'GET', path: `/streams/${open}/members` }),
};

import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { SUBSCRIPTION_KEYS } from '../../../world/event-keys.ts';

export const listSubscriptionsCases = cases('subscriptions.list', [
  {
    name: 'the list has the subscribed channels of the caller, without archived ones',
    as: 'hamlet',
    call: ['subscriptions.list'],
    returns: ({ channels }) => ({
      subscriptions: [
        { stream_id: channels.public },
        { stream_id: channels.webPublic },
        { stream_id: channels.shared },
        { stream_id: channels.default },
      ],
    }),
  },
  {
    name: 'a subscription has exactly the keys clients know',
    as: 'hamlet',
    call: ['subscriptions.list'],
    returns: {
      subscriptions: (subscriptions: object[]) => {
        for (const one of subscriptions) assert.deepEqual(Object.keys(one).sort(), [...SUBSCRIPTION_KEYS].sort());
        return true;
      },
    },
  },
  {
    name: 'a new subscription inherits its notification settings',
    as: 'administrator',
    call: ['subscriptions.list'],
    returns: {
      subscriptions: [
        {
          color: /^#[0-9a-f]{6}$/,
          is_muted: false,
          in_home_view: true,
          pin_to_top: false,
          desktop_notifications: null,
          audible_notifications: null,
          push_notifications: null,
          email_notifications: null,
          wildcard_mentions_notify: null,
        },
      ],
    },
  },
  {
    name: 'include_subscribers adds the subscribers',
    as: 'administrator',
    call: ['subscriptions.list', { include_subscribers: true }],
    returns: ({ users }) => ({ subscriptions: [{ subscribers: [users.administrator, users.hamlet, users.cordelia] }] }),
  },
  {
    name: 'include_subscribers partial adds all subscribers of a small channel',
    as: 'administrator',
    only: 'HTTP',
    call: ['subscriptions.list', { include_subscribers: '"partial"' }],
    returns: ({ users }) => ({ subscriptions: [{ subscribers: [users.administrator, users.hamlet, users.cordelia] }] }),
  },
  {
    name: 'a bot without subscriptions gets an empty list',
    as: 'bot',
    call: ['subscriptions.list'],
    returns: { subscriptions: [] },
  },
]);

import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const setting = (property: string, value: unknown) =>
  [
    'subscriptions.updateProperties',
    ({ channels }: World) => ({ subscription_data: [{ stream_id: channels.public, property, value }] }),
  ] as const;

const sets = (property: string, value: unknown, ...told: [string, unknown][]): Case => ({
  name: `sets ${property} to ${value} and tells the user alone`,
  as: 'cordelia',
  call: setting(property, value),
  events: ({ channels }) => ({
    cordelia: told.map(([name, shown]) => ({
      type: 'subscription',
      op: 'update',
      stream_id: channels.public,
      property: name,
      value: shown,
    })),
    hamlet: [],
  }),
});

const refused = (name: string, call: Case['call']): Case => ({
  name,
  as: 'cordelia',
  call,
  refuses: { code: 'BAD_REQUEST' },
});

export const updateSubscriptionPropertiesCases = cases('subscriptions.updateProperties', [
  sets('color', '#ABCDEF', ['color', '#abcdef']),
  sets('color', '#AbC', ['color', '#aabbcc']),
  sets('is_muted', true, ['is_muted', true], ['in_home_view', false]),
  sets('in_home_view', false, ['is_muted', true], ['in_home_view', false]),
  ...[
    'pin_to_top',
    'desktop_notifications',
    'audible_notifications',
    'push_notifications',
    'email_notifications',
    'wildcard_mentions_notify',
  ].map((property) => sets(property, true, [property, true])),
  refused('a colour is no boolean', setting('color', true)),
  refused('a colour is written in hexadecimal digits', setting('color', 'red')),
  refused('a switch is no text', setting('pin_to_top', 'yes')),
  refused('an unknown property is refused', setting('size', true)),
  refused('a channel one is not subscribed to is refused', [
    'subscriptions.updateProperties',
    ({ channels }) => ({ subscription_data: [{ stream_id: channels.quiet, property: 'pin_to_top', value: true }] }),
  ]),
  refused('one wrong change undoes the others', [
    'subscriptions.updateProperties',
    ({ channels }) => ({
      subscription_data: [
        { stream_id: channels.public, property: 'pin_to_top', value: true },
        { stream_id: channels.quiet, property: 'pin_to_top', value: true },
      ],
    }),
  ]),
]);

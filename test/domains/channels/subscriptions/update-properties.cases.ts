import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const setting = (property: string, value: unknown) =>
  [
    'subscriptions.updateProperties',
    ({ channels }: World) => ({ subscription_data: [{ stream_id: channels.public, property, value }] }),
  ] as const;

const sets = (property: string, value: unknown, ...told: [string, unknown][]): Case => ({
  name: `${property} is set to ${value}, and only the user gets the event`,
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
  refused('a boolean color is refused', setting('color', true)),
  refused('a color without hexadecimal digits is refused', setting('color', 'red')),
  refused('a text for a boolean property is refused', setting('pin_to_top', 'yes')),
  refused('an unknown property is refused', setting('size', true)),
  refused('a channel without a subscription is refused', [
    'subscriptions.updateProperties',
    ({ channels }) => ({ subscription_data: [{ stream_id: channels.quiet, property: 'pin_to_top', value: true }] }),
  ]),
  refused('one invalid change undoes the other changes', [
    'subscriptions.updateProperties',
    ({ channels }) => ({
      subscription_data: [
        { stream_id: channels.public, property: 'pin_to_top', value: true },
        { stream_id: channels.quiet, property: 'pin_to_top', value: true },
      ],
    }),
  ]),
]);

import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';

const payload = '{"text": "y"}';

export const matrix: PlainCalls = {
  'webhooks.receive': ({ channels }) => ({
    format: 'slack_incoming',
    payload,
    channel: channels.public,
    topic: 'x',
  }),
};

export const changes: Changes = {
  'webhooks.receive': {
    'a message in a channel, and one to the owner': async ({ as }) => {
      await as('webhook').webhooks.receive({ format: 'json', payload: '[1]', channel: 'Denmark', topic: 'alerts' });
      await as('webhook').webhooks.receive({ format: 'slack_incoming', payload });
    },
  },
};

export const statements: ScalingCalls = {
  'webhooks.receive': ({ world, crowded }) =>
    world.as('webhook').webhooks.receive({ format: 'slack_incoming', payload, channel: crowded, topic: 'x' }),
};

import { channelNames, userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';

const channels = { parameter: 'subscriptions', label: 'CHANNEL' } as const;

export const subscriptions = commands('subscriptions', 'Who reads which channel', {
  list: { columns: { subscriptions: ['stream_id', 'name', 'is_muted', 'pin_to_top', 'description'] } },
  get: {
    args: ['user_id', 'stream_id'],
    async done({ session, parameters: { user_id, stream_id }, answer }) {
      const [user, channel] = [await userNames(session, [user_id]), await channelNames(session, [stream_id])];
      return `${user(user_id)} is ${answer.is_subscribed ? '' : 'not '}subscribed to "${channel(stream_id)}".`;
    },
    examples: ['subscriptions get ben@example.com general'],
  },
  add: {
    args: [channels],
    parsers: { subscriptions: 'named objects' },
    examples: ['subscriptions add general lunch', 'subscriptions add general --principals ben@example.com'],
  },
  remove: {
    args: [channels],
    examples: ['subscriptions remove lunch', 'subscriptions remove lunch --principals ben@example.com'],
  },
});

import { commands } from '../operations/metadata.ts';

const channels = { parameter: 'subscriptions', label: 'CHANNEL' } as const;

export const subscriptions = commands('subscriptions', 'Who reads which channel', {
  list: { columns: { subscriptions: ['stream_id', 'name', 'is_muted', 'pin_to_top', 'description'] } },
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

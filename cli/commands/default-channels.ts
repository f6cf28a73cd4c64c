import { commands } from '../operations/metadata.ts';

export const defaultChannels = commands('defaultChannels', 'Channels that new people are subscribed to', {
  add: { args: ['stream_id'] },
  remove: { args: ['stream_id'] },
});

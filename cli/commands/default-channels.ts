import type { Session } from '../../lib/index.ts';
import { channelNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';

export const defaultChannels = commands('defaultChannels', 'Channels that new people are subscribed to', {
  add: {
    args: ['stream_id'],
    done: async ({ session, parameters: { stream_id: id } }) =>
      `New people are subscribed to "${await nameOf(session, id)}".`,
    examples: ['default-channels add general'],
  },
  remove: {
    undo: 'default-channels add',
    args: ['stream_id'],
    done: async ({ session, parameters: { stream_id: id } }) =>
      `New people are subscribed to "${await nameOf(session, id)}" no more.`,
    examples: ['default-channels remove general'],
  },
});

async function nameOf(session: Session, id: number): Promise<string> {
  return (await channelNames(session, [id]))(id);
}

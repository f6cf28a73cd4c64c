import type { Session } from '../../lib/index.ts';
import { channelNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';

export const defaultChannels = commands('defaultChannels', 'Channels for new users', {
  add: {
    args: ['stream_id'],
    done: async ({ session, parameters: { stream_id: id } }) =>
      `New users will be subscribed to "${await nameOf(session, id)}".`,
    examples: ['default-channels add general'],
  },
  remove: {
    undo: 'default-channels add',
    args: ['stream_id'],
    done: async ({ session, parameters: { stream_id: id } }) =>
      `New users will no longer be subscribed to "${await nameOf(session, id)}".`,
    examples: ['default-channels remove general'],
  },
});

async function nameOf(session: Session, id: number): Promise<string> {
  return (await channelNames(session, [id]))(id);
}

import type { Session } from '../../lib/index.ts';
import { channelNames, namesAndAddresses } from '../lookups.ts';
import { kebab } from '../names.ts';
import { commands } from '../operations/metadata.ts';
import { details } from '../output/details.ts';
import { oneLine } from '../output/sanitize.ts';
import { withHolderNames } from '../permission-names.ts';

export const channels = commands('channels', 'Channels and their settings', {
  list: {
    columns: { streams: ['stream_id', 'name', 'subscriber_count', 'invite_only', 'is_archived', 'description'] },
    empty({ parameters }) {
      const given = Object.entries(parameters).map(([name, value]) => `--${value ? '' : 'no-'}${kebab(name)}`);
      return `There are no channels that you can see${given.length === 0 ? '' : ` with ${given.join(' ')}`}.`;
    },
  },
  get: {
    args: ['stream_id'],
    done: async ({ session, answer: { stream }, terminal }) =>
      details(await withHolderNames(session, stream), terminal),
    examples: ['channels get general'],
  },
  getId: { args: [{ parameter: 'stream', label: 'NAME' }] },
  create: {
    args: ['name'],
    defaults: { subscribers: [] },
    done({ parameters: { name, subscribers }, answer: { id } }) {
      const readers = [...new Set(subscribers)].length;
      const to = readers === 0 ? 'nobody' : readers === 1 ? '1 person' : `${readers} people`;
      return `Created the channel "${oneLine(name.trim())}" (ID ${id}) and subscribed ${to}.`;
    },
    examples: [
      'channels create general --subscribers ada@example.com,ben@example.com',
      'channels create board --invite-only',
    ],
  },
  edit: {
    args: ['stream_id'],
    async before({ session, parameters: { stream_id, ...change } }) {
      const name = await nameOf(session, stream_id);
      return async () => {
        const what = Object.keys(change);
        if (what.length === 0) return `Nothing was changed of ${name}.`;
        const now = change.new_name === undefined ? name : await nameOf(session, stream_id);
        return `Changed ${name}: ${what.join(', ')}.${name === now ? '' : ` It is called ${now} now.`}`;
      };
    },
    examples: [
      'channels edit general --description "News for everybody"',
      'channels edit general --can-send-message-group role:moderators',
    ],
    variants: {
      unarchive: {
        summary: 'Bring an archived channel back',
        args: ['stream_id'],
        defaults: { is_archived: false },
        only: ['stream_id'],
        done: async ({ session, parameters: { stream_id } }) =>
          `The channel ${await nameOf(session, stream_id)} is in use again.`,
        examples: ['channels unarchive lunch'],
      },
    },
  },
  archive: {
    args: ['stream_id'],
    confirm: 'Archive this channel?',
    async before({ session, parameters }) {
      const name = await nameOf(session, parameters.stream_id);
      return () => `Archived the channel ${name}.`;
    },
    examples: ['channels archive lunch', 'channels archive lunch --dry-run', 'channels archive lunch --yes'],
  },
  subscribers: {
    args: ['stream_id'],
    async done({ session, answer: { subscribers } }) {
      const name = await namesAndAddresses(session, subscribers);
      return subscribers.map(name).join('\n');
    },
    empty: async ({ session, parameters }) => `Nobody is subscribed to ${await nameOf(session, parameters.stream_id)}.`,
    examples: ['channels subscribers general'],
  },
});

async function nameOf(session: Session, id: number): Promise<string> {
  return `"${(await channelNames(session, [id]))(id)}"`;
}

import type { Session } from '../../lib/index.ts';
import { channelNames, namesAndAddresses } from '../lookups.ts';
import { kebab } from '../names.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';
import { details } from '../output/table.ts';
import { withHolderNames } from '../permission-names.ts';

export const channels = commands('channels', 'Channels and their settings', {
  list: {
    columns: { streams: ['stream_id', 'name', 'subscriber_count', 'invite_only', 'is_archived', 'description'] },
    empty({ parameters }) {
      const given = Object.entries(parameters).map(([name, value]) => `--${value ? '' : 'no-'}${kebab(name)}`);
      return `No channels found${given.length === 0 ? '' : ` with ${given.join(' ')}`}.`;
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
      const count = readers === 0 ? 'no subscribers' : readers === 1 ? '1 subscriber' : `${readers} subscribers`;
      return `Created the channel "${oneLine(name.trim())}" (ID ${id}) with ${count}.`;
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
        if (what.length === 0) return `Nothing to change for ${name}.`;
        const now = change.new_name === undefined ? name : await nameOf(session, stream_id);
        return `Changed ${name}: ${what.join(', ')}.${name === now ? '' : ` Its new name is ${now}.`}`;
      };
    },
    examples: [
      'channels edit general --description "Company news"',
      'channels edit general --can-send-message-group role:moderators',
    ],
    variants: {
      unarchive: {
        summary: 'Unarchive a channel',
        args: ['stream_id'],
        defaults: { is_archived: false },
        only: ['stream_id'],
        done: async ({ session, parameters: { stream_id } }) =>
          `Unarchived the channel ${await nameOf(session, stream_id)}.`,
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
    examples: ['channels archive lunch', 'channels archive lunch --dry-run'],
  },
  subscribers: {
    args: ['stream_id'],
    async done({ session, answer: { subscribers } }) {
      const name = await namesAndAddresses(session, subscribers);
      return subscribers.map(name).join('\n');
    },
    empty: async ({ session, parameters }) =>
      `The channel ${await nameOf(session, parameters.stream_id)} has no subscribers.`,
    examples: ['channels subscribers general'],
  },
});

async function nameOf(session: Session, id: number): Promise<string> {
  return `"${(await channelNames(session, [id]))(id)}"`;
}

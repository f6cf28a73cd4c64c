import type { Session } from '../../lib/index.ts';
import { formatDuration } from '../arguments/dates.ts';
import { channelNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { withHolderNames } from '../permission-names.ts';
import { currentState, settingsOf, showCommand, type Values } from './show.ts';

export const organization = commands(
  'organization',
  'Organization settings and permissions',
  {
    edit: {
      parsers: {
        new_stream_announcements_stream_id: 'channel',
        message_content_delete_limit_seconds: 'duration',
        message_content_edit_limit_seconds: 'duration',
        move_messages_between_streams_limit_seconds: 'duration',
        move_messages_within_stream_limit_seconds: 'duration',
      },
      done({ parameters }) {
        const names = Object.keys(parameters);
        return names.length === 0 ? 'Nothing was changed.' : `Changed the organization: ${names.join(', ')}.`;
      },
      examples: [
        'organization edit --message-content-edit-limit-seconds 1h',
        'organization edit --can-create-public-channel-group role:moderators',
      ],
    },
  },
  showCommand(
    'Show the settings and permissions of the organization',
    ['organization show'],
    async (session) => {
      const state = await currentState(session, 'realm');
      return settingsOf('organization.edit', (key) => state[`realm_${key}`]);
    },
    withNames,
  ),
);

/** Replaces IDs by names, and seconds by durations such as `1h`. */
async function withNames(session: Session, values: Values): Promise<Values> {
  const channel = values.new_stream_announcements_stream_id as number;
  const channelName = channel < 0 ? () => 'none' : await channelNames(session, [channel]);
  const nameOf = (key: string, value: unknown): unknown => {
    if (key === 'new_stream_announcements_stream_id') return channelName(channel);
    if (key.endsWith('_seconds')) return value === null ? 'unlimited' : formatDuration(value as number);
    return key === 'message_retention_days' && value === -1 ? 'unlimited' : value;
  };
  const named = Object.entries(values).map(([key, value]) => [key, nameOf(key, value)]);
  return withHolderNames(session, Object.fromEntries(named));
}

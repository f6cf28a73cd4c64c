import type { Session } from '../../lib/index.ts';
import { formatDuration } from '../arguments/durations.ts';
import { commands } from '../operations/metadata.ts';
import { currentState, settingsOf, showCommand, type Values } from './show.ts';

export const organization = commands(
  'organization',
  'The organization and what it allows',
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
  // What `organization edit` changes, as it is now.
  showCommand(
    "Show the organization's name, settings and permissions",
    ['organization show'],
    async (session) => {
      const state = await currentState(session, 'realm');
      return settingsOf('organization.edit', (key) => state[`realm_${key}`]);
    },
    withNames,
  ),
);

/** Who holds a permission, where it is not just a group. */
interface Holders {
  direct_members: number[];
  direct_subgroups: number[];
}

/** With names for groups, people and channels, and units for periods. */
async function withNames(session: Session, values: Values): Promise<Values> {
  // Some may not list groups; they see the IDs.
  const groups = await session.userGroups.list().then(
    ({ user_groups }) => new Map(user_groups.map(({ id, name }) => [id, name])),
    () => new Map<number, string>(),
  );
  const holders = Object.values(values).filter(isHolders);
  const members = holders.some(({ direct_members }) => direct_members.length > 0)
    ? (await session.users.list()).members.map(({ user_id, email }) => [user_id, email] as const)
    : [];
  const people = new Map(members);
  const channel = values.new_stream_announcements_stream_id as number;
  const channels = channel < 0 ? [] : (await session.channels.list()).streams;
  const groupName = (id: number) => groups.get(id) ?? String(id);
  const nameOf = (key: string, value: unknown): unknown => {
    if (key === 'new_stream_announcements_stream_id')
      return channels.find(({ stream_id }) => stream_id === value)?.name ?? value;
    if (key.endsWith('_seconds')) return value === null ? 'unlimited' : formatDuration(value as number);
    if (isHolders(value))
      return [
        ...value.direct_members.map((id) => people.get(id) ?? String(id)),
        ...value.direct_subgroups.map(groupName),
      ];
    return key.endsWith('_group') ? groupName(value as number) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, nameOf(key, value)]));
}

function isHolders(value: unknown): value is Holders {
  return typeof value === 'object' && value !== null && 'direct_members' in value;
}

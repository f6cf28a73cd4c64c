import type { Session } from '../../lib/index.ts';
import { formatDuration } from '../arguments/durations.ts';
import { channelNames, withHolderNames } from '../lookups.ts';
import { changedSettings, commands } from '../operations/metadata.ts';
import { oneLine } from '../output/text.ts';
import { currentState, settingsOf, showCommand, type Values } from './local-command.ts';

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
      done: changedSettings('the organization'),
      examples: [
        'organization edit --message-content-edit-limit-seconds 1h',
        'organization edit --can-create-public-channel-group role:moderators',
      ],
    },
  },
  showCommand(
    'organization',
    'Show the settings and permissions of the organization',
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

export const userSettingsDefaults = commands(
  'userSettingsDefaults',
  'Default settings of new accounts',
  {
    edit: {
      parsers: { email_notifications_batching_period_seconds: 'duration' },
      done: changedSettings('the default settings of new accounts'),
    },
  },
  showCommand('user-settings-defaults', 'Show the default settings of new accounts', async (session) => {
    const { realm_user_settings_defaults: defaults } = await currentState(session, 'realm_user_settings_defaults');
    return settingsOf('userSettingsDefaults.edit', (key) => (defaults as Record<string, unknown>)[key]);
  }),
);

export const allowedDomains = commands('allowedDomains', 'E-mail domains that may join', {
  list: { columns: { domains: ['domain', 'allow_subdomains'] }, empty: 'There are no allowed domains.' },
  add: {
    args: ['domain'],
    defaults: { allow_subdomains: false },
    done: ({ parameters: { domain } }) => `Allowed addresses at ${domain}.`,
  },
  edit: {
    args: ['domain'],
    done: ({ parameters: { domain, allow_subdomains } }) =>
      `Subdomains of ${domain} are ${allow_subdomains ? '' : 'not '}allowed.`,
  },
  remove: {
    undo: 'allowed-domains add',
    args: ['domain'],
    done: ({ parameters: { domain } }) =>
      `Addresses at ${domain} are no longer allowed. Existing accounts keep their addresses.`,
  },
});

const name = { parameter: 'emoji_name', label: 'NAME' } as const;

const spelled = (emoji_name: string) => oneLine(emoji_name.trim().toLowerCase());

export const customEmoji = commands('customEmoji', 'Custom emoji of the organization', {
  list: {
    columns: { emoji: ['id', 'name', 'deactivated', ['source_url', 'PICTURE']] },
    empty: 'There are no custom emoji.',
  },
  upload: {
    args: [name, 'file'],
    done: ({ parameters }) => `Added the emoji :${spelled(parameters.emoji_name)}:.`,
    examples: ['custom-emoji upload gruel ./gruel.png'],
  },
  deactivate: {
    args: [name],
    confirm: 'Deactivate this emoji permanently?',
    done: ({ parameters }) => `Deactivated the emoji :${spelled(parameters.emoji_name)}:.`,
  },
});

const linkifier = { parameter: 'filter_id', label: 'LINKIFIER' } as const;

export const linkifiers = commands('linkifiers', 'Text patterns that become links', {
  list: { columns: { linkifiers: ['id', 'pattern', 'url_template'] }, empty: 'There are no linkifiers.' },
  create: {
    args: ['pattern', 'url_template'],
    done: ({ parameters: { pattern }, answer: { id } }) => `Created the linkifier ${oneLine(pattern)} (ID ${id}).`,
  },
  edit: {
    args: [linkifier, 'pattern', 'url_template'],
    parsers: { filter_id: 'linkifier' },
    kept: {
      parameters: ['pattern', 'url_template'],
      async read({ session, parameters: { filter_id } }) {
        const { linkifiers } = await session.linkifiers.list();
        return linkifiers.find(({ id }) => id === filter_id) ?? { pattern: '', url_template: '' };
      },
    },
    done: ({ parameters: { filter_id, pattern, url_template } }) =>
      `Linkifier ${filter_id}: ${oneLine(pattern)} links to ${oneLine(url_template)}.`,
    examples: ["linkifiers edit '#(?P<id>[0-9]+)' --url-template 'https://tickets.example.com/{id}'"],
  },
  remove: {
    undo: 'linkifiers create',
    args: [linkifier],
    parsers: { filter_id: 'linkifier' },
    done: ({ parameters }) => `Removed the linkifier with ID ${parameters.filter_id}.`,
  },
  reorder: {
    args: [{ parameter: 'ordered_linkifier_ids', label: 'LINKIFIER' }],
    parsers: { ordered_linkifier_ids: 'linkifiers' },
    done: ({ parameters }) => `Linkifier order: ${parameters.ordered_linkifier_ids.join(', ')}.`,
  },
});

export const playgrounds = commands('playgrounds', 'Websites that run code blocks', {
  list: {
    columns: { realm_playgrounds: ['id', 'name', 'pygments_language', 'url_template'] },
    empty: 'There are no playgrounds.',
  },
  create: {
    args: ['name'],
    done: ({ parameters: { name }, answer: { id } }) => `Created the playground "${oneLine(name)}" (ID ${id}).`,
  },
  remove: {
    undo: 'playgrounds create',
    args: [{ parameter: 'playground_id', label: 'PLAYGROUND' }],
    parsers: { playground_id: 'playground' },
    done: ({ parameters }) => `Removed the playground with ID ${parameters.playground_id}.`,
  },
});

export const serverSettings = commands('serverSettings', 'Server settings (no login needed)', {
  get: {},
});

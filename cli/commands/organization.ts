import type { Session } from '../../lib/index.ts';
import { formatDuration } from '../arguments/durations.ts';
import { channelNames, withHolderNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/text.ts';
import { currentState, settingsOf, showCommand, type Values } from './local-command.ts';

export const organization = commands(
  'organization',
  'Organization settings and permissions',
  {
    edit: {
      done: 'Changed the organization: {changes}.',
      examples: [
        'organization edit --message-content-edit-limit-seconds 1h',
        'organization edit --can-create-public-channel-group role:moderators',
      ],
    },
    uploadIcon: {
      args: ['file'],
      examples: ['organization upload-icon ./icon.png'],
      done: 'Changed the icon of the organization:\n{icon_url}',
    },
    removeIcon: {
      undo: 'organization upload-icon',
      done: 'Removed the icon of the organization. The default icon:\n{icon_url}',
    },
    uploadLogo: {
      args: ['file'],
      examples: ['organization upload-logo ./logo.png', 'organization upload-logo ./logo-dark.png --night'],
      done: 'Changed the logo of the organization:\n{logo_url}',
    },
    removeLogo: { undo: 'organization upload-logo', done: 'Removed the logo of the organization.' },
    audit: { columns: { findings: ['caller', ['is_unusual', 'UNUSUAL'], 'text'] } },
    auditLog: {
      flags: { stream_id: '--channel <channel>' },
      columns: { entries: ['id', 'timestamp', ['user_id', 'USER'], 'action', 'status', 'code', 'details'] },
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
  const isChannel = (key: string) => /_(stream|channel)_id$/.test(key);
  const ids = Object.entries(values).flatMap(([key, id]) => (isChannel(key) && Number(id) >= 0 ? Number(id) : []));
  const channelName = await channelNames(session, ids);
  const nameOf = (key: string, value: unknown): unknown => {
    if (isChannel(key)) return Number(value) < 0 ? 'none' : channelName(Number(value));
    if (key.endsWith('_seconds')) return value === null ? 'unlimited' : formatDuration(Number(value));
    return key === 'message_retention_days' && value === -1 ? 'unlimited' : value;
  };
  const named = Object.entries(values).map(([key, value]) => [key, nameOf(key, value)]);
  return withHolderNames(session, Object.fromEntries(named));
}

export const userSettingsDefaults = commands(
  'userSettingsDefaults',
  'Default settings of new accounts',
  { edit: { done: 'Changed the default settings of new accounts: {changes}.' } },
  showCommand('user-settings-defaults', 'Show the default settings of new accounts', async (session) => {
    const { realm_user_settings_defaults: defaults } = await currentState(session, 'realm_user_settings_defaults');
    return settingsOf('userSettingsDefaults.edit', (key) => (defaults as Record<string, unknown>)[key]);
  }),
);

export const allowedDomains = commands('allowedDomains', 'E-mail domains that may join', {
  list: { columns: { domains: ['domain', 'allow_subdomains'] } },
  add: {
    args: ['domain'],
    defaults: { allow_subdomains: false },
    repeat: /already allowed/,
    done: 'Allowed addresses at {domain}.',
  },
  edit: {
    done: ({ parameters: { domain, allow_subdomains } }) =>
      `Subdomains of ${domain} are ${allow_subdomains ? '' : 'not '}allowed.`,
  },
  remove: {
    undo: 'allowed-domains add',
    done: 'Addresses at {domain} are no longer allowed. Existing accounts keep their addresses.',
  },
});

const name = { parameter: 'emoji_name', label: 'NAME' } as const;

const spelled = (emoji_name: string) => oneLine(emoji_name.trim().toLowerCase());

export const customEmoji = commands('customEmoji', 'Custom emoji of the organization', {
  list: { columns: { emoji: ['id', 'name', 'deactivated', ['source_url', 'PICTURE']] } },
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

export const linkifiers = commands('linkifiers', 'Text patterns that become links', {
  list: { columns: { linkifiers: ['id', 'pattern', 'url_template'] } },
  create: { args: ['pattern', 'url_template'], done: 'Created the linkifier {pattern} (ID {id}).' },
  edit: {
    args: ['filter_id', 'pattern', 'url_template'],
    kept: {
      parameters: ['pattern', 'url_template'],
      async read({ session, parameters: { filter_id } }) {
        const { linkifiers } = await session.linkifiers.list();
        return linkifiers.find(({ id }) => id === filter_id) ?? { pattern: '', url_template: '' };
      },
    },
    done: 'Linkifier {filter_id}: {pattern} links to {url_template}.',
    examples: ["linkifiers edit '#(?P<id>[0-9]+)' --url-template 'https://tickets.example.com/{id}'"],
  },
  remove: { undo: 'linkifiers create' },
  reorder: {
    args: ['ordered_linkifier_ids'],
    parsers: { ordered_linkifier_ids: 'linkifiers' },
    done: 'Linkifier order: {ordered_linkifier_ids}.',
  },
});

export const playgrounds = commands('playgrounds', 'Websites that run code blocks', {
  list: { columns: { realm_playgrounds: ['id', 'name', 'pygments_language', 'url_template'] } },
  create: { args: ['name'], done: 'Created the playground "{name}" (ID {id}).' },
  remove: { undo: 'playgrounds create' },
});

export const dataExports = commands('exports', 'Exports of the organization', {
  create: { done: 'Started export {id}. `chatctl exports list` shows when it is ready.' },
  list: {
    columns: { exports: ['id', 'export_time', 'export_type', 'pending', 'failed_timestamp', ['export_url', 'FILE']] },
  },
  remove: {
    args: ['export_id'],
    confirm: 'Delete the file of this export?',
    done: 'Deleted the file of export {export_id}.',
  },
  listConsents: { columns: { export_consents: ['user_id', 'consented'] } },
});

export const serverSettings = commands('serverSettings', 'Server settings (no login needed)', {});

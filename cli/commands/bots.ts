import type { Session } from '../../lib/index.ts';
import { userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';

/** `Build Bot`, by the ID. */
const named = async (session: Session, id: number) => (await userNames(session, [id]))(id);

const bot = { args: [{ parameter: 'bot_id', label: 'BOT' }], parsers: { bot_id: 'user' } } as const;

export const bots = commands('bots', 'Bots and their keys', {
  create: {
    parsers: { bot_type: 'bot type', interface_type: 'interface' },
    flags: { bot_type: '--type <type>', interface_type: '--interface <form>' },
    done: ({ answer: { full_name, user_id, email, api_key, services } }) => {
      const [service] = services;
      if (!service) return undefined;
      return `Created the bot ${full_name} (ID ${user_id}, ${email}), with the API key ${api_key}.\nMessages for it are posted to ${service.base_url} with the token ${service.token}.`;
    },
    examples: [
      'bots create --full-name "Build Bot" --short-name build',
      'bots create --full-name Oracle --short-name oracle --type outgoing-webhook --payload-url https://example.com/ask',
    ],
  },
  list: { columns: { bots: ['user_id', 'full_name', 'email', 'is_active'] }, empty: 'You own no bots.' },
  deactivate: {
    ...bot,
    confirm: 'Deactivate this bot?',
    done: async ({ session, parameters }) => `Deactivated the bot ${await named(session, parameters.bot_id)}.`,
  },
  getApiKey: bot,
  regenerateApiKey: bot,
});

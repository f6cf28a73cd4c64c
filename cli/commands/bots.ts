import type { Session } from '../../lib/index.ts';
import { userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';

/** `Build Bot`, by the ID. */
const named = async (session: Session, id: number) => (await userNames(session, [id]))(id);

const bot = { args: [{ parameter: 'bot_id', label: 'BOT' }], parsers: { bot_id: 'user' } } as const;

export const bots = commands('bots', 'Bots and their keys', {
  create: { examples: ['bots create --full-name "Build Bot" --short-name build'] },
  list: { columns: { bots: ['user_id', 'full_name', 'email', 'is_active'] }, empty: 'You own no bots.' },
  deactivate: {
    ...bot,
    confirm: 'Deactivate this bot?',
    done: async ({ session, parameters }) => `Deactivated the bot ${await named(session, parameters.bot_id)}.`,
  },
  getApiKey: bot,
  regenerateApiKey: bot,
});

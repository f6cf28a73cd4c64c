import { commands } from '../operations/metadata.ts';

const bot = { args: [{ parameter: 'bot_id', label: 'BOT' }], parsers: { bot_id: 'user' } } as const;

export const bots = commands('bots', 'Bots and their keys', {
  create: { examples: ['bots create --full-name "Build Bot" --short-name build'] },
  deactivate: { ...bot, confirm: 'Deactivate this bot?' },
  getApiKey: bot,
  regenerateApiKey: bot,
});

import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'bots.create': () => ({ full_name: 'Clock', short_name: 'clock' }),
  'bots.getApiKey': ({ users }) => ({ bot_id: users.bot }),
  'bots.regenerateApiKey': ({ users }) => ({ bot_id: users.bot }),
  'bots.deactivate': ({ users }) => ({ bot_id: users.bot }),
  'bots.edit': ({ users }) => ({ bot_id: users.bot, full_name: 'Scribe' }),
};

export const changes: Changes = {
  'bots.create': {
    'a bot': ({ as }) => as('cordelia').bots.create({ full_name: 'Clock', short_name: 'clock' }),
  },
  'bots.edit': {
    'a name and an owner': ({ as, users }) =>
      as('hamlet').bots.edit({ bot_id: users.bot, full_name: 'Scribe', bot_owner_id: users.cordelia }),
    'a web hook': async ({ as }) => {
      const service = { bot_type: 3, payload_url: 'https://example.com/ask' } as const;
      const { user_id } = await as('hamlet').bots.create({ full_name: 'Oracle', short_name: 'oracle', ...service });
      await as('hamlet').bots.edit({ bot_id: user_id, service_payload_url: 'https://example.com/other' });
    },
  },
  'bots.deactivate': {
    'a bot': ({ as, users }) => as('administrator').bots.deactivate({ bot_id: users.bot }),
  },
  'bots.regenerateApiKey': {
    'a key': ({ as, users }) => as('hamlet').bots.regenerateApiKey({ bot_id: users.bot }),
  },
};

import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'bots.create': () => ({ full_name: 'Clock', short_name: 'clock' }),
  'bots.getApiKey': ({ users }) => ({ bot_id: users.bot }),
  'bots.regenerateApiKey': ({ users }) => ({ bot_id: users.bot }),
  'bots.deactivate': ({ users }) => ({ bot_id: users.bot }),
};

export const changes: Changes = {
  'bots.create': {
    'a bot': ({ as }) => as('cordelia').bots.create({ full_name: 'Clock', short_name: 'clock' }),
  },
  'bots.deactivate': {
    'a bot': ({ as, users }) => as('administrator').bots.deactivate({ bot_id: users.bot }),
  },
  'bots.regenerateApiKey': {
    'a key': ({ as, users }) => as('hamlet').bots.regenerateApiKey({ bot_id: users.bot }),
  },
};

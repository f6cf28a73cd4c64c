import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'settings.edit': () => ({ enter_sends: true }),
};

export const changes: Changes = {
  'settings.edit': {
    'preferences and time zone': ({ as }) =>
      as('cordelia').settings.edit({ enter_sends: true, default_language: 'de', timezone: 'Europe/Copenhagen' }),
    'being unseen': async ({ as }) => {
      await as('hamlet').presence.report({ status: 'active' });
      await as('hamlet').settings.edit({ presence_enabled: false });
    },
    'being seen again': async ({ as }) => {
      await as('hamlet').settings.edit({ presence_enabled: false });
      await as('hamlet').settings.edit({ presence_enabled: true });
    },
    'a name': ({ as }) => as('hamlet').settings.edit({ full_name: 'Prince Hamlet' }),
    'read receipts of a guest': ({ as }) => as('guest').settings.edit({ send_read_receipts: false }),
  },
};

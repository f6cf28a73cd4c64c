import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'userSettingsDefaults.edit': () => ({ fluid_layout_width: true }),
};

export const changes: Changes = {
  'userSettingsDefaults.edit': {
    'a preference and the visibility of addresses, and a new account': async ({ as }) => {
      await as('administrator').userSettingsDefaults.edit({ fluid_layout_width: true, email_address_visibility: 3 });
      await as('administrator').users.create({ email: 'osric@example.com', full_name: 'Osric' });
    },
  },
};

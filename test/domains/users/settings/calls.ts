import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { newToken } from './email-links.ts';

export const matrix: PlainCalls = {
  'settings.edit': () => ({ enter_sends: true }),
  'settings.confirmEmail': async (world) => ({ token: await newToken(world, 'hamlet', 'prince@example.com') }),
};

export const changes: Changes = {
  'settings.edit': {
    'preferences and time zone': ({ as }) =>
      as('cordelia').settings.edit({ enter_sends: true, default_language: 'de', timezone: 'Europe/Copenhagen' }),
    'hiding presence': async ({ as }) => {
      await as('hamlet').presence.report({ status: 'active' });
      await as('hamlet').settings.edit({ presence_enabled: false });
    },
    'showing presence again': async ({ as }) => {
      await as('hamlet').settings.edit({ presence_enabled: false });
      await as('hamlet').settings.edit({ presence_enabled: true });
    },
    'a name': ({ as }) => as('hamlet').settings.edit({ full_name: 'Prince Hamlet' }),
    'visibility of the address, one value after another': async ({ as }) => {
      for (const user of ['owner', 'moderator', 'hamlet', 'guest'] as const) {
        for (const email_address_visibility of [3, 5, 2, 4, 1, 4] as const) {
          await as(user).settings.edit({ email_address_visibility });
        }
      }
    },
    'read receipts of a guest': ({ as }) => as('guest').settings.edit({ send_read_receipts: false }),
  },
  'settings.confirmEmail': {
    'a new address': async (world) => {
      const token = await newToken(world, 'hamlet', 'prince@example.com');
      await world.chat.anonymous().settings.confirmEmail({ token });
    },
  },
};

export const statements: ScalingCalls = {
  'settings.confirmEmail': async ({ world }) => {
    const token = await newToken(world, 'hamlet', 'prince@example.com');
    await world.chat.anonymous().settings.confirmEmail({ token });
  },
};

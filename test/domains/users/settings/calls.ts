import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { newToken } from './email-links.ts';
import { unsubscribingToken } from './unsubscribe.cases.ts';

export const matrix: PlainCalls = {
  'settings.edit': () => ({ fluid_layout_width: true }),
  'settings.confirmEmail': async (world) => ({ token: await newToken(world, 'hamlet', 'prince@example.com') }),
  'settings.unsubscribe': async (world) => ({ token: await unsubscribingToken(world, 'hamlet', () => 'mentions') }),
};

export const changes: Changes = {
  'settings.edit': {
    'preferences and time zone': ({ as }) =>
      as('cordelia').settings.edit({ fluid_layout_width: true, default_language: 'de', timezone: 'Europe/Copenhagen' }),
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
  'settings.unsubscribe': {
    'e-mails about mentions': async (world) => {
      const token = await unsubscribingToken(world, 'hamlet', () => 'mentions');
      await world.chat.anonymous().settings.unsubscribe({ token });
    },
    'e-mails about a channel': async (world) => {
      const token = await unsubscribingToken(world, 'hamlet', ({ channels }) => ({ channel_id: channels.public }));
      await world.chat.anonymous().settings.unsubscribe({ token });
    },
  },
};

export const statements: ScalingCalls = {
  'settings.confirmEmail': async ({ world }) => {
    const token = await newToken(world, 'hamlet', 'prince@example.com');
    await world.chat.anonymous().settings.confirmEmail({ token });
  },
  'settings.unsubscribe': async ({ world }) => {
    const token = await unsubscribingToken(world, 'hamlet', () => 'mentions');
    await world.chat.anonymous().settings.unsubscribe({ token });
  },
};

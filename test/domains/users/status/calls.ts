import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  'userStatus.set': () => ({ status_text: 'out' }),
  'userStatus.get': ({ users }) => ({ user_id: users.moderator }),
  'userStatus.setFor': ({ users }) => ({ user_id: users.hamlet, status_text: 'out' }),
};

export const changes: Changes = {
  'userStatus.set': {
    'a text and an emoji': ({ as }) => as('hamlet').userStatus.set({ status_text: 'thinking', emoji_name: 'tada' }),
    'a text cleared': async ({ as }) => {
      await as('hamlet').userStatus.set({ status_text: 'thinking', emoji_name: 'tada' });
      await as('hamlet').userStatus.set({ status_text: '' });
    },
    'away and back': async ({ as }) => {
      await as('hamlet').userStatus.set({ away: true, status_text: 'off' });
      await as('cordelia').userStatus.set({ away: true });
      await as('cordelia').userStatus.set({ away: false });
    },
    'of a user who becomes visible to a guest': async ({ as, users }) => {
      await as('cordelia').userStatus.set({ status_text: 'here', emoji_name: 'tada' });
      await as('moderator').settings.edit({ presence_enabled: false });
      const principals = [users.guest];
      const quiet = { subscriptions: [{ name: CHANNELS.quiet }], send_new_subscription_messages: false };
      await as('owner').subscriptions.add({ ...quiet, principals: [users.cordelia, users.moderator] });
      await as('owner').subscriptions.add({ ...quiet, principals });
    },
    'of a user who becomes hidden from a guest': async ({ as, users }) => {
      const quiet = { subscriptions: [{ name: CHANNELS.quiet }], send_new_subscription_messages: false };
      await as('owner').subscriptions.add({ ...quiet, principals: [users.administrator, users.guest] });
      await as('administrator').userStatus.set({ away: true, status_text: 'here', emoji_name: 'tada' });
      await as('owner').subscriptions.remove({ subscriptions: [CHANNELS.quiet], principals: [users.guest] });
    },
    'of a user who is deactivated and reactivated': async ({ as, users }) => {
      await as('hamlet').userStatus.set({ status_text: 'here' });
      await as('owner').users.deactivate({ user_id: users.hamlet });
      await as('owner').users.reactivate({ user_id: users.hamlet });
    },
  },
  'userStatus.setFor': {
    'of another user': ({ as, users }) =>
      as('administrator').userStatus.setFor({ user_id: users.cordelia, status_text: 'on leave' }),
  },
};

export const stored: Stored = (tx) => tx.userStatuses.all();

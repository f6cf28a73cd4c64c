import type { Changes, PlainCalls } from '../../../world/calls.ts';
import { say } from '../../messages/in-worlds.ts';

export const matrix: PlainCalls = {
  'users.block': ({ users }) => ({ user_id: users.deactivated }),
  'users.unblock': async ({ storage, users }, caller) => {
    const user_id = users.deactivated;
    if (caller !== 'anonymous') {
      const block = { id: user_id, timestamp: 1, is_blocked: true };
      await storage.write((tx) => tx.mutedUsers.add(users[caller], block));
    }
    return { user_id };
  },
  'users.listBlocked': () => ({}),
};

export const changes: Changes = {
  'users.block': {
    'a user with unread messages, who sends more': async (world) => {
      const { as, users, channels, messages } = world;
      await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'remove', flag: 'read' });
      await as('cordelia').users.block({ user_id: users.hamlet });
      await say(world, 'hamlet', channels.public, 'ghosts', 'For @**Cordelia**');
      await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia, users.moderator], content: 'Supper?' });
    },
    'a muted user': async ({ as, users }) => {
      await as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
      await as('cordelia').users.block({ user_id: users.hamlet });
    },
    'a user who then becomes a moderator': async ({ as, users }) => {
      await as('cordelia').users.block({ user_id: users.hamlet });
      await as('owner').users.edit({ user_id: users.hamlet, role: 300 });
    },
    'a user who joins the staff group of a room later': async ({ as, chat, users, groups }) => {
      await chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [users.guest], staff: 'kitchen' });
      await as('guest').users.block({ user_id: users.newcomer });
      await as('owner').userGroups.updateMembers({ user_group_id: groups.kitchen, add: [users.newcomer] });
    },
    'a bot whose owner then becomes a moderator': async ({ as, users }) => {
      await as('cordelia').users.block({ user_id: users.bot });
      await as('owner').users.edit({ user_id: users.hamlet, role: 300 });
    },
    'a user who then joins the staff of a room': async ({ as, chat, users }) => {
      await as('guest').users.block({ user_id: users.hamlet });
      await chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [users.guest], staff: 'kitchen' });
    },
  },
  'users.unblock': {
    'a user who sent messages while blocked and sends more': async (world) => {
      const { as, users, channels } = world;
      await as('cordelia').users.block({ user_id: users.hamlet });
      await say(world, 'hamlet', channels.public, 'ghosts');
      await as('cordelia').users.unblock({ user_id: users.hamlet });
      await say(world, 'hamlet', channels.public, 'ghosts');
    },
  },
};

import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import { say } from '../../messages/in-worlds.ts';

export const matrix: PlainCalls = {
  'mutedUsers.add': ({ users }) => ({ muted_user_id: users.deactivated }),
  'mutedUsers.remove': async ({ storage, users }, caller) => {
    const muted_user_id = users.deactivated;
    if (caller !== 'anonymous') {
      await storage.write((tx) => tx.mutedUsers.add(users[caller], { id: muted_user_id, timestamp: 1 }));
    }
    return { muted_user_id };
  },
};

export const changes: Changes = {
  'mutedUsers.add': {
    'a user with unread messages, who sends more': async (world) => {
      const { as, users, channels, messages } = world;
      await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'read' });
      await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'remove', flag: 'read' });
      await as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
      await say(world, 'hamlet', channels.public, 'ghosts', 'For @**Cordelia**');
      await say(world, 'administrator', channels.public, 'ghosts', 'Who goes there?');
      await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: 'Hello?' });
    },
    'a user whose message is then edited, moved and marked as unread': async (world) => {
      const { as, users, channels } = world;
      await as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
      const message_id = await say(world, 'hamlet', channels.public, 'ghosts', 'word');
      await as('hamlet').messages.edit({ message_id, content: '@**Cordelia** word', topic: 'elsewhere' });
      await as('cordelia').messages.updateFlags({ messages: [message_id], op: 'remove', flag: 'read' });
    },
  },
  'mutedUsers.remove': {
    'a user who sent messages while muted and sends more': async (world) => {
      const { as, users, channels } = world;
      await as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
      await say(world, 'hamlet', channels.public, 'ghosts');
      await as('cordelia').mutedUsers.remove({ muted_user_id: users.hamlet });
      await say(world, 'hamlet', channels.public, 'ghosts');
    },
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.mutedUsers.of(id)));
};

import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

const set = ({ as, channels }: World, topic: string, visibility_policy: 0 | 1 | 2 | 3) =>
  as('hamlet').userTopics.set({ stream_id: channels.public, topic, visibility_policy });
const mute = ({ as, channels }: World, op: 'add' | 'remove', topic = 'ghosts') =>
  as('hamlet').userTopics.mute({ stream_id: channels.public, topic, op });

export const matrix: PlainCalls = {
  'userTopics.set': ({ channels }) => ({ stream_id: channels.protected, topic: 'gold', visibility_policy: 1 }),
  'userTopics.mute': ({ channels }) => ({ stream_id: channels.protected, topic: 'gold', op: 'add' }),
};

export const changes: Changes = {
  'userTopics.set': {
    'muted, unmuted, followed and none': async (world) => {
      for (const policy of [1, 2, 3, 0] as const) await set(world, 'ghosts', policy);
    },
    'a topic without messages, and the empty topic': async (world) => {
      await set(world, 'nowhere', 1);
      await set(world, '', 1);
      await set(world, 'general chat', 3);
    },
    'a muted topic of a channel that is renamed, archived and restored': async (world) => {
      const { as, channels } = world;
      await set(world, 'ghosts', 1);
      await as('owner').channels.edit({ stream_id: channels.public, new_name: 'Danmark' });
      await as('owner').channels.archive({ stream_id: channels.public });
      await as('owner').channels.edit({ stream_id: channels.public, is_archived: false });
    },
    'a muted topic of a private channel that the user leaves and joins again': async (world) => {
      const { as, channels, users } = world;
      await as('hamlet').userTopics.set({ stream_id: channels.shared, topic: 'plans', visibility_policy: 1 });
      await as('hamlet').subscriptions.remove({ subscriptions: ['Council'] });
      await as('moderator').subscriptions.add({ subscriptions: [{ name: 'Council' }], principals: [users.hamlet] });
    },
    'a followed topic of a channel made private and public': async (world) => {
      const { as, channels } = world;
      await as('newcomer').userTopics.set({ stream_id: channels.public, topic: 'ghosts', visibility_policy: 3 });
      await as('administrator').channels.edit({ stream_id: channels.public, is_private: true });
      await as('administrator').channels.edit({ stream_id: channels.public, is_private: false });
    },
  },
  'userTopics.mute': {
    'muted and unmuted': async (world) => {
      await mute(world, 'add');
      await mute(world, 'add', 'other');
      await mute(world, 'remove');
    },
  },
};

export const statements: ScalingCalls = {
  'userTopics.set': ({ world, crowded }) =>
    world.as('hamlet').userTopics.set({ stream_id: crowded, topic: 'x', visibility_policy: 1 }),
  'userTopics.mute': ({ world, crowded }) =>
    world.as('hamlet').userTopics.mute({ stream_id: crowded, topic: 'y', op: 'add' }),
};

export const stored: Stored = async (tx) => {
  const channels = (await tx.channels.all()).map((channel) => channel.id);
  const users = (await tx.users.changedSince(0)).map((user) => user.id);
  return Promise.all(channels.map((id) => tx.userTopics.inChannels([id], users, 100)));
};

import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'topics.list': ({ channels }) => ({ stream_id: channels.webPublic }),
  'topics.delete': ({ channels }) => ({ stream_id: channels.public, topic_name: 'ghosts' }),
};

export const changes: Changes = {
  'topics.delete': {
    'a topic that some follow, and some have muted': async ({ as, channels }) => {
      const topic = { stream_id: channels.public, topic: 'ghosts' };
      await as('cordelia').userTopics.set({ ...topic, visibility_policy: 1 });
      await as('owner').topics.delete({ stream_id: channels.public, topic_name: 'ghosts' });
    },
    'the only topic of a channel': ({ as, channels }) =>
      as('owner').topics.delete({ stream_id: channels.webPublic, topic_name: 'ships' }),
  },
};

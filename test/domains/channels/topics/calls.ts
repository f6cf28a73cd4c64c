import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'topics.list': ({ channels }) => ({ stream_id: channels.protected }),
  'topics.delete': ({ channels }) => ({ stream_id: channels.public, topic_name: 'ghosts' }),
};

export const changes: Changes = {
  'topics.delete': {
    'a topic that some users follow and some have muted': async ({ as, channels }) => {
      const topic = { stream_id: channels.public, topic: 'ghosts' };
      await as('cordelia').userTopics.set({ ...topic, visibility_policy: 1 });
      // The newest message stays, since no event reports that it is gone.
      await as('cordelia').messages.send({ type: 'channel', to: channels.public, topic: 'x', content: 'y' });
      await as('owner').topics.delete({ stream_id: channels.public, topic_name: 'ghosts' });
    },
    'the only topic of a channel': async ({ as, channels }) => {
      await as('hamlet').messages.send({ type: 'channel', to: channels.default, topic: 'x', content: 'y' });
      await as('owner').topics.delete({ stream_id: channels.webPublic, topic_name: 'ships' });
    },
  },
};

import { cases } from '../../../world/case.ts';

export const listTopicsCases = cases('topics.list', [
  {
    name: 'the list has topics, newest first, with their newest message',
    as: 'newcomer',
    call: ['topics.list', ({ channels }) => ({ stream_id: channels.public })],
    returns: ({ messages }) => ({
      topics: [{ name: 'ghosts', max_id: messages.ghostReply }, { name: 'channel events' }],
    }),
  },
  {
    name: 'in protected history, the list has only topics with messages the caller received',
    as: 'guest',
    call: ['topics.list', ({ channels }) => ({ stream_id: channels.protected })],
    returns: ({ messages }) => ({ topics: [{ name: 'gold', max_id: messages.vaultAfter }] }),
  },
  {
    name: 'the empty topic has its display name',
    as: 'hamlet',
    given: ({ as, channels }) =>
      as('hamlet').messages.send({ type: 'channel', to: channels.public, topic: '', content: 'x' }),
    call: ['topics.list', ({ channels }) => ({ stream_id: channels.public })],
    returns: { topics: [{ name: 'general chat' }, { name: 'ghosts' }, { name: 'channel events' }] },
  },
  {
    name: 'allow_empty_topic_name shows the empty topic as it is',
    as: 'hamlet',
    given: ({ as, channels }) =>
      as('hamlet').messages.send({ type: 'channel', to: channels.public, topic: '', content: 'x' }),
    call: ['topics.list', ({ channels }) => ({ stream_id: channels.public, allow_empty_topic_name: true })],
    returns: { topics: [{ name: '' }, { name: 'ghosts' }, { name: 'channel events' }] },
  },
  {
    name: 'a user who can see but not read a private channel gets no topics',
    as: 'administrator',
    call: ['topics.list', ({ channels }) => ({ stream_id: channels.shared })],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
]);

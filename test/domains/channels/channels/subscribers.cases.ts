import { cases } from '../../../world/case.ts';

export const listSubscribersCases = cases('channels.subscribers', [
  {
    name: 'the list has active subscribers, ordered by ID',
    as: 'newcomer',
    call: ['channels.subscribers', ({ channels }) => ({ stream_id: channels.public })],
    returns: ({ users }) => ({ subscribers: [users.administrator, users.hamlet, users.cordelia] }),
  },
  {
    name: 'administrators see the subscribers of private channels',
    as: 'administrator',
    call: ['channels.subscribers', ({ channels }) => ({ stream_id: channels.shared })],
    returns: ({ users }) => ({ subscribers: [users.moderator, users.hamlet] }),
  },
  {
    name: 'members do not see the subscribers of private channels they are not in',
    as: 'cordelia',
    call: ['channels.subscribers', ({ channels }) => ({ stream_id: channels.shared })],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'guests do not see the subscribers of public channels they are not in',
    as: 'guest',
    call: ['channels.subscribers', ({ channels }) => ({ stream_id: channels.public })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

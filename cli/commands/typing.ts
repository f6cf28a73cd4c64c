import { commands } from '../operations/metadata.ts';

export const typing = commands('typing', 'Typing notifications', {
  send: {
    args: ['op'],
    parsers: { to: 'users' },
    done: ({ parameters: { op } }) =>
      op === 'start' ? 'Others see that you are typing.' : 'Others no longer see that you are typing.',
    examples: [
      'typing send start --to ben@example.com',
      'typing send stop --type channel --stream-id general --topic lunch',
    ],
  },
  sendEdit: {
    args: ['message_id', 'op'],
    done: ({ parameters: { op } }) =>
      op === 'start' ? 'Others see that you are editing.' : 'Others no longer see that you are editing.',
    examples: ['typing send-edit 7 start'],
  },
});

import { commands } from '../operations/metadata.ts';

export const typing = commands('typing', 'Let others see that you type', {
  send: {
    args: ['op'],
    parsers: { to: 'users' },
    done: ({ parameters: { op } }) => (op === 'start' ? 'Others see you type.' : 'Others see you type no more.'),
    examples: [
      'typing send start --to ben@example.com',
      'typing send stop --type channel --stream-id general --topic lunch',
    ],
  },
  sendEdit: {
    args: ['message_id', 'op'],
    done: ({ parameters: { op } }) => (op === 'start' ? 'Others see you edit it.' : 'Others see you edit it no more.'),
    examples: ['typing send-edit 7 start'],
  },
});

import { cases } from '../../../world/case.ts';

const exactly =
  (...ids: (number | undefined)[]) =>
  (found: object) =>
    JSON.stringify(Object.keys(found).map(Number)) === JSON.stringify(ids);

export const matchesNarrowCases = cases('messages.matchesNarrow', [
  {
    name: 'tells which messages a search finds, with what it found marked',
    as: 'hamlet',
    call: [
      'messages.matchesNarrow',
      ({ messages }) => ({
        msg_ids: [messages.ghost, messages.ghostReply, messages.council],
        narrow: [{ operator: 'search', operand: 'rotten' }],
      }),
    ],
    returns: ({ messages }) => ({
      messages: {
        [messages.ghost]: { match_content: /<span class="highlight">rotten<\/span>/, match_subject: 'ghosts' },
      },
    }),
  },
  {
    name: 'without a search the texts are as they are',
    as: 'hamlet',
    call: [
      'messages.matchesNarrow',
      ({ messages }) => ({ msg_ids: [messages.ghostReply, messages.direct], narrow: [['is', 'dm']] }),
    ],
    returns: ({ messages }) => ({
      messages: { [messages.direct]: { match_content: '<p>Are you there?</p>', match_subject: '' } },
    }),
  },
  {
    name: 'messages one cannot read are left out as if there were none',
    as: 'cordelia',
    call: [
      'messages.matchesNarrow',
      ({ messages }) => ({ msg_ids: [messages.council, messages.ghost, 9999], narrow: [] }),
    ],
    returns: ({ messages }) => ({ messages: exactly(messages.ghost) }),
  },
  {
    name: 'nothing is asked of no message',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: [], narrow: [] }],
    returns: { messages: exactly() },
  },
  {
    name: 'a narrow nobody understands is refused',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: [1], narrow: [{ operator: 'mood', operand: 'x' }] }],
    refuses: { code: 'BAD_NARROW', data: { desc: /mood/ } },
  },
  {
    name: 'at most 1000 messages are asked about at once',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: Array.from({ length: 1001 }, (_, at) => at), narrow: [] }],
    refuses: { code: 'BAD_REQUEST', says: /1000/ },
  },
  {
    name: 'both parameters are needed',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: [1] }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'narrow' } },
  },
]);

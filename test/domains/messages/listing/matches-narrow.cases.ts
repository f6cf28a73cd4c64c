import { cases } from '../../../world/case.ts';

const exactly =
  (...ids: (number | undefined)[]) =>
  (found: object) =>
    JSON.stringify(Object.keys(found).map(Number)) === JSON.stringify(ids);

export const matchesNarrowCases = cases('messages.matchesNarrow', [
  {
    name: 'the response lists the messages a search finds, with the found words marked',
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
    name: 'without a search the texts have no marks',
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
    name: 'messages the caller cannot read are left out',
    as: 'cordelia',
    call: [
      'messages.matchesNarrow',
      ({ messages }) => ({ msg_ids: [messages.council, messages.ghost, 9999], narrow: [] }),
    ],
    returns: ({ messages }) => ({ messages: exactly(messages.ghost) }),
  },
  {
    name: 'an empty list of messages gets an empty response',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: [], narrow: [] }],
    returns: { messages: exactly() },
  },
  {
    name: 'an unknown narrow is refused',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: [1], narrow: [{ operator: 'mood', operand: 'x' }] }],
    refuses: { code: 'BAD_NARROW', data: { desc: /mood/ } },
  },
  {
    name: 'more than 1000 messages in one request are refused',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: Array.from({ length: 1001 }, (_, at) => at), narrow: [] }],
    refuses: { code: 'BAD_REQUEST', says: /1000/ },
  },
  {
    name: 'a request without one of the two parameters is refused',
    as: 'hamlet',
    call: ['messages.matchesNarrow', { msg_ids: [1] }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'narrow' } },
  },
]);

import { cases } from '../../../world/case.ts';
import { badNarrow, narrowed, not } from './listing.ts';

export const listRefusalCases = cases('messages.list', [
  badNarrow('an unknown operand of is is refused', 'unknown operand of "is": "blue"', ['is', 'blue']),
  badNarrow('a number as operand of is is refused', 'unknown operand of "is": 5', { operator: 'is', operand: 5 }),
  badNarrow('an unknown operand of has is refused', 'unknown operand of "has": "legs"', ['has', 'legs']),
  badNarrow(
    'an unknown operand of channels is refused',
    'unknown operand of "channels": "secret"',
    not('channels', 'secret'),
  ),
  badNarrow('an unknown operand of in is refused', 'unknown operand of "in": "jail"', ['in', 'jail']),
  badNarrow('an operand named like an object property is refused', 'unknown operand of "is": "constructor"', [
    'is',
    'constructor',
  ]),
  badNarrow('an operator named like an object property is refused', 'unknown operator "constructor"', [
    'constructor',
    'x',
  ]),
  badNarrow('a list as operand of channel is refused', '"channel" takes a name or an ID', {
    operator: 'channel',
    operand: [1],
  }),
  badNarrow('a blank channel name is refused', '"stream" takes a name or an ID', ['stream', ' ']),
  badNarrow('a topic that is not a text is refused', '"topic" takes a name or an ID', {
    operator: 'topic',
    operand: true,
  }),
  badNarrow(
    'a negated channel the caller cannot read is refused',
    'there is no channel "Vault" that you can read',
    not('channel', 'Vault'),
  ),
  badNarrow('a sender with an unknown address is refused', 'there is no user "nobody@example.com" that you can see', [
    'sender',
    'nobody@example.com',
  ]),
  badNarrow('a sender with an unknown ID is refused', 'there is no user 99999 that you can see', {
    operator: 'from',
    operand: 99999,
  }),
  badNarrow('two users as one sender are refused', '"sender" takes the ID or address of one user', {
    operator: 'sender',
    operand: [1, 2],
  }),
  badNarrow(
    'a negated sender with an unknown address is refused',
    'there is no user "nobody@example.com" that you can see',
    not('sender', 'nobody@example.com'),
  ),
  badNarrow('dm with an unknown user is refused', 'there is no user 99999 that you can see', {
    operator: 'dm',
    operand: [99999],
  }),
  badNarrow('dm without users is refused', '"dm" takes IDs or addresses of users', { operator: 'dm', operand: [] }),
  badNarrow('pm-with with a boolean is refused', '"pm-with" takes IDs or addresses of users', {
    operator: 'pm-with',
    operand: true,
  }),
  badNarrow('dm-including with two users is refused', '"dm-including" takes the ID or address of one user', {
    operator: 'dm-including',
    operand: [1, 2],
  }),
  badNarrow('id with a text that is not a number is refused', '"id" takes a message ID', ['id', 'x']),
  badNarrow('with with a list is refused', '"with" takes a message ID', { operator: 'with', operand: [1] }),
  badNarrow(
    'with a message the caller cannot read and no channel or topic is refused',
    '"with" needs the ID of a message that you can read',
    ['with', '99999'],
  ),
  badNarrow('with given twice is refused', '"with" can only be used once', ['with', '1'], ['with', '2']),
  badNarrow('a blank search is refused', '"search" takes words to look for', ['search', ' ']),
  badNarrow('a search that is not a text is refused', '"search" takes text', { operator: 'search', operand: [1] }),
  badNarrow(
    'more than 20 words in all searches together are refused',
    'a search takes at most 20 words',
    ['search', 'a b c d e f g h i j k'],
    ['search', 'l m n o p q r s t u'],
  ),
  badNarrow(
    'a channel together with is:dm is refused',
    'no message is both in a channel and a direct message',
    ['channel', 'Denmark'],
    ['is', 'dm'],
  ),
  badNarrow(
    'a topic together with dm is refused',
    'no message is both in a channel and a direct message',
    ['topic', 'x'],
    ['dm', 'me'],
  ),
  badNarrow(
    'negated is:dm together with dm-including is refused',
    'no message is both in a channel and a direct message',
    not('is', 'dm'),
    ['dm-including', 'me'],
  ),
  {
    name: 'a term without an operand is refused',
    as: 'hamlet',
    call: ['messages.list', narrowed({ operator: 'is' })],
    refuses: { code: 'BAD_REQUEST', says: /narrow/ },
  },
]);

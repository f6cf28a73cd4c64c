import { cases } from '../../../world/case.ts';
import { badNarrow, narrowed, not } from './listing.ts';

export const listRefusalCases = cases('messages.list', [
  badNarrow('an unknown word after is', 'unknown operand of "is": "blue"', ['is', 'blue']),
  badNarrow('is takes a word', 'unknown operand of "is": 5', { operator: 'is', operand: 5 }),
  badNarrow('an unknown word after has', 'unknown operand of "has": "legs"', ['has', 'legs']),
  badNarrow('an unknown word after channels', 'unknown operand of "channels": "secret"', not('channels', 'secret')),
  badNarrow('an unknown word after in', 'unknown operand of "in": "jail"', ['in', 'jail']),
  badNarrow('a word that objects have by themselves', 'unknown operand of "is": "constructor"', ['is', 'constructor']),
  badNarrow('an operator that objects have by themselves', 'unknown operator "constructor"', ['constructor', 'x']),
  badNarrow('a channel takes a name or an ID', '"channel" takes a name or an ID', {
    operator: 'channel',
    operand: [1],
  }),
  badNarrow('a channel has a name', '"stream" takes a name or an ID', ['stream', ' ']),
  badNarrow('a topic takes text', '"topic" takes a name or an ID', { operator: 'topic', operand: true }),
  badNarrow(
    'a negated channel that one cannot read is refused like any other',
    'there is no channel "Vault" that you can read',
    not('channel', 'Vault'),
  ),
  badNarrow('a sender nobody knows', 'there is no user "nobody@example.com" that you can see', [
    'sender',
    'nobody@example.com',
  ]),
  badNarrow('a sender with an ID nobody has', 'there is no user 99999 that you can see', {
    operator: 'from',
    operand: 99999,
  }),
  badNarrow('a sender is one', '"sender" takes the ID or address of one user', { operator: 'sender', operand: [1, 2] }),
  badNarrow(
    'a negated sender nobody knows',
    'there is no user "nobody@example.com" that you can see',
    not('sender', 'nobody@example.com'),
  ),
  badNarrow('direct messages with somebody nobody knows', 'there is no user 99999 that you can see', {
    operator: 'dm',
    operand: [99999],
  }),
  badNarrow('direct messages with nobody', '"dm" takes IDs or addresses of users', { operator: 'dm', operand: [] }),
  badNarrow('direct messages take users', '"pm-with" takes IDs or addresses of users', {
    operator: 'pm-with',
    operand: true,
  }),
  badNarrow('dm-including takes one user', '"dm-including" takes the ID or address of one user', {
    operator: 'dm-including',
    operand: [1, 2],
  }),
  badNarrow('id takes a message ID', '"id" takes a message ID', ['id', 'x']),
  badNarrow('with takes a message ID', '"with" takes a message ID', { operator: 'with', operand: [1] }),
  badNarrow(
    'with takes a message that can be read, or a place beside it',
    '"with" takes the ID of a message that you can read',
    ['with', '99999'],
  ),
  badNarrow('with is given once', '"with" can be given once', ['with', '1'], ['with', '2']),
  badNarrow('a search takes words', '"search" takes words to look for', ['search', ' ']),
  badNarrow('a search takes text', '"search" takes text', { operator: 'search', operand: [1] }),
  badNarrow(
    'all searches together take twenty words',
    'a search takes at most 20 words',
    ['search', 'a b c d e f g h i j k'],
    ['search', 'l m n o p q r s t u'],
  ),
  badNarrow(
    'a channel and direct messages',
    'no message is both in a channel and a direct message',
    ['channel', 'Denmark'],
    ['is', 'dm'],
  ),
  badNarrow(
    'a topic and a conversation',
    'no message is both in a channel and a direct message',
    ['topic', 'x'],
    ['dm', 'me'],
  ),
  badNarrow(
    'a negated is:dm and direct messages',
    'no message is both in a channel and a direct message',
    not('is', 'dm'),
    ['dm-including', 'me'],
  ),
  {
    name: 'a term without an operand is no term',
    as: 'hamlet',
    call: ['messages.list', narrowed({ operator: 'is' })],
    refuses: { code: 'BAD_REQUEST', says: /narrow/ },
  },
]);

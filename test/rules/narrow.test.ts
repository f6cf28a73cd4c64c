import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelAddress, directAddress, readNarrow, topicAddress } from '../../lib/rules/narrow.ts';
import { readSearch } from '../../lib/rules/search.ts';

const flagged = (...flags: string[]) => ({ test: 'flagged', flags });
const kind = (name: string) => ({ test: 'channel kind', kind: name });
const has = (feature: string) => ({ test: 'has', feature });

/** Meaning of each operator with an operand. */
const MEANINGS: [operator: string, operand: unknown, meaning: object | undefined][] = [
  ...['channel', 'stream'].flatMap((operator): typeof MEANINGS => [
    [operator, ' Denmark ', { test: 'channel', channel: 'Denmark' }],
    [operator, 5, { test: 'channel', channel: 5 }],
    [operator, '5', { test: 'channel', channel: '5' }],
    [`${operator}s`, 'public', kind('public')],
    [`${operator}s`, 'WEB-public', kind('web-public')],
    [`${operator}s`, 'archived', kind('archived')],
  ]),
  ...['topic', 'subject'].flatMap((operator): typeof MEANINGS => [
    [operator, ' ghosts ', { test: 'topic', topic: 'ghosts' }],
    [operator, '', { test: 'topic', topic: '' }],
    [operator, 5, { test: 'topic', topic: '5' }],
  ]),
  ...['dm', 'pm-with'].flatMap((operator): typeof MEANINGS => [
    [operator, 'a@example.com, 5,ME,', { test: 'direct with', people: ['a@example.com', 5, 'me'] }],
    [operator, [5, ' 6 '], { test: 'direct with', people: [5, 6] }],
    [operator, 5, { test: 'direct with', people: [5] }],
  ]),
  ['dm-including', [5], { test: 'direct including', person: 5, group: false }],
  ['group-pm-with', 'me', { test: 'direct including', person: 'me', group: true }],
  ['sender', 'Me', { test: 'sender', person: 'me' }],
  ['FROM', '123456789012345', { test: 'sender', person: 123456789012345 }],
  ['from', '1234567890123456', { test: 'sender', person: '1234567890123456' }],
  ...['dm', 'private'].map((state): (typeof MEANINGS)[number] => ['is', state, { test: 'direct' }]),
  ['is', 'starred', flagged('starred')],
  ['is', 'mentioned', flagged('mentioned', 'wildcard_mentioned')],
  ['is', 'alerted', flagged('has_alert_word')],
  ['is', 'unread', { test: 'unread' }],
  ['is', 'read', { test: 'unread', negated: true }],
  ['is', 'Resolved', { test: 'resolved' }],
  ['is', 'followed', { test: 'followed' }],
  ['is', 'muted', { test: 'muted' }],
  ...['link', 'image', 'attachment', 'reaction'].map((one): (typeof MEANINGS)[number] => ['has', one, has(one)]),
  ['in', 'home', { test: 'muted', negated: true }],
  ['in', 'all', undefined],
  ['near', 'anything', undefined],
  ['id', ' 12 ', { test: 'id', id: 12 }],
  ['with', 12, { test: 'with', id: 12 }],
  ['search', 'big "plan of', { test: 'words', search: readSearch('big "plan of') }],
];

test('each operator of a narrow means its condition, negated the opposite, in both forms', () => {
  for (const [operator, operand, meaning] of MEANINGS) {
    const expected = meaning === undefined ? [] : [{ negated: false, ...meaning }];
    const opposite = expected.map((term) => ({ ...term, negated: !term.negated }));
    const what = `${operator}:${operand}`;
    assert.deepEqual(readNarrow([[operator, operand]]), expected, what);
    assert.deepEqual(readNarrow([{ operator, operand }]), expected, what);
    assert.deepEqual(readNarrow([[operator, operand, true]]), opposite, what);
    assert.deepEqual(readNarrow([{ operator, operand, negated: true }]), opposite, what);
  }
});

test('a term with another operator or operand is refused', () => {
  for (const [operator, operand] of [
    ...['colour', 'constructor', ''].map((operator) => [operator, 'x'] as const),
    ...['is', 'has', 'in', 'channels'].flatMap((operator) => [[operator, 'toString'] as const, [operator, 5] as const]),
    ...['', ' ', null, true, ['a']].map((operand) => ['channel', operand] as const),
    ...['', ' , ', [], [true], null].map((operand) => ['dm', operand] as const),
    ...['5,6', [5, 6], ''].flatMap((operand) => [['sender', operand] as const, ['dm-including', operand] as const]),
    ...['first', '', '1.5', '1234567890123456', null].flatMap((operand) => [
      ['id', operand] as const,
      ['with', operand] as const,
    ]),
    ...['', ' ', '""', '" "', null, ['a']].map((operand) => ['search', operand] as const),
    ['topic', null],
  ] as const)
    assert.throws(() => readNarrow([[operator, operand]]), { code: 'BAD_NARROW' }, `${operator}:${operand}`);
});

test('conditions on channels and on direct messages exclude each other, unless one is negated', () => {
  const ofChannels = [
    ['channel', 'a'],
    ['channels', 'public'],
    ['topic', 'a'],
    ['is', 'resolved'],
    ['is', 'followed'],
  ];
  const ofDirects = [
    ['dm', 5],
    ['is', 'dm'],
    ['dm-including', 5],
    ['group-pm-with', 5],
  ];
  const ofBoth = [
    ['sender', 5],
    ['is', 'muted'],
    ['is', 'unread'],
    ['has', 'link'],
    ['id', 5],
    ['search', 'a'],
    ['in', 'home'],
  ];
  const narrow = (...terms: unknown[][]) => readNarrow(terms as [string, unknown][]);
  for (const channel of ofChannels) {
    for (const direct of ofDirects) {
      assert.throws(() => narrow(channel, direct), { code: 'BAD_NARROW' }, `${channel} ${direct}`);
      assert.throws(() => narrow(direct, channel), { code: 'BAD_NARROW' }, `${direct} ${channel}`);
      narrow([...channel, true], direct);
    }
    assert.throws(() => narrow([...channel, false], ['is', 'dm']), { code: 'BAD_NARROW' });
    narrow(channel, ['dm', 5, true]);
    for (const both of ofBoth) narrow(channel, both);
  }
  for (const direct of ofDirects) for (const both of ofBoth) narrow(direct, both);
  // A message that is not direct is in a channel.
  assert.throws(() => narrow(['is', 'dm', true], ['dm', 5]), { code: 'BAD_NARROW' });
});

test('the searches of a narrow have at most 20 words and 60 parts together', () => {
  const words = (count: number, word = (at: number) => `a${at}`) =>
    Array.from({ length: count }, (_, at) => word(at)).join(' ');
  const others = (at: number) => `b${at}`;
  const parts = (at: number) => `a${at}-b${at}-c${at}`;
  const narrow = (...searches: string[]) => readNarrow(searches.map((search) => ['search', search] as const));
  narrow(words(20));
  narrow(words(10), words(10, others));
  narrow(words(20, parts));
  narrow(words(19, parts), 'd-e-f');
  for (const searches of [[words(21)], [words(10), words(11, others)], [words(19, parts), 'd-e-f-g']])
    assert.throws(() => narrow(...searches), { code: 'BAD_NARROW', message: /20 words/ }, searches.join());
});

test('addresses of conversations have percent encoding with dots', () => {
  assert.equal(channelAddress(5, 'big plans!'), '/#narrow/channel/5-big-plans.21');
  assert.equal(
    topicAddress(5, 'ä', "it's 5.5 (100%)"),
    '/#narrow/channel/5-.C3.A4/topic/it.27s.205.2E5.20.28100.25.29',
  );
  assert.equal(directAddress([5, 6]), '/#narrow/dm/5,6');
});

import assert from 'node:assert/strict';
import { matchesSearch, readSearch } from '../../lib/rules/search.ts';
import type { MessageTerm } from '../../lib/storage/interface/messages.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, openFounded, send, subscribe } from './fixtures.ts';

export function searchContract(engine: Engine): void {
  const test = testOn(engine);
  test('a search finds the current words after edits, removals, topic renames and rollbacks', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, channel, topic, first, second } = await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada);
      const topic = await tx.conversations.ensureTopic(channel, 'harbour');
      const first = await send(tx, Ada, topic, { content: 'the lanterns are lit' });
      const second = await send(tx, Ada, topic, { content: 'a lantern fell' });
      return { Ada, channel, topic, first, second };
    });
    const found = (said: string) =>
      storage.read(async (tx) => {
        const termsOf = (words: string): MessageTerm[] => [{ test: 'words', search: readSearch(words) }];
        const query = { viewer: Ada.id, terms: termsOf(said) };
        const ids = await tx.messages.fetchIds(query, 0, 'after', 10);
        const words = await tx.messages.lookUp(query.terms);
        assert.deepEqual(await tx.messages.fetchIds({ ...query, words }, 0, 'after', 10), ids);
        return ids;
      });
    assert.deepEqual(await found('lantern'), [first, second]);
    assert.deepEqual(await found('lante'), [first, second]);
    assert.deepEqual(await found('harbour fell'), [second]);
    const edit = { content: 'the beacons are lit', rendered_content: '', is_me_message: false, timestamp: 1 };
    const undone = new Error('undone');
    const undo = async (tx: Transaction) => {
      await tx.messages.edit(first, { ...edit, content: 'the undone are lit' });
      await tx.messages.remove([second]);
      await send(tx, Ada, topic, { content: 'an undoubtedly new word' });
      throw undone;
    };
    await assert.rejects(storage.write(undo), undone);
    await assert.rejects(storage.dryRun(undo), undone);
    assert.deepEqual(await found('undone'), []);
    assert.deepEqual(await found('lantern'), [first, second]);
    const third = await storage.write((tx) => send(tx, Ada, topic, { content: 'an undoubtedly new word' }));
    assert.deepEqual(await found('undoub'), [third]);
    await storage.write((tx) => tx.messages.edit(first, edit));
    assert.deepEqual(await found('lantern'), [second]);
    assert.deepEqual(await found('beacon'), [first]);
    await storage.write((tx) =>
      tx.conversations.rename(topic, { channel_id: channel, topic: 'lighthouse' }, { timestamp: 2, up_to: third }),
    );
    assert.deepEqual(await found('harbour'), []);
    assert.deepEqual(await found('lighthouses'), [first, second, third]);
    assert.deepEqual(await found('lighthou lantern'), [second]);
    await storage.write((tx) => tx.messages.remove([second]));
    assert.deepEqual(await found('lantern'), []);
    assert.deepEqual(await found('lighthouse'), [first, third]);
  });

  test('a search among 2,000 messages finds rare, frequent, absent and negated words', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob, ids } = await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const ids: number[] = [];
      for (let n = 0; n < 2_000; n++) {
        ids.push(await send(tx, Ada, topic, { content: n % 500 === 3 ? `rarely${n} seen` : 'often seen' }));
      }
      return { Ada, Bob, ids };
    });
    const words = (said: string): MessageTerm => ({ test: 'words', search: readSearch(said) });
    const expected: [MessageTerm[], limit: number, found: readonly number[]][] = [
      [[words('often')], 5, ids.filter((_, at) => at % 500 !== 3).slice(-5)],
      [[words('rarely')], 5, ids.filter((_, at) => at % 500 === 3)],
      [[words('seen rarely1503')], 5, [ids[1_503] as number]],
      [[words('nowhere')], 5, []],
      [[words('often'), { test: 'sender', id: Bob.id }], 5, []],
      [[{ ...words('often'), negated: true }], 5, ids.filter((_, at) => at % 500 === 3)],
      [[words('seen'), { ...words('often'), negated: true }], 3, ids.filter((_, at) => at % 500 === 3).slice(-3)],
      [[{ ...words('rarely'), negated: true }], 600, ids.filter((_, at) => at % 500 !== 3).slice(-600)],
      [[words('often')], 1_990, ids.filter((_, at) => at % 500 !== 3).slice(-1_990)],
    ];
    for (const [terms, limit, found] of expected) {
      const newest = Number.MAX_SAFE_INTEGER;
      const got = await storage.read((tx) => tx.messages.fetchIds({ viewer: Ada.id, terms }, newest, 'before', limit));
      assert.deepEqual(got, found, JSON.stringify(terms));
    }
  });

  test('the search index finds the messages that the matching rule finds, for many texts and searches', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, texts } = await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada);
      const texts = new Map<number, { content: string; topic: string }>();
      for (const topic of TOPICS) {
        const conversation = await tx.conversations.ensureTopic(channel, topic);
        for (const content of CONTENTS) texts.set(await send(tx, Ada, conversation, { content }), { content, topic });
      }
      return { Ada, texts };
    });
    for (const said of ASKED) {
      const search = readSearch(said);
      const expected = [...texts].filter(([, { content, topic }]) => matchesSearch(search, content, topic));
      for (const negated of [false, true]) {
        const terms = [{ test: 'words' as const, search, negated }];
        const found = await storage.read((tx) => tx.messages.fetchIds({ viewer: Ada.id, terms }, 0, 'after', 1_000));
        const ids = expected.map(([id]) => id);
        assert.deepEqual(found, negated ? [...texts.keys()].filter((id) => !ids.includes(id)) : ids, said);
      }
    }
  });
}

const CONTENTS = [
  ...[
    'relational databases',
    'to relate is to relational',
    'happy',
    'happily',
    'happiness',
    'Dying dyes',
    'sized sizes',
  ],
  ...['The cat', 'concatenate', 'CATS & dogs', 'c++ or c', 'it costs 5 €', '👍🏽 fine', '❤️', "don't", "O'Neill"],
  ...[
    'snake_case camelCase',
    'https://user@example.com:80/a/b?c=d&e=f',
    '```\nlet x = "y";\n```',
    '3.14159',
    '',
    '...',
  ],
  ...[
    '東京都庁',
    '京都',
    'カタカナー',
    'ひらがな',
    '서울역에서',
    'สวัสดีครับ',
    'abc東京def',
    'e\u0301tude',
    'ÉTUDE',
    'ΟΔΟΣ οδός',
  ],
  ...[
    'a'.repeat(24),
    'a'.repeat(25),
    `${'a'.repeat(24)}b`,
    `${'a'.repeat(30)}ing`,
    '𝒳𝒴𝒵',
    'İstanbul',
    "' OR 1=1 --",
    'w* "x" NEAR(y)',
  ],
];
const TOPICS = ['plans', 'cats of 東京', '👍 relations'];
const ASKED = [
  ...[
    'relation',
    'relating',
    'relat',
    'happy',
    'happi',
    'dy',
    'dye',
    'dyed',
    'size',
    'sizing',
    'cat',
    'cats',
    'ca',
    'the',
    'the cat',
  ],
  ...[
    'c++',
    'c',
    '€',
    '5 €',
    '👍',
    '👍🏽',
    '❤',
    "don't",
    'o neill',
    'neil',
    'case',
    'snake_case',
    'example.com',
    'c=d',
    '&',
    'let x',
    '3.14',
  ],
  ...[
    '東京',
    '東',
    '京都',
    '都庁',
    '東京都庁',
    '京都 東京',
    'タカ',
    'ナー',
    'らが',
    '서울',
    '에서',
    'สดี',
    'abc',
    'def',
    'étude',
    'e\u0301tude',
  ],
  ...[
    'οδος',
    'οδός',
    'aaa',
    'a'.repeat(24),
    'a'.repeat(25),
    'a'.repeat(26),
    '𝒳',
    '𝒳𝒴𝒵',
    'istanbul',
    "'",
    '"',
    '*',
    'w*',
    'near',
    'or',
    'NOT',
  ],
  ...[
    '"the cat"',
    '"relational databases"',
    '"cat"',
    '"to relate" relational',
    '"京都"',
    '"& dogs"',
    'plans cat',
    'plans 東京',
    'relations happy',
    '👍 cats',
  ],
];

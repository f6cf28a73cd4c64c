import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const STORED = { visits: '3', greeting: 'Grüße 🎉\n', '': '' };
/** What the bot has; Hamlet has something under a key of the same name. */
const stored = async ({ as }: World) => {
  await as('bot').botStorage.set({ storage: STORED });
  await as('hamlet').botStorage.set({ storage: { visits: '9' } });
};
const storageOf = async ({ as }: World, user: 'bot' | 'hamlet' = 'bot') => (await as(user).botStorage.get()).storage;
const numbered = (from: number, to: number, value: string) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`key ${from + at}`, value]));
/** 9,990,000 bytes, keys and quotation marks included. */
const nearlyFull = ({ storage, users }: World) => {
  const entries = Array.from({ length: 90 }, (_, at) => ({
    key: `${at + 10}`,
    value: 'x'.repeat(110_994),
    bytes: 111_000,
  }));
  return storage.write((tx) => tx.botStorage.set(users.bot, entries, { entries: 90, bytes: 9_990_000 }));
};

export const getBotStorageCases = cases('botStorage.get', [
  { name: 'a new account has an empty storage', as: 'bot', call: ['botStorage.get'], returns: { storage: {} } },
  {
    name: 'everything is answered, of the caller alone',
    as: 'bot',
    given: stored,
    call: ['botStorage.get'],
    returns: { storage: STORED },
  },
  {
    name: 'what is stored under some keys is answered, under a key named twice once',
    as: 'bot',
    given: stored,
    call: ['botStorage.get', { keys: ['visits', '', 'visits'] }],
    returns: { storage: { visits: '3', '': '' } },
  },
  {
    name: 'an empty list of keys gets an empty response',
    as: 'bot',
    given: stored,
    call: ['botStorage.get', { keys: [] }],
    returns: { storage: {} },
  },
  {
    name: 'keys are told apart to the letter',
    as: 'bot',
    given: stored,
    call: ['botStorage.get', { keys: ['Visits'] }],
    refuses: { code: 'BAD_REQUEST', says: /nothing under the key "Visits"/ },
  },
  {
    name: 'an unknown key is refused, also beside one that is there',
    as: 'bot',
    given: stored,
    call: ['botStorage.get', { keys: ['visits', 'visitors'] }],
    refuses: { code: 'BAD_REQUEST', says: /nothing under the key "visitors"/ },
  },
  {
    name: 'a key of another account is refused as missing',
    as: 'owner',
    given: stored,
    call: ['botStorage.get', { keys: ['visits'] }],
    refuses: { code: 'BAD_REQUEST', says: /nothing under the key "visits"/ },
  },
  {
    name: 'keys that are no texts are refused',
    as: 'bot',
    call: ['botStorage.get', { keys: [3] as never }],
    refuses: { code: 'BAD_REQUEST', says: /keys\[0\] must be a string/ },
  },
]);

const refused = (name: string, storage: object, says: RegExp): Case => ({
  name,
  as: 'bot',
  given: stored,
  call: ['botStorage.set', { storage: storage as never }],
  refuses: { code: 'BAD_REQUEST', says },
  state: async (world) => assert.deepEqual(await storageOf(world), STORED),
});

export const setInBotStorageCases = cases('botStorage.set', [
  {
    name: 'a key is added and another overwritten; nobody is told, and nobody else has them',
    as: 'bot',
    given: stored,
    call: ['botStorage.set', { storage: { visits: '4', mood: 'good' } }],
    returns: {},
    events: () => ({ bot: [], hamlet: [] }),
    state: async (world) => {
      assert.deepEqual(await storageOf(world), { ...STORED, visits: '4', mood: 'good' });
      assert.deepEqual(await storageOf(world, 'hamlet'), { visits: '9' });
    },
  },
  {
    name: 'nothing is stored where nothing is given',
    as: 'bot',
    given: stored,
    call: ['botStorage.set', { storage: {} }],
    returns: {},
    state: async (world) => assert.deepEqual(await storageOf(world), STORED),
  },
  {
    name: 'keys may be called as what every object has',
    as: 'bot',
    call: ['botStorage.set', { storage: JSON.parse('{"constructor":"a","prototype":"b","__proto__":"c","7":"d"}') }],
    returns: {},
    state: async (world) => {
      const storage = Object.entries(await storageOf(world)).sort();
      assert.deepEqual(storage, [
        ...[
          ['7', 'd'],
          ['__proto__', 'c'],
        ],
        ...[
          ['constructor', 'a'],
          ['prototype', 'b'],
        ],
      ]);
    },
  },
  {
    name: 'a key of 500 characters and a text of a hundred thousand are stored',
    as: 'bot',
    call: ['botStorage.set', { storage: { ['🎉'.repeat(500)]: '"'.repeat(100_000) } }],
    returns: {},
    state: async (world) => assert.deepEqual(await storageOf(world), { ['🎉'.repeat(500)]: '"'.repeat(100_000) }),
  },
  {
    name: 'an account fills its storage to the last byte of what an answer has',
    as: 'bot',
    given: nearlyFull,
    call: ['botStorage.set', { storage: { 'the last': `${'🎉'.repeat(2_000)}${'\u0001'.repeat(331)}xx` } }],
    returns: {},
  },
  {
    name: 'one byte more than an account may have is refused',
    as: 'bot',
    given: nearlyFull,
    call: ['botStorage.set', { storage: { 'the last': `${'🎉'.repeat(2_000)}${'\u0001'.repeat(331)}xxx` } }],
    refuses: { code: 'BAD_REQUEST', says: /at most 10000000 bytes/ },
  },
  {
    name: 'overwritten and removed values free their space',
    as: 'bot',
    given: async (world) => {
      await nearlyFull(world);
      await world.as('bot').botStorage.remove({ keys: ['10', '11'] });
      await world.as('bot').botStorage.set({ storage: { '12': '' } });
      await world.as('bot').botStorage.set({ storage: { a: 'x'.repeat(199_999), b: 'x'.repeat(142_984) } });
    },
    call: ['botStorage.set', { storage: { b: 'x'.repeat(142_985) } }],
    returns: {},
  },
  {
    name: 'texts are stored under 50,000 keys at most',
    as: 'bot',
    given: async ({ as, storage, users }) => {
      const entries = Object.keys(numbered(0, 50_000, '')).map((key) => ({ key, value: '', bytes: key.length + 4 }));
      const size = { entries: 50_000, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) };
      await storage.write((tx) => tx.botStorage.set(users.bot, entries, size));
      await as('bot').botStorage.set({ storage: { 'key 7': 'x' } });
    },
    call: ['botStorage.set', { storage: { 'key 7': 'y', another: '' } }],
    refuses: { code: 'BAD_REQUEST', says: /at most 50000 keys/ },
    state: async (world) => assert.equal((await storageOf(world))['key 7'], 'x'),
  },
  refused('more than 5,000 keys in one call are refused', numbered(0, 5_001, ''), /storage has too many keys.*5000/),
  refused('a number as value is refused', { visits: '4', foo: 3 }, /storage\["foo"\] must be a string/),
  refused('a list as value is refused', { foo: ['a'] }, /storage\["foo"\] must be a string/),
  refused('a list instead of an object is refused', ['a'], /storage must be an object/),
  refused('a key of 501 characters is refused', { ['x'.repeat(501)]: '' }, /is too long \(limit: 500 characters\)/),
  refused('a value with a NUL character is refused', { foo: 'a\0b' }, /storage\["foo"\] must not contain NUL/),
  {
    name: 'a request without storage is refused',
    as: 'bot',
    call: ['botStorage.set', {} as never],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'storage' } },
  },
]);

export const removeFromBotStorageCases = cases('botStorage.remove', [
  {
    name: 'what is stored under some keys is removed, of the caller alone',
    as: 'bot',
    given: stored,
    call: ['botStorage.remove', { keys: ['visits', '', 'visits'] }],
    returns: {},
    events: () => ({ bot: [], hamlet: [] }),
    state: async (world) => {
      assert.deepEqual(await storageOf(world), { greeting: STORED.greeting });
      assert.deepEqual(await storageOf(world, 'hamlet'), { visits: '9' });
    },
  },
  {
    name: 'without keys everything is removed, of the caller alone',
    as: 'bot',
    given: stored,
    call: ['botStorage.remove'],
    returns: {},
    state: async (world) => {
      assert.deepEqual(await storageOf(world), {});
      assert.deepEqual(await storageOf(world, 'hamlet'), { visits: '9' });
    },
  },
  { name: 'removing everything from an empty storage succeeds', as: 'bot', call: ['botStorage.remove'], returns: {} },
  {
    name: 'an empty list of keys removes nothing',
    as: 'bot',
    given: stored,
    call: ['botStorage.remove', { keys: [] }],
    returns: {},
    state: async (world) => assert.deepEqual(await storageOf(world), STORED),
  },
  {
    name: 'nothing is removed where one of the keys is unknown',
    as: 'bot',
    given: stored,
    call: ['botStorage.remove', { keys: ['visits', 'visitors'] }],
    refuses: { code: 'BAD_REQUEST', says: /nothing under the key "visitors"/ },
    state: async (world) => assert.deepEqual(await storageOf(world), STORED),
  },
  {
    name: 'more than 5,000 keys are refused',
    as: 'bot',
    call: ['botStorage.remove', { keys: Array.from({ length: 5_001 }, () => 'x') }],
    refuses: { code: 'BAD_REQUEST', says: /keys has too many elements \(limit: 5000\)/ },
  },
]);

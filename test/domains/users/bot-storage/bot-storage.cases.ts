import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const STORED = { visits: '3', greeting: 'Grüße 🎉\n', '': '' };
/** The storage of the bot. Hamlet has a text with the same key. */
const stored = async ({ as }: World) => {
  await as('bot').botStorage.set({ storage: STORED });
  await as('hamlet').botStorage.set({ storage: { visits: '9' } });
};
const storageOf = async ({ as }: World, user: 'bot' | 'hamlet' = 'bot') => (await as(user).botStorage.get()).storage;
const numbered = (from: number, to: number, value: string) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`key ${from + at}`, value]));
/** 9,990,000 bytes, including keys and quotation marks. */
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
    name: 'G9: a request without keys returns the whole storage of the caller and no other',
    as: 'bot',
    given: stored,
    call: ['botStorage.get'],
    returns: { storage: STORED },
  },
  {
    name: 'a request with keys returns their values, each once',
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
    name: 'a key in another case is refused as unknown',
    as: 'bot',
    given: stored,
    call: ['botStorage.get', { keys: ['Visits'] }],
    refuses: { code: 'BAD_REQUEST', says: /The key "Visits" does not exist/ },
  },
  {
    name: 'an unknown key beside a known one is refused',
    as: 'bot',
    given: stored,
    call: ['botStorage.get', { keys: ['visits', 'visitors'] }],
    refuses: { code: 'BAD_REQUEST', says: /The key "visitors" does not exist/ },
  },
  {
    name: 'G9: a key of another account is refused as missing',
    as: 'owner',
    given: stored,
    call: ['botStorage.get', { keys: ['visits'] }],
    refuses: { code: 'BAD_REQUEST', says: /The key "visits" does not exist/ },
  },
  {
    name: 'a key that is a number is refused',
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
    name: 'G9: keys are added and overwritten for the caller alone, without an event',
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
    name: 'an empty object changes nothing',
    as: 'bot',
    given: stored,
    call: ['botStorage.set', { storage: {} }],
    returns: {},
    state: async (world) => assert.deepEqual(await storageOf(world), STORED),
  },
  {
    name: 'keys named like object properties, such as __proto__, are stored',
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
    name: 'an account can fill its storage to the last of 10,000,000 bytes',
    as: 'bot',
    given: nearlyFull,
    call: ['botStorage.set', { storage: { 'the last': `${'🎉'.repeat(2_000)}${'\u0001'.repeat(331)}xx` } }],
    returns: {},
  },
  {
    name: 'one byte more than 10,000,000 in the storage of an account is refused',
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
    name: 'more than 50,000 keys of an account are refused',
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
    name: 'G9: a request with keys removes them from the storage of the caller alone',
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
    name: 'G9: a request without keys empties the storage of the caller alone',
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
    name: 'an unknown key beside a known one is refused, and nothing is removed',
    as: 'bot',
    given: stored,
    call: ['botStorage.remove', { keys: ['visits', 'visitors'] }],
    refuses: { code: 'BAD_REQUEST', says: /The key "visitors" does not exist/ },
    state: async (world) => assert.deepEqual(await storageOf(world), STORED),
  },
  {
    name: 'more than 5,000 keys are refused',
    as: 'bot',
    call: ['botStorage.remove', { keys: Array.from({ length: 5_001 }, () => 'x') }],
    refuses: { code: 'BAD_REQUEST', says: /keys has too many elements \(limit: 5000\)/ },
  },
]);

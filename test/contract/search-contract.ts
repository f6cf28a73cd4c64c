import assert from 'node:assert/strict';
import { readSearch } from '../../lib/rules/search.ts';
import type { MessageTerm } from '../../lib/storage/interface/message-query.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, openFounded, send, subscribe } from './fixtures.ts';

export function searchContract(engine: Engine): void {
  const test = testOn(engine);
  test('a search follows edits, removals, names of topics and what was undone', async (t) => {
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
      storage.read((tx) =>
        tx.messages.fetchIds({ viewer: Ada.id, terms: [{ test: 'words', search: readSearch(said) }] }, 0, 'after', 10),
      );
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
    await assert.rejects(storage.rehearse(undo), undone);
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

  test('a search among many looks at what it finds, and not at the rest', async (t) => {
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
}

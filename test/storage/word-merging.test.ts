import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { readSearch } from '../../lib/rules/search.ts';
import { openHandle } from '../../lib/storage/sqlite/driver.ts';
import { type SqliteOptions, type SqliteStorage, sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { createChannel, createUsers, organization, send, subscribe } from '../contract/fixtures.ts';
import { sqliteDrivers, testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';

/** A user who writes to a topic, and the number of segments of the message index. */
async function opened(t: TestContext, options: SqliteOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chat.db');
  const open = async () => {
    const storage = sqlite(path, options);
    await storage.open();
    t.after(() => storage.close());
    return storage;
  };
  const storage = await open();
  const { Ada, topic } = await storage.write(async (tx) => {
    await tx.organization.create(organization());
    const { Ada } = await createUsers(tx, 'Ada');
    const channel = await createChannel(tx, 'one');
    await subscribe(tx, channel, Ada);
    return { Ada, topic: await tx.conversations.ensureTopic(channel, 'harbour') };
  });
  const looking = openHandle(options.driver as NonNullable<SqliteOptions['driver']>, path);
  t.after(() => looking.close());
  return {
    storage,
    open,
    /** Begins like a call, which compares the versions of what the process remembers. */
    write: (content: string, to: SqliteStorage = storage) =>
      to.write(async (tx) => {
        await tx.organization.versions();
        return send(tx, Ada, topic, { content });
      }),
    find: (said: string, among: SqliteStorage = storage) =>
      among.read((tx) =>
        tx.messages.fetchIds({ viewer: Ada.id, terms: [{ test: 'words', search: readSearch(said) }] }, 0, 'after', 100),
      ),
    /** Every byte of the index of messages. */
    stored: () =>
      (looking.prepare('SELECT block FROM message_words_data').all() as { block: Uint8Array }[])
        .map(({ block }) => Buffer.from(block).toString('latin1'))
        .join(),
    parts() {
      const row = looking.prepare('SELECT COUNT(DISTINCT segid) AS n FROM message_words_idx').get();
      return Number((row as { n: number }).n);
    },
  };
}

/** More than one merge processes. */
const longText = (at: number) => Array.from({ length: 9_000 }, (_, n) => `word${at * 9_000 + n}`).join(' ');

for (const { name: driver, skip } of sqliteDrivers) {
  const test = testOn({ skip });
  const on = (name: string) => `${name} (${driver})`;

  test(on('segments of the word index are merged after several commits'), async (t) => {
    const { write, find, parts } = await opened(t, { driver });
    const sent: number[] = [];
    for (let n = 0; n < 40; n++) sent.push(await write(`lantern ${n}`));
    assert.ok(parts() > 1);
    await until('the index has one part', () => parts() === 1);
    assert.deepEqual(await find('lantern'), sent);
  });

  test(on('the words of a removed message leave a merged index when the storage forgets them'), async (t) => {
    const { storage, write, find, stored } = await opened(t, { driver });
    const kept = await write(longText(0));
    for (let n = 0; n < 20; n++) await write(`lantern ${n}`);
    const removed = await write('marzipan');
    await storage.mergeWords();
    await storage.write((tx) => tx.messages.remove([removed]));
    await storage.forget();
    assert.ok(stored().includes('zipan'), 'without the option, the index keeps the word');
    await storage.forget({ words: true });
    assert.ok(!stored().includes('zipan'));
    assert.deepEqual(await find('word17'), [kept]);
  });

  test(on('a process writes a word again that another process has removed from the known words'), async (t) => {
    const { open, write, find } = await opened(t, { driver });
    const removed = await write('lantern');
    const other = await open();
    await other.write((tx) => tx.messages.remove([removed]));
    const found = await other.read((tx) => tx.erasure.unusedWords('', 100));
    await other.write((tx) => tx.erasure.removeWords(found?.unused ?? []));
    const sent = await write('lantern');
    assert.deepEqual(await find('lanter'), [sent]);
  });

  test(on('other writes run while segments of the word index are merged'), async (t) => {
    const { storage, write, find, parts } = await opened(t, { driver });
    for (let n = 0; n < 6; n++) await write(longText(n));
    const merging = storage.mergeWords();
    const late = await write('lantern');
    assert.ok(parts() > 6, `${parts()} parts`);
    await merging;
    assert.ok(parts() <= 2);
    assert.deepEqual(await find('lantern'), [late]);
  });

  test(on('close leaves unmerged segments of the word index for the next start'), async (t) => {
    const { storage, open, write, find, parts } = await opened(t, { driver });
    const sent: number[] = [];
    for (let n = 0; n < 6; n++) sent.push(await write(longText(n)));
    const merging = storage.mergeWords();
    await storage.close();
    await merging;
    assert.ok(parts() > 1);
    const again = await open();
    assert.deepEqual(await find('word', again), sent);
    await again.mergeWords();
    assert.equal(parts(), 1);
    assert.deepEqual(await find('word', again), sent);
  });
}

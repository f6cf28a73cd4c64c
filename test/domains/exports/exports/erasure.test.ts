import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipArchive } from '../../../../lib/import/zip.ts';
import { type LocalSession, localFiles, openChat } from '../../../../lib/index.ts';
import type { Transaction } from '../../../../lib/storage/interface/storage.ts';
import { ADA, BEN, open, populated, quiet, scratch } from '../../../maintenance/exports.ts';
import { places } from '../../../storage/migration-places.ts';
import { testOn } from '../../../support/engines.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const WORDS = 'words that only Ben has written';

async function textIn(session: LocalSession, url: string, path: string): Promise<string> {
  await writeFile(path, await buffer((await session.download(url)).content));
  const archive = await ZipArchive.open(path);
  const texts: string[] = [];
  for (const name of archive.names)
    for await (const piece of archive.stream(name)) texts.push(Buffer.from(piece).toString());
  archive.close();
  return texts.join('\n');
}

const engines = places.filter(({ name }) => name === 'PostgreSQL' || name === places[0]?.name);

/** A gate that is open until it is closed. */
function gate() {
  let opened = Promise.resolve();
  let reached = () => {};
  return {
    open: () => {},
    /** Returns when the next one has come to the gate. */
    close(): Promise<void> {
      opened = new Promise((resolve) => {
        this.open = resolve;
      });
      return new Promise((resolve) => {
        reached = resolve;
      });
    },
    pass: (): Promise<void> => {
      reached();
      return opened;
    },
  };
}

/** The removal of mentions looks for the newest row of each table first. */
const stoppingErasures = (tx: Transaction, pass: () => Promise<void>): Transaction => {
  const newest: typeof tx.erasure.newest = (table) => pass().then(() => tx.erasure.newest(table));
  return Object.create(tx, { erasure: { value: Object.create(tx.erasure, { newest: { value: newest } }) } });
};

for (const engine of engines)
  testOn(engine)(
    `no export with an erased person can be downloaded while the traces are removed, on ${engine.name}`,
    async (t) => {
      const folder = await scratch(t);
      const place = await engine.make();
      const clock = new ManualClock(Date.now());
      const [writing, erasing] = [gate(), gate()];
      const files = localFiles(join(folder, 'uploads'));
      const { write } = files;
      files.write = async (...given) => writing.pass().then(() => write.apply(files, given));
      const storage = open(place);
      const { read } = storage;
      storage.read = (work, extent) =>
        read.call(storage, (tx) => work(stoppingErasures(tx, erasing.pass)), extent) as never;
      // The first process works, the second one is asked.
      const worker = await openChat({ storage, files, logger: quiet, clock });
      t.after(() => place.remove());
      t.after(() => worker.close());
      const { ben } = await populated(worker);
      const other = await openChat({
        storage: open(place),
        files: localFiles(join(folder, 'uploads')),
        logger: quiet,
        clock,
      });
      t.after(() => other.close());
      const ada = other.as(ADA.email);
      await other.as(BEN.email).messages.send({ type: 'channel', to: 'general', topic: 'x', content: WORDS });
      await worker.runDue();

      const isWriting = writing.close();
      await ada.exports.create({});
      const making = worker.runDue();
      await isWriting;
      await ada.users.erase({ user_id: ben.user_id, messages: 'keep' });
      // The export ends, and the erasure stops before it has read anything.
      const isErasing = erasing.close();
      writing.open();
      const working = making.then(() => worker.runDue());
      await isErasing;
      await ada.exports.create({});
      for (let run = 0; run < 3; run++) {
        await other.runDue();
        const { exports } = await ada.exports.list();
        assert.deepEqual(
          exports.map(({ export_url, pending }) => [export_url, pending]),
          [
            [null, true],
            [null, true],
          ],
        );
        clock.advance({ seconds: 5 });
      }
      erasing.open();
      await working;
      for (let run = 0; run < 3; run++) {
        clock.advance({ seconds: 5 });
        await worker.runDue();
      }
      const { exports } = await ada.exports.list();
      assert.equal(exports.length, 2);
      for (const { export_url, id } of exports)
        assert.doesNotMatch(await textIn(ada, export_url ?? '', join(folder, `${id}.zip`)), /Ben Ngo|ben@example.com/);
    },
  );

for (const engine of engines)
  testOn(engine)(
    `erasing a person deletes the exports of the organization, and one that is being made begins again, on ${engine.name}`,
    async (t) => {
      const folder = await scratch(t);
      const place = await engine.make();
      const files = localFiles(join(folder, 'uploads'));
      let reached = () => {};
      let wait: Promise<void> | undefined;
      const { write } = files;
      files.write = async (...given) => {
        reached();
        await wait;
        return write.apply(files, given);
      };
      const clock = new ManualClock(Date.now());
      const chat = await openChat({ storage: open(place), files, logger: quiet, clock });
      t.after(async () => {
        await chat.close();
        await place.remove();
      });
      const { ben } = await populated(chat);
      const ada = chat.as(ADA.email);
      await chat.as(BEN.email).messages.send({ type: 'channel', to: 'general', topic: 'x', content: WORDS });
      await chat.runDue();
      const stored = async () => readdir(join(folder, 'uploads'), { recursive: true });
      const before = new Set(await stored());
      await ada.exports.create({});
      await chat.runDue();
      const listed = async () => (await ada.exports.list()).exports;
      const [first] = await listed();
      assert.match(await textIn(ada, first?.export_url ?? '', join(folder, 'first.zip')), new RegExp(WORDS));

      // The second one has read the words when the person is erased.
      const isWriting = new Promise<void>((resolve) => {
        reached = resolve;
      });
      let goOn = () => {};
      wait = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await ada.exports.create({});
      const making = chat.runDue();
      await isWriting;
      const erasure = { user_id: ben.user_id, messages: 'delete' } as const;
      assert.equal((await ada.dryRun.users.erase(erasure)).answer.export_count, 1);
      assert.equal((await ada.users.erase(erasure)).export_count, 1);
      wait = undefined;
      goOn();
      await making;
      for (let run = 0; run < 3; run++) {
        clock.advance({ seconds: 5 });
        await chat.runDue();
      }

      const [second, deleted] = await listed();
      assert.deepEqual([deleted?.export_url, typeof deleted?.deleted_timestamp], [null, 'number']);
      assert.doesNotMatch(await textIn(ada, second?.export_url ?? '', join(folder, 'second.zip')), new RegExp(WORDS));
      const added = (await stored()).filter((name) => /file$/.test(name) && !before.has(name));
      assert.equal(added.length, 1, 'no file is left behind');
    },
  );

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipArchive } from '../../../../lib/import/zip.ts';
import { type LocalSession, localFiles, openChat } from '../../../../lib/index.ts';
import { ADA, BEN, open, populated, quiet, scratch } from '../../../maintenance/exports.ts';
import { places } from '../../../storage/migration-places.ts';
import { testOn } from '../../../support/engines.ts';

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

for (const engine of places.filter(({ name }) => name === 'PostgreSQL' || name === places[0]?.name))
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
      const chat = await openChat({ storage: open(place), files, logger: quiet });
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
      for (let run = 0; run < 3; run++) await chat.runDue();

      const [second, deleted] = await listed();
      assert.deepEqual([deleted?.export_url, typeof deleted?.deleted_timestamp], [null, 'number']);
      assert.doesNotMatch(await textIn(ada, second?.export_url ?? '', join(folder, 'second.zip')), new RegExp(WORDS));
      const added = (await stored()).filter((name) => /file$/.test(name) && !before.has(name));
      assert.equal(added.length, 1, 'no file is left behind');
    },
  );

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportChat, importOrganization, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { filesIn, populated, quiet } from '../maintenance/exports.ts';
import type { ExporterOptions } from './exporter.ts';
import { ENGINES, killedProgram } from './victims.ts';

const FILES = 12;
/** Steps: the first tables, in the middle of the files, at the last file. */
export const STEPS = [1, 9, 24, 30, 35];

async function killed(options: ExporterOptions): Promise<void> {
  const child = spawn(process.execPath, [await killedProgram('exporter'), JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGKILL', `step ${options.killAt}`);
}

/** Kills an export at each of these steps. */
export function killExports(steps: readonly number[], engines = ENGINES): void {
  for (const { name, place: makePlace, skip } of engines)
    test(`an export that is repeated after kills has the files of one without kills, on ${name}`, {
      ...(skip ? { skip } : {}),
      timeout: 120_000,
    }, async (t) => {
      const root = await mkdtemp(join(tmpdir(), 'export-kills-'));
      const place = await makePlace();
      const [uploads, folder] = [join(root, 'uploads'), join(root, 'killed')];
      const chat = await openChat({ storage: place.storage(), files: localFiles(uploads), logger: quiet });
      t.after(async () => {
        await chat.close();
        await place.remove();
        await rm(root, { recursive: true, force: true });
      });
      const { ben } = await populated(chat);
      for (let number = 0; number < FILES; number++)
        await chat.as(ben).uploads.send({ file: new File(['x'.repeat(number * 50_000)], `${number}.txt`) });
      let firstFile: number | undefined;
      for (const killAt of steps) {
        await killed({ ...place.options, uploads, folder, killAt });
        assert.deepEqual((await readdir(folder)).includes('export.json'), false);
        firstFile ??= (await stat(join(folder, 'files', '1-page.html.bin')).catch(() => undefined))?.mtimeMs;
      }
      assert.ok(firstFile, 'a kill came after the first file');
      await exportChat(chat, folder);
      assert.equal((await stat(join(folder, 'files', '1-page.html.bin'))).mtimeMs, firstFile);
      await exportChat(chat, join(root, 'undisturbed'));
      const [repeated, undisturbed] = [await filesIn(folder), await filesIn(join(root, 'undisturbed'))];
      assert.deepEqual(Object.keys(repeated), Object.keys(undisturbed));
      // The first export has added an entry to the audit log.
      for (const file of Object.keys(undisturbed).filter((each) => !/^(audit_log\.jsonl|export\.json)$/.test(each)))
        assert.equal(repeated[file], undisturbed[file], file);
      await importOrganization(folder, sqlite(join(root, 'new.db')), { files: localFiles(join(root, 'new')) });
    });
}

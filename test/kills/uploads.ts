import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/adapters/clock.ts';
import { localFiles, openChat } from '../../lib/index.ts';
import { readPathId } from '../../lib/rules/uploads.ts';
import type { UploaderOptions } from './uploader.ts';
import { ENGINES, killedProgram } from './victims.ts';

const LIFE_MS = 800;
const DAYS_2_MS = 2 * 86_400_000;

export function uploads(kills: number, engines = ENGINES): void {
  describe('processes that upload and remove files are killed', () => {
    for (const { name, place: makePlace, skip } of engines) {
      const title = `each acknowledged file is complete after kills, and nothing else is left in the store, on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const folder = await mkdtemp(join(tmpdir(), 'kills-'));
        const place = await makePlace();
        t.after(async () => {
          await place.remove();
          await rm(folder, { recursive: true, force: true });
        });
        const files = join(folder, 'files');
        const founding = await openChat({ storage: place.storage() });
        const ada = { email: 'ada@example.com', full_name: 'Ada' };
        const { user_id: user } = await founding.createOrganization({ name: 'Kills', owner: ada });
        await founding.close();

        const acknowledged = new Map<string, number>();
        const maybeRemoved = new Set<string>();
        const faults: string[] = [];
        for (let life = 0; life < kills; life++) {
          const options: UploaderOptions = { ...place.options, folder: files, user };
          for (const line of await lived(await killedProgram('uploader'), options)) {
            const [sign, url = '', size] = line.split(' ');
            if (sign === '=') acknowledged.set(url, Number(size));
            else if (sign === '-') maybeRemoved.add(url);
            else faults.push(line);
          }
        }
        assert.deepEqual(faults, []);

        // Days later, all due work is done.
        const clock: Clock = { now: () => Date.now() + DAYS_2_MS, after: () => () => undefined };
        const store = localFiles(files);
        const chat = await openChat({ storage: place.storage(), files: store, clock });
        try {
          await chat.runDue();
          const listed = (await chat.as(user).uploads.list()).attachments;
          const sizes = new Map(listed.map(({ path_id, size }) => [`/user_uploads/${path_id}`, size]));
          for (const [url, size] of acknowledged) {
            if (!maybeRemoved.has(url)) assert.equal(sizes.get(url), size, `${url} was acknowledged`);
          }
          const keys = new Set<string>();
          for (const { path_id, size } of listed) {
            const key = `${readPathId(path_id)?.file_key}/file`;
            keys.add(key);
            assert.equal(await store.size(key), size, path_id);
          }
          const stored = (await readdir(files, { recursive: true, withFileTypes: true }))
            .filter((entry) => entry.isFile())
            .map((entry) => relative(files, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
          assert.deepEqual(new Set(stored), keys);
          const used = await chat.as(user).uploads.list();
          assert.equal(
            used.upload_space_used,
            listed.reduce((sum, { size }) => sum + size, 0),
          );
          t.diagnostic(
            `${kills} kills: ${acknowledged.size} acknowledged, ${maybeRemoved.size} removed, ${keys.size} left`,
          );
        } finally {
          await chat.close();
        }
      });
    }
  });
}

/** Output of a process that was killed some time after its first file. */
async function lived(program: string, options: UploaderOptions): Promise<string[]> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  await sleep(Math.random() * LIFE_MS);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.kill('SIGKILL');
  await ended;
  // The last line may be incomplete.
  return said.split('\n').slice(0, -1);
}

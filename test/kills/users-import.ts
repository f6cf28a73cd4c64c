import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { defaultDriver, openHandle } from '../../lib/storage/sqlite/driver.ts';
import { serve } from '../../server/index.ts';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { until } from '../support/until.ts';

interface Setup {
  folder: string;
  database: string;
  file: string;
  results: string;
  owner: { email: string; api_key: string };
}

/** Imports so many users. */
export function killImports(people: number): void {
  describe(`importing ${people} users, killed twice and repeated`, () => {
    let chatctl: CompiledChatctl;
    const folders: string[] = [];
    before(async () => {
      chatctl = await compileChatctl();
    });
    after(async () => {
      await chatctl.remove();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    });

    async function setUp(): Promise<Setup> {
      const folder = await mkdtemp(join(tmpdir(), 'import-'));
      folders.push(folder);
      const database = join(folder, 'chat.db');
      const chat = await openChat({ storage: sqlite(database) });
      const owner = await chat.createOrganization({
        name: 'Example',
        owner: { email: 'ada@example.com', full_name: 'Ada' },
      });
      await chat.as(owner.user_id).profileFields.create({ name: 'City', field_type: 1 });
      await chat.close();
      const file = join(folder, 'people.csv');
      const lines = Array.from({ length: people }, (_, at) => `p${at}@example.com,Person ${at},Oslo`);
      await writeFile(file, `email,full_name,profile:City\n${lines.join('\n')}\n`);
      return { folder, database, file, results: join(folder, 'results.csv'), owner };
    }

    const importing = ({ file, results }: Setup, where: readonly string[]): ChildProcess =>
      spawn(process.execPath, [chatctl.program, 'users', 'import', file, '--results', results, ...where], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });

    /** Kills the process after some more lines. */
    async function killed(setup: Setup, where: readonly string[], beyond: number): Promise<void> {
      const child = importing(setup, where);
      const end = new Promise((resolve) => child.on('close', resolve));
      const isFar = async () => child.exitCode !== null || (await linesOf(setup.results)) >= beyond;
      await until(`the results have ${beyond} lines`, isFar, { every: 20 });
      child.kill('SIGKILL');
      await end;
    }

    async function finished(setup: Setup, where: readonly string[]): Promise<string> {
      const child = importing(setup, where);
      let out = '';
      child.stdout?.on('data', (text) => {
        out += text;
      });
      child.stderr?.on('data', (text) => {
        out += text;
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      assert.equal(code, 0, out);
      return out;
    }

    function checkEverybodyOnce({ database }: Setup): void {
      const db = openHandle(defaultDriver(), database);
      const [{ all, different, complete }] = db
        .prepare(
          `SELECT count(*) AS "all", count(DISTINCT email_key) AS different,
           count(*) FILTER (WHERE profile_data LIKE '%Oslo%') AS complete
         FROM users WHERE email_key LIKE 'p%@example.com'`,
        )
        .all() as [{ all: number; different: number; complete: number }];
      db.close();
      assert.deepEqual([all, different, complete], [people, people, people]);
    }

    it('a killed import into a database creates each account once, with its profile, when repeated', async () => {
      const setup = await setUp();
      const where = ['--db', setup.database];
      await killed(setup, where, 1);
      await killed(setup, where, 0.3 * people);
      assert.match(await finished(setup, where), /^Created \d+, \d+ existed, 0 failed\.$/m);
      checkEverybodyOnce(setup);
    });

    it('a killed import into a rate-limited server creates each account once when repeated', async (t) => {
      const setup = await setUp();
      const chat = await openChat({ storage: sqlite(setup.database) });
      const { url, close } = await serve(chat, { port: 0, rateLimits: { api_by_user: { max: 3, seconds: 2 } } });
      t.after(async () => {
        await close();
        await chat.close();
      });
      const where = ['--site', url, '--user', setup.owner.email, '--api-key', setup.owner.api_key];
      await killed(setup, where, 1);
      await killed(setup, where, 0.3 * people);
      assert.match(await finished(setup, where), /^Created \d+, \d+ existed, 0 failed\.$/m);
      checkEverybodyOnce(setup);
    });
  });
}

async function linesOf(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { compileChatctl } from '../cli/compiled-chatctl.ts';
import { InProcessShell } from '../cli/in-process-shell.ts';
import { sqliteDrivers } from '../support/engines.ts';
import { testFullDisk, testRefusedWrites } from './full-disks.ts';
import { smallDisk, withoutMount } from './small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'parlance-full-'));

after(() => rmSync(folder, { recursive: true, force: true }));

describe('a database whose disk is full', () => {
  testFullDisk(sqliteDrivers[0], 1);

  it('chatctl reports a full disk with advice and exit code 8', { skip: withoutMount }, async (t) => {
    const disk = smallDisk(t, 4);
    const chatctl = await compileChatctl();
    t.after(() => chatctl.remove());
    const db = join(disk.path, 'chat.db');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [chatctl.program, ...args, '--db', db], { encoding: 'utf8', input: '' });
    assert.equal(run('init', '--name', 'Example', '--email', 'a@example.com', '--full-name', 'Ada').status, 0);
    assert.equal(run('channels', 'create', 'general').status, 0);
    disk.fill();
    for (const command of [
      ['messages', 'send', '--to', 'general', '--topic', 'x', '-m', 'once more'],
      ['channels', 'list'],
    ]) {
      const refused = run(...command);
      assert.equal(refused.status, 8, refused.stderr);
      assert.match(
        refused.stderr,
        /^chatctl: .*chat\.db cannot grow, its disk is full.*\nFree some disk space, then try again/s,
      );
    }
    disk.makeRoom();
    assert.equal(run('messages', 'send', '--to', 'general', '--topic', 'x', '-m', 'again').status, 0);
  });

  it('chatctl names a file that does not fit on its disk', { skip: withoutMount }, async (t) => {
    const disk = smallDisk(t, 1);
    disk.fill();
    const home = mkdtempSync(join(folder, 'home-'));
    const shell = new InProcessShell(home);
    const db = '--db chat.db';
    const owner = '--name Example --email a@example.com --full-name Ada';
    const init = await shell.run(`chatctl init ${db} ${owner} --write-config ${disk.path}/rc`);
    assert.equal(init.exitCode, 1, init.output);
    assert.match(
      init.output,
      /^chatctl: Created chat\.db, but cannot write .*rc: the disk is full\.\nGet a new API key: /,
    );
    const key = await shell.run(`chatctl users regenerate-api-key --yes ${db}`);
    assert.equal(key.exitCode, 0, key.output);
    writeFileSync(join(home, 'big.bin'), Buffer.alloc(2_000_000));
    const sent = await shell.run(`chatctl uploads send big.bin ${db}`);
    assert.equal(sent.exitCode, 0, sent.output);
    const got = await shell.run(`chatctl uploads get 1 -o ${disk.path}/big.bin ${db}`);
    assert.equal(got.exitCode, 2, got.output);
    assert.match(got.output, /^chatctl: Cannot write .*big\.bin: the disk is full\.\nChoose another path/);
    const refuses = async (command: string) => {
      const { output, exitCode } = await shell.run(`chatctl ${command}`);
      assert.equal(exitCode, 8, output);
      assert.ok(output.startsWith(`chatctl: ${disk.path}/`), output);
      assert.match(output, /cannot grow, its disk is full.*\nFree some disk space, then try again/s);
    };
    const backedUp = await shell.run(`chatctl backup b.backup ${db}`);
    assert.equal(backedUp.exitCode, 0, backedUp.output);
    await refuses(`init --db ${disk.path}/full.db ${owner}`);
    await refuses(`restore b.backup --db ${disk.path}/new.db --uploads uploads`);
    disk.makeRoom();
    await refuses(`backup ${disk.path}/new.backup ${db}`);
    await refuses(`restore b.backup --db new.db --uploads ${disk.path}/new-uploads`);
    const left = readdirSync(disk.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(
      left.filter(({ name }) => /^new|bin|partial/.test(name)),
      [],
    );
  });

  it('chatctl reports a read-only disk with advice and exit code 8', { skip: withoutMount }, async (t) => {
    const disk = smallDisk(t, 4);
    const chatctl = await compileChatctl();
    t.after(() => chatctl.remove());
    const db = join(disk.path, 'chat.db');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [chatctl.program, ...args, '--db', db], { encoding: 'utf8', input: '' });
    assert.equal(run('init', '--name', 'Example', '--email', 'a@example.com', '--full-name', 'Ada').status, 0);
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    const refused = run('channels', 'create', 'general');
    assert.equal(refused.status, 8, refused.stderr);
    assert.match(refused.stderr, /^chatctl: .*chat\.db cannot be (written|opened)/);
    assert.doesNotMatch(refused.stderr, /Unexpected error/);
    assert.ok(refused.stderr.trim().split('\n').length === 2, 'and gives advice');
    execFileSync('mount', ['-o', 'remount,rw', disk.path]);
    assert.equal(run('channels', 'create', 'general').status, 0);
  });
});

describe('a disk that refuses writes', () => testRefusedWrites(sqliteDrivers[0], 1));

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { localFiles, openChat, sqlite } from '../../lib/index.ts';
import { defaultDriver, openHandle } from '../../lib/storage/sqlite/driver.ts';
import { madeChat, quiet } from './doctor-places.ts';
import { InProcessShell } from './in-process-shell.ts';

const ADA = "(SELECT id FROM users WHERE delivery_email = 'ada@example.com')";

/** Faults, each with the start of its finding. */
const FAULTS: readonly (readonly [finding: RegExp, statement: string])[] = [
  [/^damage: .*subscriber count/m, 'UPDATE channels SET subscriber_count = 99'],
  [/^damage: .*total size of uploaded files/m, 'UPDATE upload_space SET used = 7'],
  [/^damage: .*bot storage/m, `INSERT INTO bot_storage_sizes (user_id, entries, bytes) VALUES (${ADA}, 3, 30)`],
  [/^damage: .*messages? cannot be found by search/m, 'DELETE FROM message_words WHERE rowid = 1'],
  [/^damage: .*search index contains 1 topic/m, "INSERT INTO topic_words (rowid, words) VALUES (999, 'wabsent')"],
  [/^damage: .*ahead of the event log/m, 'UPDATE event_queues SET acked_seq = 999999'],
  [/^damage: .*version above users_version/m, `UPDATE users SET version = 999999 WHERE id = ${ADA}`],
  [
    /^late removals: 1 upload/m,
    `INSERT INTO uploads (owner_id, file_key, file_name, name, content_type, size, is_complete, created_ms, collect_ms)
      VALUES (${ADA}, '2/a/key', 'a.txt', 'a.txt', 'text/plain', 0, 0, 1, 2)`,
  ],
  [
    /^paused addresses: 1 account/m,
    `INSERT INTO email_bounces (user_id, bounced_ms, address)
      SELECT u.id, ${Date.now()} - j.value, delivery_email FROM users u, json_each('[1,2,3]') j WHERE delivery_email LIKE 'ben@%'`,
  ],
];

test('each of thirteen faults ends with the command that its finding names', async (t) => {
  const { folder, path } = await madeChat(t);
  const uploads = join(folder, 'my files');
  const chat = await openChat({ storage: sqlite(path), files: localFiles(uploads), logger: quiet });
  const ada = chat.as('ada@example.com');
  await ada.users.create({ email: 'ben@example.com', full_name: 'Ben' });
  await ada.channels.create({ name: 'general', subscribers: [(await ada.users.me()).user_id] });
  const { url } = await ada.uploads.send({ file: new File(['words'], 'menu.txt') });
  await ada.messages.send({ type: 'channel', to: 'general', topic: 'x', content: `[menu](${url})` });
  await ada.register({});
  await chat.close();
  const backups = join(folder, 'backups');
  await mkdir(backups, { mode: 0o700 });
  const shell = (command: string, cwd = folder) => {
    assert.ok(InProcessShell.takes(command), command);
    return new InProcessShell(cwd).run(command);
  };
  const doctor = `--db '${path}' --uploads '${uploads}' --backups '${backups}'`;
  const good = await shell(`chatctl backup '${join(backups, 'FILE.backup')}' --db '${path}' --uploads '${uploads}'`);
  assert.equal(good.exitCode, EXIT.done, good.output);
  const database = openHandle(defaultDriver(), path);
  for (const [, statement] of FAULTS) assert.doesNotThrow(() => database.exec(statement), statement);
  database.exec(
    'DROP INDEX link_previews_by_account; DELETE FROM migrations WHERE version = (SELECT MAX(version) FROM migrations)',
  );
  database.close();
  await chmod(path, 0o644);
  await chmod(folder, 0o755);
  await writeFile(join(backups, 'new.backup'), 'nothing', { mode: 0o600 });

  const first = await mended();
  for (const [finding] of FAULTS) assert.match(first, finding);
  for (const finding of [/^schema: /m, /^permissions: /m, /^backups: .* not readable/m]) assert.match(first, finding);
  const entries = await readdir(uploads, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) await rm(join(entry.parentPath, entry.name));
  assert.match(await mended(), /^damage: 1 uploaded file is missing/m);

  /** Runs the commands of all findings until there are none. Returns what was found. */
  async function mended(): Promise<string> {
    const seen: string[] = [];
    for (let round = 0; round < 4; round++) {
      const { stdout, output } = await shell(`chatctl doctor ${doctor} --json`);
      assert.notEqual(stdout, '', output);
      const { findings } = JSON.parse(stdout) as { findings: { check: string; says: string; advice: string }[] };
      if (findings.length === 0) return seen.join('\n');
      seen.push(...findings.map(({ check, says }) => `${check}: ${says}`));
      for (const command of new Set(findings.flatMap(({ advice }) => commandsIn(advice)))) {
        // At a terminal, it asks.
        const answered = command.includes(' deactivate ') ? `${command} --yes` : command;
        const { exitCode, output: problem } = await shell(answered, backups);
        if (!command.startsWith('chatctl doctor')) assert.equal(exitCode, EXIT.done, `${command}\n${problem}`);
      }
    }
    return assert.fail(seen.join('\n'));
  }
});

const commandsIn = (advice: string): string[] => [...advice.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command);

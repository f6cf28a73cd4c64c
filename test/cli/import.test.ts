import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { SLACK_EXPORT } from '../import/slack-export.ts';
import { zipFile } from '../import/zip-file.ts';
import { organization } from './organization.ts';

test('chatctl import lists what is not imported, exits with 1, and leaves a sound database', async (t) => {
  const { folder, run } = await organization(t);
  const file = join(folder, 'export.zip');
  const rejects = join(folder, 'rejects.csv');
  await writeFile(file, zipFile(SLACK_EXPORT));
  const planned = await run('import', 'slack', file, '--rejects', rejects, '--dry-run');
  assert.equal(planned.exitCode, EXIT.refused);
  assert.match(
    planned.out,
    /^Not imported, or not as it was:\n(?: +\d+ {2}.+\n)* +1 {2}notices of Slack \(channel_join\)$/m,
  );
  assert.match(
    planned.out,
    /^A channel with the name "General" exists\. The imported channel gets the name "General 2"\.$/m,
  );
  assert.match(planned.out, /^Dry run: nothing was changed\. Would import 8 users, 1 group, 4 channels, 17 messages/m);
  assert.match(planned.err, /Would skip 5 rows of the export/);
  assert.match((await run('channels', 'list')).err, /There are no channels/);
  const done = await run('import', 'slack', file, '--rejects', rejects, '--topic', 'chat', '--json');
  assert.equal(done.exitCode, EXIT.refused);
  assert.equal(JSON.parse(done.out).imported.message, 17);
  assert.equal(JSON.parse(done.out).rejected, 5);
  const [head, first] = (await readFile(rejects, 'utf8')).split('\n');
  assert.equal(head, 'at,reason');
  assert.match(first ?? '', /^"users.json, row 7",/);
  assert.match((await run('messages', 'list', '--channel', 'general', '--topic', 'chat')).out, /Rain/);
  assert.match((await run('audit')).out, /importChat/);
  assert.match((await run('check')).out, /is OK/);
  const again = await run('import', 'slack', file, '--rejects', rejects);
  assert.match(again.out, /^Imported nothing into .*\nPresent already: 6 users, 1 group, 4 channels, 17 messages\.$/m);
});

test('chatctl import says that imported records stay only after it has imported some', async (t) => {
  const { folder, run } = await organization(t);
  const file = join(folder, 'export.zip');
  const rejects = join(folder, 'rejects.csv');
  const missing = await run('import', 'slack', join(folder, 'none.zip'), '--rejects', rejects);
  assert.match(missing.err, /none\.zip: there is no such file or folder\.\nCorrect the path of the export\.\n$/);
  const others = SLACK_EXPORT.filter(({ name }) => name !== 'groups.json');
  await writeFile(file, zipFile([...others, { name: 'groups.json', content: '{}' }]));
  const planned = await run('import', 'slack', file, '--rejects', rejects, '--dry-run');
  assert.match(planned.err, /The entry "groups\.json" is not a list\.\n$/);
  const damaged = await run('import', 'slack', file, '--rejects', rejects);
  assert.match(damaged.err, /is not a list\.\nImported records stay\. Correct the export, then run the same command/);
  assert.match((await run('users', 'list')).out, /ben@example\.com/);
});

test('chatctl import refuses a file that is not an export, and changes nothing', async (t) => {
  const { folder, run } = await organization(t);
  const file = join(folder, 'export.zip');
  await writeFile(file, 'no archive');
  const refused = await run('import', 'slack', file, '--rejects', join(folder, 'rejects.csv'));
  assert.equal(refused.exitCode, EXIT.usage);
  assert.match(refused.err, /export\.zip is not a ZIP file\./);
  const absent = await run('import', 'slack', join(folder, 'none.zip'), '--unread-since', 'yesterday');
  assert.match(absent.err, /--unread-since is not a date: "yesterday"/);
});

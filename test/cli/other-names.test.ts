import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT, reportOf } from '../../cli/failure.ts';
import { showInFull } from '../../cli/help.ts';
import { commandAt } from '../../cli/names.ts';
import { buildProgram, runCommand } from '../../cli/program.ts';
import { misspelledVariables } from '../../cli/unknown-variables.ts';
import { StorageError } from '../../lib/index.ts';
import { authority, certificateFor, withoutOpenssl } from '../storage/certificates.ts';
import { organization } from './organization.ts';
import { terminal } from './terminals.ts';

test('names of other commands and of the API are accepted for an option', async (t) => {
  const { run } = await organization(t);
  const done = async (...words: string[]) => {
    const { exitCode, out, err } = await run(...words);
    assert.equal(exitCode, EXIT.done, `${words.join(' ')}: ${err}`);
    return out;
  };
  await done('channels', 'create', 'one', '--private', '--users', 'ada@example.com');
  await done('channels', 'create', 'two', '--is-private=no', '--users', 'ada@example.com');
  await done('channels', 'edit', 'one', '--name', 'uno', '--private=no');
  await done('channels', 'edit', 'two', '--new_name', 'due', '--invite-only');
  const { streams } = JSON.parse(await done('channels', 'list', '--json'));
  const kinds = streams.map(({ name, invite_only }: Record<string, unknown>) => [name, invite_only]);
  assert.deepEqual(kinds.sort(), [
    ['due', true],
    ['uno', false],
  ]);
  await done('messages', 'send', '--channel', 'uno', '--topic', 'lunch', '-m', 'Soup');
  const [{ id }] = JSON.parse(
    await done('messages', 'list', '--channel', 'uno', '--topic', 'lunch', '--json'),
  ).messages;
  assert.match(await done('messages', 'edit', String(id), '--channel', 'due', '--topic', 'menu'), /due/);
  assert.match(await done('organization', 'get'), /Example/);
  assert.match((await run('auth', 'use', 'nobody')).err, /nobody/);
  const { command } = commandAt(buildProgram(terminal()), ['channels', 'edit']);
  assert.doesNotMatch(command.helpInformation(), /--private\b/);
  showInFull(command);
  assert.match(command.helpInformation(), /Other names:.*private +same as --is-private/s);
});

test('options are accepted with underscores, also by commands that are no operations', async (t) => {
  const { folder, run } = await organization(t);
  const file = join(folder, 'people.csv');
  await writeFile(file, 'email,full_name,phone\nben@example.com,Ben,1\n');
  const { exitCode, out, err } = await run('users', 'import', file, '--ignore_unknown_columns', '--dry_run');
  assert.deepEqual(
    [exitCode, out],
    [EXIT.done, 'Dry run: nothing was changed. Would create 1, 0 exist, 0 would fail.\n'],
    err,
  );
  assert.equal((await run('messages', 'list', '--num_before=1', '--json_fields=id')).exitCode, EXIT.done);
});

test('a topic moves by its channel and name', async (t) => {
  const { run } = await organization(t);
  for (const name of ['uno', 'due']) await run('channels', 'create', name, '--users', 'ada@example.com');
  for (const text of ['Soup', 'Salad']) await run('messages', 'send', '--to', 'uno', '--topic', 'lunch', '-m', text);
  const topicsOf = async (channel: string) =>
    JSON.parse((await run('topics', 'list', channel, '--json=name')).out).map(({ name }: { name: string }) => name);
  const dry = await run('topics', 'move', 'uno', 'LUNCH', '--topic', 'menu', '--dry-run');
  assert.match(dry.out, /nothing was changed. Would move "uno > lunch" to "uno > menu"/);
  assert.ok((await topicsOf('uno')).includes('lunch'));
  assert.match((await run('topics', 'move', 'uno', 'LUNCH', '--topic', 'menu', '--to-channel', 'due')).out, /^Moved/);
  assert.ok((await topicsOf('due')).includes('menu'));
  assert.ok(!(await topicsOf('uno')).includes('lunch'));
  const { messages } = JSON.parse((await run('messages', 'list', '--channel', 'due', '--topic', 'menu', '--json')).out);
  assert.ok(messages.length >= 2);
  assert.equal((await run('topics', 'move', 'uno', 'lunch')).exitCode, EXIT.usage);
  assert.match((await run('topics', 'move', 'uno', 'lunch', '--topic', 'x')).err, /no topic "uno > lunch"/);
});

test('subscriptions add --groups subscribes the members of the groups', async (t) => {
  const { run } = await organization(t);
  await run('channels', 'create', 'uno', '--users', 'ada@example.com');
  for (const name of ['ben', 'cleo']) await run('users', 'create', `${name}@example.com`, name);
  await run('user-groups', 'create', 'cooks', '--members', 'ben@example.com,cleo@example.com');
  await run('user-groups', 'create', 'nobodies');
  assert.match((await run('subscriptions', 'add', 'uno', '--groups', 'nobodies')).out, /No users given/);
  assert.equal((await run('subscriptions', 'add', 'uno', '--groups', 'cooks')).exitCode, EXIT.done);
  const subscribers = async () => JSON.parse((await run('channels', 'subscribers', 'uno', '--json')).out).subscribers;
  assert.equal((await subscribers()).length, 3);
  await run('subscriptions', 'remove', 'uno', '--groups', 'cooks');
  assert.equal((await subscribers()).length, 1);
});

test('a misspelled variable is warned of once, on stderr, and not with --json', async (t) => {
  const { run } = await organization(t);
  Object.assign(process.env, { PARLANCE_UPLOAD: '/files', PARLANCE_OF_MY_OWN: 'x' });
  t.after(() => {
    delete process.env.PARLANCE_UPLOAD;
    delete process.env.PARLANCE_OF_MY_OWN;
  });
  const quiet = await run('users', 'me', '--json');
  assert.equal(quiet.err, '');
  const first = await run('users', 'me');
  assert.match(first.err, /PARLANCE_UPLOAD is unknown and ignored\. Did you mean PARLANCE_UPLOADS\?/);
  assert.doesNotMatch(first.err, /OF_MY_OWN/);
  assert.equal((await run('users', 'me')).err, '');
  assert.deepEqual(misspelledVariables({ PARLANCE_DB: 'x', CHATCTL_DB: 'x', PARLANCE_METRICS_TOKEN: 'x' }), []);
  assert.equal(misspelledVariables({ CHATCTL_BASE_ULR: 'x' }).length, 1);
});

test('the fault of a certificate is named with a remedy', { skip: withoutOpenssl }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const own = authority(folder, 'own');
  const { cert, key } = certificateFor(folder, 'other.example.com', own);
  const adviceOf = async (files: { cert: string; key: string }) => {
    const server = createServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) });
    server.listen(0);
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    let err = '';
    const printed = {
      ...terminal(),
      err(text: string) {
        err += text;
      },
    };
    const words = [
      'users',
      'list',
      '--site',
      `https://localhost:${port}`,
      '--user',
      'a@b',
      '--api-key',
      'x'.repeat(32),
    ];
    assert.equal(await runCommand(words, printed), EXIT.unreachable);
    assert.doesNotMatch(err, /that the server is running/);
    return err;
  };
  assert.match(await adviceOf({ cert: own, key: own.replace('.crt', '.key') }), /does not trust its certificate/);
  assert.match(await adviceOf({ cert, key }), /whole chain/);
});

test('a refused login to PostgreSQL is not blamed on a server that does not run', async () => {
  const cause = Object.assign(new Error('password authentication failed for user "x"'), { code: '28P01' });
  const { advice } = await reportOf(new StorageError(cause.message, 'unreachable', { cause }));
  assert.match(advice ?? '', /Check the user and the password/);
});

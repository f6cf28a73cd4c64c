import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { completionOf } from '../../cli/completion.ts';
import { EXIT } from '../../cli/failure.ts';
import { buildProgram, runCommand } from '../../cli/program.ts';
import { defaultDriver, openHandle } from '../../lib/storage/sqlite/driver.ts';
import { organization } from './organization.ts';
import { terminal } from './terminals.ts';

test('chatctl check exits with 1 if it finds problems, also with --json', async (t) => {
  const { path, run } = await organization(t);
  assert.equal((await run('channels', 'create', 'general')).exitCode, EXIT.done);
  const sound = await run('check', '--json');
  assert.deepEqual([sound.exitCode, JSON.parse(sound.out).findings], [EXIT.done, []]);
  const database = openHandle(defaultDriver(), path);
  database.exec('UPDATE channels SET subscriber_count = 99');
  database.close();
  const damaged = await run('check', '--json');
  assert.deepEqual([damaged.exitCode, JSON.parse(damaged.out).findings.length], [EXIT.refused, 1]);
  assert.equal((await run('check')).exitCode, EXIT.refused);
});

test('chatctl restore prints a check of the same uploads', async (t) => {
  const { folder, run } = await organization(t);
  const [backup, database, uploads] = ['a.backup', 'b.db', 'b files'].map((name) => join(folder, name));
  assert.equal((await run('backup', backup as string)).exitCode, EXIT.done);
  const printed: string[] = [];
  const out = (text: string) => void printed.push(text);
  const words = ['restore', backup, '--db', database, '--uploads', uploads] as string[];
  assert.equal(await runCommand(words, { ...terminal(), out }), EXIT.done);
  assert.equal(printed.at(-1), `Next: chatctl check --db ${database} --uploads '${uploads}'`);
});

test('chatctl reactivates a user group by its name', async (t) => {
  const { run } = await organization(t);
  assert.equal(
    (await run('user-groups', 'create', 'helpdesk', '--description', '', '--members', 'ada@example.com')).exitCode,
    EXIT.done,
  );
  assert.equal((await run('user-groups', 'deactivate', 'helpdesk', '--yes')).exitCode, EXIT.done);
  assert.equal((await run('user-groups', 'reactivate', 'helpdesk')).exitCode, EXIT.done);
  const { out } = await run('user-groups', 'list', '--json=name,deactivated');
  assert.ok(
    JSON.parse(out).some((group: object) => JSON.stringify(group) === '{"name":"helpdesk","deactivated":false}'),
    out,
  );
});

test('chatctl messages update-flags counts a message once if it is named twice', async (t) => {
  const { run } = await organization(t);
  await run('channels', 'create', 'general');
  const starred = await run('messages', 'update-flags', '1', '1', '--op', 'add', '--flag', 'starred');
  assert.equal(starred.out, 'Starred 1 message.\n');
});

test('chatctl --jq accepts an expression that ends in a comment', async (t) => {
  const { run } = await organization(t);
  const counted = await run('users', 'list', '--jq', '.members | length # people');
  assert.deepEqual(counted, { exitCode: EXIT.done, out: '1\n', err: '' });
});

test('chatctl completes the addresses of active users only', async (t) => {
  const { path, run } = await organization(t);
  const completed = () => completionOf(buildProgram(terminal()), ['--db', path, 'users', 'get', 'be']);
  await run('users', 'create', 'ben@example.com', '--full-name', 'Ben');
  assert.deepEqual(await completed(), [{ value: 'ben@example.com', about: 'Ben' }]);
  await run('users', 'deactivate', 'ben@example.com', '--yes');
  assert.deepEqual(await completed(), []);
});

test('chatctl audit --since shows the entries of so many hours', async (t) => {
  const { path, run } = await organization(t);
  assert.equal((await run('users', 'create', 'ben@example.com', 'Ben')).exitCode, EXIT.done);
  const database = openHandle(defaultDriver(), path);
  database.exec('UPDATE audit_log SET at_ms = at_ms - 2 * 3600000');
  database.close();
  const actions = async (since: string) => {
    const { entries } = JSON.parse((await run('audit', '--since', since, '--json')).out);
    return entries.map(({ action }: { action: string }) => action);
  };
  assert.deepEqual(await actions('3h'), ['users.create']);
  assert.deepEqual(await actions('1h'), []);
});

test('chatctl invites send --results invites an address again after an earlier failure', async (t) => {
  const { path, run } = await organization(t);
  const results = join(dirname(path), 'results.csv');
  const invite = () => run('invites', 'send', 'ben@example.com', 'cleo@example.com', '--results', results);
  const outcomes = async () => (await readFile(results, 'utf8')).split('\n').map((line) => line.split(',', 2).join());
  const allow = async (domain: string) =>
    assert.equal((await run('allowed-domains', 'add', domain)).exitCode, EXIT.done);
  await allow('example.org');
  assert.equal((await run('organization', 'edit', '--emails-restricted-to-domains')).exitCode, EXIT.done);
  assert.equal((await invite()).exitCode, EXIT.refused);
  const failed = ['ben@example.com,failed', 'cleo@example.com,failed'];
  assert.deepEqual(await outcomes(), ['email,outcome', ...failed, '']);
  await allow('example.com');
  assert.equal((await invite()).exitCode, EXIT.done);
  const invited = ['ben@example.com,invited', 'cleo@example.com,invited'];
  assert.deepEqual(await outcomes(), ['email,outcome', ...failed, ...invited, '']);
});

test('chatctl users import --results adds an account to its groups again after an earlier failure', async (t) => {
  const { path, run } = await organization(t);
  const results = join(dirname(path), 'results.csv');
  const file = join(dirname(path), 'people.csv');
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('users', 'edit', 'ben@example.com', '--role', 'administrator');
  await run('user-groups', 'create', 'staff');
  await writeFile(file, 'email,full_name,groups\ncai@example.com,Cai,staff\n');
  const importAs = async (user: string) => {
    const { exitCode, out } = await run('users', 'import', file, '--results', results, '--json', '--user', user);
    const lines: { outcome: string }[] = JSON.parse(out).lines;
    return [exitCode, ...lines.map(({ outcome }) => outcome)];
  };
  // The account is created, but only Ada can change the group.
  assert.deepEqual(await importAs('ben@example.com'), [EXIT.refused, 'failed']);
  assert.deepEqual(await importAs('ada@example.com'), [EXIT.done, 'exists']);
  assert.equal((await run('user-groups', 'members', 'staff')).out, 'Cai <cai@example.com>\n');
});

test('chatctl --json=FIELDS prints null for a field that the response leaves out', async (t) => {
  const { run } = await organization(t);
  await run('profile-fields', 'create', '--name', 'City', '--field-type', 'short-text');
  const rows = JSON.parse((await run('profile-fields', 'list', '--json=name,display_in_profile_summary')).out);
  assert.deepEqual(rows, [{ name: 'City', display_in_profile_summary: null }]);
  const one = JSON.parse((await run('user-status', 'get', 'ada@example.com', '--json=status_text,away')).out);
  assert.deepEqual(one, { status_text: null, away: null });
});

test('chatctl users import adds the others to their groups if one account is deactivated', async (t) => {
  const { path, run } = await organization(t);
  const file = join(dirname(path), 'people.csv');
  await run('users', 'create', 'ben@example.com', '--full-name', 'Ben');
  await run('users', 'deactivate', 'ben@example.com', '--yes');
  await run('user-groups', 'create', 'staff', '--description', '', '--members', 'ada@example.com');
  await writeFile(file, 'email,full_name,groups\nben@example.com,Ben,staff\ncai@example.com,Cai,staff\n');
  await run('users', 'import', file);
  const { user_id } = JSON.parse((await run('users', 'get', 'cai@example.com', '--json=user_id')).out);
  const { members } = JSON.parse((await run('user-groups', 'members', 'staff', '--json')).out);
  assert.ok(members.includes(user_id), `${user_id} is not among ${members}`);
});

test('chatctl users import refuses an address that an earlier line has, whatever its case', async (t) => {
  const { path, run } = await organization(t);
  const file = join(dirname(path), 'people.csv');
  await writeFile(file, 'email,full_name\nBen@example.com,Ben\nben@example.com,Ben\nBEN@example.com,Ben\n');
  const { exitCode, out } = await run('users', 'import', file, '--dry-run', '--json');
  const lines: { outcome: string; reason?: string }[] = JSON.parse(out).lines;
  assert.deepEqual(
    [exitCode, ...lines.map(({ outcome, reason }) => reason ?? outcome)],
    [EXIT.refused, 'created', 'Line 2 has the same address.', 'Line 2 has the same address.'],
  );
});

test('chatctl events listen exits with 130 when it is interrupted', async (t) => {
  const { run } = await organization(t);
  const before = process.listeners('SIGINT');
  // Listeners of other files may end this process.
  const added = () => process.listeners('SIGINT').filter((listener) => !before.includes(listener));
  t.after(() => {
    for (const listener of added()) process.off('SIGINT', listener);
  });
  const ended = run('events', 'listen');
  while (added().length === 0) await setTimeout(5);
  for (const listener of added()) listener('SIGINT');
  assert.equal((await ended).exitCode, EXIT.interrupted);
});

test('chatctl events listen --all-public-streams also prints messages of other public channels', async (t) => {
  const { path, run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('channels', 'create', 'ours', '--subscribers', 'ada@example.com,ben@example.com');
  await run('channels', 'create', 'theirs', '--subscribers', 'ada@example.com');
  const listen = ['events', 'listen', '--all-public-streams', '--event-types', 'message', '--count', '1'];
  const heard = run(...listen, '--user', 'ben@example.com');
  const database = openHandle(defaultDriver(), path);
  while (database.prepare('SELECT 1 FROM event_queues').all().length === 0) await setTimeout(5);
  database.close();
  await run('messages', 'send', '--to', 'theirs', '--topic', 'lunch', '-m', 'Soup');
  await run('messages', 'send', '--to', 'ours', '--topic', 'lunch', '-m', 'Bread');
  assert.match((await heard).out, /theirs > lunch {2}Ada: Soup\n$/);
});

test('chatctl bot-storage get prints only the text for one key, and otherwise keys and texts', async (t) => {
  const { run } = await organization(t);
  await run('bot-storage', 'set', 'greeting=Good morning');
  const get = async (...keys: string[]) => (await run('bot-storage', 'get', ...keys)).out;
  const table = 'KEY       TEXT\ngreeting  Good morning\n';
  assert.equal(await get('greeting'), 'Good morning\n');
  assert.equal(await get(), table);
  assert.equal(await get('greeting', 'greeting'), table);
  await run('bot-storage', 'set', 'visits=3');
  assert.equal(await get('visits'), '3\n');
  assert.equal(await get('greeting', 'visits'), `${table}visits    3\n`);
});

test('chatctl why ends with the error of a call that would be refused', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  const why = async (user: string, ...command: string[]) => {
    const { exitCode, out, err } = await run('why', user, ...command);
    assert.equal(exitCode, / may: /.test(out) ? EXIT.done : EXIT.notAllowed, 'scripts learn the answer');
    assert.equal(err, '');
    return out.trim().split('\n');
  };
  const role = await why('ben@example.com', 'users', 'create', 'cleo@example.com', 'Cleo');
  assert.equal(role[0], 'Ben (member) may not: users create');
  assert.match(
    role.at(-1) as string,
    /^ {2}refused +UNAUTHORIZED_PRINCIPAL +This needs an organization administrator\.$/,
  );
  const missing = await why('ben@example.com', 'channels', 'archive', '99');
  assert.match(
    missing.at(-1) as string,
    /^ {2}refused +BAD_REQUEST +There is no channel with ID 99 that you can access\.$/,
  );
  const allowed = await why('ada@example.com', 'users', 'create', 'cleo@example.com', 'Cleo');
  assert.equal(allowed[0], 'Ada (owner) may: users create');
  assert.doesNotMatch(allowed.join('\n'), /refused/);
  const hidden = await why('ben@example.com', 'drafts', 'list');
  assert.equal(hidden[0], 'Ben (member) may or may not: drafts list');
  assert.match(hidden.at(-1) as string, /^ {2}undecided +This cannot be decided for you: .* you cannot see\.$/);
});

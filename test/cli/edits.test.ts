import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { organization } from './organization.ts';

test('F3: an edit of profile data names its changes', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('profile-fields', 'create', 'Food', '--type', 'short-text');
  await run('profile-fields', 'create', 'Mentors', '--type', 'people');
  const edit = async (...words: string[]) => (await run('users', 'edit', 'ben@example.com', ...words)).out;
  const changed = 'Changed Ben <ben@example.com>: profile_data.\n';
  assert.equal(await edit('--profile-data', '[{"id":1,"value":"Soup"}]'), changed);
  assert.equal(await edit('--profile-data', 'Food=Tea', '--profile-data', 'Mentors=ada@example.com'), changed);
  assert.equal(
    await edit('--profile-data', 'Food=', '--role', 'guest'),
    'Changed Ben <ben@example.com>: role, profile_data.\n',
  );
  const byEmail = await run('users', 'edit-by-email', 'ben@example.com', '--profile-data', 'Food=Rice');
  assert.equal(byEmail.out, 'Changed ben@example.com: profile_data.\n');
  const { profile_data: data } = JSON.parse(
    (await run('users', 'get', 'ben@example.com', '--include-custom-profile-fields', '--json')).out,
  ).user;
  assert.equal(data['1'].value, 'Rice');
});

test('an edit to the present values prints that nothing changed', async (t) => {
  const { run } = await organization(t);
  await run('channels', 'create', 'general', '--description', 'News');
  await run('user-groups', 'create', 'staff');
  const said = async (...words: string[]) => {
    const { exitCode, out, err } = await run(...words);
    assert.equal(exitCode, EXIT.done, err);
    return out;
  };
  for (const [words, value, other] of [
    [['channels', 'edit', 'general', '--description'], 'News', 'Old news'],
    [['users', 'edit', 'ada@example.com', '--full-name'], 'Ada', 'Ada L.'],
    [['organization', 'edit', '--name'], 'Example', 'Examples'],
    [['user-groups', 'edit', 'staff', '--description'], '', 'All'],
  ] as const) {
    if (value !== '') assert.equal(await said(...words, value), 'Nothing was changed.\n', words.join(' '));
    assert.match(await said(...words, other), /^Changed /, words.join(' '));
    assert.equal(await said(...words, other), 'Nothing was changed.\n', words.join(' '));
  }
  assert.match(
    await said('settings', 'edit', '--no-enter-sends', '--twenty-four-hour-time'),
    /^Changed your settings: /,
  );
});

test('a raise to a role that needs a second factor prints what ends, and how to create a link', async (t) => {
  const { run } = await organization(t);
  for (const name of ['Ben', 'Cleo', 'Dan']) await run('users', 'create', `${name.toLowerCase()}@example.com`, name);
  await run('bots', 'create', '--full-name', 'Oracle', '--short-name', 'oracle');
  const [ben, cleo, dan] = ['ben@example.com', 'cleo@example.com', 'dan@example.com'];
  const raise = async (users: string[], role: string, ...more: string[]) =>
    (await run('users', 'edit', ...users, '--role', role, ...more)).out;
  assert.equal(await raise([ben], 'admin'), `Changed Ben <${ben}>: role.\n`);
  await raise([ben], 'member');
  await run('organization', 'edit', '--second-factor-required-for', 'administrators');
  assert.equal(await raise([ben], 'moderator'), `Changed Ben <${ben}>: role.\n`);
  const { user } = JSON.parse((await run('users', 'get', ben, '--json')).out);
  const ends =
    /So this ends for Ben: password, logins, API key, .*\n.* gets an e-mail .*\n.*chatctl users create-reset-link (\d+)$/m;
  assert.deepEqual(JSON.parse(await raise([ben], 'admin', '--json', '--dry-run')).answer, {});
  for (const more of [['--dry-run'], []]) {
    assert.equal(Number(ends.exec(await raise([ben], 'admin', ...more))?.[1]), user.user_id, more.join());
  }
  // Within these roles, nothing ends.
  assert.equal(await raise([ben], 'owner'), `Changed Ben <${ben}>: role.\n`);
  for (const more of [['--dry-run'], []]) {
    assert.match(
      await raise([ben, cleo, dan], 'admin', ...more),
      /ends for Cleo, Dan: password.*\n.*\n.*create-reset-link ID$/m,
    );
  }
  await raise([dan], 'member');
  const byEmail = ['users', 'edit-by-email', dan, '--role', 'admin'];
  assert.match((await run(...byEmail)).out, /^Changed dan@example\.com: role\. .*ends for Dan/);
  assert.equal((await run(...byEmail)).out, 'Nothing was changed.\n');
  const bot = await run('bots', 'edit', 'oracle-bot@localhost', '--role', 'admin');
  assert.match(bot.out, /the API key of Oracle ends\.\nGet the new one: chatctl bots get-api-key \d+$/m);
  assert.doesNotMatch(bot.out, /still valid/);
  assert.equal(await raise([cleo], 'member', '--json'), '{}\n');
  assert.equal(await raise([cleo], 'admin', '--json'), '{}\n');
});

test('F12: every destructive command accepts --yes, and deactivating asks without it', async (t) => {
  const { run } = await organization(t);
  await run('user-groups', 'create', 'staff');
  await run('channels', 'create', 'general', '--subscribers', 'ada@example.com');
  await run('allowed-domains', 'add', 'example.org');
  for (const words of [
    ['subscriptions', 'remove', 'general'],
    ['allowed-domains', 'remove', 'example.org'],
    ['user-groups', 'deactivate', 'staff'],
    ['channels', 'archive', 'general'],
  ]) {
    const { exitCode, err } = await run(...words, '--yes');
    assert.equal(exitCode, EXIT.done, `${words.join(' ')}: ${err}`);
  }
  await run('user-groups', 'create', 'cooks');
  const asked = await run('user-groups', 'deactivate', 'cooks');
  assert.equal(asked.exitCode, EXIT.usage);
  assert.match(asked.err, /asks for confirmation/);
});

/** Runs `work` at a terminal where `line` is typed. Returns its result and the questions. */
async function typing<R>(line: string, work: () => Promise<R>): Promise<[R, asked: string]> {
  const present = (['stdin', 'stderr'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor] as const,
  );
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  for (const [name, value] of Object.entries({ stdin, stderr }))
    Object.defineProperty(process, name, { value: Object.assign(value, { isTTY: true }), configurable: true });
  stdin.write(`${line}\n`);
  try {
    const result = await work();
    return [result, String(stderr.read() ?? '')];
  } finally {
    for (const [name, descriptor] of present) Object.defineProperty(process, name, descriptor);
  }
}

test('a destructive command at a terminal changes something only after y or yes', async (t) => {
  const { run } = await organization(t);
  await run('user-groups', 'create', 'staff');
  for (const line of ['', 'n', 'no', 'yep', 'nay', '1']) {
    const [refused, asked] = await typing(line, () => run('user-groups', 'deactivate', 'staff'));
    assert.match(asked, /staff.*\? \[y\/N\] /, line);
    assert.deepEqual([refused.exitCode, refused.out], [EXIT.refused, ''], line);
    assert.match(refused.err, /Nothing was changed\./, line);
  }
  for (const [line, name] of [
    ['y', 'staff'],
    ['YES', 'cooks'],
  ] as const) {
    await run('user-groups', 'create', name);
    const [done] = await typing(line, () => run('user-groups', 'deactivate', name));
    assert.equal(done.exitCode, EXIT.done, done.err);
    const again = await run('user-groups', 'deactivate', name, '--yes');
    assert.match(again.out, /already deactivated/);
  }
});

test('F12: a repeat of a finished change succeeds and prints so, also with --json', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('channels', 'create', 'general', '--subscribers', 'ada@example.com');
  await run('user-groups', 'create', 'staff');
  await run('messages', 'send', '--to', 'general', '--topic', 'lunch', '-m', 'Soup');
  const id = JSON.parse((await run('messages', 'list', '--channel', 'general', '--json=id')).out).at(-1).id;
  for (const [words, said] of [
    [['messages', 'react', `${id}`, 'tada'], /already/],
    [['messages', 'unreact', `${id}`, 'tada'], /have not reacted/],
    [['muted-users', 'add', 'ben@example.com'], /already muted/],
    [['muted-users', 'remove', 'ben@example.com'], /not muted/],
    [['allowed-domains', 'add', 'example.org'], /already allowed/],
    [['subscriptions', 'add', 'general'], /already subscribed/],
    [['subscriptions', 'remove', 'general'], /Not subscribed/],
    [['users', 'deactivate', 'ben@example.com', '--yes'], /already deactivated/],
    [['users', 'reactivate', 'ben@example.com'], /already active/],
    [['user-groups', 'deactivate', 'staff', '--yes'], /already deactivated/],
    [['channels', 'archive', 'general', '--yes'], /is archived/],
  ] as const) {
    for (const form of [[], [], ['--json']]) {
      const { exitCode, err } = await run(...words, ...form);
      assert.equal(exitCode, EXIT.done, `${words.join(' ')}: ${err}`);
    }
    assert.match((await run(...words)).out, said);
  }
});

test('F11: users are deactivated, edited and reactivated many at a time, and again after an interruption', async (t) => {
  const { folder, run } = await organization(t);
  const addresses = Array.from({ length: 12 }, (_, at) => `user-${at}@example.com`);
  for (const [at, address] of addresses.entries()) await run('users', 'create', address, `User ${at}`);
  await writeFile(join(folder, 'people'), `${addresses.slice(2).join('\n')}\n`);
  const given = [...addresses.slice(0, 2), `@${join(folder, 'people')}`, addresses[0] as string];

  const edited = await run('users', 'edit', ...given, '--role', 'moderator');
  assert.deepEqual([edited.exitCode, edited.out], [EXIT.done, 'Done for 12 of 12 users.\n'], edited.err);
  const listed = async (...words: string[]) => JSON.parse((await run('users', 'list', ...words, '--json=email')).out);
  assert.equal((await listed('--role', 'moderator')).length, 12);

  assert.match((await run('users', 'deactivate', ...given)).err, /asks for confirmation/);
  assert.equal((await listed('--inactive')).length, 0);
  await run('users', 'deactivate', addresses[3] as string, '--yes');
  const ended = await run('users', 'deactivate', ...given, '--yes');
  assert.deepEqual([ended.exitCode, ended.out, ended.err], [EXIT.done, 'Done for 12 of 12 users.\n', '']);
  assert.equal((await listed('--inactive')).length, 12);
  const again = await run('users', 'deactivate', ...given, '--yes');
  assert.deepEqual([again.exitCode, again.out], [EXIT.done, 'Done for 12 of 12 users.\n']);
  const back = await run('users', 'reactivate', ...given, '--json');
  assert.deepEqual(JSON.parse(back.out), { done: 12, refused: [] });
});

test('F11: many users join and leave channels and groups, from a file', async (t) => {
  const { folder, run } = await organization(t);
  const addresses = Array.from({ length: 5 }, (_, at) => `user-${at}@example.com`);
  for (const [at, address] of addresses.entries()) await run('users', 'create', address, `User ${at}`);
  const people = `@${join(folder, 'people')}`;
  await writeFile(people.slice(1), `${addresses.join('\n')}\n`);
  await run('channels', 'create', 'general');
  await run('user-groups', 'create', 'staff');
  const count = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out);
  for (const [isMember, add] of [
    [true, 'add'],
    [false, 'remove'],
  ] as const) {
    const joined = await run('subscriptions', add, 'general', '--principals', people);
    assert.equal(joined.exitCode, EXIT.done, joined.err);
    assert.equal((await count('channels', 'subscribers', 'general')).subscribers.length, isMember ? 5 : 0);
    const grouped = await run('user-groups', 'members', add, 'staff', people);
    assert.equal(grouped.exitCode, EXIT.done, grouped.err);
    assert.equal((await count('user-groups', 'members', 'staff')).members.length, isMember ? 5 : 0);
  }
});

test('F11: a refused user does not stop the others, and an unknown user stops all', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('users', 'create', 'cleo@example.com', 'Cleo');
  const some = await run('users', 'deactivate', 'ada@example.com', 'ben@example.com', '--yes');
  assert.deepEqual([some.exitCode, some.out], [EXIT.refused, 'Done for 1 of 2 users.\n']);
  assert.match(some.err, /^Ada <ada@example\.com>: .*\n.*1 of 2 was refused\.\n$/s);
  const unknown = await run('users', 'deactivate', 'cleo@example.com', 'nobody@example.com', '--yes');
  assert.equal(unknown.exitCode, EXIT.refused);
  assert.match(unknown.err, /There is no account/);
  assert.equal(JSON.parse((await run('users', 'get', 'cleo@example.com', '--json')).out).user.is_active, true);
  const tried = await run('users', 'deactivate', 'ben@example.com', 'cleo@example.com', '--dry-run');
  assert.equal(tried.exitCode, EXIT.done, tried.err);
  assert.equal(JSON.parse((await run('users', 'get', 'cleo@example.com', '--json')).out).user.is_active, true);
  const one = await run('users', 'edit', 'cleo@example.com', '--role', 'guest', '--dry-run');
  assert.match(one.out, /^Dry run: /);
});

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { organization, type Ran } from './organization.ts';

type Person = { email: string; outcome: string; reason?: string; link_url?: string };

const outcomes = ({ out }: Ran) =>
  (JSON.parse(out).people as Person[]).map(({ email, outcome }) => [email, outcome].join(' '));

test('F1: invites send invites the valid addresses in every form of output', async (t) => {
  const { run } = await organization(t);
  const send = (who: string, ...more: string[]) =>
    run('invites', 'send', `${who}@example.com`, 'zzz', 'ada@example.com', ...more);
  const pending = async () => JSON.parse((await run('invites', 'list', '--json=email')).out).length;

  const plain = await send('ben');
  assert.equal(plain.exitCode, EXIT.refused);
  assert.match(plain.out, /^Invited ben@example\.com\./);
  assert.equal(await pending(), 1);

  const json = await send('cleo', '--json');
  assert.equal(json.exitCode, EXIT.refused);
  assert.deepEqual(outcomes(json), ['cleo@example.com invited', 'zzz failed', 'ada@example.com exists']);
  const { people, ...counts } = JSON.parse(json.out);
  assert.deepEqual(counts, { invited: 1, exists: 1, deactivated: 0, failed: 1 });
  assert.match(people[0].link_url, /\/join\//);
  assert.match(JSON.parse(json.err).msg, /^2 of 3 were not invited\.$/);
  assert.equal(await pending(), 2);

  const tried = await send('dora', '--dry-run');
  assert.equal(tried.exitCode, EXIT.refused);
  assert.match(tried.out, /^Dry run: nothing was changed\. The command would invite dora@example\.com and send:\n/);
  assert.match(tried.out, /invites_changed/);
  assert.match(tried.err, /^zzz: .*\nada@example\.com: .*\n.*2 of 3 would not be invited\.$/m);
  const triedJson = await send('dora', '--dry-run', '--json');
  assert.deepEqual(outcomes(triedJson), ['dora@example.com invited', 'zzz failed', 'ada@example.com exists']);
  assert.equal(JSON.parse(triedJson.out).events[0].type, 'invites_changed');
  assert.equal(await pending(), 2);
});

test('F1: invites send --json has the links of a full success, and invites all parts of a long list', async (t) => {
  const { run } = await organization(t);
  const whole = await run(
    'invites',
    'send',
    'ben@example.com',
    '"Roe, Cy" <cy@example.com>; dan@example.com',
    '--json',
  );
  assert.equal(whole.exitCode, EXIT.done);
  assert.deepEqual(
    (JSON.parse(whole.out).people as Person[]).map(({ email, link_url }) => [email, /\/join\//.test(link_url ?? '')]),
    [
      ['ben@example.com', true],
      ['cy@example.com', true],
      ['dan@example.com', true],
    ],
  );
  const many = Array.from({ length: 250 }, (_, at) => `person-${at}@example.com`);
  const long = await run('invites', 'send', ...many, 'zzz', '--json');
  assert.equal(long.exitCode, EXIT.refused);
  assert.equal(JSON.parse(long.out).failed, 1);
  assert.equal(JSON.parse(long.out).people.filter(({ link_url }: Person) => link_url !== undefined).length, 249 + 1);
});

test('F1: invites send of only invalid addresses invites no user', async (t) => {
  const { run } = await organization(t);
  for (const form of [[], ['--json'], ['--dry-run']]) {
    const { exitCode } = await run('invites', 'send', 'yyy', 'zzz', ...form);
    assert.equal(exitCode, EXIT.refused);
  }
  assert.equal((await run('invites', 'list')).out, '');
});

test('invites send --results has a line for each address after the daily limit, and counts the earlier ones', async (t) => {
  const { folder, run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('organization', 'edit', '--max-invites', '100');
  const file = join(folder, 'results.csv');
  const people = Array.from({ length: 450 }, (_, at) => `person-${at}@example.com`);
  const send = (...emails: string[]) =>
    run('invites', 'send', ...emails, '--results', file, '--user', 'ben@example.com', '--json');
  assert.equal((await send(people.at(-1) as string)).exitCode, EXIT.done);
  const { exitCode, out } = await send(...people);
  assert.equal(exitCode, EXIT.refused);
  const { invited, failed, people: shown } = JSON.parse(out);
  assert.deepEqual([invited, failed, shown.length], [1, 449, 450]);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  assert.equal(lines.filter((line) => line.includes(',failed,')).length, 449);
  assert.equal(lines.length, 1 + 450);
});

test('F5: an inviter who cannot see links reads that no e-mail is sent and who has the link', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  const owner = await run('invites', 'send', 'cleo@example.com');
  assert.match(owner.out, /No e-mail is sent: share these links yourself\.\ncleo@example\.com {2}http/);
  const member = await run('invites', 'send', 'dora@example.com', '--user', 'ben@example.com');
  const advice = 'No e-mail is sent: ask an administrator for the link in `chatctl invites list`.\n';
  assert.deepEqual([member.out, member.err], [`Invited dora@example.com. ${advice}`, '']);
  const again = await run('invites', 'resend', 'dora@example.com', '--user', 'ben@example.com');
  assert.equal(again.out, advice);
  const states = JSON.parse((await run('invites', 'list', '--json=email,email_state')).out);
  assert.deepEqual(
    states.map(({ email_state }: { email_state: string }) => email_state),
    ['none', 'none'],
  );
});

test('F9: invites send refuses a file with a column that it does not read', async (t) => {
  const { folder, run } = await organization(t);
  const file = join(folder, 'people.csv');
  for (const title of ['role', 'Role', '"channels"', 'groups', 'invite_as']) {
    await writeFile(file, `email,${title}\nben@example.com,moderator\n`);
    for (const given of [['--csv', file], [`@${file}`]]) {
      const { exitCode, err } = await run('invites', 'send', ...given);
      assert.equal(exitCode, EXIT.usage, title);
      assert.match(err, new RegExp(`does not read the column "${title.replaceAll('"', '')}"\\.`));
    }
  }
  await writeFile(file, 'name,email,telephone\nBen,ben@example.com,1\n');
  assert.equal((await run('invites', 'send', '--csv', file)).exitCode, EXIT.done);
});

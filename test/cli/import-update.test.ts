import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { organization, type Ran } from './organization.ts';

type Line = { email: string; outcome: string; changed?: string[]; reason?: string };

const linesOf = ({ out }: Ran): Line[] => JSON.parse(out).lines;
const shown = (ran: Ran) => linesOf(ran).map(({ outcome, changed }) => [outcome, ...(changed ?? [])].join(' '));

const FILE = [
  'email,full_name,role,channels,profile:City',
  `ben@example.com,"O'Ngo, Ben",moderator,"sales, north",Łódź`,
  'cleo@example.com,Cleo,,,',
  'dora@example.com,Dora,guest,,Oslo',
];

async function staff(t: Parameters<typeof organization>[0]) {
  const { folder, run } = await organization(t);
  const file = join(folder, 'people.csv');
  await run('profile-fields', 'create', '--name', 'City', '--field-type', 'short-text');
  await run('channels', 'create', 'sales, north');
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('users', 'create', 'cleo@example.com', 'Cleo');
  await writeFile(file, `\uFEFF${FILE.join('\r\n')}\r\n`);
  const importing = (...more: string[]) => run('users', 'import', file, '--json', ...more);
  return { file, run, importing };
}

test('F11: users import leaves existing accounts unchanged without --update', async (t) => {
  const { run, importing } = await staff(t);
  assert.deepEqual(shown(await importing()), ['exists', 'exists', 'created']);
  const ben = JSON.parse((await run('users', 'get', 'ben@example.com', '--json=full_name,role')).out);
  assert.deepEqual(ben, { full_name: 'Ben', role: 400 });
});

test('F11: users import --update gives accounts the values of the file, and says per row which', async (t) => {
  const { run, importing } = await staff(t);
  const changes = ['updated full_name role profile:City channels', 'exists', 'created'];
  assert.deepEqual(shown(await importing('--update', '--dry-run')), changes);
  const real = await importing('--update');
  assert.deepEqual([real.exitCode, ...shown(real)], [EXIT.done, ...changes]);
  const { full_name, role, profile_data } = JSON.parse(
    (await run('users', 'get', 'ben@example.com', '--include-custom-profile-fields', '--json')).out,
  ).user;
  assert.deepEqual([full_name, role], ["O'Ngo, Ben", 300]);
  assert.match(JSON.stringify(profile_data), /Łódź/);
  assert.match(
    (await run('users', 'get', 'dora@example.com', '--include-custom-profile-fields', '--json')).out,
    /Oslo/,
  );
  const { subscribers } = JSON.parse((await run('channels', 'subscribers', 'sales, north', '--json')).out);
  assert.equal(subscribers.length, 1);
  assert.deepEqual(shown(await importing('--update')), ['exists', 'exists', 'exists']);
});

test('F11: users import --update reports refused and deactivated accounts, and goes on', async (t) => {
  const { file, run, importing } = await staff(t);
  await run('users', 'deactivate', 'cleo@example.com', '--yes');
  const rows = ['ada@example.com,Ada,member,,', 'ben@example.com,Ben N,,nowhere,', 'cleo@example.com,Cleopatra,,,'];
  await writeFile(file, [FILE[0], ...rows, 'eve@example.com,Eve,,,'].join('\n'));
  const ran = await importing('--update', '--dry-run');
  const real = await importing('--update');
  assert.deepEqual(
    [real.exitCode, ...shown(real)],
    [EXIT.refused, 'failed', 'failed full_name', 'deactivated', 'created'],
  );
  assert.deepEqual(shown(ran), shown(real));
  assert.match(linesOf(real)[1]?.reason ?? '', /no active channel named "nowhere"/);
  assert.doesNotMatch((await run('channels', 'list')).out, /nowhere/);
});

test('F11: users import refuses a line with an unknown profile field before it creates accounts', async (t) => {
  const { file, run } = await staff(t);
  await writeFile(file, 'email,full_name,profile:Town\neve@example.com,Eve,Oslo\n');
  const { exitCode, err } = await run('users', 'import', file);
  assert.equal(exitCode, EXIT.refused);
  assert.match(err, /There is no profile field named "Town"/);
  assert.doesNotMatch((await run('users', 'list')).out, /eve@/);
});

test('F11: users import --update of 1,000 accounts changes each once', async (t) => {
  const { file, importing } = await staff(t);
  const rows = (suffix: string) =>
    Array.from({ length: 1_000 }, (_, at) => `p${at}@example.com,Person ${at}${suffix},,,`);
  await writeFile(file, [FILE[0], ...rows('')].join('\n'));
  assert.equal(JSON.parse((await importing()).out).created, 1_000);
  await writeFile(file, [FILE[0], ...rows('b')].join('\n'));
  assert.equal(JSON.parse((await importing('--update')).out).updated, 1_000);
  assert.equal(JSON.parse((await importing('--update')).out).exists, 1_000);
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { organization } from './organization.ts';

const CSV = [
  'type,external_id,name,email,role,channels,groups,profile:City',
  'channel,c1,Project 1,,,,,',
  'group,g1,Cooks,,,,,',
  'user,u1,"Ngo, Ben",ben@example.com,moderator,c1,g1,Oslo',
  'user,u2,Cleo,,,,,',
];

async function mirror(t: Parameters<typeof organization>[0]) {
  const { folder, run } = await organization(t);
  await run('profile-fields', 'create', '--name', 'City', '--field-type', 'short-text');
  const sync = async (name: string, lines: readonly string[], ...more: string[]) => {
    const file = join(folder, name);
    await writeFile(file, `\uFEFF${lines.join('\r\n')}\r\n`);
    return run('sync', file, ...more);
  };
  return { run, sync };
}

test('chatctl sync reads CSV: a dry run lists the changes, and a second run changes nothing', async (t) => {
  const { run, sync } = await mirror(t);
  const tried = await sync('all.csv', CSV, '--dry-run');
  assert.match(tried.out, /^created user u1; name - > Ngo, Ben; .*role - > moderator; profile:City - > Oslo/m);
  assert.match(tried.out, /Dry run, nothing was changed: 4 created/);
  const done = await sync('all.csv', CSV, '--json');
  assert.equal(done.exitCode, EXIT.done, done.err);
  assert.equal(JSON.parse(done.out).counts.created, 4);
  assert.match((await sync('all.csv', CSV)).out, /^4 unchanged\.$/m);
  const { user } = JSON.parse((await run('users', 'get', 'ben@example.com', '--include-external-ids', '--json')).out);
  assert.equal(user.external_id, 'u1');
});

test('chatctl sync reads JSON Lines, where an empty list leaves all channels', async (t) => {
  const { sync } = await mirror(t);
  await sync('all.csv', CSV);
  const lines = [
    '{"external_id":"u1","name":"Ben","channels":[]}',
    '{"type":"group","external_id":"g1","name":"Chefs"}',
  ];
  const { out } = await sync('some.jsonl', lines, '--json');
  const changes = JSON.parse(out).changes as { external_id: string; fields: { field: string }[] }[];
  assert.deepEqual(
    changes.map(({ external_id, fields }) => [external_id, ...fields.map(({ field }) => field)].join(' ')),
    ['g1 name', 'u1 name channels'],
  );
});

test('chatctl sync --adopt resets an account with an unverified address, and is refused without it', async (t) => {
  const { run, sync } = await mirror(t);
  const link = JSON.parse((await run('invites', 'create-multiuse', '--json')).out).invite_link as string;
  const person = ['--email', 'ben@example.com', '--full-name', 'Mallory'];
  const joined = await run('invites', 'accept', link.split('/').at(-2) ?? '', ...person);
  assert.equal(joined.exitCode, EXIT.done, joined.err);
  const refused = await sync('all.csv', CSV);
  assert.equal(refused.exitCode, EXIT.refused);
  assert.match(refused.err, /failed user u1; .* Use adopt "reset"/);
  const ensured = await run('users', 'ensure', 'ben@example.com', '--full-name', 'Ben');
  assert.match(ensured.err, /not verified/);
  assert.match((await sync('all.csv', CSV, '--adopt', 'always')).err, /--adopt must be verified, reset, never/);
  const { out } = await sync('all.csv', CSV, '--adopt', 'reset', '--dry-run');
  assert.match(out, /^adopted user u1 \(access of its earlier user ended\); /m);
  const { changes } = JSON.parse((await sync('all.csv', CSV, '--adopt', 'reset', '--json')).out);
  assert.equal(changes.find((change: { external_id: string }) => change.external_id === 'u1').adoption, 'reset');
});

test('chatctl sync reports refused records, also with --json, and applies the others', async (t) => {
  const { sync } = await mirror(t);
  const lines = ['external_id,name,channels', 'u1,*,', 'u2,Cleo,nowhere', 'u3,Dora,'];
  const shown = await sync('some.csv', lines);
  assert.equal(shown.exitCode, EXIT.refused);
  assert.match(shown.err, /failed user u2; There is no active channel "nowhere"/);
  assert.match(shown.err, /2 records failed/);
  const { out, exitCode } = await sync('some.csv', lines, '--json');
  assert.equal(exitCode, EXIT.refused);
  const { counts, changes } = JSON.parse(out);
  assert.deepEqual([counts.failed, counts.unchanged], [2, 1]);
  assert.deepEqual(
    changes.map(({ code }: { code: string }) => code),
    ['BAD_REQUEST', 'BAD_REQUEST'],
  );
});

test('chatctl sync refuses an invalid file, and changes nothing', async (t) => {
  const { run, sync } = await mirror(t);
  const cases: readonly (readonly [name: string, lines: readonly string[], message: RegExp, ...more: string[]])[] = [
    ['a.csv', ['external_id,name', 'u1,Cleo', 'u1,Dora'], /external ID "u1" twice/],
    ['a.csv', ['external_id,name,surname', 'u1,Cleo,x'], /Unknown column "surname"/],
    ['a.csv', ['external_id,name', 'u1,Cleo', 'u2'], /Line 3 has 1 values? for 2 columns/],
    ['a.csv', ['external_id,name,is_active', 'u1,Cleo,perhaps'], /Line 2: is_active must be true or false/],
    ['a.csv', ['external_id,name', ',Cleo'], /external_id/],
    ['a.csv', ['external_id,name'], /every account with an external ID/, '--deactivate-missing'],
    ['a.csv', ['external_id,name', 'u1,Cleo'], /Unknown field "password" in --lock/, '--lock', 'name,password'],
    ['a.jsonl', ['{"external_id":"u1","name":"Cleo"}', '{"external_id":'], /Line 2 is not JSON/],
    [
      'a.jsonl',
      ['{"type":"role","external_id":"u1","name":"Cleo"}'],
      /Line 1: type must be user, channel, group or room/,
    ],
    [
      'a.jsonl',
      [
        '{"external_id":"u1","name":"Cleo"}',
        '{"type":"group","external_id":"a","name":"A","groups":["b"]}',
        '{"type":"group","external_id":"b","name":"B","groups":["a"]}',
      ],
      /"a", "b" contain each other/,
    ],
  ];
  for (const [name, lines, message, ...more] of cases) {
    const { err, exitCode } = await sync(name, lines, ...more);
    assert.match(err, message);
    assert.notEqual(exitCode, EXIT.done);
  }
  assert.match((await run('sync', '')).err, /empty/);
  assert.doesNotMatch((await run('users', 'list')).out, /Cleo/);
});

test('chatctl finds users, channels and groups by external:ID, with the case of the ID', async (t) => {
  const { run, sync } = await mirror(t);
  await sync('all.csv', [...CSV, 'user,U1,Uwe,uwe@example.com,,,,']);
  const address = async (name: string) =>
    JSON.parse((await run('users', 'get', name, '--json')).out).user.delivery_email;
  assert.equal(await address('external:u1'), 'ben@example.com');
  assert.equal(await address('external:U1'), 'uwe@example.com');
  assert.equal((await run('channels', 'archive', 'external:c1', '--yes')).exitCode, EXIT.done);
  assert.equal((await run('user-groups', 'edit', 'external:g1', '--name', 'Chefs')).exitCode, EXIT.done);
  const unknown = await run('users', 'get', 'external:u9');
  assert.match(unknown.err, /There is no account .*"external:u9"/);
});

test('chatctl sync names the line of an invalid record', async (t) => {
  const { sync } = await mirror(t);
  const cases: readonly (readonly [name: string, lines: readonly string[], message: RegExp])[] = [
    ['a.csv', ['external_id', 'u1'], /The column name is missing/],
    ['a.csv', ['external_id,name', 'u1,Cleo', ',Dora'], /Line 3 has no external_id/],
    ['a.csv', ['type,external_id,name,role', 'group,g1,Cooks,', 'user,u1,Cleo,boss'], /Line 3: .*owner, administrator/],
    [
      'a.jsonl',
      ['{"external_id":"u1","name":"Cleo"}', '', '{"external_id":"u2","name":7}'],
      /Line 3: name must be a string/,
    ],
  ];
  for (const [name, lines, message] of cases) assert.match((await sync(name, lines)).err, message);
});

test('chatctl sync --lock keeps the chat from changing mirrored names, for administrators too', async (t) => {
  const { run, sync } = await mirror(t);
  await sync('all.csv', CSV, '--lock', 'name');
  const refused = await run('users', 'edit', 'ben@example.com', '--full-name', 'Benny');
  assert.equal(refused.exitCode, EXIT.refused);
  assert.match(refused.err, /manages the field "name"/);
  await sync('all.csv', CSV, '--lock', 'none');
  assert.equal((await run('users', 'edit', 'ben@example.com', '--full-name', 'Benny')).exitCode, EXIT.done);
});

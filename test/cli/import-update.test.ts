import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { openChat, smtp, sqlite } from '../../lib/index.ts';
import { openMailbox } from '../support/mailbox.ts';
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
  const { folder, path, run } = await organization(t);
  const file = join(folder, 'people.csv');
  await run('profile-fields', 'create', '--name', 'City', '--field-type', 'short-text');
  await run('channels', 'create', 'sales, north');
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('users', 'create', 'cleo@example.com', 'Cleo');
  await writeFile(file, `\uFEFF${FILE.join('\r\n')}\r\n`);
  const importing = (...more: string[]) => run('users', 'import', file, '--json', ...more);
  return { file, path, run, importing };
}

test('F11: users import leaves existing accounts unchanged without --update', async (t) => {
  const { run, importing } = await staff(t);
  assert.deepEqual(shown(await importing()), ['exists', 'exists', 'created']);
  const ben = JSON.parse((await run('users', 'get', 'ben@example.com', '--json=full_name,role')).out);
  assert.deepEqual(ben, { full_name: 'Ben', role: 400 });
});

test('F11: users import --update sets the values of the file, and prints the result of each row', async (t) => {
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

test('users import --update --results compares an account again that needed no change', async (t) => {
  const { file, run, importing } = await staff(t);
  const results = `${file}.results`;
  const importBen = async (name: string) => {
    await writeFile(file, `email,full_name\nben@example.com,${name}\n`);
    return shown(await importing('--update', '--results', results));
  };
  assert.deepEqual(await importBen('Ben'), ['exists']);
  assert.deepEqual(await importBen('Ben Ngo'), ['updated full_name']);
  const ben = JSON.parse((await run('users', 'get', 'ben@example.com', '--json=full_name')).out);
  assert.deepEqual(ben, { full_name: 'Ben Ngo' });
});

test('F11: users import --update reports refused and deactivated accounts, and continues', async (t) => {
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

test('F11: users import creates no account for a line with an invalid profile value', async (t) => {
  const { file, run } = await staff(t);
  await run('profile-fields', 'create', '--name', 'Born', '--field-type', 'date');
  const content = 'email,full_name,profile:Born\neve@example.com,Eve,yesterday\nfay@example.com,Fay,2001-02-03\n';
  await writeFile(file, content);
  const tried = await run('users', 'import', file, '--json', '--dry-run');
  assert.deepEqual([tried.exitCode, ...shown(tried)], [EXIT.refused, 'failed', 'created']);
  const real = await run('users', 'import', file, '--json');
  assert.deepEqual([real.exitCode, ...shown(real)], [EXIT.refused, 'failed', 'created']);
  assert.match(linesOf(real)[0]?.reason ?? '', /"Born" takes a date/);
  assert.doesNotMatch((await run('users', 'list')).out, /eve@/);
  await writeFile(file, content.replace('yesterday', '2000-01-01'));
  assert.deepEqual(shown(await run('users', 'import', file, '--json')), ['created', 'exists']);
  const eve = (await run('users', 'get', 'eve@example.com', '--include-custom-profile-fields', '--json')).out;
  assert.match(eve, /2000-01-01/);
});

test('F11: users import refuses two spellings of one address or column, and values that are not text', async (t) => {
  const { file, run, importing } = await staff(t);
  await writeFile(file, 'email,full_name\nk@bücher.example,Kim\nk@xn--bcher-kva.example,Kay\n');
  for (const more of [['--dry-run'], []]) {
    const ran = await importing('--update', ...more);
    assert.deepEqual(shown(ran), ['created', 'failed']);
    assert.match(linesOf(ran)[1]?.reason ?? '', /^Line 2 has the same address\.$/);
  }
  await writeFile(file, 'email,full_name,profile:City,profile:city\nben@example.com,Ben,A,B\n');
  const twice = await run('users', 'import', file, '--update');
  assert.deepEqual([twice.exitCode, /The column profile:city appears twice/.test(twice.err)], [EXIT.usage, true]);
  await writeFile(file, '{"email":"ben@example.com","full_name":"Ben","profile:City":{"a":1}}');
  const [line] = linesOf(await importing('--update', '--format', 'jsonl'));
  assert.deepEqual([line?.outcome, line?.reason], ['failed', '"profile:City" must be a text or a list of texts.']);
});

test('F11: an administrator creates and changes no owner by users import --update', async (t) => {
  const { file, run, importing } = await staff(t);
  await run('users', 'edit', 'ben@example.com', '--role', 'administrator');
  const rows = ['ben@example.com,Ben,owner', 'cleo@example.com,Cleo,owner', 'ada@example.com,Ada,member'];
  await writeFile(file, ['email,full_name,role', ...rows, 'eve@example.com,Eve,owner'].join('\n'));
  for (const more of [['--dry-run'], []]) {
    const ran = await importing('--update', '--user', 'ben@example.com', ...more);
    assert.deepEqual(shown(ran), ['failed', 'failed', 'failed', 'failed']);
  }
  assert.equal(JSON.parse((await run('users', 'list', '--role', 'owner', '--json')).out).members.length, 1);
});

test('users import reads files of spreadsheets: semicolons or tabs, quoted values, and empty columns', async (t) => {
  const { file, run, importing } = await staff(t);
  await run('channels', 'create', 'north');
  for (const [name, separator] of [
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
  ] as const) {
    const values = [
      ['email', 'full_name', 'channels', 'Phone', '', ''],
      [`${name}@example.com`, `"O'Ngo, ${name}"`, '"sales, north;north"', '', '', ''],
      [`${name}2@example.com`, name, 'north', '', '', ''],
    ];
    await writeFile(file, `\uFEFF${values.map((row) => row.join(separator)).join('\r\n')}\r\n`);
    assert.deepEqual(shown(await importing()), ['created', 'created'], name);
    const { user } = JSON.parse((await run('users', 'get', `${name}@example.com`, '--json')).out);
    assert.equal(user.full_name, `O'Ngo, ${name}`);
  }
  const { subscribers } = JSON.parse((await run('channels', 'subscribers', 'sales, north', '--json')).out);
  assert.equal(subscribers.length, 3);
});

test('users import refuses an unknown column with values, or leaves it out with --ignore-unknown-columns', async (t) => {
  const { file, importing } = await staff(t);
  await writeFile(file, 'email,Phone,full_name\neve@example.com,123,Eve\n');
  const refused = await importing();
  assert.equal(refused.exitCode, EXIT.usage);
  assert.match(refused.err, /Unknown column .*Phone.*--ignore-unknown-columns/s);
  assert.deepEqual(shown(await importing('--ignore-unknown-columns')), ['created']);
  await writeFile(file, 'email,full_name,\nfay@example.com,Fay,123\n');
  assert.match((await importing()).err, /Column 3 has values, but no name/);
  await writeFile(file, '{"email":"gil@example.com","full_name":"Gil","phone":1}\n');
  assert.match(shown(await importing('--format', 'jsonl')).join(), /failed/);
  assert.deepEqual(shown(await importing('--format', 'jsonl', '--ignore-unknown-columns')), ['created']);
});

test('users import finds channels, groups, fields and names in either spelling of accents', async (t) => {
  const { file, run, importing } = await staff(t);
  await run('channels', 'create', 'Caf\u00e9');
  await run('user-groups', 'create', 'Caf\u00e9');
  await run('profile-fields', 'create', '--name', 'Caf\u00e9', '--field-type', 'short-text');
  const write = (e: string) =>
    writeFile(file, `email,full_name,channels,groups,profile:Caf${e}\nz@example.com,Zo${e},Caf${e},Caf${e},Caf${e}\n`);
  await write('e\u0301');
  assert.deepEqual(shown(await importing('--update')), ['created']);
  assert.deepEqual(shown(await importing('--update')), ['exists']);
  await write('\u00e9');
  assert.deepEqual(shown(await importing('--update')), ['exists']);
});

test('users import --invite needs e-mail before it creates accounts', async (t) => {
  const { file, run, importing } = await staff(t);
  const refused = await importing('--invite');
  assert.deepEqual([refused.exitCode, refused.out], [EXIT.refused, '']);
  assert.match(refused.err, /sends no e-mail/);
  assert.match((await run('users', 'import', file, '--invite')).err, /^Set PARLANCE_SMTP and PARLANCE_MAIL_FROM/m);
  assert.notEqual((await run('users', 'get', 'dora@example.com')).exitCode, EXIT.done);
});

test('users import --invite mails each new account once, and --json counts the e-mails', async (t) => {
  const { path, file, run, importing } = await staff(t);
  const mailbox = await openMailbox(t);
  Object.assign(process.env, { PARLANCE_SMTP: mailbox.url, PARLANCE_MAIL_FROM: 'chat@example.com' });
  t.after(() => {
    delete process.env.PARLANCE_SMTP;
    delete process.env.PARLANCE_MAIL_FROM;
  });
  assert.match((await run('users', 'import', file, '--invite', '--dry-run')).out, /Would send 1 e-mail with a link/);
  assert.match((await run('users', 'import', file, '--invite')).out, /^The server sends 1 e-mail with a link .*\.$/m);
  assert.match((await run('users', 'import', file, '--invite')).out, /^Existing accounts get no e-mail\./m);
  assert.equal(JSON.parse((await importing('--invite')).out).invited, 0);
  const mail = { url: mailbox.url, from: 'chat@example.com' };
  const chat = await openChat({ storage: sqlite(path), mail: smtp(mail) });
  await chat.runDue();
  await chat.close();
  assert.deepEqual(
    mailbox.letters.map(({ to }) => to?.map(({ address }) => address)),
    [['dora@example.com']],
  );
  assert.match(mailbox.latest().text ?? '', /Hello Dora,.*password\/reset\/first-/s);
});

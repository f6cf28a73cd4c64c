import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import {
  BadExport,
  check,
  exportChat,
  importChat,
  importOrganization,
  localFiles,
  openChat,
  parlanceExport,
  StorageError,
} from '../../lib/index.ts';
import { exportedColumns, exportedTables } from '../../lib/storage/maintenance/export-rows.ts';
import { EXPORTED, NOT_EXPORTED } from '../../lib/storage/maintenance/exported-tables.ts';
import { tablesOf } from '../../lib/storage/maintenance/tables.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { newestOf } from '../../lib/storage/migrations/migration.ts';
import { places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { ADA, BEN, EVA, filesIn, open, opened, populated, quiet, scratch } from './exports.ts';

const [sqlite] = places;
const postgres = places.find(({ name }) => name === 'PostgreSQL');
assert.ok(sqlite && postgres);

const hasReason = (reason: string) => (error: unknown) => error instanceof StorageError && error.reason === reason;

test('for each table it is decided whether exports contain it', () => {
  const tables = tablesOf(migrations).map(({ name }) => name);
  assert.deepEqual(
    tables.filter((name) => !(name in EXPORTED) === !(name in NOT_EXPORTED)),
    [],
  );
});

test('no exported column has the name of a secret', () => {
  const names = exportedTables(newestOf(migrations)).flatMap(({ table, rule }) =>
    exportedColumns(table, rule).map(({ name }) => `${table.name}.${name}`),
  );
  const suspicious = names.filter((name) =>
    /\.(?=.*(secret|passw|token|hash|seed|otp|recovery|credential))/.test(name),
  );
  assert.deepEqual(suspicious, ['push_devices.token_kind']);
});

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
] as const)
  testOn(postgres)(`an export of ${from.name}, imported on ${to.name}, is exported as the same bytes`, async (t) => {
    const folder = await scratch(t);
    const [here, there] = [await from.make(), await to.make()];
    t.after(() => Promise.all([here.remove(), there.remove()]));
    const chat = await opened(t, here, join(folder, 'uploads'));
    const { first } = await populated(chat);
    // Databases sort texts by their language. The order in the export must not depend on it.
    if (from === postgres)
      await here.sql('ALTER TABLE alert_words ALTER COLUMN word_key TYPE text COLLATE "und-x-icu"');
    const manifest = await exportChat(chat, join(folder, 'one'));
    assert.equal(manifest.files.count, 1);
    await importOrganization(join(folder, 'one'), open(there), { files: localFiles(join(folder, 'other')) });
    const again = await opened(t, there, join(folder, 'other'));
    await exportChat(again, join(folder, 'two'));
    const [one, two] = [await filesIn(join(folder, 'one')), await filesIn(join(folder, 'two'))];
    assert.deepEqual(Object.keys(two), Object.keys(one));
    for (const [name, content] of Object.entries(one)) assert.equal(two[name], content, name);
    const checked = open(there);
    assert.deepEqual((await check(checked, { files: localFiles(join(folder, 'other')) })).findings, []);
    await checked.close();

    const queue = await again.as(BEN.email).register({ event_types: ['message'] });
    const sent = { type: 'channel', to: 'general', topic: 'Ärger 🎉', content: 'after the import' } as const;
    const { id } = await again.as(ADA.email).messages.send(sent);
    assert.ok(id > first.id);
    const { events } = await again.as(BEN.email).events.list({ ...queue, dont_block: true });
    assert.equal(events.length, 1, 'subscribers get events after the import');
    const found = await again.as(BEN.email).messages.list({
      ...{ narrow: [['search', 'edited']], anchor: 'newest', num_before: 5, num_after: 0 },
    });
    assert.deepEqual(
      found.messages.map((message) => message.id),
      [first.id],
    );
  });

for (const from of [sqlite, postgres])
  testOn(from)(`an export on ${from.name} has what was there at its start, while users write`, async (t) => {
    const folder = await scratch(t);
    const [here, there] = [await from.make(), await sqlite.make()];
    t.after(() => Promise.all([here.remove(), there.remove()]));
    const chat = await opened(t, here, join(folder, 'uploads'));
    await populated(chat);
    const before = await exportChat(chat, join(folder, 'before'));
    const sent: Promise<unknown>[] = [];
    const write = () => {
      const message = {
        type: 'channel',
        to: 'general',
        topic: `while ${sent.length}`,
        content: 'while exporting',
      } as const;
      sent.push(chat.as(BEN.email).messages.send(message));
    };
    const during = await exportChat(chat, join(folder, 'during'), { onStep: write });
    await Promise.all(sent);
    assert.ok(sent.length > 20);
    // A sequence of PostgreSQL counts on, so the last ID differs.
    const messagesOf = ({ tables }: typeof before) => tables.find(({ name }) => name === 'messages')?.sha256;
    assert.deepEqual(messagesOf(during), messagesOf(before));
    await importOrganization(join(folder, 'during'), open(there), { files: localFiles(join(folder, 'other')) });
    const imported = open(there);
    assert.deepEqual((await check(imported, { files: localFiles(join(folder, 'other')) })).findings, []);
    await imported.close();
  });

test('an export contains no secrets, and only its owner can read it', async (t) => {
  const folder = await scratch(t);
  const place = await sqlite.make();
  t.after(() => place.remove());
  const chat = await opened(t, place, join(folder, 'uploads'));
  await populated(chat);
  const [{ secret } = {}] = await place.sql('SELECT secret FROM organization');
  const hashes = (await place.sql('SELECT password_hash FROM users WHERE password_hash IS NOT NULL')).map(
    (row) => row.password_hash,
  );
  const secrets = [secret, ...hashes, await chat.apiKeyOf(ADA.email)].map(String);
  assert.equal(hashes.length, 3);
  await exportChat(chat, join(folder, 'out'));
  for (const [name, content] of Object.entries(await filesIn(join(folder, 'out')))) {
    assert.deepEqual(
      secrets.filter((each) => content.includes(each)),
      [],
      name,
    );
    assert.equal((await stat(join(folder, 'out', name))).mode & 0o777, 0o600, name);
  }
  for (const name of ['out', 'out/files']) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o700);
});

test('an export is not written to a folder that contains something else', async (t) => {
  const folder = await scratch(t);
  const place = await sqlite.make();
  t.after(() => place.remove());
  const chat = await opened(t, place, join(folder, 'uploads'));
  await populated(chat);
  await mkdir(join(folder, 'mine'));
  await writeFile(join(folder, 'mine', 'users.jsonl'), 'mine');
  await assert.rejects(exportChat(chat, join(folder, 'mine')), hasReason('foreign-application'));
  assert.equal(await readFile(join(folder, 'mine', 'users.jsonl'), 'utf8'), 'mine');
  await exportChat(chat, join(folder, 'out'));
  await assert.rejects(exportChat(chat, join(folder, 'out')), /contains a complete export/);
});

test('an interrupted export continues with its files, and one that another process writes is refused', async (t) => {
  const folder = await scratch(t);
  const place = await sqlite.make();
  t.after(() => place.remove());
  const chat = await opened(t, place, join(folder, 'uploads'));
  await populated(chat);
  const [out, mark] = [join(folder, 'out'), join(folder, 'out', 'export.unfinished.json')];
  const interrupt = ({ what }: { what: string }) => {
    if (what === 'files') throw new Error('interrupted');
  };
  await assert.rejects(exportChat(chat, out, { onStep: interrupt }), /interrupted/);
  const held = JSON.parse(await readFile(mark, 'utf8'));
  await writeFile(mark, JSON.stringify({ ...held, process: process.ppid }));
  await assert.rejects(exportChat(chat, out), hasReason('busy'));
  await writeFile(mark, JSON.stringify({ ...held, uuid: 'other' }));
  await assert.rejects(exportChat(chat, out), /of another organization/);
  await writeFile(mark, JSON.stringify(held));
  await writeFile(join(out, 'files', '77-gone.txt'), 'removed since');
  const { mtimeMs } = await stat(join(out, 'files', (await readdir(join(out, 'files')))[0] as string));
  await exportChat(chat, out);
  const files = await readdir(join(out, 'files'));
  assert.deepEqual(files, ['1-page.html.bin']);
  assert.equal((await stat(join(out, 'files', files[0] as string))).mtimeMs, mtimeMs, 'the file is not written again');
  assert.equal((await readdir(out)).includes('export.unfinished.json'), false);
});

test('an export without its uploaded files is refused, unless they may be missing', async (t) => {
  const folder = await scratch(t);
  const place = await sqlite.make();
  t.after(() => place.remove());
  const chat = await opened(t, place, join(folder, 'uploads'));
  await populated(chat);
  await rm(join(folder, 'uploads'), { recursive: true });
  await assert.rejects(exportChat(chat, join(folder, 'out')), hasReason('files-missing'));
  assert.equal((await exportChat(chat, join(folder, 'out'), { allowMissingFiles: true })).files.missing, 1);
});

test('a damaged export is refused with the name of the file, and the database stays empty', async (t) => {
  const folder = await scratch(t);
  const [place, target] = [await sqlite.make(), await sqlite.make()];
  t.after(() => Promise.all([place.remove(), target.remove()]));
  const chat = await opened(t, place, join(folder, 'uploads'));
  await populated(chat);
  const out = join(folder, 'out');
  await exportChat(chat, out);
  const storage = open(target);
  t.after(() => storage.close());
  const files = localFiles(join(folder, 'other'));
  const refused = (says: RegExp) =>
    assert.rejects(importOrganization(out, storage, { files }), (error: Error) => {
      assert.ok(error instanceof BadExport, error.stack);
      assert.match(error.message, says);
      return true;
    });
  for (const name of ['messages.jsonl', 'files.jsonl', 'files/1-page.html.bin']) {
    const path = join(out, name);
    const content = await readFile(path);
    const changed = Buffer.from(content);
    changed[content.length - 3] = (changed[content.length - 3] as number) ^ 1;
    await writeFile(path, changed);
    await refused(new RegExp(`The file ${name} is damaged: its SHA-256 digest differs`));
    await writeFile(path, content.subarray(0, -1));
    await refused(new RegExp(`The file ${name} is damaged: it has`));
    await rm(path);
    await refused(new RegExp(`The export lacks the file ${name}`));
    await writeFile(path, content);
  }
  const manifest = await readFile(join(out, 'export.json'), 'utf8');
  for (const [found, instead, says] of [
    ['"version": 1', '"version": 2', /newer version of Parlance \(format 2\)/],
    ['"scope": "full"', '"scope": "public"', /only a part of the data \(public\)/],
    ['"format": "parlance"', '"format": "x"', /not an export of Parlance/],
  ] as const) {
    await writeFile(join(out, 'export.json'), manifest.replace(found, instead));
    await refused(says);
  }
  await rm(join(out, 'export.json'));
  await refused(/not a complete export/);
  await writeFile(join(out, 'export.json'), manifest);
  await importOrganization(out, storage, { files });
  await assert.rejects(importOrganization(out, storage, { files }), /already contains the organization "Example"/);
  const imported = await openChat({ storage, logger: quiet });
  assert.notEqual(await imported.apiKeyOf(ADA.email), await chat.apiKeyOf(ADA.email));
});

test('an export is merged into another organization once, and an unverified address gives nobody access', async (t) => {
  const folder = await scratch(t);
  const [place, target] = [await sqlite.make(), await sqlite.make()];
  t.after(() => Promise.all([place.remove(), target.remove()]));
  const chat = await opened(t, place, join(folder, 'uploads'));
  await populated(chat);
  await place.sql(`UPDATE users SET is_email_verified = 0 WHERE delivery_email = '${EVA.email}'`);
  await exportChat(chat, join(folder, 'out'));
  const other = await opened(t, target, join(folder, 'other'));
  await other.createOrganization({ name: 'Other', owner: ADA });
  await other.as(ADA.email).users.create(EVA);
  const source = parlanceExport(join(folder, 'out'));
  const rejected: unknown[] = [];
  const planned = await importChat(other, source, { dryRun: true });
  const merged = await importChat(other, source, { onReject: (row) => void rejected.push(row) });
  assert.deepEqual(rejected, []);
  assert.deepEqual(planned.imported, { ...merged.imported, file: planned.imported.file });
  assert.deepEqual([merged.imported.channel, merged.imported.file, merged.imported.reaction], [2, 1, 1]);
  assert.equal(merged.losses['earlier versions of messages'], 1);
  const range = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false } as const;
  const textsOf = async (email: string) =>
    (await other.as(email).messages.list(range)).messages.map(({ content }) => content);
  assert.ok((await textsOf(BEN.email)).includes('the secret answer of Ben'));
  assert.ok((await textsOf(ADA.email)).includes('direct words to Eva'));
  assert.deepEqual(
    (await textsOf(EVA.email)).filter((text) => text.startsWith('direct words')),
    [],
  );
  const [linked] = (await other.as(ADA.email).messages.list({ ...range, narrow: [['topic', 'Ärger 🎉']] })).messages;
  const [, address = ''] = /\((\/user_uploads\/[^)]+)\)/.exec(linked?.content ?? '') ?? [];
  const { content } = await other.as(ADA.email).download(address);
  assert.equal((await buffer(content)).length, 25);
  const again = await importChat(other, source);
  assert.ok(Object.values(again.imported).every((count) => count === 0));
});

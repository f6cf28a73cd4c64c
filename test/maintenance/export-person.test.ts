import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ZipArchive } from '../../lib/import/zip.ts';
import { exportUser, openChat, type StorageError, sqlite } from '../../lib/index.ts';
import { places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { BEN, EVA, opened, populated, quiet, scratch } from './exports.ts';

async function unzipped(path: string): Promise<Map<string, string>> {
  const archive = await ZipArchive.open(path);
  const files = new Map<string, string>();
  for (const name of archive.names) {
    const pieces: Uint8Array[] = [];
    for await (const piece of archive.stream(name)) pieces.push(piece);
    files.set(name, Buffer.concat(pieces).toString());
  }
  archive.close();
  return files;
}

for (const engine of [places[0], places.find(({ name }) => name === 'PostgreSQL')])
  testOn(engine ?? {})(
    `the export of a person on ${engine?.name} has what is theirs and nothing of others`,
    async (t) => {
      assert.ok(engine);
      const folder = await scratch(t);
      const place = await engine.make();
      t.after(() => place.remove());
      const chat = await opened(t, place, join(folder, 'uploads'));
      const { ada, ben, secret } = await populated(chat);
      await chat.as(ben).subscriptions.remove({ subscriptions: ['secret'] });
      await chat.as(ada).channels.edit({ stream_id: secret.id, new_name: 'renamed since' });
      const path = join(folder, 'ben.zip');
      await exportUser(chat, BEN.email, path);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      await assert.rejects(exportUser(chat, BEN.email, path), (error: StorageError) => error.reason === 'busy');

      const files = await unzipped(path);
      const rows = (name: string) =>
        (files.get(`${name}.jsonl`) ?? '')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
      const all = [...files.values()].join('\n');
      for (const own of [
        'the secret answer of Ben',
        'direct words to Ben',
        'a draft of Ben',
        'Hello all, edited',
        'Best, Ben',
      ])
        assert.ok(all.includes(own), own);
      for (const foreign of [
        'the secret plan of Ada',
        'soup of Eva',
        'direct words to Eva',
        'renamed since',
        EVA.email,
        ada.email,
      ])
        assert.ok(!all.includes(foreign), foreign);
      const people = rows('users');
      assert.deepEqual(
        people.find(({ id }) => id === ada.user_id),
        {
          ...{ id: ada.user_id, full_name: 'Ada', is_active: true, bot_type: null },
        },
      );
      assert.equal(people.find(({ id }) => id === ben.user_id).delivery_email, BEN.email);
      assert.deepEqual(
        rows('alert_words').map(({ word }) => word),
        ['Zebra', 'zoo', 'Äpfel'],
      );
      assert.ok(rows('audit_log').every(({ user_id }) => user_id === ben.user_id));
      assert.equal(files.get('files/1-page.html.bin'), '<script>alert(1)</script>');
      const pages = [...files].filter(([name]) => name.endsWith('.html'));
      assert.ok(pages.length > 10);
      for (const [name, html] of pages) {
        assert.match(
          html,
          /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">/,
        );
        assert.doesNotMatch(html, /<(script|img|b|iframe|link)\b/, name);
      }
      assert.match(files.get('index.html') ?? '', /<h1>Ben &lt;b<\/h1>/);
      assert.match(files.get('pages/messages-1.html') ?? '', /a channel that this person has left/);
      assert.equal((await chat.auditLog({ limit: 1 }))[0]?.action, 'exportUser');
    },
  );

for (const engine of [places[0], places.find(({ name }) => name === 'PostgreSQL')])
  testOn(engine ?? {})(
    `the export of a guest on ${engine?.name} does not name channels that the guest has left`,
    async (t) => {
      assert.ok(engine);
      const folder = await scratch(t);
      const place = await engine.make();
      t.after(() => place.remove());
      const chat = await opened(t, place, join(folder, 'uploads'));
      const { ada, ben, general } = await populated(chat);
      await chat.as(ada).users.edit({ user_id: ben.user_id, role: 600 });
      const inGeneral = async (path: string) => {
        await exportUser(chat, BEN.email, join(folder, path));
        const files = await unzipped(join(folder, path));
        return ['channels', 'conversations'].map((table) => /general|Ärger/.test(files.get(`${table}.jsonl`) ?? ''));
      };
      assert.deepEqual(await inGeneral('1.zip'), [true, true]);
      await chat.as(ben).subscriptions.remove({ subscriptions: ['general'] });
      await chat.as(ada).channels.edit({ stream_id: general.id, description: 'renamed since to general plans' });
      assert.deepEqual(await inGeneral('2.zip'), [false, false]);
    },
  );

test('a person whose account does not exist has no export', async (t) => {
  const folder = await scratch(t);
  const chat = await openChat({ storage: sqlite(join(folder, 'chat.db')), logger: quiet });
  t.after(() => chat.close());
  await chat.createOrganization({ name: 'Example', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  await assert.rejects(exportUser(chat, 'none@example.com', join(folder, 'x.zip')), /no account with the address/);
});

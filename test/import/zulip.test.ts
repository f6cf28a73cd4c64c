import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { type Chat, type ImportOptions, localFiles, zulipExport } from '../../lib/index.ts';
import { chatOf, importedInto as importedFrom, messagesOf, newFolder, shown, written } from './imports.ts';
import { ROOT, tarFile, zulipEntries } from './zulip-export.ts';

const importedInto = async (chat: Chat, file: Uint8Array, options?: ImportOptions) =>
  importedFrom(chat, zulipExport(await written(file, '.tar.gz')), options);

test('an import of Zulip keeps topics, mentions, stars, files and custom emoji', async (t) => {
  const chat = await chatOf(t, undefined, { files: localFiles(await newFolder()) });
  const file = await tarFile(await zulipEntries());
  const { imported, rejected, losses, conflicts } = await importedInto(chat, file);
  // Ada and the notification bot exist. The author with the ID 99 is missing.
  assert.deepEqual(imported, { user: 5, group: 1, channel: 3, emoji: 1, message: 7, reaction: 3, file: 1 });
  assert.deepEqual(
    rejected.map(({ at, reason }) => `${at}: ${reason}`),
    [
      'realm.json, zerver_userprofile, row 5: "id" must be a number, not "no number".',
      'custom emoji lost: The export has no picture of it.',
      'messages-000002.json, message 107: There is no recipient 77.',
      'messages-000003.json: The entry "messages-000003.json" is not JSON.',
    ],
  );
  assert.deepEqual(losses, { 'files whose content is missing': 1 });
  assert.equal(conflicts.length, 2);
  const ada = chat.as('ada@example.com');
  const { user_id: ben } = await chat.as('ben@example.com').users.me();
  const { members } = await ada.users.list();
  const cleo = members.find(({ full_name }) => full_name === 'Cleo');
  assert.equal(cleo?.is_active, false);
  const general = await messagesOf(ada, [['channel', 'general']]);
  assert.deepEqual(
    shown(general).map((line) => line.replace(/user_uploads\/\S+\//, 'user_uploads/…/')),
    [
      `✔ plans > Ada: Hello @**Ben|${ben}** and @_**Cleo|${cleo?.user_id}**, see [menu](/user_uploads/…/the-menu.txt)`,
      'general chat > Ben: No topic',
      'plans > Unknown user 99: I am gone',
    ],
  );
  assert.deepEqual(
    general[0]?.reactions.map(({ emoji_name, reaction_type }) => `${emoji_name} ${reaction_type}`),
    ['tada unicode_emoji', 'soup realm_emoji', 'zulip zulip_extra_emoji'],
  );
  const [starred] = await messagesOf(chat.as('ben@example.com'), [['is', 'starred']]);
  assert.equal(starred?.id, general[0]?.id);
  const [, address = ''] = /\((\/user_uploads\/.+?)\)/.exec(general[0]?.content ?? '') ?? [];
  assert.equal(await text((await chat.as('ben@example.com').download(address)).content), 'soup');
  assert.deepEqual(
    shown(await messagesOf(ada, [['is', 'dm']])).map((line) => line.replace(/^.* > /, '')),
    ['Ben: Are you coming?', 'Cleo: All three'],
  );
  assert.deepEqual(
    shown(await messagesOf(ada, [['channel', 'secret']])).map((line) => line.replace(/\|\d+/, '')),
    [
      'channel events > Notification Bot: @_**Ada** created this channel.',
      'files > Ada: [lost](/user_uploads/2/ab/lost/a.txt)',
    ],
  );
  await assert.rejects(chat.as('ben@example.com').channels.getId({ stream: 'secret' }));
  const again = await importedInto(chat, file);
  assert.deepEqual(Object.values(again.imported), [0, 0, 0, 0, 0, 0, 0]);
});

test('an imported link to a private channel leads there only if its author can see the channel', async (t) => {
  const chat = await chatOf(t);
  const entries = await zulipEntries();
  const name = `${ROOT}/messages-000001.json`;
  const { zerver_message, ...rest } = JSON.parse(String(entries[name]));
  const linking = [10, 11].map((sender) => ({
    ...zerver_message[0],
    ...{ id: 200 + sender, sender, recipient: 30, subject: 'links' },
    content: `${sender}: #**secret** and #**secret>files** and #**general**`,
  }));
  const messages = JSON.stringify({ ...rest, zerver_message: [...zerver_message, ...linking] });
  await importedInto(chat, await tarFile({ ...entries, [name]: messages }));
  const ada = chat.as('ada@example.com');
  const found = await ada.messages.list({ anchor: 'newest', num_before: 9, narrow: [['topic', 'links']] });
  const linked = found.messages.map(({ content }) => [
    content.slice(3, 5),
    (content.match(/data-stream-id="\d+"/g) ?? []).length,
  ]);
  assert.deepEqual(linked, [
    ['10', 3],
    ['11', 1],
  ]);
});

test('an unpacked export of Zulip gives no file to which a link leads', async (t) => {
  const folder = await newFolder();
  for (const [name, content] of Object.entries(await zulipEntries())) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  await writeFile(join(folder, 'secret.txt'), 'key');
  const menu = join(folder, ROOT, 'uploads/2/ab/xyz/the menu.txt');
  const picture = join(folder, ROOT, 'emoji/2/emoji/images/60.png');
  await copyFile(picture, join(folder, '60.png'));
  await Promise.all([rm(menu), rm(picture)]);
  await symlink(join(folder, 'secret.txt'), menu);
  await symlink(join(folder, '60.png'), picture);
  const chat = await chatOf(t, undefined, { files: localFiles(await newFolder()) });
  const { imported, losses } = await importedFrom(chat, zulipExport(folder));
  assert.deepEqual([imported.file, imported.emoji, losses['files whose content is missing']], [0, 0, 2]);
});

describe('a tar.gz file is refused with the name of the entry', () => {
  const CASES: Record<string, [file: () => Promise<Uint8Array>, message: RegExp]> = {
    'a path that leads out': [() => tarFile({ '../x.json': '{}' }), /"..\/x.json" has a path outside/],
    'an absolute path': [() => tarFile({ '/tmp/x.json': '{}' }), /"\/tmp\/x.json" has a path outside/],
    'a symbolic link': [() => tarFile({}, { [`${ROOT}/realm.json`]: '/etc/passwd' }), /realm.json" is a link/],
    'a bomb': [
      () => tarFile({ [`${ROOT}/realm.json`]: new Uint8Array(300 * 1024 * 1024) }),
      /realm.json" makes the archive too large/,
    ],
    'a file that ends early': [
      async () => (await tarFile(await zulipEntries())).subarray(0, 400),
      /is not a complete tar.gz file/,
    ],
    'no realm': [() => tarFile({ 'other.json': '{}' }), /not an export of Zulip: it has no realm.json/],
  };
  for (const [name, [file, message]] of Object.entries(CASES))
    test(name, async (t) => {
      const before = (await readdir(tmpdir())).filter((entry) => entry.startsWith('parlance-import-'));
      await assert.rejects(importedInto(await chatOf(t), await file()), { name: 'BadExport', message });
      const left = (await readdir(tmpdir())).filter((entry) => entry.startsWith('parlance-import-'));
      assert.deepEqual(left, before);
    });
});

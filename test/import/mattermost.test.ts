import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import sharp from 'sharp';
import { localFiles, mattermostExport } from '../../lib/index.ts';
import { chatOf, importedInto, messagesOf, newFolder, shown, written } from './imports.ts';
import { jsonLines, MATTERMOST_LINES } from './mattermost-export.ts';
import { zipFile } from './zip-file.ts';

test('an import of Mattermost sorts messages, and makes topics of threads', async (t) => {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const path = await written(
    zipFile([
      { name: 'import.jsonl', content: jsonLines(MATTERMOST_LINES) },
      { name: 'data/2024/menu.txt', content: 'soup' },
      { name: 'data/emoji/soup.png', content: picture },
    ]),
    '.zip',
  );
  const chat = await chatOf(t, undefined, { files: localFiles(await newFolder()) });
  const { imported, rejected, losses, conflicts } = await importedInto(chat, mattermostExport(path));
  // Ada exists. The webhook is not in the list of users.
  assert.deepEqual(imported, { user: 4, group: 0, channel: 3, emoji: 1, message: 9, reaction: 2, file: 1 });
  assert.deepEqual(
    rejected.map(({ at }) => at),
    ['line 21', 'line 22', 'line 12, reply 3', 'line 18'],
  );
  assert.deepEqual(losses, {
    'pins: the export does not name who pinned a message': 1,
    'notices of Mattermost (system_join_channel)': 1,
    'files whose content is missing': 1,
  });
  assert.equal(conflicts.length, 1);
  const ada = chat.as('ada@example.com');
  const ben = await chat.as('ben@example.com').users.me();
  const square = await messagesOf(ada, [['channel', 'Kitchen: Town Square']]);
  const thread = 'Where do we meet, @ben.ngo? See secret. @ben.ngo';
  assert.deepEqual(
    shown(square).map((line) => line.replace(/user_uploads\/\S+\//, 'user_uploads/…/')),
    [
      'general > Ada: First',
      'general > Ada: At the same time\n(missing file: passwd)',
      'general > hook: Built',
      `${thread} > Ada: Where do we **meet**, @**Ben Ngo|${ben.user_id}**? See #**Kitchen: Secret**. \`@ben.ngo\``,
      `${thread} > Cleo: Later`,
      'general > Weather: **Rain**\nAll day',
      `${thread} > Ben Ngo: At noon.\n[menu.txt](/user_uploads/…/menu.txt)`,
    ],
  );
  const root = square[3];
  assert.deepEqual(
    root?.reactions.map(({ emoji_name, reaction_type }) => `${emoji_name} ${reaction_type}`),
    ['soup realm_emoji', '+1 unicode_emoji'],
  );
  assert.equal((await messagesOf(chat.as('ben@example.com'), [['is', 'starred']]))[0]?.id, root?.id);
  const [, address = ''] = /\((\/user_uploads\/.+?)\)/.exec(square[6]?.content ?? '') ?? [];
  assert.equal(await text((await ada.download(address)).content), 'soup');
  assert.deepEqual(
    (await messagesOf(ada, [['is', 'dm']])).map(({ content }) => content),
    ['Hello', 'Hi'],
  );
  const again = await importedInto(chat, mattermostExport(path));
  assert.deepEqual(Object.values(again.imported), [0, 0, 0, 0, 0, 0, 0]);
});

test('a list without its ZIP file never reads files outside of its folder, and other files are refused', async (t) => {
  const chat = await chatOf(t, undefined, { files: localFiles(await newFolder()) });
  const list = await written(jsonLines(MATTERMOST_LINES), '.jsonl');
  const { imported, losses } = await importedInto(chat, mattermostExport(list));
  assert.equal(imported.file, 0);
  assert.equal(losses['files whose content is missing'], 2);
  // Files of the operator may be next to the list.
  const folder = await newFolder();
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'chat.db'), 'database');
  await writeFile(join(folder, 'data', 'menu.txt'), 'soup');
  await symlink('../chat.db', join(folder, 'data', 'link.txt'));
  const post = { team: 'kitchen', channel: 'town-square', user: 'ada', message: 'Files', create_at: 1_714_640_500_000 };
  const attachments = ['chat.db', './chat.db', 'link.txt', 'data/link.txt', 'menu.txt', 'data'].map((path) => ({
    path,
  }));
  const lines = [...MATTERMOST_LINES.slice(0, 11), { type: 'post', post: { ...post, attachments } }];
  await writeFile(join(folder, 'export.jsonl'), jsonLines(lines));
  assert.equal((await importedInto(chat, mattermostExport(join(folder, 'export.jsonl')))).imported.file, 1);
  const other = await written(Buffer.from('{"type":"post"}\n'), '.jsonl');
  await assert.rejects(importedInto(chat, mattermostExport(other)), { name: 'BadExport', message: /has no version/ });
  const zip = await written(zipFile([{ name: 'other.txt' }]), '.zip');
  await assert.rejects(importedInto(chat, mattermostExport(zip)), { name: 'BadExport', message: /no JSON Lines file/ });
});

test('a post with an impossible time is skipped, and other impossible times are left out', async (t) => {
  const chat = await chatOf(t);
  const post = { team: 'kitchen', channel: 'town-square', user: 'ada', message: 'A', create_at: 1_714_640_500_000 };
  const posts = [{ create_at: 1e300 }, { create_at: -1 }, { edit_at: 1e300 }].map((times) => ({
    type: 'post',
    post: { ...post, ...times },
  }));
  const list = await written(
    jsonLines([MATTERMOST_LINES[0] as object, ...MATTERMOST_LINES.slice(2, 11), ...posts]),
    '.jsonl',
  );
  const { imported, rejected } = await importedInto(chat, mattermostExport(list));
  assert.equal(imported.message, 1);
  assert.deepEqual(
    rejected.map(({ reason }) => reason),
    ['The time is not possible.', 'The time is not possible.'],
  );
});

test('each file that is not stored counts once, with the reason', async (t) => {
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'kitchen' } },
    { type: 'channel', channel: { team: 'kitchen', name: 'general', type: 'O' } },
    {
      type: 'post',
      post: {
        ...{ team: 'kitchen', channel: 'general', user: 'ada', message: 'Menus', create_at: 1_714_640_400_000 },
        attachments: [{ path: 'large.bin' }, { path: 'menu.txt' }, { path: 'lost.txt' }],
      },
    },
  ];
  const content = [
    { name: 'import.jsonl', content: jsonLines(lines) },
    { name: 'data/large.bin', content: Buffer.alloc(1024 * 1024 + 1) },
    { name: 'data/menu.txt', content: 'soup' },
  ];
  const path = await written(zipFile(content), '.zip');
  const chat = await chatOf(t, undefined, { files: localFiles(await newFolder()), maxUploadMebibytes: 1 });
  const stored = await importedInto(chat, mattermostExport(path));
  assert.deepEqual(stored.losses, { 'files larger than 1 MiB': 1, 'files whose content is missing': 1 });
  const without = await chatOf(t);
  const expected = { 'files, because there is no place for uploads': 2, 'files whose content is missing': 1 };
  for (const dryRun of [true, false])
    assert.deepEqual((await importedInto(without, mattermostExport(path), { dryRun })).losses, expected);
});

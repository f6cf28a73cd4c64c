import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, exportChat, importChat, openChat, StorageError, slackExport, sqlite } from '../../lib/index.ts';
import { quiet } from '../maintenance/exports.ts';
import { smallDisk, withoutMount } from '../server/small-disk.ts';
import { written } from './imports.ts';
import { largeExport } from './large-export.ts';
import { zipFile } from './zip-file.ts';

const MESSAGES = 1_500;
const isFull = (error: unknown) => error instanceof StorageError && error.reason === 'full';

test('an import and an export that a full disk has stopped continue when there is space', {
  skip: withoutMount ?? false,
}, async (t) => {
  const disk = smallDisk(t, 24);
  const file = await written(zipFile(largeExport(MESSAGES, { users: 20, channels: 6 })), '.zip');
  const path = join(disk.path, 'chat.db');
  const opened = () => openChat({ storage: sqlite(path), logger: quiet });
  const chat = await opened();
  await chat.createOrganization({ name: 'Example', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const stopped = importChat(chat, slackExport(file), { onProgress: ({ messages }) => messages > 0 && disk.fill() });
  await assert.rejects(stopped, isFull);
  // The log cannot be merged into the file, but nothing is lost.
  await chat.close();
  disk.makeRoom();
  const again = await opened();
  const { imported, present } = await importChat(again, slackExport(file));
  assert.ok(present.message > 0);
  assert.equal(imported.message + present.message, MESSAGES);
  disk.fill();
  await assert.rejects(exportChat(again, join(disk.path, 'out')), isFull);
  disk.makeRoom();
  await exportChat(again, join(disk.path, 'out'));
  await again.close();
  assert.deepEqual((await check(sqlite(path))).findings, []);
});

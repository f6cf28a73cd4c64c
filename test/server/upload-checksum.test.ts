import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { localFiles } from '../../lib/index.ts';
import { running } from './running.ts';

test('a resumable upload that begins with content and a wrong checksum leaves nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'begun-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { send } = await running(t, {}, { files: localFiles(folder) });
  const begin = async (content: string, announced: string) => {
    const headers = {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': '4',
      'upload-checksum': `sha1 ${createHash('sha1').update(announced).digest('base64')}`,
    };
    const { status } = await send('POST', '/api/v1/tus', { body: content, headers });
    const stored = await readdir(folder, { recursive: true, withFileTypes: true });
    return [status, stored.filter((entry) => entry.isFile()).length];
  };
  assert.deepEqual(await begin('soup', 'stew'), [460, 0]);
  assert.deepEqual(await begin('soup', 'soup'), [200, 1]);
});

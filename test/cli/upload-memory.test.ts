import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { streamedFiles } from '../../cli/files.ts';
import type { RereadableContent, StreamedFile } from '../../lib/index.ts';

test('chatctl resumes the upload of a file only if neither its size nor its time has changed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  const { XDG_CACHE_HOME: before } = process.env;
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  t.after(async () => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
    await rm(folder, { recursive: true, force: true });
  });
  const path = join(folder, 'large.bin');
  const write = async (content: string, seconds: number) => {
    await writeFile(path, content);
    await utimes(path, seconds, seconds);
  };
  const memory = async () => {
    const { content } = (await streamedFiles([path])) as StreamedFile;
    return (content as RereadableContent).memory as NonNullable<RereadableContent['memory']>;
  };
  const site = 'https://chat.example.com';
  const address = `${site}/api/v1/tus/1`;
  const found = async (at = site) => (await memory()).find(at);
  await write('one', 1_000);
  await (await memory()).save(site, address);
  assert.equal(await found(), address);
  assert.equal(await found('https://other.example.com'), undefined);
  await write('two', 2_000);
  assert.equal(await found(), undefined);
  await write('three', 1_000);
  assert.equal(await found(), undefined);
  await write('one', 1_000);
  assert.equal(await found(), address);
  await (await memory()).forget(site);
  assert.equal(await found(), undefined);
});

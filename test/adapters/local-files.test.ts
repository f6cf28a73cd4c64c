import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { localFiles } from '../../lib/index.ts';

async function store(t: TestContext) {
  const parent = await mkdtemp(join(tmpdir(), 'files-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'deep', 'files');
  return { files: localFiles(folder), folder };
}

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

const KEY = '1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/file';

test('a written file can be read, whole or in part, until it is removed', async (t) => {
  const { files, folder } = await store(t);
  assert.equal(await files.size(KEY), undefined);
  assert.equal(await files.read(KEY), undefined);
  await files.write(KEY, pieces('To be, ', '', 'or not to be'));
  assert.equal(await files.size(KEY), 19);
  const text = async (range?: { start: number; end: number }) =>
    (await buffer((await files.read(KEY, range)) ?? assert.fail())).toString();
  assert.equal(await text(), 'To be, or not to be');
  assert.equal(await text({ start: 3, end: 4 }), 'be');
  await files.write('1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/840x560.webp', pieces('small'));
  await files.remove(KEY);
  assert.equal(await files.size(KEY), undefined);
  assert.equal(await files.size('1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/840x560.webp'), 5);
  await files.remove('1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/840x560.webp');
  assert.deepEqual(await readdir(join(folder, '1', '4e')), []);
  await files.remove(KEY);
});

test('a write fails at once if the folder cannot be created', {
  skip: process.platform !== 'linux' && 'no /proc',
}, async () => {
  const files = localFiles('/proc/nowhere/files');
  await assert.rejects(files.write(KEY, pieces('lost')), { code: 'SERVICE_UNAVAILABLE' });
  await assert.rejects(files.appendable?.begin(KEY) ?? Promise.resolve(), { code: 'SERVICE_UNAVAILABLE' });
});

test('a write whose content fails leaves no file', async (t) => {
  const { files, folder } = await store(t);
  const failing = async function* () {
    yield Buffer.alloc(1_000_000);
    throw new Error('gone');
  };
  await assert.rejects(files.write(KEY, failing()), /gone/);
  assert.equal(await files.size(KEY), undefined);
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  assert.deepEqual(
    left.filter((entry) => entry.isFile()),
    [],
  );
});

test('removing a file also removes partial files of a process that died during its write', async (t) => {
  const { files, folder } = await store(t);
  const place = join(folder, '1', '4e', 'm2A3MSqFnWRLUf9SaPzQ0Up_');
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'file.0123456789ab.partial'), 'To b');
  assert.equal(await files.size(KEY), undefined);
  await files.remove(KEY);
  await assert.rejects(stat(place), { code: 'ENOENT' });
});

test('file keys that lead out of the folder are refused', async (t) => {
  const { files } = await store(t);
  for (const key of ['', '../x', 'a/../../x', '/etc/passwd', 'a//b', '.x', 'a/.x', 'a\\b', 'a\0b', 'x'.repeat(201)]) {
    await assert.rejects(files.write(key, pieces('x')), /Invalid file key/, JSON.stringify(key));
    await assert.rejects(files.read(key), /Invalid file key/);
    await assert.rejects(files.remove(key), /Invalid file key/);
  }
});

test('stored files and folders are readable only by their owner', {
  skip: process.platform === 'win32' ? 'Windows has other rights' : false,
}, async (t) => {
  const { files, folder } = await store(t);
  await files.write(KEY, pieces('x'));
  assert.equal((await stat(join(folder, KEY))).mode & 0o777, 0o600);
  assert.equal((await stat(join(folder, '1'))).mode & 0o777, 0o700);
});

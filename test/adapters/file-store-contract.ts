import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import type { FileStore } from '../../lib/index.ts';

/** An empty store and its content: objects in a folder or a bucket, whole files or not. */
export interface StorePlace {
  files: FileStore;
  /** A second store over the same place, as another process has it. */
  another(): FileStore;
  stored(): Promise<number>;
}

const KEY = '1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/file';
const MEBIBYTE = 1024 * 1024;
/** The size of a part of an upload to S3. */
export const PART_BYTES = 8 * MEBIBYTE;

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* inPieces(bytes: Uint8Array, size = 100_000, failsAt = Number.POSITIVE_INFINITY) {
  for (let at = 0; at < bytes.length; at += size) {
    if (at >= failsAt) throw new Error('broken off');
    yield bytes.subarray(at, Math.min(bytes.length, at + size));
  }
}

async function read(files: FileStore, key = KEY, range?: { start: number; end: number }): Promise<Buffer | undefined> {
  const content = await files.read(key, range);
  return content && buffer(content);
}

/**
 * The contract of every file store. Run it to check a store of your own.
 * @param partBytes the size of the parts in which the store sends a file, if it does. The files have a few.
 */
export function fileStoreContract(
  name: string,
  open: (t: TestContext) => Promise<StorePlace>,
  partBytes = PART_BYTES,
): void {
  const eighth = partBytes / 8;
  describe(`${name} as a file store, with parts of ${partBytes} bytes`, () => {
    for (const size of [0, 1, 300_000, partBytes, 20 * eighth + 5]) {
      test(`a file of ${size} bytes is read back as stored, and removed`, async (t) => {
        const { files, stored } = await open(t);
        const bytes = randomBytes(size);
        assert.deepEqual([await files.size(KEY), await files.read(KEY)], [undefined, undefined]);
        await files.write(KEY, inPieces(bytes));
        assert.equal(await files.size(KEY), size);
        assert.equal(digest((await read(files)) ?? Buffer.from('nothing')), digest(bytes));
        assert.equal(await stored(), 1);
        await files.remove(KEY);
        assert.deepEqual([await files.size(KEY), await stored()], [undefined, 0]);
        await files.remove(KEY);
      });
    }

    test('a file store reads a byte range of a file', async (t) => {
      const { files } = await open(t);
      await files.write(KEY, inPieces(Buffer.from('0123456789')));
      assert.equal(String(await read(files, KEY, { start: 2, end: 4 })), '234');
      assert.equal(String(await read(files, KEY, { start: 0, end: 1 })), '01');
      assert.equal(String(await read(files, KEY, { start: 9, end: 9 })), '9');
      const left = (await files.read(KEY)) ?? assert.fail();
      await left[Symbol.asyncIterator]().return?.();
    });

    for (const failsAt of [2, 18].map((eighths) => eighths * eighth)) {
      test(`a write whose content fails after ${failsAt} bytes leaves nothing in the file store`, async (t) => {
        const { files, stored } = await open(t);
        const content = inPieces(randomBytes(20 * eighth), eighth / 8, failsAt);
        await assert.rejects(files.write(KEY, content), /broken off/);
        assert.deepEqual([await files.size(KEY), await stored()], [undefined, 0]);
      });
    }

    test('a file appended in several calls is readable once it is finished', async (t) => {
      const { files, another, stored } = await open(t);
      const bytes = randomBytes(21 * eighth);
      const growing = () => another().appendable ?? assert.fail('it takes files whole alone');
      assert.equal(await growing().offset(KEY), undefined);
      await growing().begin(KEY);
      let offset = 0;
      for (const end of [0, 3, eighth, 9 * eighth, 9 * eighth + 1, 20 * eighth, bytes.length]) {
        await growing().append(KEY, offset, inPieces(bytes.subarray(offset, end)));
        offset = (await growing().offset(KEY)) ?? assert.fail();
        assert.equal(offset, end);
        assert.equal(await files.size(KEY), undefined);
      }
      await growing().finish(KEY);
      await growing().finish(KEY);
      assert.deepEqual([await growing().offset(KEY), await files.size(KEY)], [bytes.length, bytes.length]);
      assert.equal(digest((await read(files)) ?? Buffer.from('nothing')), digest(bytes));
      assert.equal(await stored(), 1);
    });

    test('an interrupted append keeps the bytes that arrived, ten times in a row', async (t) => {
      const { files, another } = await open(t);
      const bytes = randomBytes(19 * eighth);
      await files.appendable?.begin(KEY);
      for (let turn = 1; turn <= 10; turn++) {
        const growing = another().appendable ?? assert.fail();
        const offset = (await growing.offset(KEY)) ?? assert.fail();
        const content = inPieces(bytes.subarray(offset), eighth / 16, (turn * eighth) / 8);
        await assert.rejects(growing.append(KEY, offset, content), /broken off/);
        const now = (await growing.offset(KEY)) ?? assert.fail();
        assert.ok(now >= offset + (turn * eighth) / 8, `${now} after ${offset}`);
      }
      const offset = (await files.appendable?.offset(KEY)) ?? assert.fail();
      await files.appendable?.append(KEY, offset, inPieces(bytes.subarray(offset)));
      await files.appendable?.finish(KEY);
      assert.equal(digest((await read(files)) ?? Buffer.from('nothing')), digest(bytes));
    });

    test('an append at any offset but the end of the file is refused', async (t) => {
      const { files } = await open(t);
      const { appendable: growing = assert.fail() } = files;
      await assert.rejects(growing.append(KEY, 0, inPieces(Buffer.from('x'))));
      await growing.begin(KEY);
      await growing.append(KEY, 0, inPieces(Buffer.from('abc')));
      await assert.rejects(growing.append(KEY, 2, inPieces(Buffer.from('x'))));
      assert.equal(await growing.offset(KEY), 3);
    });

    test('an empty file can be created and finished', async (t) => {
      const { files, stored } = await open(t);
      await files.appendable?.begin(KEY);
      await files.appendable?.finish(KEY);
      assert.deepEqual([await files.size(KEY), await stored()], [0, 1]);
    });

    test('removing an unfinished file removes everything stored of it', async (t) => {
      const { files, stored } = await open(t);
      await files.appendable?.begin(KEY);
      await files.appendable?.append(KEY, 0, inPieces(randomBytes(10 * eighth)));
      assert.ok((await stored()) > 0);
      await files.remove(KEY);
      assert.deepEqual([await files.appendable?.offset(KEY), await stored()], [undefined, 0]);
    });
  });
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { FileStore } from '../../lib/index.ts';
import { errorOf } from '../../lib/internal.ts';
import { filesFor, uploadFolder } from '../database.ts';
import type { Problem, Subject } from './report.ts';

const ADVICE = 'Correct --uploads (PARLANCE_UPLOADS), or the permissions of the place.';
const TEST_BYTES = 1024;

/** Writes a file, reads it back and removes it. */
export async function examineUploads({ report, database: { location }, options }: Subject): Promise<void> {
  const { files } = await filesFor(location, options.uploads);
  if (!files)
    return report.skip(
      'uploads',
      'There is no place for files, so uploads are refused: set --uploads (PARLANCE_UPLOADS).',
    );
  const folder = uploadFolder(location, options.uploads);
  await report.check(
    'uploads',
    async () => {
      await files.check?.();
      // The server must create the folder: it belongs to the account that creates it.
      if (folder !== undefined && !existsSync(folder)) return [];
      return tryFile(files);
    },
    ADVICE,
  );
}

async function tryFile(files: FileStore): Promise<Problem[]> {
  const key = `doctor-${randomBytes(9).toString('hex')}`;
  const content = randomBytes(TEST_BYTES);
  try {
    await files.write(key, one(content));
    const stored = await files.read(key);
    const parts: Uint8Array[] = [];
    for await (const part of stored ?? []) parts.push(part);
    if (!Buffer.concat(parts).equals(content))
      return [{ says: 'A file that was just written to the place of uploads reads differently.', advice: ADVICE }];
    return [];
  } catch (error) {
    // The error of a request hides the cause from users.
    throw errorOf(error).cause ?? error;
  } finally {
    await files.remove(key).catch(() => undefined);
  }
}

async function* one(content: Uint8Array) {
  yield content;
}

import { randomBytes } from 'node:crypto';
import type { Services } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { defineOutboxKind } from '../../kernel/outbox.ts';
import type { FileStore } from '../../ports/files.ts';
import { UPLOADS_REALM } from '../../rules/uploads.ts';
import type { Upload } from '../../storage/interface/uploads.ts';

/** Where the bytes of a file are in the store. What is made of it stands beside it. */
export const storedAt = ({ file_key }: Pick<Upload, 'file_key'>, part = 'file') => `${file_key}/${part}`;

/** A key that nobody can guess, of a new file. */
export function newFileKey(): string {
  return `${UPLOADS_REALM}/${(randomBytes(1)[0] as number).toString(16)}/${randomBytes(18).toString('base64url')}`;
}

/** @throws BadRequest where there is nothing to keep files in */
export function fileStore({ options: { files } }: Pick<Services, 'options'>): FileStore {
  if (!files) throw new BadRequest('This server keeps no files: its administrator has to say where.');
  return files;
}

/** What is stored under these keys is removed, once the change that wants it is committed. */
export const removeFile = defineOutboxKind<{ keys: readonly string[] }>('remove file', {
  async perform({ options: { files } }, { keys }) {
    if (!files) throw new Error('There is no store of files to remove them from.');
    for (const key of keys) await files.remove(key);
  },
});

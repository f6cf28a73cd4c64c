import { randomBytes } from 'node:crypto';
import type { FileStore } from '../../adapters/files.ts';
import type { Services } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { defineOutboxKind } from '../../kernel/feature.ts';
import { UPLOADS_REALM } from '../../rules/uploads.ts';
import type { Upload } from '../../storage/interface/uploads.ts';

/** The store key of a file, or of a thumbnail next to it. */
export const storedAt = ({ file_key }: Pick<Upload, 'file_key'>, part = 'file') => `${file_key}/${part}`;

/** A random key for a new file. */
export function newFileKey(): string {
  return `${UPLOADS_REALM}/${(randomBytes(1)[0] as number).toString(16)}/${randomBytes(18).toString('base64url')}`;
}

/** @throws BadRequest if the server has no file store */
export function fileStore({ options: { files } }: Pick<Services, 'options'>): FileStore {
  if (!files) throw new BadRequest('This server does not store files. Its administrator must configure a file store.');
  return files;
}

/** Removes stored bytes after the commit of the transaction. */
export const removeFile = defineOutboxKind<{ keys: readonly string[] }>('remove file', {
  async perform({ options: { files } }, { keys }) {
    if (!files) throw new Error('No file store is configured.');
    for (const key of keys) await files.remove(key);
  },
});

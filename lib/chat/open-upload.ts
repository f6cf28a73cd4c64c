import type { Readable } from 'node:stream';
import { accessUpload, accessUploadByToken } from '../access/uploads.ts';
import { thumbnailOf } from '../domains/uploads/pictures.ts';
import { fileStore, storedAt } from '../domains/uploads/stored-file.ts';
import type { Caller } from '../kernel/callers.ts';
import type { DownloadedFile, DownloadOptions } from '../kernel/download.ts';
import type { Engine } from '../kernel/engine.ts';
import { BadRequest } from '../kernel/errors.ts';
import { NoSuchFile } from '../kernel/file-errors.ts';
import type { ByteRange } from '../ports/files.ts';
import type { Upload } from '../storage/interface/uploads.ts';

/** An uploaded file that somebody may have. */
export interface OpenUpload {
  name: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** Of its content, which never changes. */
  etag: string;
  /** Milliseconds. */
  modified_ms: number;
  /** Opens it, or a part of it. What is not read to its end has to be destroyed. */
  read(range?: ByteRange): Promise<Readable>;
}

/** How somebody comes to a file, and as what. */
export interface UploadAsked {
  /** Of a temporary address; then it does not matter who calls. */
  token?: string | undefined;
  /** The name of a size: a picture that is shown so large at most. */
  thumbnail?: string | undefined;
}

/**
 * The file with this path, for a caller who may have it, or for whoever has a temporary address.
 * @throws NoSuchFile, FileForbidden, Unauthorized, BadImage, RateLimitHit
 */
export async function openUpload(
  engine: Engine,
  caller: Caller,
  pathId: string,
  { token, thumbnail }: UploadAsked = {},
): Promise<OpenUpload> {
  const upload = await (token === undefined
    ? engine.transact({ access: 'spectator' }, caller, 'read', (context) =>
        accessUpload(context, context.actor, pathId),
      )
    : engine.transact({ access: 'anyone' }, { ...caller, userId: null }, 'read', (context) =>
        accessUploadByToken(context, pathId, token),
      ));
  return thumbnail === undefined ? opened(engine, upload) : openedThumbnail(engine, upload, thumbnail, caller);
}

/** As a session hands it over. */
export async function downloadUpload(
  engine: Engine,
  caller: Caller,
  pathId: string,
  { range }: DownloadOptions,
): Promise<DownloadedFile> {
  const upload = await openUpload(engine, caller, pathId);
  const { name, content_type: type, size } = upload;
  if (!range) return { name, type, size, content: await upload.read() };
  const start = Math.max(0, range.start);
  const end = Math.min(range.end ?? size - 1, size - 1);
  if (!(start <= end)) throw new BadRequest(`The file has ${size} bytes; there is nothing at ${range.start}.`);
  return { name, type, size: end - start + 1, content: await upload.read({ start, end }) };
}

async function openedThumbnail(
  engine: Engine,
  upload: Upload,
  name: string,
  { userId = null }: Caller,
): Promise<OpenUpload> {
  const key = await thumbnailOf(engine, upload, name, userId);
  const size = await fileStore(engine).size(key);
  if (size === undefined) throw new NoSuchFile();
  const original = opened(engine, upload, key);
  return { ...original, size, content_type: 'image/webp', name, etag: original.etag.replace(/"$/, `-${name}"`) };
}

function opened({ options: { files } }: Engine, upload: Upload, key = storedAt(upload)): OpenUpload {
  const { name, content_type, size, created_ms, file_key } = upload;
  return {
    name,
    content_type,
    size,
    modified_ms: created_ms,
    etag: `"${file_key.slice(file_key.lastIndexOf('/') + 1)}"`,
    async read(range) {
      const content = await files?.read(key, range);
      // It was removed a moment ago, or somebody has taken it out of the store.
      if (!content) throw new NoSuchFile();
      return content;
    },
  };
}

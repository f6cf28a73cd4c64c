import { addAbortSignal, Readable } from 'node:stream';
import type { ByteRange } from '../adapters/files.ts';
import { BadRequest, NoSuchFile } from '../base/errors.ts';
import { thumbnailOf } from '../domains/uploads/pictures.ts';
import { fileStore, storedAt } from '../domains/uploads/stored-file.ts';
import { accessUpload, accessUploadByToken } from '../domains/uploads/upload-access.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import type { Upload } from '../storage/interface/uploads.ts';
import type { DownloadedFile, DownloadOptions } from './download.ts';

/** An uploaded file that the caller may read. */
export interface OpenUpload {
  name: string;
  content_type: string;
  /** Size in bytes. */
  size: number;
  /** ETag of the content, which never changes. */
  etag: string;
  /** Milliseconds since the epoch. */
  modified_ms: number;
  /** Opens the file, or a range of it. Destroy a stream that you do not read to the end. */
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * The file with this path after `/user_uploads/`, if the caller may read it or has the token of a temporary address.
 * `thumbnail`: name of a thumbnail size.
 * @throws NoSuchFile, FileForbidden, Unauthorized, BadImage, RateLimitHit
 */
export async function openUpload(
  engine: Engine,
  caller: Caller,
  pathId: string,
  { token, thumbnail }: { token?: string | undefined; thumbnail?: string | undefined } = {},
): Promise<OpenUpload> {
  const upload = await (token === undefined
    ? engine.transact({ access: 'spectator', forRooms: true }, caller, 'read', (context) =>
        accessUpload(context, context.actor, pathId),
      )
    : engine.transact({ access: 'anyone' }, { ...caller, userId: null }, 'read', (context) =>
        accessUploadByToken(context, pathId, token),
      ));
  return thumbnail === undefined ? opened(engine, upload) : openedThumbnail(engine, upload, thumbnail, caller);
}

/** The file for `session.download`. */
export async function downloadUpload(
  engine: Engine,
  caller: Caller,
  pathId: string,
  { range, signal }: DownloadOptions,
): Promise<DownloadedFile> {
  const upload = await openUpload(engine, caller, pathId);
  const { name, content_type: type, size } = upload;
  const read = async (part?: ByteRange) => {
    const content = await upload.read(part);
    return signal ? addAbortSignal(signal, content) : content;
  };
  if (!range) return { name, type, size, content: await read() };
  const start = Math.max(0, range.start);
  const end = Math.min(range.end ?? size - 1, size - 1);
  if (!(start <= end))
    throw new BadRequest(`The range starts at byte ${range.start}, but the file has only ${size} bytes.`);
  return { name, type, size: end - start + 1, content: await read({ start, end }) };
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
      // It has just been deleted, or is missing in the file store.
      if (!content) throw new NoSuchFile();
      return content instanceof Readable ? content : Readable.from(content, { objectMode: false });
    },
  };
}

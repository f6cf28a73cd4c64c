import { randomBytes } from 'node:crypto';
import mime from 'mime';
import type { FileStore } from '../../adapters/files.ts';
import { BadRequest, RealmUploadQuota } from '../../base/errors.ts';
import { present } from '../../base/present.ts';
import type { StreamedFile } from '../../base/schemas.ts';
import { type DueWork, defineOutboxKind, inBatches } from '../../operation/feature.ts';
import { displayName, fileName, THUMBNAILS, UPLOADS_REALM } from '../../rules/uploads.ts';
import type { NewUpload, Upload, UploadFacts } from '../../storage/interface/uploads.ts';
import type { Services, TransactionContext, WriteContext } from '../../viewer/context.ts';
import { emitAdded, emitRemoved } from './attachments.ts';

/* The life of a file: a row and a key, bytes, completion, removal. */

const DAY_MS = 86_400_000;

/** Incomplete files are removed after this time. */
export const COLLECT_PENDING_MS = DAY_MS;
/** Files are removed after this time without a claim. */
export const COLLECT_UNCLAIMED_MS = 35 * DAY_MS;
/** Files in a draft or scheduled message are checked again after this time. */
const RECHECK_MS = DAY_MS;

/** The store key of a file, or of a thumbnail next to it. */
export const storedAt = ({ file_key }: Pick<Upload, 'file_key'>, part = 'file') => `${file_key}/${part}`;

/** Media types of images that are measured and get thumbnails. */
export const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif)$/;

function keysOf(upload: Pick<Upload, 'file_key' | 'content_type'>): string[] {
  const parts = PICTURE.test(upload.content_type) ? ['file', ...Object.keys(THUMBNAILS)] : ['file'];
  return parts.map((part) => storedAt(upload, part));
}

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

export const MEBIBYTE = 1024 * 1024;

export type ArrivingFile = Omit<NewUpload, 'owner_id'>;

export function arrivingFile(given: Pick<StreamedFile, 'name' | 'type'>, now: number): ArrivingFile {
  const name = displayName(given.name);
  return {
    file_key: `${UPLOADS_REALM}/${present(randomBytes(1)[0]).toString(16)}/${randomBytes(18).toString('base64url')}`,
    file_name: fileName(name),
    name,
    content_type: contentType(given, name),
    created_ms: now,
    collect_ms: now + COLLECT_PENDING_MS,
  };
}

/** Makes a file that has arrived readable. @throws RealmUploadQuota */
export async function completeFile(
  context: TransactionContext<'user'>,
  upload: ArrivingFile & { id?: number },
  facts: Omit<UploadFacts, 'collect_ms'>,
): Promise<Upload> {
  const { tx, actor, now } = context;
  const id = upload.id ?? (await tx.uploads.create({ ...upload, owner_id: actor.id }));
  const collect_ms = now + COLLECT_UNCLAIMED_MS;
  if (!(await tx.uploads.complete(id, { ...facts, collect_ms }))) {
    throw new BadRequest('The upload took too long. Send the file again.');
  }
  await checkQuota(context);
  const done = { ...upload, ...facts, id, owner_id: actor.id, is_complete: true, collect_ms };
  await emitAdded(context, done);
  return done;
}

/** Unfinished resumable uploads count too. @param more bytes to add @throws RealmUploadQuota */
export async function checkQuota({ tx, services }: TransactionContext<'user'>, more = 0): Promise<void> {
  const quota = services.options.uploadQuotaMebibytes;
  if (quota === null) return;
  const taken = (await tx.uploads.spaceUsed()) + (await tx.resumableUploads.space());
  if (taken + more > quota * MEBIBYTE) throw new RealmUploadQuota();
}

/**
 * Removes a file unless it is complete; returns whether it did. The completion may have been committed although the
 * caller got an error. A request that has taken over the lease may also have completed the file.
 */
export async function discardFile(services: Services, pending: Pick<Upload, 'id' | 'file_key'>): Promise<boolean> {
  const key = storedAt(pending);
  const isDiscarded = await services.asSystem('append', async ({ tx, enqueue }) => {
    await tx.uploads.discard(pending.id);
    if (await tx.uploads.byId(pending.id)) return false;
    // Also if the worker has removed the row: the bytes may have arrived later.
    enqueue(removeFile({ keys: [key] }));
    return true;
  });
  // Frees the space at once. If this fails, or the process dies, the worker removes the bytes.
  if (isDiscarded)
    await fileStore(services)
      .remove(key)
      .catch(() => undefined);
  return isDiscarded;
}

/** Types that are ignored. The form parser reports `text/plain` if the request gives no type. */
const GENERIC_TYPES: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain']);

/** Endings of source files that lists of media types take for videos and the like. */
const SOURCE_FILE = /\.(?:[cm]?ts|rs|org)$/i;

function contentType({ type = '' }: Pick<StreamedFile, 'type'>, name: string): string {
  const given = type.trim().toLowerCase();
  if (given.startsWith('text/plain') && SOURCE_FILE.test(name)) return 'text/plain';
  const isUsable =
    !GENERIC_TYPES.has(given) && /^[\w.+-]+\/[\w.+-]+$/.test(given.split(';', 1)[0] ?? '') && given.length <= 100;
  return (isUsable && present(given.split(';', 1)[0])) || mime.getType(name) || 'application/octet-stream';
}

/** Removes the rows of files and their claims. The outbox removes the bytes after the commit. */
export async function removeUploads(context: WriteContext, uploads: readonly Upload[]): Promise<void> {
  if (uploads.length === 0) return;
  await context.tx.uploads.remove(uploads.map(({ id }) => id));
  context.enqueue(removeFile({ keys: uploads.flatMap(keysOf) }));
  await emitRemoved(context, uploads);
}

/** Files per transaction. Small, because it blocks other writers, so that none can claim one of the files. */
const FILES_PER_TRANSACTION = 100;

/** Removes incomplete files, and files without a claim for five weeks. */
export const unwantedFiles: DueWork = {
  name: 'unwanted files',
  // If this process has no file store, another process does the work.
  nextDue: async (tx, { options: { files } }) => (files ? tx.uploads.nextCollection() : undefined),
  run: (services, isStopping) => inBatches(FILES_PER_TRANSACTION, isStopping, () => lookAtSome(services)),
};

function lookAtSome(services: Services): Promise<number> {
  return services.asSystem('write', async (context) => {
    const { tx, now } = context;
    const due = await tx.uploads.toCollect(now, FILES_PER_TRANSACTION);
    const complete = due.filter((upload) => upload.is_complete).map(({ id }) => id);
    const wanted = new Set(await tx.uploads.wanted(complete));
    await tx.uploads.postpone([...wanted], now + RECHECK_MS);
    await removeUploads(
      context,
      due.filter(({ id }) => !wanted.has(id)),
    );
    return due.length;
  });
}

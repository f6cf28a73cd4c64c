import mime from 'mime';
import type { Services, TransactionContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { RealmUploadQuota } from '../../kernel/file-errors.ts';
import type { StreamedFile } from '../../kernel/schemas.ts';
import { displayName, fileName } from '../../rules/uploads.ts';
import type { NewUpload, Upload, UploadFacts } from '../../storage/interface/uploads.ts';
import { COLLECT_PENDING_MS, COLLECT_UNCLAIMED_MS } from './collection-times.ts';
import { emitAdded } from './events.ts';
import { fileStore, newFileKey, storedAt } from './stored-file.ts';

export const MEBIBYTE = 1024 * 1024;

/** A file of which nothing has arrived. */
export type ArrivingFile = Omit<NewUpload, 'owner_id'>;

/** What will be kept of a file that somebody is going to send. */
export function arrivingFile(given: Pick<StreamedFile, 'name' | 'type'>, now: number): ArrivingFile {
  const name = displayName(given.name);
  return {
    file_key: newFileKey(),
    file_name: fileName(name),
    name,
    content_type: contentType(given, name),
    created_ms: now,
    collect_ms: now + COLLECT_PENDING_MS,
  };
}

/**
 * All of it has arrived: people may have it from now on, and its owner is told.
 * @throws BadRequest where it was given up meanwhile, RealmUploadQuota
 */
export async function completeFile(
  context: TransactionContext<'user'>,
  upload: ArrivingFile & { id?: number },
  facts: Omit<UploadFacts, 'collect_ms'>,
): Promise<Upload> {
  const { tx, actor, now, services } = context;
  const id = upload.id ?? (await tx.uploads.create({ ...upload, owner_id: actor.id }));
  const collect_ms = now + COLLECT_UNCLAIMED_MS;
  if (!(await tx.uploads.complete(id, { ...facts, collect_ms }))) {
    throw new BadRequest('The file took too long to arrive; send it again.');
  }
  const quota = services.options.uploadQuotaMebibytes;
  if (quota !== null && (await tx.uploads.spaceUsed()) > quota * MEBIBYTE) throw new RealmUploadQuota();
  const done = { ...upload, ...facts, id, owner_id: actor.id, is_complete: true, collect_ms };
  await emitAdded(context, done);
  return done;
}

/** Leaves nothing of a file that did not arrive, or may not stay. */
export async function discardFile(services: Services, pending: Pick<Upload, 'id' | 'file_key'>): Promise<void> {
  await fileStore(services).remove(storedAt(pending));
  await services.append(({ tx }) => tx.uploads.remove([pending.id]));
}

/** What says nothing about a file counts as nothing; the parser of forms says `text/plain` where nothing was said. */
const VAGUE: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain']);

function contentType({ type = '' }: Pick<StreamedFile, 'type'>, name: string): string {
  const given = type.trim().toLowerCase();
  const isUsable =
    !VAGUE.has(given) && /^[\w.+-]+\/[\w.+-]+$/.test(given.split(';', 1)[0] ?? '') && given.length <= 100;
  return (isUsable && (given.split(';', 1)[0] as string)) || mime.getType(name) || 'application/octet-stream';
}

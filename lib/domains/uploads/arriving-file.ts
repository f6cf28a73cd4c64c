import mime from 'mime';
import type { Services, TransactionContext } from '../../kernel/context.ts';
import { BadRequest, RealmUploadQuota } from '../../kernel/errors.ts';
import type { StreamedFile } from '../../kernel/schemas.ts';
import { displayName, fileName } from '../../rules/uploads.ts';
import type { NewUpload, Upload, UploadFacts } from '../../storage/interface/uploads.ts';
import { COLLECT_PENDING_MS, COLLECT_UNCLAIMED_MS } from './collection-times.ts';
import { emitAdded } from './events.ts';
import { fileStore, newFileKey, storedAt } from './stored-file.ts';

export const MEBIBYTE = 1024 * 1024;

/** A file before its first byte has arrived. */
export type ArrivingFile = Omit<NewUpload, 'owner_id'>;

/** The row of a file that is about to be uploaded. */
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
 * Completes a file that has arrived, which makes it readable, and sends the event to its owner.
 * @throws BadRequest if the incomplete file was removed in the meantime, RealmUploadQuota
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
    throw new BadRequest('The upload took too long. Send the file again.');
  }
  const quota = services.options.uploadQuotaMebibytes;
  if (quota !== null && (await tx.uploads.spaceUsed()) > quota * MEBIBYTE) throw new RealmUploadQuota();
  const done = { ...upload, ...facts, id, owner_id: actor.id, is_complete: true, collect_ms };
  await emitAdded(context, done);
  return done;
}

/** Removes a file that did not arrive or is refused. */
export async function discardFile(services: Services, pending: Pick<Upload, 'id' | 'file_key'>): Promise<void> {
  await fileStore(services).remove(storedAt(pending));
  await services.append(({ tx }) => tx.uploads.remove([pending.id]));
}

/** Types that are ignored. The form parser reports `text/plain` if the request gives no type. */
const VAGUE: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain']);

function contentType({ type = '' }: Pick<StreamedFile, 'type'>, name: string): string {
  const given = type.trim().toLowerCase();
  const isUsable =
    !VAGUE.has(given) && /^[\w.+-]+\/[\w.+-]+$/.test(given.split(';', 1)[0] ?? '') && given.length <= 100;
  return (isUsable && (given.split(';', 1)[0] as string)) || mime.getType(name) || 'application/octet-stream';
}

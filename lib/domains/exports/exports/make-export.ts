import { randomBytes, randomInt } from 'node:crypto';
import { defineOutboxKind } from '../../../operation/feature.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { UPLOADS_REALM } from '../../../rules/uploads.ts';
import type { DataExport } from '../../../storage/interface/data-exports.ts';
import type { Services, WriteContext } from '../../../viewer/context.ts';
import { notifyUser } from '../../messages/notification-bot.ts';
import { fileStore, removeFile, storedAt } from '../../uploads/stored-file.ts';
import { writeExport } from '../write-export.ts';
import { type ZipArchive, zipArchive } from '../zip.ts';
import { EXPORT_TYPES, emitDataExports } from './data-export.ts';

/** The outbox kind that removes the rest of an erased person. */
export const ERASURE = 'erase user';
/** Milliseconds between looks whether an erasure has ended. */
const ERASURE_PAUSE_MS = 5_000;

/**
 * Makes the file of an export. After a crash, it begins again with a new file. A failure ends the export: an administrator
 * can start another.
 */
export const makeExport = defineOutboxKind<{ id: number }>('export', {
  concurrency: 1,
  async perform(services, { id }) {
    const started = await begin(services, id);
    if (!started) return;
    const { found, fileKey } = started;
    try {
      const size = await store(services, found, storedAt({ file_key: fileKey }));
      await end(services, found, 'finished', async (context) => {
        const isFinished = await context.tx.dataExports.finish(id, { fileKey, size }, context.now);
        // Another process has made it, or a person was erased, and it begins again.
        if (!isFinished) context.enqueue(removeFile({ keys: [storedAt({ file_key: fileKey })] }));
        return isFinished;
      });
    } catch (error) {
      services.logger.warn({ error, export: id }, 'export failed');
      await end(services, found, 'failed', async (context) => {
        context.enqueue(removeFile({ keys: [storedAt({ file_key: fileKey })] }));
        return context.tx.dataExports.fail(id, fileKey, context.now);
      });
    }
  },
});

/**
 * Notes where the file will be, so that it can be removed after a crash. undefined if the export has ended. Also while a
 * person is being erased: the export would contain messages and mentions of the person. Then it begins later.
 */
function begin(services: Services, id: number): Promise<{ found: DataExport; fileKey: string } | undefined> {
  return services.asSystem('write', async ({ tx, enqueue, now }) => {
    const found = await tx.dataExports.byId(id);
    if (!found || found.finished_ms !== null || found.failed_ms !== null) return undefined;
    if ((await tx.outbox.nextDue(ERASURE)) !== undefined) {
      enqueue(makeExport({ id }, { due_ms: now + ERASURE_PAUSE_MS }));
      return undefined;
    }
    if (found.file_key !== null) enqueue(removeFile({ keys: [storedAt({ file_key: found.file_key })] }));
    const fileKey = `${UPLOADS_REALM}/${randomInt(256).toString(16)}/${randomBytes(18).toString('base64url')}`;
    await tx.dataExports.begin(id, fileKey);
    return { found, fileKey };
  });
}

/** @returns the size of the file */
async function store(services: Services, { acting_user_id, export_type }: DataExport, key: string): Promise<number> {
  const { storage, files } = services.options;
  const actor = await services.storage.read((tx) => tx.users.byId(acting_user_id));
  if (!actor?.is_active || !isAdministrator(actor)) throw new Error('The account is not an administrator any more.');
  const scope = EXPORT_TYPES[export_type as keyof typeof EXPORT_TYPES];
  if (!storage.exportRows) throw new Error('This storage cannot be exported.');
  return storage.exportRows(scope, async (source) => {
    const archive = await zipArchive();
    const counting = { size: 0 };
    const stored = fileStore(services).write(key, measured(archive, counting));
    const written = writeExport(source, archive, { scope, files }).then(
      () => archive.end(),
      (error: Error) => void archive.content.destroy(error),
    );
    await Promise.all([stored, written]);
    return counting.size;
  });
}

async function* measured({ content }: ZipArchive, counting: { size: number }): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    counting.size += piece.length;
    yield piece;
  }
}

/** Ends an export, unless another process has done it. @param change returns false if it has */
function end(
  services: Services,
  { id, acting_user_id }: DataExport,
  outcome: 'finished' | 'failed',
  change: (context: WriteContext) => Promise<boolean>,
): Promise<void> {
  return services.asSystem('write', async (context) => {
    if (!(await change(context))) return;
    await emitDataExports(context);
    const actor = await context.tx.users.byId(acting_user_id);
    if (actor?.is_active) await notifyUser(context, actor, `Export ${id} of the organization has ${outcome}.`);
  });
}

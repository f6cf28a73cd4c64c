import type { DataExport } from '../../../storage/interface/data-exports.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import { removeFile, storedAt } from '../../uploads/stored-file.ts';
import { emitDataExports } from './data-export.ts';
import { makeExport } from './make-export.ts';

/**
 * Deletes all complete exports: each may contain the person. Exports that run begin again after the erasure. Returns the
 * number of complete ones.
 */
export async function deleteExports(context: WriteContext): Promise<number> {
  const { tx, now, enqueue } = context;
  const all = await tx.dataExports.withFile();
  if (all.length === 0) return 0;
  const running = all.filter(({ finished_ms }) => finished_ms === null);
  await tx.dataExports.removeComplete(now);
  await tx.dataExports.restart();
  removeFiles(context, all);
  for (const { id } of running) enqueue(makeExport({ id }));
  await emitDataExports(context);
  return all.length - running.length;
}

function removeFiles({ enqueue }: WriteContext, exports: readonly DataExport[]): void {
  const keys = exports.flatMap(({ file_key }) => (file_key === null ? [] : storedAt({ file_key })));
  enqueue(removeFile({ keys }));
}

import type { DataExport } from '../../../storage/interface/data-exports.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import { removeFile, storedAt } from '../../uploads/stored-file.ts';
import { emitDataExports } from './data-export.ts';
import { makeExport } from './make-export.ts';

/** Deletes all complete exports: each may contain the person that is erased. Returns their number. */
export async function deleteExports(context: WriteContext): Promise<number> {
  const { tx, now } = context;
  const complete = (await tx.dataExports.withFile()).filter(({ finished_ms }) => finished_ms !== null);
  if (complete.length === 0) return 0;
  await tx.dataExports.removeComplete(now);
  removeFiles(context, complete);
  await emitDataExports(context);
  return complete.length;
}

/** Makes exports again that began before all traces of an erased person were removed. */
export async function repeatExports(context: WriteContext): Promise<void> {
  const { tx, enqueue } = context;
  const begun = await tx.dataExports.withFile();
  if (begun.length === 0) return;
  await tx.dataExports.restart();
  removeFiles(context, begun);
  for (const { id } of begun) enqueue(makeExport({ id }));
  await emitDataExports(context);
}

function removeFiles({ enqueue }: WriteContext, exports: readonly DataExport[]): void {
  const keys = exports.flatMap(({ file_key }) => (file_key === null ? [] : storedAt({ file_key })));
  enqueue(removeFile({ keys }));
}

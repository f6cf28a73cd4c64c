import type { TransactionContext } from '../../kernel/context.ts';
import type { Upload } from '../../storage/interface/uploads.ts';
import { emitRemoved } from './events.ts';
import { keysOf } from './pictures.ts';
import { removeFile } from './stored-file.ts';

/** Removes the rows of files and their claims. The outbox removes the bytes after the commit. */
export async function removeUploads(
  context: Pick<TransactionContext<'anyone'>, 'tx' | 'emit' | 'enqueue'>,
  uploads: readonly Upload[],
): Promise<void> {
  if (uploads.length === 0) return;
  await context.tx.uploads.remove(uploads.map(({ id }) => id));
  context.enqueue(removeFile({ keys: uploads.flatMap(keysOf) }));
  await emitRemoved(context, uploads);
}

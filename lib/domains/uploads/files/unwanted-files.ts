import type { Services } from '../../../kernel/context.ts';
import type { DueWork } from '../../../kernel/feature.ts';
import { LOOK_AGAIN_MS } from '../collection-times.ts';
import { removeUploads } from '../removal.ts';

/** Files per transaction. Small, because it blocks other writers, so that none can claim one of the files. */
const FILES_PER_TRANSACTION = 100;

/** Removes incomplete files, and files without a claim for five weeks. */
export const unwantedFiles: DueWork = {
  name: 'unwanted files',
  // If this process has no file store, another process does the work.
  nextDue: async (tx, { options: { files } }) => (files ? tx.uploads.nextCollection() : undefined),
  async run(services, isStopping) {
    let done = 0;
    for (let last = FILES_PER_TRANSACTION; last === FILES_PER_TRANSACTION && !isStopping(); done += last)
      last = await lookAtSome(services);
    return done;
  },
};

function lookAtSome(services: Services): Promise<number> {
  return services.maintain(async (context) => {
    const { tx, now } = context;
    const due = await tx.uploads.toCollect(now, FILES_PER_TRANSACTION);
    const complete = due.filter((upload) => upload.is_complete).map(({ id }) => id);
    const wanted = new Set(await tx.uploads.wanted(complete));
    await tx.uploads.postpone([...wanted], now + LOOK_AGAIN_MS);
    await removeUploads(
      context,
      due.filter(({ id }) => !wanted.has(id)),
    );
    return due.length;
  });
}

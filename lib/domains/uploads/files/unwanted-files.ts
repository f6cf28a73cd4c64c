import type { Services } from '../../../kernel/context.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { LOOK_AGAIN_MS } from '../collection-times.ts';
import { removeUploads } from '../removal.ts';

/** Looked at in one transaction. It keeps other writers out, who might link to one of them: so it is short. */
const BATCH = 100;

/** Files that did not arrive, and those that nothing has linked to for weeks, are removed. */
export const unwantedFiles: DueWork = {
  name: 'unwanted files',
  // Without a store here, another process has it.
  nextDue: async (tx, { options: { files } }) => (files ? tx.uploads.nextCollection() : undefined),
  async run(services, isStopping) {
    let done = 0;
    for (let last = BATCH; last === BATCH && !isStopping(); done += last) last = await lookAtSome(services);
    return done;
  },
};

function lookAtSome(services: Services): Promise<number> {
  return services.maintain(async (context) => {
    const { tx, now } = context;
    const due = await tx.uploads.toCollect(now, BATCH);
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

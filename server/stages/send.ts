import { hasLongList, sendResult, withLongListsWritten } from '../respond.ts';
import type { Stage } from './stage.ts';

/** Writes the result as JSON and sends it, compressed if it is long. */
export const send: Stage = {
  async enter(request) {
    const { context, res, turn, signal, callerKey: caller, result = {} } = request;
    const { unsent, compression } = context;
    const endWork = turn?.beginWork();
    let sending: Promise<void> | undefined;
    try {
      const written = hasLongList(result) ? await withLongListsWritten(result) : result;
      if (!res.destroyed) sending = sendResult(request, written, { unsent, compression, caller, signal });
    } finally {
      endWork?.();
    }
    // Compression does not use the event loop, so others need not wait for it.
    request.endTurn();
    await sending;
  },
};

import type { Storage } from '../storage/interface/storage.ts';

/**
 * For work that is not an operation's and so reads no versions: each write makes sure first that no newer
 * process has changed the database so that this one cannot go on.
 */
export function withCheckedWrites(storage: Storage): Storage {
  return {
    open: (options) => storage.open(options),
    close: () => storage.close(),
    read: (work, extent, ahead) => storage.read(work, extent, ahead),
    write: (work, options) =>
      storage.write(async (tx) => {
        await tx.organization.versions();
        return work(tx);
      }, options),
    rehearse: (work, options) => storage.rehearse(work, options),
    onForeignCommit: (listener) => storage.onForeignCommit(listener),
  };
}

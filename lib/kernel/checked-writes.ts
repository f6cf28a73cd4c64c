import type { Storage } from '../storage/interface/storage.ts';

/**
 * For work outside of operations, which reads no versions. Each write first checks that no newer process has applied
 * a breaking migration.
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

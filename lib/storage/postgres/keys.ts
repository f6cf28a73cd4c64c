import { createHash } from 'node:crypto';

export type Keys = ReturnType<typeof keysOf>;

/** Keys of locks and channels, derived from the schema, so that organizations in one database do not share them. */
export function keysOf(schema: string) {
  const digest = (subject: string) => createHash('sha256').update(`parlance\0${subject}\0${schema}`).digest();
  const lock = (subject: string) => digest(subject).readBigInt64BE(0).toString();
  const channel = (subject: string) => `parlance_${digest(subject).toString('hex', 0, 12)}`;
  return {
    /** Advisory lock: exclusive writes hold it exclusively, shared writes shared. */
    writers: lock('writers'),
    /** Advisory lock, held from the first appended event to the commit. */
    appends: lock('appends'),
    /** Advisory lock of one user's read state. */
    reader: (userId: number) => lock(`reader ${userId}`),
    migrations: lock('migrations'),
    /** Session-level advisory lock: listening processes hold it shared, a restore holds it exclusively. */
    servers: lock('servers'),
    /** NOTIFY channels: all commits that are not silent, and commits with new due work. */
    commits: channel('commits'),
    dueWork: channel('due work'),
  };
}

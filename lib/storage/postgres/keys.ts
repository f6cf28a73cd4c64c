import { createHash } from 'node:crypto';

/** Keys of locks and channels, derived from the schema, so that organizations in one database do not share them. */
export interface Keys {
  /** Advisory lock: exclusive writes hold it exclusively, shared writes shared. */
  writers: string;
  /** Advisory lock, held from the first appended event to the commit. */
  appends: string;
  /** Advisory lock of one user's read state. */
  reader(userId: number): string;
  migrations: string;
  /** Session-level advisory lock: listening processes hold it shared, a restore holds it exclusively. */
  servers: string;
  /** NOTIFY channels: all commits that are not silent, and commits with new due work. */
  commits: string;
  dueWork: string;
}

function digest(subject: string, schema: string): Buffer {
  return createHash('sha256').update(`parlance\0${subject}\0${schema}`).digest();
}

function lockKey(subject: string, schema: string): string {
  return digest(subject, schema).readBigInt64BE(0).toString();
}

function channel(subject: string, schema: string): string {
  return `parlance_${digest(subject, schema).toString('hex', 0, 12)}`;
}

export function keysOf(schema: string): Keys {
  return {
    writers: lockKey('writers', schema),
    appends: lockKey('appends', schema),
    reader: (userId) => lockKey(`reader ${userId}`, schema),
    migrations: lockKey('migrations', schema),
    servers: lockKey('servers', schema),
    commits: channel('commits', schema),
    dueWork: channel('due work', schema),
  };
}

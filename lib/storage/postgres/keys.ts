import { createHash } from 'node:crypto';

/** What organizations of one database must not share, derived from their schema. */
export interface Keys {
  /** Advisory lock: exclusive writes hold it alone, shared ones together. */
  writers: string;
  /** Advisory lock from the first event appended to the commit. */
  appends: string;
  /** Advisory lock of one user's read state. */
  reader(userId: number): string;
  migrations: string;
  /** Advisory lock of a session: processes that listen for others hold it together, whoever replaces everything alone. */
  servers: string;
  /** Channels of NOTIFY: of every commit that others may wait for, and of those that added due work. */
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

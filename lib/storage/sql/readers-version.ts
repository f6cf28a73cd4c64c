import type { Connection } from './connection.ts';

/** To be called with every change that `readers_version` counts. */
export async function raiseReadersVersion(connection: Connection): Promise<void> {
  await connection.run('UPDATE organization SET readers_version = readers_version + 1 WHERE id = 1');
}

import type { Connection } from './connection.ts';

/** Call it with every change that `channels_version` counts. The column still has its old name. */
export async function raiseChannelsVersion(connection: Connection): Promise<void> {
  await connection.run('UPDATE organization SET places_version = places_version + 1 WHERE id = 1');
}

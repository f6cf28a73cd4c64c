import type { Connection } from './connection.ts';

/** To be called with every change that `channels_version` counts. The column keeps the name it was given at first. */
export async function raiseChannelsVersion(connection: Connection): Promise<void> {
  await connection.run('UPDATE organization SET places_version = places_version + 1 WHERE id = 1');
}

import type { Connection } from './connection.ts';

/** To be called with every change that `places_version` counts. */
export async function raisePlacesVersion(connection: Connection): Promise<void> {
  await connection.run('UPDATE organization SET places_version = places_version + 1 WHERE id = 1');
}

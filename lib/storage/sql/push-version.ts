import type { Connection } from './connection.ts';

/** To be called with every change of whose devices can be notified. */
export async function raisePushVersion(connection: Connection): Promise<void> {
  await connection.run('UPDATE organization SET push_version = push_version + 1 WHERE id = 1');
}

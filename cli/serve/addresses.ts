import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ServeSettings } from './declared-options.ts';

/**
 * Checks that the server can listen on its addresses, before the database is opened. Not on a Unix socket, which another
 * server may have left.
 * @throws the error of the system
 */
export async function checkAddresses({
  host = '127.0.0.1',
  port = 9991,
  socket,
  metrics,
  lmtp,
}: ServeSettings): Promise<void> {
  const addresses = [
    ...(socket === undefined ? [{ host, port }] : []),
    ...(metrics ? [metrics] : []),
    ...(lmtp ? [lmtp] : []),
  ];
  for (const address of addresses) {
    const server = createServer().listen(address);
    try {
      await once(server, 'listening');
    } finally {
      server.close();
    }
  }
}

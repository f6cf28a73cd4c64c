import { lstatSync, type Stats, unlinkSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';

/** Milliseconds for a server on this machine to accept a connection. */
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Listens on a Unix socket. Replaces the socket of a dead server, but not a socket that answers or another kind of
 * file. The socket is removed when the server closes.
 * @param mode file mode of the socket, set from the beginning
 * @throws Error
 */
export async function listenOnSocket(server: Server, path: string, mode: number): Promise<void> {
  const found = at(path);
  if (found) {
    if (!found.isSocket()) throw new Error(`${path} exists and is not a socket. It was not changed.`);
    if (await isAnswered(path)) throw new Error(`Another server already listens on ${path}.`);
    const now = at(path);
    // Another process may have replaced the socket and listens on it now.
    if (now && (now.ino !== found.ino || now.ctimeMs !== found.ctimeMs)) {
      throw new Error(`Another server has just started to listen on ${path}.`);
    }
    if (now) unlinkSync(path);
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // `listen` creates the socket synchronously with this umask. A later chmod would leave a gap.
    const mask = process.umask(0o777 & ~mode);
    try {
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}

function at(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => settle(true));
    socket.once('connect', () => settle(true));
    // Only ECONNREFUSED means that no server listens. Without permission to connect, do not remove the socket.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

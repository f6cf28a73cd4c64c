import { lstatSync, type Stats, unlinkSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';

/** Milliseconds in which whoever listens on a socket of this machine takes a connection. */
const PATIENCE = 1_000;

/**
 * Listens on a Unix socket. One that a server left which is gone is replaced; one that somebody answers on, and a file
 * of another kind, are not touched. It goes away when the server closes.
 * @param mode who may connect, as with files; it holds from the moment at which the socket is there
 * @throws Error
 */
export async function listenOnSocket(server: Server, path: string, mode: number): Promise<void> {
  const found = at(path);
  if (found) {
    if (!found.isSocket()) throw new Error(`${path} is there and no socket; nothing was done to it.`);
    if (await isAnswered(path)) throw new Error(`Another server listens on ${path}.`);
    const now = at(path);
    // Another process may have replaced it meanwhile, and listens there.
    if (now && (now.ino !== found.ino || now.ctimeMs !== found.ctimeMs)) {
      throw new Error(`Another server begins to listen on ${path} at this moment.`);
    }
    if (now) unlinkSync(path);
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // The socket is made within the call, with what the mask leaves: nobody gets in before a later chmod.
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
    socket.setTimeout(PATIENCE, () => settle(true));
    socket.once('connect', () => settle(true));
    // Only a refusal says that nobody is there; who may not look must not remove it either.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

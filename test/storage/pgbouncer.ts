import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../support/free-port.ts';

/** Why PgBouncer cannot run on this machine, if so. */
export const withoutPgbouncer = isInstalled() ? undefined : 'no pgbouncer on the PATH';

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** PgBouncer in front of a server, in a pool mode and with more settings. Returns its address. */
export async function pgbouncer(t: TestContext, server: string, mode: string, settings = ''): Promise<string> {
  const target = new URL(server);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'parlance-pgbouncer-'));
  const users = join(folder, 'users.txt');
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(users, `"${target.username}" "${target.password}"\n`);
  await writeFile(
    config,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
max_client_conn = 200
default_pool_size = 20
${settings}
`,
  );
  // Also under a strict umask.
  await chmod(folder, 0o755);
  for (const file of [config, users]) await chmod(file, 0o644);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const program = spawn('pgbouncer', [config], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(program, 'exit');
  t.after(async () => {
    program.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    program.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('process up')) resolve();
    });
    program.on('exit', () => reject(new Error(said)));
  });
  target.host = `127.0.0.1:${port}`;
  return target.href;
}

const idOf = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));

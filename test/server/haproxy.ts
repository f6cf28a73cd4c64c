import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const program = ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/opt/homebrew/bin/haproxy'].find(existsSync) ?? '';

/** Why HAProxy cannot run on this machine, if so. */
export const withoutHaproxy = program === '' ? 'no haproxy on this machine' : undefined;

const CONFIG = new URL('../../examples/deploy/haproxy.cfg', import.meta.url);

/** HAProxy as in `examples/deploy`, in front of two servers. Returns its address. */
export async function haproxy(t: TestContext, one: string, two: string): Promise<string> {
  const through = new URL(one);
  through.host = `127.0.0.1:${await freePort()}`;
  const folder = await mkdtemp(join(tmpdir(), 'parlance-haproxy-'));
  const path = join(folder, 'haproxy.cfg');
  const config = (await readFile(CONFIG, 'utf8'))
    .replace('bind 127.0.0.1:5000', `bind ${through.host}`)
    .replace('10.0.0.1:5432 port 8008', `${new URL(one).host} port ${await roleAgent(t, one)}`)
    .replace('10.0.0.2:5432 port 8008', `${new URL(two).host} port ${await roleAgent(t, two)}`);
  await writeFile(path, config);
  execFileSync(program, ['-c', '-q', '-f', path]);
  const running = spawn(program, ['-db', '-f', path], { stdio: 'ignore' });
  const ended = once(running, 'exit');
  t.after(async () => {
    running.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  // Until their first checks both count as up, and connections go to each in turn.
  let inRow = 0;
  const look = async () => {
    inRow = (await isPrimary(through.href)) ? inRow + 1 : 0;
    return inRow === 3;
  };
  await until('HAProxy leads to the primary three times in a row', look, { every: 50 });
  return through.href;
}

/** Responds like Patroni: 200 at `/primary` while the server is the primary. */
async function roleAgent(t: TestContext, url: string): Promise<number> {
  const agent = createServer(async (req, res) => {
    res.writeHead(req.url === '/primary' && (await isPrimary(url)) ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => agent.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    agent.closeAllConnections();
    agent.close();
  });
  return (agent.address() as AddressInfo).port;
}

async function isPrimary(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query('SELECT NOT pg_is_in_recovery() AS value')).rows[0].value;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

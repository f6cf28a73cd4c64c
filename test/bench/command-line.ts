import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import type { Kit } from './kit.ts';
import { alternate, median, summary } from './rounds.ts';

const run = promisify(execFile);

async function timeOf(args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 3; n++) {
    const start = performance.now();
    await run(process.execPath, [...args]);
    times.push(performance.now() - start);
  }
  return median(times);
}

export const cliStart: Benchmark = {
  names: ['cli_start'],
  async run(kit) {
    const pairs = await alternate(
      9,
      1,
      () => timeOf(['-e', '0']),
      () => timeOf([kit.chatctl, '--version']),
    );
    return [
      {
        name: 'cli_start',
        ...summary(pairs),
        bound: { atMost: 2 },
        unit: 'ms',
        note: 'chatctl --version, compared with node -e 0',
      },
    ];
  },
};

/** Resident megabytes of a process. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const kilobytes = status
    ? /VmRSS:\s+(\d+)/.exec(status)?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout;
  return Number(kilobytes) / 1024;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 1_500));

async function serving(kit: Kit): Promise<number> {
  const args = [kit.chatctl, 'serve', '--demo', '--json', '--port', '0', '--db', kit.newDatabase()];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      server.stdout.once('data', (text) => resolve(String(text)));
      server.once('exit', (code) => reject(new Error(`chatctl serve ended (${code}).`)));
    });
    await fetch(`${(JSON.parse(line) as { url: string }).url}/api/v1/server_settings`);
    await settled();
    return await residentMegabytes(server.pid as number);
  } finally {
    server.kill('SIGKILL');
  }
}

export const idleRss: Benchmark = {
  names: ['idle_rss_mb'],
  async run(kit) {
    const bare = async () => {
      const server = kit.start('bare-server');
      const { port } = await server.ask<{ port: number }>('users', { database: kit.newDatabase(), people: 10 });
      await fetch(`http://127.0.0.1:${port}/api/v1/users/1`);
      await settled();
      const megabytes = await residentMegabytes(server.pid);
      await kit.stopAll();
      return megabytes;
    };
    return [
      {
        name: 'idle_rss_mb',
        ...summary(await alternate(3, 0, bare, () => serving(kit))),
        unit: 'MB',
        note: 'chatctl serve after one request, compared with node:http and an open database',
      },
    ];
  },
};

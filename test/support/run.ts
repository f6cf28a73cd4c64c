import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from './postgres-server.ts';

/**
 * `tsx test/support/run.ts [file …] [--option …]`: the test files given, or all of them, beside one
 * PostgreSQL. PARLANCE_TEST_POSTGRES names a server of your own instead. Options go to `node --test`.
 */
async function run(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('--'));
  const named = args.filter((arg) => !arg.startsWith('--'));
  const files = named.length > 0 ? named : await allTestFiles();
  const given = process.env.PARLANCE_TEST_POSTGRES;
  const server = given ? undefined : await startPostgresServer().catch(explain);
  try {
    return await testProcess([...options, ...files], given ?? server?.url);
  } finally {
    await server?.stop();
  }
}

/** Where it cannot run, its tests are skipped one by one, so that the report names and counts them. */
function explain(error: Error): undefined {
  console.error(
    `${error.message}\nTests on PostgreSQL are skipped. PARLANCE_TEST_POSTGRES=postgres://… names a server.\n`,
  );
  process.env.PARLANCE_NO_POSTGRES = 'PostgreSQL did not start here';
}

async function allTestFiles(): Promise<string[]> {
  const entries = await readdir('test', { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join('test', name));
}

function testProcess(args: readonly string[], url: string | undefined): Promise<number> {
  // Files wait on the disk and the server too, so even one core runs two.
  const concurrency = Math.max(2, availableParallelism());
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--test', '--test-reporter=spec', `--test-concurrency=${concurrency}`, ...args],
    { stdio: 'inherit', env: { ...process.env, PARLANCE_TEST_POSTGRES: url } },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

process.exit(await run(process.argv.slice(2)));

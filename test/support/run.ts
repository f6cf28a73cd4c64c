import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitChildren } from './file-limit.ts';
import { startPostgresServer } from './postgres-server.ts';

/** Minutes after which a file has failed, whatever it waits for: several times what the longest takes. */
const FILE_MINUTES = Number(process.env.PARLANCE_TEST_FILE_MINUTES ?? 15);
const UNENDED = fileURLToPath(new URL('unended-tests.mjs', import.meta.url));

/**
 * `tsx test/support/run.ts [file …] [--option …]`: the test files given, or all of them, beside one
 * PostgreSQL. PARLANCE_TEST_POSTGRES names a server of your own instead. Options go to `node --test`.
 * A file that takes longer than its limit is ended, and the tests are named that had not ended.
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

const REPORTERS = [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...[`--test-reporter=${UNENDED}`, '--test-reporter-destination=stderr'],
];

function testProcess(args: readonly string[], url: string | undefined): Promise<number> {
  // Files wait on the disk and the server too, so even one core runs two.
  const concurrency = Math.max(2, availableParallelism());
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--test', ...REPORTERS, `--test-concurrency=${concurrency}`, ...args],
    { stdio: 'inherit', env: { ...process.env, PARLANCE_TEST_POSTGRES: url } },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const stop = limitChildren(child.pid as number, FILE_MINUTES * 60);
  return new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  }).finally(stop);
}

process.exit(await run(process.argv.slice(2)));

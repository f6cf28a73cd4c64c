import { execFile, spawnSync } from 'node:child_process';

/** Runs the runner with a time limit per process, on files that need no PostgreSQL. */
export function runFor(seconds: number, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const { NODE_TEST_CONTEXT: _, ...given } = process.env;
  const env = { ...given, PARLANCE_TEST_HANGING_SECONDS: '5' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', 'test/support/run.ts', ...args],
      { env: { ...env, PARLANCE_TEST_FILE_MINUTES: String(seconds / 60), PARLANCE_TEST_POSTGRES: 'postgres://none' } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** Whether a process runs. A killed one may remain as a zombie. */
export const runs = (id: number) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' }).stdout);

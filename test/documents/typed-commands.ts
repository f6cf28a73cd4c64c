import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { EXIT } from '../../cli/failure.ts';
import { InProcessShell, type Ran } from '../cli/in-process-shell.ts';
import { blocksOf } from './blocks.ts';

const run = promisify(execFile);

/** The lines of the shell blocks of a document, in order. A line that ends in a backslash goes on in the next one. */
export async function shellLines(name: string): Promise<string[]> {
  const blocks = (await blocksOf(name)).filter(({ language }) => language === 'sh');
  return blocks.flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n')).filter((line) => line !== '');
}

const STARTS_SERVER = /^(?:[A-Z_]+=\S+ )*chatctl serve\b/;

export interface Terminal {
  cwd: string;
  env: Record<string, string>;
  /** Runs `chatctl` in this process, except servers. A process takes 20 times as long. */
  shell?: InProcessShell;
  /** The port of `chatctl serve`. */
  port: number;
  /** Called before each line. Returns the line to type. */
  onLine?: (line: string) => string | Promise<string>;
  /** Called after each line that ended well. */
  afterLine?: (line: string) => void | Promise<void>;
}

/** Types lines as in one terminal: one server at a time. A line that fails, fails the test with what it printed. */
export async function typeLines(lines: readonly string[], terminal: Terminal): Promise<void> {
  const { cwd, env, port, shell, onLine = (line) => line, afterLine } = terminal;
  let server: ChildProcess | undefined;
  try {
    for (const documented of lines) {
      const line = await onLine(documented);
      if (/^# .*\bstop\b.* servers?\b/i.test(line)) await stop(server);
      if (line.startsWith('#')) continue;
      if (!STARTS_SERVER.test(line)) await typeLine(line, { cwd, env, shell });
      else {
        await stop(server);
        server = spawn('sh', ['-c', `exec env ${line} --port ${port}`], { cwd, env });
        await serving(server, line);
      }
      await afterLine?.(documented);
    }
  } finally {
    await stop(server);
  }
}

/** Resolves to what the line printed to stdout. */
export async function typeLine(line: string, terminal: Pick<Terminal, 'cwd' | 'env' | 'shell'>): Promise<string> {
  const { shell } = terminal;
  const { output, stdout, exitCode } =
    shell && runsInProcess(line) ? await shell.run(line) : await spawned(line, terminal);
  // An answer, not a failure.
  if (/^chatctl why /.test(line) && exitCode === EXIT.notAllowed) return '';
  if (exitCode !== 0) assert.fail(`$ ${line}\n${output}[exit ${exitCode}]`);
  return stdout;
}

async function spawned(line: string, { cwd, env }: Pick<Terminal, 'cwd' | 'env'>): Promise<Ran> {
  try {
    const { stdout, stderr } = await run('sh', ['-c', line], { cwd, env, timeout: 30_000 });
    return { output: stdout + stderr, stdout, exitCode: 0 };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { output: stdout + stderr, stdout, exitCode: code ?? 1 };
  }
}

/** Whether the line needs no real shell. Its own shell does not know file patterns. */
const runsInProcess = (line: string) =>
  /\bchatctl /.test(line) && !line.includes('*') && InProcessShell.takes(line) && !InProcessShell.skips(line);

async function serving(server: ChildProcess, command: string): Promise<void> {
  let printed = '';
  server.stderr?.on('data', (text) => {
    printed += text;
  });
  // The pipe stays open: a server with a closed stdout ends.
  for await (const text of server.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += text;
    if (printed.includes('Serving ')) return void server.stdout?.resume();
  }
  assert.fail(`${command} ended without serving:\n${printed}`);
}

async function stop(server: ChildProcess | undefined): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGINT');
  await exit;
}

import { spawnSync } from 'node:child_process';
import { EXIT, Failure, UsageError } from '../failure.ts';

/** Returns the output of jq, without the last line break. Texts are printed without quotes. */
export type JqFilter = (value: unknown, isTerminal: boolean) => string;

type Ended = { stdout: string; stderr: string; exitCode: number };

type RunJq = (input: string, expression: string, flags: string[]) => Ended;

const WRONG_EXPRESSION = 3;

/** Compiles the expression before any request is sent. */
export async function jqFilter(expression: string): Promise<JqFilter> {
  const jq = (await bundledJq()) ?? installedJq();
  const { exitCode, stderr } = jq('null', `empty | (${expression}\n)`, []);
  if (exitCode === WRONG_EXPRESSION) throw new UsageError(`--jq: ${problemIn(stderr)}.`);
  return (value, isTerminal) => {
    // The leading space keeps jq from reading the expression as an option.
    const ended = jq(JSON.stringify(value), ` ${expression}`, isTerminal ? ['-r'] : ['-r', '-c']);
    if (ended.exitCode !== 0)
      throw new Failure(`--jq: ${problemIn(ended.stderr)}.`, EXIT.refused, 'The request itself succeeded.');
    return ended.stdout.replace(/\n$/, '');
  };
}

/** jq compiled to WebAssembly. An optional dependency, because programs that embed the library do not need it. */
async function bundledJq(): Promise<RunJq | undefined> {
  try {
    const { loadJq } = await import('jq-wasm');
    const jq = await loadJq();
    return (input, expression, flags) => jq.raw(input, expression, flags);
  } catch {
    return undefined;
  }
}

function installedJq(): RunJq {
  return (input, expression, flags) => {
    const { error, stdout, stderr, status } = spawnSync('jq', [...flags, expression], {
      input,
      encoding: 'utf8',
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    if (error) throw new UsageError('jq is not installed.', 'Run `npm install jq-wasm`, or install the jq program.');
    return { stdout, stderr, exitCode: status ?? 1 };
  };
}

/** The first line has the reason. The others repeat the expression that was run, which differs from the typed one. */
function problemIn(stderr: string): string {
  const [line = ''] = stderr.trim().split('\n');
  return line.replace(/^jq: error( \(at [^)]*\))?: /, '').replace(/ at <top-level>.*$/, '');
}

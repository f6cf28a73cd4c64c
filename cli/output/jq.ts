import { spawnSync } from 'node:child_process';
import { EXIT, Failure, UsageError } from '../failure.ts';

/** Gives what jq prints for a value, without the last line end; texts bare, on lines of their own. */
export type JqFilter = (value: unknown, isTerminal: boolean) => string;

interface Ended {
  stdout: string;
  stderr: string;
  exitCode: number;
}

type RunJq = (input: string, expression: string, flags: string[]) => Ended;

const WRONG_EXPRESSION = 3;

/**
 * Understands the expression before anything is asked of the chat.
 * @throws UsageError where it is none
 */
export async function jqFilter(expression: string): Promise<JqFilter> {
  const jq = (await bundledJq()) ?? installedJq();
  const { exitCode, stderr } = jq('null', `empty | (${expression}\n)`, []);
  if (exitCode === WRONG_EXPRESSION) throw new UsageError(`--jq: ${problemIn(stderr)}.`);
  return (value, isTerminal) => {
    // A blank before it, since an expression may begin as an option does.
    const ended = jq(JSON.stringify(value), ` ${expression}`, isTerminal ? ['-r'] : ['-r', '-c']);
    if (ended.exitCode !== 0) {
      throw new Failure(`--jq: ${problemIn(ended.stderr)}.`, EXIT.refused, 'What was asked of the chat is done.');
    }
    return ended.stdout.replace(/\n$/, '');
  };
}

/** jq itself, compiled for JavaScript. An optional dependency: who embeds the library needs none. */
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
    if (error) {
      throw new UsageError(
        'There is no jq here.',
        'Install it beside chatctl, `npm install jq-wasm`, or as a program.',
      );
    }
    return { stdout, stderr, exitCode: status ?? 1 };
  };
}

/** The first line says what; the others repeat the expression that was run, which is not what was typed. */
function problemIn(stderr: string): string {
  const [line = ''] = stderr.trim().split('\n');
  return line.replace(/^jq: error( \(at [^)]*\))?: /, '').replace(/ at <top-level>.*$/, '');
}

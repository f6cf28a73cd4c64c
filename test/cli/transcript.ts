import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryFolder } from '../support/memory-folder.ts';
import { InProcessShell } from './in-process-shell.ts';

/** Placeholders for text that differs between runs. In a command, a name is replaced by its latest match. */
const PATTERNS: Readonly<Record<string, string>> = {
  KEY: '[A-Za-z0-9]{32}',
  ID: '[0-9]+',
  PORT: '[0-9]+',
  TIME: '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.]+(?:[+-][0-9:]+|Z)?',
  DAY: '[A-Z][a-z]{2} [0-9]{4}-[0-9]{2}-[0-9]{2}',
  CLOCK: '[0-9]{2}:[0-9]{2}',
  ANY: '.*?',
  // On its own line: any lines, or none.
  LINES: '[\\s\\S]*?',
};
export const NAMES = new RegExp(`<(${Object.keys(PATTERNS).join('|')})>`, 'g');
const EXIT = /^\[exit (\d+)\]$/;
const PATIENCE_MS = 60_000;
/** The longest time that parallel commands may take together. */
const LIFE_MS = 10 * PATIENCE_MS;

interface Step {
  line: number;
  command: string;
  expected: string[];
  exitCode: number;
}

/** A transcript: prose after `#`, commands after `$ `, their output, and `[exit N]` if N is not 0. */
export function parseTranscript(text: string): Step[] {
  const steps: Step[] = [];
  let isProse = true;
  for (const [index, line] of text.split('\n').entries()) {
    const step = steps.at(-1);
    // Only after an empty line: output may start with "#" too.
    isProse = line === '' || (isProse && line.startsWith('# '));
    if (line.startsWith('$ ')) steps.push({ line: index + 1, command: line.slice(2), expected: [], exitCode: 0 });
    else if (isProse && line !== '') continue;
    else if (step && EXIT.test(line)) step.exitCode = Number(EXIT.exec(line)?.[1]);
    else if (step) step.expected.push(line);
    else assert.equal(line, '', `line ${index + 1} stands before any command`);
  }
  return steps;
}

interface Run {
  output: string;
  exitCode: number;
}

export interface TranscriptOptions {
  /** Variables for its commands. */
  env?: Readonly<Record<string, string>>;
  /** The value of `<NAME>` in the output. */
  words?: Readonly<Record<string, string>>;
  /** Runs commands in this process if they need no shell or process. This takes a fiftieth of the time. */
  inProcess?: boolean;
}

/** Runs a transcript in an empty folder and compares the complete output. */
export async function playTranscript(path: string, bin: string, options: TranscriptOptions = {}): Promise<void> {
  const { words = {}, inProcess = false } = options;
  const text = (await readFile(path, 'utf8')).replace(/<([A-Z]+)>/g, (whole, name: string) => words[name] ?? whole);
  const steps = parseTranscript(text);
  const folder = await mkdtemp(join(memoryFolder(), 'transcript-'));
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    // Without this, the server's request log would mix with the output of commands.
    PARLANCE_LOG_LEVEL: 'warn',
    // For commands that prepare a file with one of the dependencies.
    NODE_PATH: fileURLToPath(new URL('../../node_modules', import.meta.url)),
    ...options.env,
  };
  const found = new Map<string, string>();
  const shell = inProcess ? new InProcessShell(folder) : undefined;
  let background: BackgroundJob | undefined;
  try {
    for (const step of steps) {
      const command = step.command.replace(NAMES, (name) => found.get(name) ?? name);
      const stop = /^kill -(TERM|INT) %1$/.exec(command);
      let run: Run;
      if (stop) {
        assert.ok(background, `${path}:${step.line}: nothing runs in the background`);
        run = await background.stop(`SIG${stop[1]}` as NodeJS.Signals);
        background = undefined;
      } else if (command.endsWith(' &')) {
        background = new BackgroundJob(start(command.slice(0, -2), folder, env, true));
        run = { output: await background.until(matcher(step.expected)), exitCode: 0 };
      } else if (shell && InProcessShell.takes(command) && !InProcessShell.skips(command)) {
        const { output, exitCode } = await shell.run(command);
        run = { output: output.trimEnd(), exitCode };
      } else run = await finish(start(command, folder, env));
      const match = matcher(step.expected).exec(run.output);
      const where = `${path}:${step.line}: $ ${command}`;
      if (!match) assert.equal(run.output, trimEnd(step.expected).join('\n'), where);
      assert.equal(run.exitCode, step.exitCode, `${where}\nexit code; it printed:\n${run.output}`);
      remember(step.expected, match as RegExpExecArray, found);
    }
  } finally {
    await background?.stop('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

function start(command: string, cwd: string, env: Record<string, string>, replacing = false): ChildProcess {
  // `exec` delivers the signal to the program itself.
  const script = replacing ? `exec ${command} 2>&1` : `{ ${command}\n} 2>&1`;
  // A process group, so that a timeout ends the shell and all its children.
  return spawn('sh', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
}

function finish(child: ChildProcess, patience = PATIENCE_MS): Promise<Run> {
  return new Promise((resolve, reject) => {
    let output = '';
    const limit = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), patience);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ output: output.trimEnd(), exitCode: code ?? (signal === 'SIGKILL' ? 137 : 128) });
    });
  });
}

/** A program that runs while later commands run. */
class BackgroundJob {
  #output = '';
  readonly #ended: Promise<Run>;

  constructor(private readonly child: ChildProcess) {
    this.#ended = finish(child, LIFE_MS);
    child.stdout?.on('data', (text: string) => {
      this.#output += text;
    });
  }

  /** Its output, when it is as expected, or any output after a timeout. */
  async until(expected: RegExp): Promise<string> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!expected.test(this.#output.trimEnd()) && this.child.exitCode === null && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const printed = this.#output.trimEnd();
    this.#output = '';
    return printed;
  }

  /** Its output since, and how it ended. */
  async stop(signal: NodeJS.Signals): Promise<Run> {
    this.child.kill(signal);
    const { exitCode } = await this.#ended;
    return { output: this.#output.trimEnd(), exitCode };
  }
}

export function matcher(expected: readonly string[]): RegExp {
  const text = trimEnd(expected).join('\n');
  const source = text
    .split(NAMES)
    .map((part, index) => (index % 2 === 1 ? `(${PATTERNS[part]})` : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
    .join('');
  // Without lines there is no final newline.
  const lines = `(${PATTERNS.LINES})`;
  return new RegExp(`^${source.replaceAll(`${lines}\n`, `(?:${lines}\n)?`)}$`);
}

export function remember(expected: readonly string[], match: RegExpExecArray, found: Map<string, string>): void {
  for (const [index, name] of [...trimEnd(expected).join('\n').matchAll(NAMES)].entries()) {
    found.set(name[0], match[index + 1] as string);
  }
}

function trimEnd(lines: readonly string[]): string[] {
  const kept = [...lines];
  while (kept.at(-1) === '') kept.pop();
  return kept;
}

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './failure.ts';
import { exitInterrupted } from './interruption.ts';
import type { Terminal } from './output/terminal.ts';

async function allOfStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The whole of stdin as a message. */
export async function messageFromStdin(terminal: Terminal): Promise<string> {
  if (process.stdin.isTTY) terminal.err('Write the message; Ctrl-D on a line of its own sends it.');
  const text = (await allOfStdin()).replace(/\r?\n$/, '');
  if (text.trim() === '') throw new UsageError('The message is empty.', 'Give it with -m, or on stdin.');
  return text;
}

export async function linesOfStdin(): Promise<string[]> {
  return (await allOfStdin()).split(/\r?\n/);
}

/** The first line of stdin, for passwords: they do not belong on a command line, which others can see. */
export async function firstLineOfStdin(): Promise<string> {
  const [line = ''] = await linesOfStdin();
  if (line === '') throw new UsageError('No password on stdin.', 'Its first line is the password.');
  return line;
}

/** Somebody is there to answer questions. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks for a password that cannot be seen as it is typed, so that it is typed twice. */
export async function askNewPassword(): Promise<string> {
  const password = await ask('New password?', { secret: true });
  if ((await ask('The same again?', { secret: true })) === password) return password;
  throw new UsageError('You typed two different passwords.');
}

/** Asks on the terminal; `secret` answers are not shown. */
export function ask(question: string, options: { secret?: boolean } = {}): Promise<string> {
  let muted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) process.stderr.write(chunk as Buffer);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise((resolve, reject) => {
    lines.on('SIGINT', () => {
      // Raw mode would outlive the program.
      lines.close();
      process.stderr.write('\n');
      exitInterrupted();
    });
    lines.on('close', () => reject(new UsageError('No answer was given.')));
    lines.question(`${question} `, (answer) => {
      // Blanks at the ends may belong to a password.
      resolve(options.secret ? answer : answer.trim());
      lines.close();
      if (options.secret) process.stderr.write('\n');
    });
    muted = options.secret === true;
  });
}

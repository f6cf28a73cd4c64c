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

const NEW_PASSWORD = ['New password?', 'The same again?'];

/** Asks for a new password: it cannot be seen as it is typed, so it is typed twice. After it, those of `before`. */
export async function askNewPassword(...before: string[]): Promise<string[]> {
  const answers = await askEach([...before, ...NEW_PASSWORD], { secret: true });
  const [again, password = ''] = [answers.pop(), answers.pop()];
  if (again !== password) throw new UsageError('You typed two different passwords.');
  return [password, ...answers];
}

/** Asks on the terminal; `secret` answers are not shown. */
export async function ask(question: string, options: { secret?: boolean } = {}): Promise<string> {
  const [answer = ''] = await askEach([question], options);
  return answer;
}

/** Asks one question after the other; whoever types ahead of a question has answered it. */
function askEach(questions: readonly string[], { secret = false }: { secret?: boolean }): Promise<string[]> {
  let muted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) process.stderr.write(chunk as Buffer);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const answers: string[] = [];
  const askNext = () => {
    muted = false;
    lines.setPrompt(`${questions[answers.length]} `);
    lines.prompt();
    muted = secret;
  };
  return new Promise((resolve, reject) => {
    lines.on('SIGINT', () => {
      // Raw mode would outlive the program.
      lines.close();
      exitInterrupted();
    });
    lines.on('close', () => {
      // What is said next stands on a line of its own.
      if (answers.length < questions.length) process.stderr.write('\n');
      reject(new UsageError('No answer was given.'));
    });
    lines.on('line', (line) => {
      // What comes after the last answer is nobody's.
      if (answers.length === questions.length) return;
      // Blanks at the ends may belong to a password.
      answers.push(secret ? line : line.trim());
      if (secret) process.stderr.write('\n');
      if (answers.length < questions.length) return askNext();
      resolve(answers);
      lines.close();
    });
    askNext();
  });
}

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Session } from '../lib/index.ts';
import { Failure, UsageError } from './failure.ts';
import { exitInterrupted, ignoringInterruption, type Terminal } from './output/terminal.ts';

export async function messageFromStdin(terminal: Terminal): Promise<string> {
  if (process.stdin.isTTY) terminal.err('Write the message. To send it, press Ctrl-D on an empty line.');
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

export const linesOfStdin = async (): Promise<string[]> => (await text(process.stdin)).split(/\r?\n/);

/** The first line of stdin. Passwords must not be on the command line, where other users can see them. */
export async function firstLineOfStdin(): Promise<string> {
  const [line = ''] = await linesOfStdin();
  if (line === '') throw new UsageError('No password on stdin.', 'Write the password to the first line of stdin.');
  return line;
}

export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks for a new password twice, because it is not shown. Returns the password, then the answers to `before`. */
export async function askNewPassword(...before: string[]): Promise<string[]> {
  const answers = await askEach([...before, 'New password:', 'Repeat password:'], { secret: true });
  const [again, password = ''] = [answers.pop(), answers.pop()];
  if (again !== password) throw new UsageError('The passwords do not match.');
  return [password, ...answers];
}

export async function ask(question: string, options: { secret?: boolean } = {}): Promise<string> {
  const [answer = ''] = await askEach([question], options);
  return answer;
}

/** Asks the questions in turn. A line typed ahead answers the next question. */
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
      // Leave raw mode, which would outlast the process.
      lines.close();
      exitInterrupted();
    });
    lines.on('close', () => {
      if (answers.length < questions.length) process.stderr.write('\n');
      reject(new UsageError('No answer was given.'));
    });
    lines.on('line', (line) => {
      if (answers.length === questions.length) return;
      // A password may begin or end with spaces.
      answers.push(secret ? line : line.trim());
      if (secret) process.stderr.write('\n');
      if (answers.length < questions.length) return askNext();
      resolve(answers);
      lines.close();
    });
    askNext();
  });
}

/** Makes a destructive command ask for confirmation at a terminal, and require `--yes` elsewhere. */
export const letAsk = (command: Command): Command => command.option('-y, --yes', 'skip the confirmation prompt');

export function checkSomebodyAnswers(advice = 'Add --yes to run it without confirmation.'): void {
  if (!isInteractive()) throw new UsageError('This command asks for confirmation, which needs a terminal.', advice);
}

export async function confirm(question: string): Promise<void> {
  if (!/^y(es)?$/i.test(await ask(`${question} [y/N]`))) throw new Failure('Nothing was changed.');
}

export const editorOf = (env: Readonly<Record<string, string | undefined>>) => env.VISUAL || env.EDITOR || undefined;

/**
 * Returns undefined if the text is unchanged. The hash makes the server refuse an edit of a newer text. Call `remove`
 * after the edit is sent: if it fails, the file keeps the text.
 */
export async function editMessageText(session: Session, id: unknown, editor: string) {
  const { message } = await session.messages.get({ message_id: Number(id), apply_markdown: false });
  const draft = await editInEditor(editor, message.content);
  if (draft.text.trim() === '') {
    await draft.remove();
    const advice = `To delete the message: chatctl messages delete ${message.id}.`;
    throw new Failure('The text is empty; nothing was changed.', advice);
  }
  if (draft.text === message.content.replace(/\n+$/, '')) {
    await draft.remove();
    return undefined;
  }
  const prev_content_sha256 = createHash('sha256').update(message.content).digest('hex');
  return { parameters: { content: draft.text, prev_content_sha256 }, path: draft.path, remove: draft.remove };
}

async function editInEditor(editor: string, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'chatctl-'));
  const path = join(folder, 'message.md');
  const remove = () => rm(folder, { recursive: true, force: true });
  await writeFile(path, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 });
  // In a shell because the variable may contain options: `code --wait`.
  const command = ['-c', `${editor} "$1"`, 'editor', path];
  const [exitCode] = await ignoringInterruption(() => once(spawn('sh', command, { stdio: 'inherit' }), 'exit'));
  if (exitCode !== 0) {
    await remove();
    throw new Failure(`The editor "${editor}" ended with an error; nothing was changed.`);
  }
  return { text: (await readFile(path, 'utf8')).replace(/\r\n/g, '\n').replace(/\n+$/, ''), path, remove };
}

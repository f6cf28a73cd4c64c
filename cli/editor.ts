import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, Failure } from './failure.ts';
import { withoutInterruption } from './interruption.ts';

export interface Draft {
  text: string;
  /** Kept until the text is where it belongs. */
  path: string;
  remove(): Promise<void>;
}

/** The editor of whoever sits at the terminal, by the custom of other programs. */
export const editorOf = (env: Readonly<Record<string, string | undefined>>) => env.VISUAL || env.EDITOR || undefined;

/** Lets a person change a text in their editor. */
export async function editInEditor(editor: string, text: string): Promise<Draft> {
  const folder = await mkdtemp(join(tmpdir(), 'chatctl-'));
  const path = join(folder, 'message.md');
  const remove = () => rm(folder, { recursive: true, force: true });
  await writeFile(path, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 });
  const exitCode = await withoutInterruption(() => run(editor, path));
  if (exitCode !== 0) {
    await remove();
    throw new Failure(`The editor "${editor}" ended with an error; nothing was changed.`, EXIT.refused);
  }
  return { text: (await readFile(path, 'utf8')).replace(/\r\n/g, '\n').replace(/\n+$/, ''), path, remove };
}

/** By the shell, since the variable may hold options: `code --wait`. */
function run(editor: string, path: string): Promise<number | null> {
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'editor', path], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
}

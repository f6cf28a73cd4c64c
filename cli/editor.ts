import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../lib/index.ts';
import { EXIT, Failure } from './failure.ts';
import { ignoringInterruption } from './interruption.ts';

export const editorOf = (env: Readonly<Record<string, string | undefined>>) => env.VISUAL || env.EDITOR || undefined;

export interface EditedText {
  parameters: { content: string; prev_content_sha256: string };
  /** Deleted after the edit is sent. Kept if the edit fails. */
  path: string;
  remove(): Promise<void>;
}

/** Returns undefined if the text is unchanged. The hash makes the server refuse an edit of a newer text. */
export async function editMessageText(session: Session, id: unknown, editor: string): Promise<EditedText | undefined> {
  const { message } = await session.messages.get({ message_id: Number(id), apply_markdown: false });
  const draft = await editInEditor(editor, message.content);
  if (draft.text.trim() === '') {
    await draft.remove();
    const advice = `To delete the message: chatctl messages delete ${message.id}.`;
    throw new Failure('The text is empty; nothing was changed.', EXIT.refused, advice);
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
    throw new Failure(`The editor "${editor}" ended with an error; nothing was changed.`, EXIT.refused);
  }
  return { text: (await readFile(path, 'utf8')).replace(/\r\n/g, '\n').replace(/\n+$/, ''), path, remove };
}

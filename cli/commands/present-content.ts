import { createHash } from 'node:crypto';
import type { Session } from '../../lib/index.ts';
import { type Draft, editInEditor } from '../editor.ts';
import { EXIT, Failure } from '../failure.ts';

export interface Rewritten {
  parameters: { content: string; prev_content_sha256: string };
  draft: Draft;
}

/**
 * Opens the present Markdown of a message in the editor. The hash of what was opened goes along, so that
 * an edit somebody else makes meanwhile is not lost. Nothing when the text was left as it was.
 */
export async function rewritten(session: Session, id: unknown, editor: string): Promise<Rewritten | undefined> {
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
  return { parameters: { content: draft.text, prev_content_sha256 }, draft };
}

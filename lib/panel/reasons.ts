import type { ConversationWords } from './words/conversation-words.ts';

/**
 * Why something failed, as a sentence for people. Errors of the server are such sentences, apart from a few. Those of the
 * browser, such as "Failed to fetch", are not.
 */
export function reasonOf(error: unknown, words: ConversationWords): string {
  const { name, code, message = String(error) } = error as { name?: string; code?: string | null; message?: string };
  if (name === 'Unreachable') return words.unreachable;
  // A search can also be wrong in itself. The server then says how.
  const isGone = code === 'BAD_NARROW' && /there is no (channel|user)/.test(message);
  if (isGone || code === 'STREAM_DOES_NOT_EXIST') return words.goneOrHidden;
  return message;
}

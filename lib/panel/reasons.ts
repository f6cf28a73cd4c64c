import type { ConversationWords } from './words/conversation-words.ts';

/**
 * Why a call failed, as a sentence for users. Most errors of the server have one. Errors of the browser, such as "Failed
 * to fetch", have none.
 */
export function reasonOf(error: unknown, words: ConversationWords): string {
  const { name, code, message = String(error) } = error as { name?: string; code?: string | null; message?: string };
  if (name === 'Unreachable') return words.unreachable;
  // For an invalid search, the message of the server says what is wrong.
  const isGone = code === 'BAD_NARROW' && /there is no (channel|user)/.test(message);
  if (isGone || code === 'STREAM_DOES_NOT_EXIST') return words.goneOrHidden;
  return message;
}

import type { WriteContext } from '../../kernel/context.ts';
import { alertText } from '../../markdown/alert-words.ts';
import { hasAlertWord, openingsIn } from '../../rules/alert-words.ts';
import type { PlacedMessage } from '../../storage/interface/messages.ts';

/**
 * Flags the message for those who receive it and are alerted to something it says, in one statement however
 * many words there are, and in none while nobody ever had one. Returns whose message carries the flag, sorted.
 */
export async function flagAlertWords(
  { tx, readersVersion }: Pick<WriteContext, 'tx' | 'readersVersion'>,
  { id, content }: Pick<PlacedMessage, 'id' | 'content'>,
): Promise<number[]> {
  if (readersVersion === 0) return [];
  const text = alertText(content);
  const alerted = new Set<number>();
  for (const { word, user_ids } of await tx.alertWords.openingWith([...openingsIn(text)])) {
    if (hasAlertWord(text, word)) for (const user of user_ids) alerted.add(user);
  }
  return tx.flags.setForReaders(id, [...alerted], 'has_alert_word');
}

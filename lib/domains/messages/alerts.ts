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
  const alerted = alertedTo(text, await tx.alertWords.openingWith([...openingsIn(text)]));
  return tx.flags.setForReaders(id, [...alerted], 'has_alert_word');
}

/** Likewise of several new messages, whose receivers are given; returns by message whose carries the flag. */
export async function flagAlertWordsOfMany(
  { tx, readersVersion }: Pick<WriteContext, 'tx' | 'readersVersion'>,
  messages: readonly (Pick<PlacedMessage, 'id' | 'content'> & { receivers: readonly number[] })[],
): Promise<Map<number, number[]>> {
  const flagged = new Map<number, number[]>();
  if (readersVersion === 0) return flagged;
  const texts = new Map(messages.map(({ content }) => [content, alertText(content)]));
  const words = await tx.alertWords.openingWith([
    ...new Set([...texts.values()].flatMap((text) => [...openingsIn(text)])),
  ]);
  const alerted = new Map([...texts].map(([content, text]) => [content, alertedTo(text, words)]));
  const pairs = messages.flatMap(({ id, content, receivers }) =>
    receivers.filter((user) => alerted.get(content)?.has(user)).map((user_id) => ({ message_id: id, user_id })),
  );
  for (const { message_id, user_id } of await tx.flags.setForReceivers(pairs, 'has_alert_word')) {
    flagged.set(message_id, [...(flagged.get(message_id) ?? []), user_id]);
  }
  return flagged;
}

function alertedTo(text: string, words: readonly { word: string; user_ids: number[] }[]): Set<number> {
  return new Set(words.filter(({ word }) => hasAlertWord(text, word)).flatMap(({ user_ids }) => user_ids));
}

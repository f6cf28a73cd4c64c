import type { WriteContext } from '../../kernel/context.ts';
import { alertText } from '../../markdown/alert-words.ts';
import { hasAlertWord, openingsIn } from '../../rules/alert-words.ts';
import type { PlacedMessage } from '../../storage/interface/messages.ts';

/**
 * Sets the `has_alert_word` flag for receivers whose alert words are in the message. Takes one statement, or none if no
 * user has ever set alert words. Returns the IDs of these receivers, sorted.
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

/** The same for several new messages with their receivers. Returns the flagged receivers by message ID. */
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

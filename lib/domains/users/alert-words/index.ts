import { alertText } from '../../../markdown/plain-text.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { hasAlertWord, openingsIn } from '../../../rules/alert-words.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import type { ChangedMessage, ReceivedFlag } from '../../../viewer/message-changes.ts';
import { addAlertWords } from './add.ts';
import { alertWordsChanged } from './events.ts';
import { listAlertWords } from './list.ts';
import { removeAlertWords } from './remove.ts';

const flag = 'has_alert_word';

/** Flags messages for receivers whose alert words they contain. No statement if no user has ever set alert words. */
async function alertFlags(context: WriteContext, messages: readonly ChangedMessage[]): Promise<ReceivedFlag[]> {
  if (context.readersVersion === 0) return [];
  const [only] = messages;
  return only && messages.length === 1 ? [await flagReaders(context, only)] : flagReceivers(context, messages);
}

async function flagReaders(context: WriteContext, { message }: ChangedMessage): Promise<ReceivedFlag> {
  const alerted = (await usersAlerted(context, [message.content])).get(message.content) ?? new Set();
  const users = await context.tx.flags.setForReaders(message.id, [...alerted], flag);
  return { message_id: message.id, flag, users };
}

async function flagReceivers(context: WriteContext, messages: readonly ChangedMessage[]): Promise<ReceivedFlag[]> {
  const alerted = await usersAlerted(
    context,
    messages.map(({ message }) => message.content),
  );
  const pairs = messages.flatMap(({ message: { id, content }, receivers = [] }) =>
    receivers.filter((user) => alerted.get(content)?.has(user)).map((user_id) => ({ message_id: id, user_id })),
  );
  const flagged = await context.tx.flags.setForReceivers(pairs, flag);
  return flagged.map(({ message_id, user_id }) => ({ message_id, flag, users: [user_id] }));
}

/** Users who have an alert word in a text, by text. */
async function usersAlerted({ tx }: WriteContext, contents: readonly string[]) {
  const texts = new Map(contents.map((content) => [content, alertText(content)]));
  const openings = new Set([...texts.values()].flatMap((text) => [...openingsIn(text)]));
  const words = await tx.alertWords.openingWith([...openings]);
  const alertedTo = (text: string) =>
    words.filter(({ word }) => hasAlertWord(text, word)).flatMap(({ user_ids }) => user_ids);
  return new Map([...texts].map(([content, text]) => [content, new Set(alertedTo(text))]));
}

/** Alert words. A message that contains an alert word of a recipient is flagged for that recipient. */
export const alertWords = defineFeature({
  operations: [listAlertWords, addAlertWords, removeAlertWords],
  events: [alertWordsChanged],
  consequences: { flags: alertFlags },
  initialState: {
    alert_words: async ({ context: { tx, actor } }) => ({ alert_words: await tx.alertWords.of(actor.id) }),
  },
});

import * as v from 'valibot';
import { BadNarrow } from '../errors.ts';
import type { TransactionContext } from '../operation.ts';
import { either, flag, integer, list, text } from '../params.ts';
import { hasSharedHistory } from '../rules/channels.ts';
import { organizationSetting } from '../rules/organization-settings.ts';
import { storedTopic } from '../rules/topics.ts';
import type { Feed, PlacedMessage, User } from '../storage/storage.ts';
import { usersByAddress } from './addressed-users.ts';
import { knownChannels } from './channel-access.ts';
import { readableMessages } from './message-access.ts';
import { userKnownTo } from './user-lookup.ts';

type Scope = Pick<TransactionContext, 'tx' | 'organization' | 'now' | 'account'>;

const operand = either(
  [text(), integer, list(integer, 1_000), list(text(), 1_000), flag],
  'must be a string, a number or a list',
);

/** `[{ operator, operand, negated? }]`, or the older `[[operator, operand]]`. */
export const narrowParam = list(
  either(
    [v.object({ operator: text(100), operand, negated: v.optional(flag) }), v.strictTuple([text(100), operand])],
    'must be an object with operator and operand, or a pair of them',
  ),
  100,
);

type Operand = v.InferOutput<typeof operand>;

interface Term {
  operator: string;
  operand: Operand;
}

/** What a list of messages is narrowed to; `undefined` when nothing can match. */
export async function feedOf(
  scope: Scope,
  reader: User,
  narrow: v.InferOutput<typeof narrowParam>,
): Promise<Feed | undefined> {
  const terms: Term[] = narrow.map((term) => {
    const [operator, value, negated] = Array.isArray(term)
      ? [term[0], term[1], false]
      : [term.operator, term.operand, term.negated];
    if (negated) throw new BadNarrow(`"${operator}" cannot be negated here`);
    return { operator: operator.toLowerCase(), operand: value };
  });
  const feed: Feed = { viewer: reader.id };
  const channels = terms.filter((term) => term.operator === 'channel' || term.operator === 'stream');
  const topics = terms.filter((term) => term.operator === 'topic' || term.operator === 'subject');
  for (const term of terms) await applyTerm(scope, reader, term, feed);
  const along = terms.find((term) => term.operator === 'with');
  const beside = along && (await readableMessage(scope, reader, number('with', along.operand)));
  // Wherever the message has been moved to, its conversation is meant; the other operators only said where it was.
  if (beside)
    return { ...feed, conversations: [beside.conversation_id], ...(await withoutProtected(scope, beside.channel_id)) };
  if (along && channels.length === 0 && feed.conversations === undefined) return undefined;
  if (channels.length > 1 || topics.length > 1) throw new BadNarrow('one channel and one topic at most');
  if (channels[0]) return narrowToChannel(scope, reader, feed, channels[0].operand, topics[0]?.operand);
  if (topics[0]) throw new BadNarrow('a topic needs its channel');
  return feed.conversations?.length === 0 ? undefined : { ...feed, ...(await withoutLost(scope, reader)) };
}

/** What somebody received in a channel is no longer theirs to read once they have lost access to it. */
async function withoutLost(scope: Scope, reader: User): Promise<Pick<Feed, 'hiddenIn'>> {
  const former = (await scope.tx.subscriptions.ofUser(reader.id, { inactive: true })).filter((one) => !one.active);
  if (former.length === 0) return {};
  const ids = former.map((one) => one.channel_id);
  const { known } = await knownChannels(scope, reader, await scope.tx.channels.byIds(ids));
  const readable = new Set(known.filter((one) => one.readable).map((one) => one.channel.id));
  return { hiddenIn: ids.filter((id) => !readable.has(id)) };
}

async function applyTerm(scope: Scope, reader: User, { operator, operand }: Term, feed: Feed): Promise<void> {
  switch (operator) {
    case 'channel':
    case 'stream':
    case 'topic':
    case 'subject':
    case 'near':
    case 'with':
      return;
    case 'dm':
    case 'pm-with': {
      const conversation = await directConversation(scope, reader, operand);
      feed.conversations = conversation === undefined ? [] : [conversation];
      return;
    }
    case 'sender':
      feed.sender = await senderId(scope, reader, operand);
      return;
    case 'id':
      feed.ids = [number(operator, operand)];
      return;
    case 'is':
      applyIs(operand, feed);
      return;
    case 'search':
      feed.words = wordsOf(`${feed.words?.join(' ') ?? ''} ${String(operand)}`);
      return;
    default:
      throw new BadNarrow(`unknown operator "${operator}"`);
  }
}

/** Each word is looked for in every message, and each number of words is a statement of its own. */
const MAX_WORDS = 20;

function wordsOf(text: string): string[] {
  const words = [
    ...new Set(
      text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ];
  if (words.length > MAX_WORDS) throw new BadNarrow(`a search takes at most ${MAX_WORDS} words`);
  return words;
}

function applyIs(operand: Operand, feed: Feed): void {
  switch (operand) {
    case 'dm':
    case 'private':
      feed.kind = 'direct';
      return;
    case 'starred':
      feed.flags = { ...feed.flags, starred: true };
      return;
    case 'mentioned':
      feed.flags = { ...feed.flags, mentioned: true };
      return;
    case 'unread':
      feed.flags = { ...feed.flags, unread: true };
      return;
    case 'read':
      feed.flags = { ...feed.flags, unread: false };
      return;
    default:
      throw new BadNarrow(`unknown operand of "is": ${JSON.stringify(operand)}`);
  }
}

async function readableMessage(scope: Scope, reader: User, messageId: number): Promise<PlacedMessage | undefined> {
  const message = await scope.tx.messages.byId(messageId);
  return message && (await readableMessages(scope, reader, [message]))[0];
}

/** Being able to read one message of a channel with protected history says nothing about those before it. */
async function withoutProtected({ tx }: Scope, channelId: number | null): Promise<Pick<Feed, 'receivedOnlyIn'>> {
  const channel = channelId === null ? undefined : await tx.channels.byId(channelId);
  return channel && !hasSharedHistory(channel) ? { receivedOnlyIn: [channel.id] } : {};
}

function number(operator: string, operand: Operand): number {
  const value = typeof operand === 'string' ? Number(operand) : operand;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new BadNarrow(`"${operator}" takes an ID`);
  return value;
}

async function narrowToChannel(
  scope: Scope,
  reader: User,
  feed: Feed,
  wanted: Operand,
  topic: Operand | undefined,
): Promise<Feed | undefined> {
  const isId = typeof wanted === 'number' || (typeof wanted === 'string' && /^\d+$/.test(wanted));
  if (!isId && typeof wanted !== 'string') throw new BadNarrow('"channel" takes the name or ID of a channel');
  let channel = isId ? await scope.tx.channels.byId(Number(wanted)) : undefined;
  if (!channel && typeof wanted === 'string') [channel] = await scope.tx.channels.byNames([wanted.trim()]);
  const { known } = channel ? await knownChannels(scope, reader, [channel]) : { known: [] };
  if (!channel || !known[0]?.readable)
    throw new BadNarrow(`there is no channel ${JSON.stringify(wanted)} that you can read`);
  if (!hasSharedHistory(channel)) feed.receivedOnlyIn = [channel.id];
  if (topic === undefined) return { ...feed, channels: [channel.id] };
  const name = storedTopic(String(topic), organizationSetting(scope.organization, 'empty_topic_display_name'));
  const conversation = await scope.tx.conversations.topic(channel.id, name);
  return conversation && { ...feed, conversations: [conversation.id] };
}

async function directConversation(scope: Scope, reader: User, operand: Operand): Promise<number | undefined> {
  const ids = new Set([reader.id]);
  if (typeof operand === 'string') {
    const addresses = operand
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    const users = await usersByAddress(scope, reader, addresses);
    if (addresses.some((address) => !users.has(address))) throw new BadNarrow(`unknown user in "${operand}"`);
    for (const user of users.values()) ids.add(user.id);
  } else if (typeof operand === 'number') ids.add(operand);
  else if (Array.isArray(operand)) for (const one of operand) ids.add(number('dm', one));
  else throw new BadNarrow('"dm" takes user IDs or e-mail addresses');
  return (await scope.tx.conversations.direct([...ids].sort((a, b) => a - b)))?.id;
}

async function senderId(scope: Scope, reader: User, operand: Operand): Promise<number> {
  if (operand === 'me') return reader.id;
  const isId = typeof operand === 'number' || (typeof operand === 'string' && /^\d+$/.test(operand));
  const user = isId
    ? await userKnownTo(scope, reader, Number(operand)).catch(() => undefined)
    : (await usersByAddress(scope, reader, [String(operand)])).get(String(operand));
  if (!user) throw new BadNarrow(`unknown sender ${JSON.stringify(operand)}`);
  return user.id;
}

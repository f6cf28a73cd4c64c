import type * as v from 'valibot';
import { type NarrowTerm, readNarrow } from '../../rules/narrow.ts';
import type { ReadExtent, Transaction } from '../../storage/interface/storage.ts';
import type { narrowParam } from './narrow.ts';
import { channelsNamed } from './narrow-operands.ts';

/** This many messages do not delay other requests. */
const MAX_UNLIMITED_MESSAGES = 200;

interface ExtentRequest {
  anchor?: string | number | undefined;
  num_before: number;
  num_after: number;
  narrow: v.InferOutput<typeof narrowParam>;
}

/**
 * How many rows the search for a window of messages may read. In a single conversation without other terms, the index
 * leads to every message. Other terms may test all messages before one matches. The anchor `first_unread` may test all
 * read messages.
 */
export function windowExtent({ anchor, num_before, num_after, narrow }: ExtentRequest): ReadExtent | undefined {
  const terms = termsOf(narrow);
  const few = num_before + num_after <= MAX_UNLIMITED_MESSAGES ? undefined : 'large';
  if (!terms) return undefined;
  if (terms.some(({ test, negated }) => test === 'id' && !negated)) return few;
  const atFirstUnread = anchor === 'first_unread';
  const place = placeIn(terms);
  const others = terms.filter((term) => !place.includes(term));
  if (isOneConversation(place)) {
    if (others.length === 0) return atFirstUnread ? 'large' : few;
    return others.every(isMarked) ? 'large' : 'scan';
  }
  if (others.every(isIndexed) && others.length <= 1 && !atFirstUnread) return 'large';
  return 'scan';
}

/**
 * How many rows the search for messages to mark may read. Undefined if it is fast enough to run in the same transaction
 * as marking them.
 */
export function findingExtent({ anchor, narrow }: ExtentRequest): ReadExtent | undefined {
  const extent = windowExtent({ anchor, narrow, num_before: 0, num_after: 0 });
  return extent === 'large' && isOneConversation(placeIn(termsOf(narrow) ?? [])) ? undefined : extent;
}

/** The same for testing a number of messages. */
export const matchExtent = (messages: number): ReadExtent | undefined =>
  messages <= MAX_UNLIMITED_MESSAGES ? undefined : 'large';

/** The first lookups of a message query, sent ahead. */
export function narrowAhead(
  tx: Transaction,
  narrow: v.InferOutput<typeof narrowParam>,
  readerId: number,
): readonly Promise<unknown>[] {
  const terms = termsOf(narrow);
  if (!terms) return [];
  const sought = terms.filter((term) => term.test === 'words');
  return [
    channelsNamed(tx, terms),
    ...(placeIn(terms).length === 0 ? [tx.subscriptions.formerOf(readerId)] : []),
    ...(sought.length > 0 ? [tx.messages.lookUp(sought)] : []),
  ];
}

/** Undefined for an invalid narrow, which will fail later. */
function termsOf(narrow: ExtentRequest['narrow']): NarrowTerm[] | undefined {
  try {
    return readNarrow(narrow);
  } catch {
    return undefined;
  }
}

/** The terms that name the place: channel, topic or conversation. */
function placeIn(terms: readonly NarrowTerm[]): NarrowTerm[] {
  const wanted = (test: NarrowTerm['test']) => terms.filter((term) => term.test === test && !term.negated).slice(0, 1);
  const message = wanted('with');
  if (message.length > 0) return [...message, ...wanted('channel'), ...wanted('topic'), ...wanted('direct with')];
  const channel = wanted('channel');
  return channel.length > 0 ? [...channel, ...wanted('topic')] : wanted('direct with');
}

function isOneConversation(place: readonly NarrowTerm[]): boolean {
  return place.length > 1 || (place[0] !== undefined && place[0].test !== 'channel');
}

/** Flags that a user has on few messages of a conversation. */
const isMarked = (term: NarrowTerm) => !term.negated && (term.test === 'unread' || term.test === 'flagged');

/** Terms that an index finds in all places. */
const isIndexed = (term: NarrowTerm) =>
  !term.negated && (term.test === 'flagged' || term.test === 'direct' || term.test === 'words');

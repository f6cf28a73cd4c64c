import type * as v from 'valibot';
import { type NarrowTerm, readNarrow } from '../../rules/narrow.ts';
import type { ReadExtent, Transaction } from '../../storage/interface/storage.ts';
import type { narrowParam } from './narrow.ts';
import { channelsNamed } from './narrow-operands.ts';

/** So many messages are shown at once without anybody noticing. */
const FEW = 200;

interface Asked {
  anchor?: string | number | undefined;
  num_before: number;
  num_after: number;
  narrow: v.InferOutput<typeof narrowParam>;
}

/**
 * How far looking for a window of messages may go. In one conversation without further terms the index leads to
 * every message of it. Where terms leave messages out, all others may be asked before one fits; so is whatever is
 * read already, when reading begins at the first unread message.
 */
export function windowExtent({ anchor, num_before, num_after, narrow }: Asked): ReadExtent | undefined {
  const terms = termsOf(narrow);
  const few = num_before + num_after <= FEW ? undefined : 'large';
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
 * How far finding the messages to be marked may go; nothing where it is over as soon as the messages are found, so
 * that it may be done together with marking them.
 */
export function findingExtent({ anchor, narrow }: Asked): ReadExtent | undefined {
  const extent = windowExtent({ anchor, narrow, num_before: 0, num_after: 0 });
  return extent === 'large' && isOneConversation(placeIn(termsOf(narrow) ?? [])) ? undefined : extent;
}

/** Likewise of asking which of some messages fit. */
export const matchExtent = (messages: number): ReadExtent | undefined => (messages <= FEW ? undefined : 'large');

/** What a query for messages asks first. */
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

/** Nothing for what will be refused. */
function termsOf(narrow: Asked['narrow']): NarrowTerm[] | undefined {
  try {
    return readNarrow(narrow);
  } catch {
    return undefined;
  }
}

/** The terms that say where to look. */
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

/** What somebody has of their own on few messages of a conversation. */
const isMarked = (term: NarrowTerm) => !term.negated && (term.test === 'unread' || term.test === 'flagged');

/** What is found by an index wherever it is. */
const isIndexed = (term: NarrowTerm) =>
  !term.negated && (term.test === 'flagged' || term.test === 'direct' || term.test === 'words');

import * as v from 'valibot';
import { BadRequest } from '../../base/errors.ts';
import {
  choice,
  describe,
  either,
  flag,
  integer,
  list,
  text,
  trueByDefault,
  type ValuesOf,
} from '../../base/schemas.ts';
import { type GivenTerm, type NarrowTerm, readNarrow } from '../../rules/narrow.ts';
import type { Search } from '../../rules/search.ts';
import type { MessageQuery, MessageTerm } from '../../storage/interface/messages.ts';
import type { ReadExtent } from '../../storage/interface/storage.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { queryOf } from './narrow.ts';

const operand = either(
  [text(), integer, list(integer, 1_000), list(text(), 1_000), flag],
  'must be a string, a number or a list',
);

/** `{ operator, operand, negated? }`, or the older `[operator, operand]`. */
export const narrowTerm = either(
  [v.object({ operator: text(100), operand, negated: v.optional(flag) }), v.strictTuple([text(100), operand])],
  'must be an object with operator and operand, or a pair of them',
);

/** Filters of messages. All must match. */
export const narrowParam = list(narrowTerm, 100);

export const MAX_MESSAGES = 5_000;
/** Anchor after all messages. Also the result for `first_unread` if there are no unread messages. */
const AFTER_EVERYTHING = 10_000_000_000_000_000;

const count = v.pipe(integer, v.minValue(0, 'must not be negative'));

/** Not only safe integers: some clients write "after everything" as 10^16. */
const messageAnchor = v.pipe(v.number('must be an integer'), v.integer('must be an integer'));

export const windowParams = {
  anchor: describe(
    either(
      [choice(['newest', 'oldest', 'first_unread']), messageAnchor],
      'must be a message ID, newest, oldest or first_unread',
    ),
    'Message ID, `newest`, `oldest` or `first_unread`.',
  ),
  include_anchor: trueByDefault('Include the message at the anchor.'),
  num_before: describe(count, 'Number of messages before the anchor.'),
  num_after: describe(
    count,
    `Number of messages after the anchor. Both numbers together can be at most ${MAX_MESSAGES}.`,
  ),
  narrow: describe(
    v.nullable(narrowParam),
    'Terms that must all match: objects, or pairs like `["channel", "general"]`.',
  ),
};

export interface MessageWindow {
  ids: number[];
  /** Total size of the messages, if requested and known without another statement. */
  bytes?: number | undefined;
  /** The conversation of the messages, if they include all unread messages between first and last. */
  rangeOf?: number | undefined;
  anchor: number;
  found_newest: boolean;
  found_oldest: boolean;
  found_anchor: boolean;
  /** Undefined without a search. */
  search: Search | undefined;
  /** The messages are of a channel that the caller has left: its name then. null: unknown. */
  leftName?: string | null | undefined;
}

interface WindowRequest extends ValuesOf<typeof windowParams> {
  isMeasured?: boolean;
  /** Also finds what the caller received in a hidden channel that they have left. */
  mayHaveLeft?: boolean;
}

export async function messageWindow(context: AccountContext, request: WindowRequest): Promise<MessageWindow> {
  const { tx } = context;
  const { num_before, num_after, include_anchor, anchor: wanted } = request;
  if (num_before + num_after > MAX_MESSAGES)
    throw new BadRequest(`num_before and num_after can be at most ${MAX_MESSAGES} in total.`);
  const { mayHaveLeft } = request;
  const { query, search, namesChannel, leftName } = await queryOf(context, request.narrow, { mayHaveLeft });
  if (!query) {
    const anchor = typeof wanted === 'number' ? wanted : AFTER_EVERYTHING;
    return { ids: [], anchor, found_newest: true, found_oldest: true, found_anchor: false, search };
  }
  const anchor = await anchorId(context, query, { wanted, namesChannel });
  const fetch = async (from: number, direction: 'before' | 'after', limit: number) =>
    request.isMeasured
      ? tx.messages.fetchMeasured(query, from, direction, limit)
      : { ids: await tx.messages.fetchIds(query, from, direction, limit), bytes: undefined };
  // Fetches one more message, to find out in the same statement whether the anchor exists.
  const [{ ids: before, bytes }, { ids: from, bytes: more }] = await Promise.all([
    fetch(anchor, 'before', num_before),
    fetch(anchor - 1, 'after', isAfterEverything(wanted, anchor) ? 0 : num_after + 1),
  ]);
  const found_anchor = from[0] === anchor;
  const after = found_anchor ? from.slice(include_anchor ? 0 : 1) : from.slice(0, num_after);
  return {
    ids: [...before, ...after],
    bytes: bytes === undefined || more === undefined ? undefined : bytes + more,
    rangeOf: found_anchor && !include_anchor && before.length > 0 ? undefined : onlyConversation(query),
    anchor,
    ...endsIn({ before, from, anchor }, request),
    found_anchor,
    search,
    leftName,
  };
}

type Anchor = WindowRequest['anchor'];

const isAfterEverything = (wanted: Anchor, id: number) => wanted === 'newest' || id >= AFTER_EVERYTHING;

/** Whether the window reaches the newest and the oldest message of the narrow. */
function endsIn(
  { before, from, anchor }: { before: readonly number[]; from: readonly number[]; anchor: number },
  { anchor: wanted, num_before, num_after }: WindowRequest,
) {
  const after = from.filter((id) => id !== anchor);
  return {
    found_newest: isAfterEverything(wanted, anchor) || (num_after > 0 && after.length < num_after),
    found_oldest: wanted === 'oldest' || anchor <= 0 || (num_before > 0 && before.length < num_before),
  };
}

/** The conversation, if the query selects all messages or all unread messages of a single conversation. */
function onlyConversation({ viewer: _, conversations, terms = [], ...more }: MessageQuery): number | undefined {
  const isAll = Object.keys(more).length === 0 && terms.every((term) => term.test === 'unread' && !term.negated);
  return isAll && conversations?.length === 1 ? conversations[0] : undefined;
}

async function anchorId(
  { tx }: AccountContext,
  query: MessageQuery,
  { wanted, namesChannel }: { wanted: Anchor; namesChannel: boolean },
): Promise<number> {
  if (typeof wanted === 'number') return Math.min(Math.max(wanted, 0), AFTER_EVERYTHING);
  if (wanted === 'newest') return AFTER_EVERYTHING;
  if (wanted === 'oldest') return 0;
  // Skips muted topics. Skips muted channels unless the narrow names the channel.
  const muted: MessageTerm = { test: 'muted', topicsOnly: namesChannel, negated: true };
  const terms: MessageTerm[] = [{ test: 'unread' }, muted, ...(query.terms ?? [])];
  const [first] = await tx.messages.fetchIds({ ...query, terms }, 0, 'after', 1);
  return first ?? AFTER_EVERYTHING;
}

/** This many messages do not delay other requests. */
const MAX_UNLIMITED_MESSAGES = 200;

type ExtentRequest = Pick<WindowRequest, 'num_before' | 'num_after' | 'narrow'> &
  Partial<Pick<WindowRequest, 'anchor'>>;

/**
 * How many rows the search for a window of messages may read. In a single conversation without other terms, the index
 * leads to every message. Other terms may test all messages before one matches. The anchor `first_unread` may test all
 * read messages.
 */
export function windowExtent({ anchor, num_before, num_after, narrow }: ExtentRequest): ReadExtent | undefined {
  const terms = termsOf(narrow);
  const few = num_before + num_after <= MAX_UNLIMITED_MESSAGES ? undefined : 'large';
  if (terms.some(({ test, negated }) => test === 'id' && !negated)) return few;
  const place = placeIn(terms);
  const others = terms.filter((term) => !place.includes(term));
  const isAtId = anchor !== 'first_unread';
  if (isOneConversation(place)) {
    if (others.length === 0 && isAtId) return few;
    return others.every(isMarked) ? 'large' : 'scan';
  }
  return others.every(isIndexed) && others.length <= 1 && isAtId ? 'large' : 'scan';
}

/** Undefined if the messages can be found in the transaction that marks them. */
export function findingExtent({ anchor, narrow }: ExtentRequest): ReadExtent | undefined {
  const extent = windowExtent({ anchor, narrow, num_before: 0, num_after: 0 });
  return extent === 'large' && isOneConversation(placeIn(termsOf(narrow))) ? undefined : extent;
}

/** The same for testing a number of messages. */
export const matchExtent = (messages: number): ReadExtent | undefined =>
  messages <= MAX_UNLIMITED_MESSAGES ? undefined : 'large';

/** None for an invalid narrow, which will fail later. */
function termsOf(narrow: readonly GivenTerm[] | null): NarrowTerm[] {
  try {
    return readNarrow(narrow ?? []);
  } catch {
    return [];
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

import * as v from 'valibot';
import { BadNarrow, BadRequest } from '../../errors.ts';
import { type AccountContext, defineOperation } from '../../operation.ts';
import { choice, describe, either, flag, ids, integer } from '../../params.ts';
import type { Feed, User } from '../../storage/storage.ts';
import { readableMessages } from '../../steps/message-access.ts';
import { feedOf, narrowParam } from '../../steps/narrow.ts';
import { showMessages } from '../../steps/show-messages.ts';
import { messageObject } from '../../views/message.ts';
import { messageViewParams } from './get.ts';

/** Messages one answer holds at most. */
const MAX_MESSAGES = 5_000;
/** The anchor that means "after everything"; also what an empty list answers for first_unread. */
const AFTER_EVERYTHING = 10_000_000_000_000_000;

/** Not only safe integers: some clients write "after everything" as 10^16. */
const messageAnchor = v.pipe(v.number('must be an integer'), v.integer('must be an integer'));

const count = v.pipe(integer, v.minValue(0, 'must not be negative'));

export const listMessages = defineOperation({
  name: 'messages.list',
  http: 'GET /messages',
  summary: 'List messages around an anchor, narrowed as you like',
  description:
    'Narrow by channel, topic, dm, sender, id, is (dm, starred, mentioned, unread, read) and search; without a narrow, everything you received.',
  source: 'reference 7.8',
  access: 'user',
  effect: 'read',
  params: v.object({
    anchor: v.optional(
      describe(
        either([choice(['newest', 'oldest', 'first_unread']), messageAnchor], 'must be a message ID, newest, oldest or first_unread'),
        'Message ID, or newest, oldest, first_unread.',
      ),
    ),
    use_first_unread_anchor: v.optional(describe(flag, 'Legacy form of anchor=first_unread.'), false),
    include_anchor: v.optional(describe(flag, 'Whether the anchor itself belongs to the answer.'), true),
    num_before: v.optional(describe(count, 'Messages before the anchor.'), 0),
    num_after: v.optional(describe(count, `Messages after the anchor; both together at most ${MAX_MESSAGES}.`), 0),
    narrow: v.optional(describe(narrowParam, 'List of { operator, operand }.'), []),
    message_ids: v.optional(describe(ids, 'Just these messages; anchor and narrow do not apply.')),
    ...messageViewParams,
  }),
  result: v.object({
    messages: v.array(messageObject),
    anchor: v.optional(v.number()),
    found_newest: v.optional(v.boolean()),
    found_oldest: v.optional(v.boolean()),
    found_anchor: v.optional(v.boolean()),
    history_limited: v.boolean(),
  }),
  errors: [BadRequest, BadNarrow],
  async run(context, given) {
    const { tx, actor } = context;
    const { num_before, num_after, include_anchor, message_ids } = given;
    if (num_before + num_after > MAX_MESSAGES) throw new BadRequest(`At most ${MAX_MESSAGES} messages can be listed at once.`);
    if (message_ids) {
      if (message_ids.length > MAX_MESSAGES) throw new BadRequest(`At most ${MAX_MESSAGES} messages can be listed at once.`);
      const messages = await readableMessages(context, actor, await tx.messages.byIds(message_ids));
      return { messages: await showMessages(context, actor, messages, given), history_limited: false };
    }
    const wanted = given.use_first_unread_anchor ? 'first_unread' : given.anchor;
    if (wanted === undefined) throw new BadRequest('Give an anchor: a message ID, newest, oldest or first_unread.');
    const feed = await feedOf(context, actor, given.narrow);
    if (!feed) {
      const anchor = typeof wanted === 'number' ? wanted : AFTER_EVERYTHING;
      return { messages: [], anchor, found_newest: true, found_oldest: true, found_anchor: false, history_limited: false };
    }
    const anchor = await anchorId(context, actor, feed, wanted);
    const before = num_before > 0 ? await tx.messages.walk(feed, anchor, 'before', num_before) : [];
    // One more than asked for tells whether the anchor itself is there, in the same statement.
    const from = await tx.messages.walk(feed, anchor - 1, 'after', num_after + 1);
    const found_anchor = from[0] === anchor;
    const after = found_anchor ? from.slice(include_anchor ? 0 : 1) : from.slice(0, num_after);
    const found = [...before, ...after];
    const isEnd = wanted === 'newest' || anchor >= AFTER_EVERYTHING;
    return {
      messages: await showMessages(context, actor, await tx.messages.byIds(found), given),
      anchor,
      found_newest: isEnd || (num_after > 0 && from.filter((one) => one !== anchor).length < num_after),
      found_oldest: wanted === 'oldest' || anchor <= 0 || (num_before > 0 && before.length < num_before),
      found_anchor,
      history_limited: false,
    };
  },
});

async function anchorId(
  { tx }: AccountContext,
  actor: User,
  feed: Feed,
  wanted: 'newest' | 'oldest' | 'first_unread' | number,
): Promise<number> {
  if (typeof wanted === 'number') return Math.min(Math.max(wanted, 0), AFTER_EVERYTHING);
  if (wanted === 'newest') return AFTER_EVERYTHING;
  if (wanted === 'oldest') return 0;
  const unread = { ...feed, viewer: actor.id, flags: { ...feed.flags, unread: true } };
  const [first] = await tx.messages.walk(unread, 0, 'after', 1);
  return first ?? AFTER_EVERYTHING;
}


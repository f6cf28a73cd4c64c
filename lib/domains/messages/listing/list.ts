import * as v from 'valibot';
import { BadNarrow, BadRequest } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { flag, forPrograms, id, list, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { type MessageObject, messageObject, messageViewParams } from '../message-view.ts';
import { MAX_MESSAGES, matchExtent, messageWindow, windowExtent, windowParams } from '../message-window.ts';
import { searchHits, showMessages } from './show-messages.ts';

const MAX_BYTES = 10_000_000;
/** Up to this number, sizes are not checked, because the limit per message is enough. */
const MAX_UNMEASURED_MESSAGES = 50;

export const listMessages = defineOperation({
  name: 'messages.list',
  http: 'GET /messages',
  summary: 'List messages around an anchor, filtered by a narrow',
  description:
    'Operators of a narrow: channel, channels, topic, dm, dm-including, sender, is, has, id, with, near and search. Each operator can be negated. Without a narrow, all messages you received are listed. A search finds all forms of a word in content and topic, and words that begin with it. Phrases in quotation marks match literally. Matches are highlighted in match_content and match_subject. You may narrow to a channel that you have left and cannot read. It has the messages that you received, unless they have changed since. A response contains at most about 10 MB of text. If there is more, it contains the messages nearest to the anchor, and found_oldest or found_newest is false.',
  example: { anchor: 'newest', num_before: 20, num_after: 0, narrow: [['channel', 'general']] },
  access: 'user',
  forRooms: true,
  params: {
    anchor: v.optional(windowParams.anchor),
    use_first_unread_anchor: optional(forPrograms(flag), 'Legacy form of anchor=first_unread.', false),
    include_anchor: windowParams.include_anchor,
    num_before: v.optional(windowParams.num_before, 0),
    num_after: v.optional(windowParams.num_after, 0),
    narrow: v.optional(windowParams.narrow, []),
    message_ids: optional(
      v.nullable(list(id, MAX_MESSAGES)),
      'List exactly these messages. Ignores anchor and narrow.',
    ),
    ...messageViewParams,
  },
  result: v.object({
    messages: v.array(messageObject),
    anchor: v.optional(v.number()),
    found_newest: v.optional(v.boolean()),
    found_oldest: v.optional(v.boolean()),
    found_anchor: v.optional(v.boolean()),
    history_limited: v.boolean(),
  }),
  errors: [BadNarrow],
  extent: ({ message_ids, use_first_unread_anchor, ...window }) =>
    message_ids
      ? matchExtent(message_ids.length)
      : windowExtent(use_first_unread_anchor ? { ...window, anchor: 'first_unread' } : window),
  async run(context, given) {
    const { tx } = context;
    const { message_ids } = given;
    if (message_ids) {
      const part = await largestPart(context, message_ids, 0);
      if (part.length < new Set(message_ids).size)
        throw new BadRequest(`These messages have more than ${MAX_BYTES} bytes in total. Request fewer messages.`);
      const readable = await context.viewer.readableMessages(await tx.messages.byIds(message_ids));
      const ids = readable.map(({ id }) => id);
      return { messages: await showMessages(context, ids, given), history_limited: false };
    }
    const anchor = given.use_first_unread_anchor ? 'first_unread' : given.anchor;
    if (anchor === undefined) throw new BadRequest('Set anchor to a message ID, newest, oldest or first_unread.');
    const isMeasured = given.num_before + given.num_after > MAX_UNMEASURED_MESSAGES;
    const request = { ...given, anchor, isMeasured, mayHaveLeft: true };
    const { ids: found, bytes, search, rangeOf: _, leftName, ...edges } = await messageWindow(context, request);
    const part = bytes !== undefined && bytes <= MAX_BYTES ? found : await largestPart(context, found, edges.anchor);
    if (part[0] !== found[0]) edges.found_oldest = false;
    if (part.at(-1) !== found.at(-1)) edges.found_newest = false;
    const hits = search && searchHits(search);
    const messages = await showMessages(context, part, { ...given, hits });
    const shown = leftName === undefined ? messages : messages.map((message) => asLeft(message, leftName));
    return { messages: shown, ...edges, history_limited: false };
  },
});

/** A message of a channel that the reader has left, without what may be newer: the channel's name, reactions, votes. */
function asLeft(message: MessageObject, name: string | null): MessageObject {
  const shown = { ...message, reactions: [], submessages: [] };
  return shown.type === 'stream' ? { ...shown, display_recipient: name ?? 'channel that you left' } : shown;
}

async function largestPart({ tx }: AccountContext, given: readonly number[], anchor: number) {
  if (given.length <= MAX_UNMEASURED_MESSAGES) return given;
  const ids = [...new Set(given)].sort((a, b) => a - b);
  const sizes = await tx.messages.sizes(ids);
  const sizeAt = (at: number) => sizes.get(present(ids[at])) ?? 0;
  const found = ids.findIndex((id) => id >= anchor);
  const middle = found === -1 ? ids.length : found;
  let start = middle;
  let end = middle;
  for (let room = MAX_BYTES; start > 0 || end < ids.length; ) {
    const isNewer = end < ids.length && (start === 0 || end - middle <= middle - start);
    room -= sizeAt(isNewer ? end : start - 1);
    if (room < 0 && end > start) break;
    if (isNewer) end += 1;
    else start -= 1;
  }
  return ids.slice(start, end);
}

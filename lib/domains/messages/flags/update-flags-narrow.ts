import * as v from 'valibot';
import { BadNarrow, BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, text } from '../../../kernel/schemas.ts';
import { anchorParam, countParams, includeAnchorParam, messageWindow, narrowsParam } from '../message-window.ts';
import { changeableFlag, changeFlags } from './change-flags.ts';

export const updateMessageFlagsNarrow = defineOperation({
  name: 'messages.updateFlagsNarrow',
  http: 'POST /messages/flags/narrow',
  summary: 'Mark messages of a narrow as read, unread, starred or collapsed',
  description: 'Works through a window around an anchor; go on from last_processed_id until found_newest.',
  example: {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [['channel', 'general']],
    op: 'add',
    flag: 'read',
  },
  access: 'user',
  effect: 'mark',
  params: v.object({
    anchor: anchorParam,
    include_anchor: includeAnchorParam,
    num_before: countParams.before,
    num_after: countParams.after,
    narrow: narrowsParam,
    op: choice(['add', 'remove']),
    flag: describe(text(60), 'read, starred or collapsed.'),
  }),
  result: v.object({
    processed_count: describe(v.number(), 'Messages in the window.'),
    updated_count: describe(v.number(), 'Messages on which the flag has changed.'),
    first_processed_id: v.nullable(v.number()),
    last_processed_id: v.nullable(v.number()),
    found_oldest: v.boolean(),
    found_newest: v.boolean(),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  errors: [BadRequest, BadNarrow],
  async run(context, { op, flag, ...window }) {
    const changeable = changeableFlag(flag);
    const { ids, rangeOf, found_oldest, found_newest } = await messageWindow(context, window);
    const chosen = { ids, rangeOf, messages: () => context.tx.messages.byIds(ids) };
    const { changed, ignored_because_not_subscribed_channels } = await changeFlags(context, chosen, op, changeable);
    return {
      processed_count: ids.length,
      updated_count: changed.length,
      first_processed_id: ids[0] ?? null,
      last_processed_id: ids.at(-1) ?? null,
      found_oldest,
      found_newest,
      ignored_because_not_subscribed_channels,
    };
  },
});

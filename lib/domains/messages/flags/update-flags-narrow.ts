import * as v from 'valibot';
import { BadNarrow } from '../../../base/errors.ts';
import { chunked } from '../../../base/lists.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { findingExtent, type MessageWindow, messageWindow, windowParams } from '../message-window.ts';
import { queryOf } from '../narrow.ts';
import { changeFlags, flagChangeParams } from './message-flags.ts';

/** Messages changed per transaction, if an earlier transaction found them. Other writers get their turn in between. */
const MESSAGES_PER_TRANSACTION = 1_000;

export const updateMessageFlagsNarrow = defineOperation({
  name: 'messages.updateFlagsNarrow',
  http: 'POST /messages/flags/narrow',
  summary: 'Mark messages in a narrow as read, unread, starred or collapsed',
  description:
    'Changes messages in a window around an anchor. To change all newer messages, repeat the call with `last_processed_id` as the anchor until `found_newest` is true.',
  example: {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [['channel', 'general']],
    op: 'add',
    flag: 'read',
  },
  access: 'user',
  forRooms: true,
  effect: 'manual',
  params: { ...windowParams, ...flagChangeParams },
  result: v.object({
    processed_count: describe(v.number(), 'Number of messages in the window.'),
    updated_count: describe(v.number(), 'Number of messages whose flag changed.'),
    first_processed_id: v.nullable(v.number()),
    last_processed_id: v.nullable(v.number()),
    found_oldest: v.boolean(),
    found_newest: v.boolean(),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  errors: [BadNarrow],
  extent: findingExtent,
  async run({ transact, isDryRun }, { op, flag, ...window }) {
    if (findingExtent(window) === undefined) {
      return transact('mark', async (context) => {
        const found = await messageWindow(context, window);
        return resultOf(found, [await changeFlags(context, found, { op, flag })]);
      });
    }
    const found = await transact('read', (context) => messageWindow(context, window));
    const done: FlagChanges[] = [];
    for (const some of chunked(found.ids, isDryRun ? found.ids.length : MESSAGES_PER_TRANSACTION)) {
      const change = async (context: AccountContext) => {
        const ids = await stillFound(context, window.narrow, some);
        return changeFlags(context, { ids }, { op, flag });
      };
      done.push(await transact('mark', change));
    }
    return resultOf(found, done);
  },
});

async function stillFound(context: AccountContext, narrow: Parameters<typeof queryOf>[1], ids: readonly number[]) {
  const { query } = await queryOf(context, narrow);
  if (!query) return [];
  const terms = [{ test: 'ids' as const, ids }, ...(query.terms ?? [])];
  return context.tx.messages.fetchIds({ ...query, terms }, -1, 'after', ids.length);
}

type FlagChanges = Awaited<ReturnType<typeof changeFlags>>;

function resultOf({ ids, found_oldest, found_newest }: MessageWindow, done: readonly FlagChanges[]) {
  const ignored = new Set(done.flatMap((part) => part.ignored_because_not_subscribed_channels));
  return {
    processed_count: ids.length,
    updated_count: done.reduce((sum, { changed }) => sum + changed.length, 0),
    first_processed_id: ids[0] ?? null,
    last_processed_id: ids.at(-1) ?? null,
    found_oldest,
    found_newest,
    ignored_because_not_subscribed_channels: [...ignored],
  };
}

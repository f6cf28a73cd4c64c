import * as v from 'valibot';
import { BadRequest, StreamDoesNotExist } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';
import { MAX_PAIRS } from '../subscribing.ts';
import { beginLeaving, finishLeaving, leavingParams } from './leaving.ts';

export const removeSubscriptions = defineOperation({
  name: 'subscriptions.remove',
  http: 'DELETE /users/me/subscriptions',
  summary: 'Unsubscribe yourself or others from channels',
  description: `Others may be removed by administrators, by the owner of a bot, and by those the channel lets remove subscribers. Channels times users can be ${MAX_PAIRS} in one request; many are removed in parts, each with events of its own.`,
  example: { subscriptions: ['general'] },
  access: 'user',
  effect: 'manual',
  startsInTransaction: true,
  params: leavingParams,
  result: v.object({
    removed: describe(v.array(v.string()), 'Channels unsubscribed from, once for each user.'),
    not_removed: describe(v.array(v.string()), 'Channels that were not subscribed to.'),
  }),
  errors: [BadRequest, StreamDoesNotExist],
  async run(context, given) {
    const begun = await context.transact('write', (tx) => beginLeaving(tx, given, context.isTrial));
    return finishLeaving(context, begun);
  },
});

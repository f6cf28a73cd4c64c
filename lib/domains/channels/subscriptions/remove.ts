import * as v from 'valibot';
import { FieldLocked, StreamDoesNotExist } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_PAIRS } from '../subscribing.ts';
import { leave, leavingParams } from './leaving.ts';

export const removeSubscriptions = defineOperation({
  name: 'subscriptions.remove',
  http: 'DELETE /users/me/subscriptions',
  summary: 'Unsubscribe yourself or others from channels',
  description: `You can always unsubscribe yourself and your bots. To unsubscribe other users, you need permission in every channel. At most ${MAX_PAIRS} channel-user pairs per request. Large requests are done in parts, each with its own events.`,
  example: { subscriptions: ['general'] },
  access: 'user',
  effect: 'manual',
  params: leavingParams,
  result: v.object({
    removed: describe(v.array(v.string()), 'Channel names, once per user who was unsubscribed.'),
    not_removed: describe(v.array(v.string()), 'Channel names, once per user who was not subscribed.'),
  }),
  errors: [FieldLocked, StreamDoesNotExist],
  run: (context, given) => leave(context, given),
});

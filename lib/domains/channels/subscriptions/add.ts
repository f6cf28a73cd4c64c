import * as v from 'valibot';
import { FieldLocked, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_PAIRS } from '../subscribing.ts';
import { join, joiningParams } from './joining.ts';

export const addSubscriptions = defineOperation({
  name: 'subscriptions.add',
  http: 'POST /users/me/subscriptions',
  summary: 'Subscribe yourself or others to channels',
  description: `Creates channels that do not exist. At most ${MAX_PAIRS} channel-user pairs per request. The creator of a private channel can subscribe others without being a subscriber. Administrators can subscribe former subscribers to a private channel without subscribers, or anyone if no former subscriber has an active account.`,
  example: { subscriptions: [{ name: 'general' }] },
  access: 'member',
  effect: 'manual',
  params: joiningParams.entries,
  result: v.object({
    subscribed: describe(v.record(v.string(), v.array(v.string())), 'Channel names by user ID.'),
    already_subscribed: v.record(v.string(), v.array(v.string())),
    unauthorized: v.optional(v.array(v.string())),
    new_subscription_messages_sent: v.optional(v.boolean()),
  }),
  errors: [FieldLocked, UnauthorizedPrincipal],
  async run(context, given) {
    const { subscribed, already_subscribed, unauthorized, isSent } = await join(context, given);
    return {
      subscribed,
      already_subscribed,
      ...(given.authorization_errors_fatal ? {} : { unauthorized }),
      new_subscription_messages_sent: isSent,
    };
  },
});

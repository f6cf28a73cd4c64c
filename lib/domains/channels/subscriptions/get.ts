import * as v from 'valibot';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';

export const getSubscription = defineOperation({
  name: 'subscriptions.get',
  http: 'GET /users/{user_id}/subscriptions/{stream_id}',
  summary: 'Check whether a user is subscribed to a channel',
  description: 'Works for users and channels that are visible to you.',
  example: { user_id: 9, stream_id: 3 },
  access: 'user',
  params: { user_id: id, stream_id: id },
  result: v.object({ is_subscribed: v.boolean() }),
  async run(context, { user_id, stream_id }) {
    await context.viewer.activeAccounts([user_id]);
    const { channel } = await context.viewer.channel(stream_id);
    const subscription = await context.tx.subscriptions.get(user_id, channel.id);
    return { is_subscribed: subscription?.active ?? false };
  },
});

import * as v from 'valibot';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';

export const listSubscribers = defineOperation({
  name: 'channels.subscribers',
  http: 'GET /streams/{stream_id}/members',
  summary: 'List the subscribers of a channel',
  description: 'Returns the IDs of active accounts in ascending order.',
  example: { stream_id: 3 },
  access: 'user',
  params: { stream_id: id },
  result: v.object({ subscribers: v.array(v.number()) }),
  extent: () => 'large',
  async run(context, { stream_id }) {
    const { channel } = await context.viewer.channel(stream_id, { archived: true });
    const subscribers = await context.tx.subscriptions.subscriberIds([channel.id]);
    return { subscribers: subscribers.get(channel.id) ?? [] };
  },
});

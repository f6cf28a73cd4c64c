import * as v from 'valibot';
import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkPosting } from '../../messages/posting/destinations.ts';

export const getChannelEmailAddress = defineOperation({
  name: 'channels.getEmailAddress',
  http: 'GET /streams/{stream_id}/email_address',
  summary: 'Get the e-mail address of a channel',
  description: 'This server does not receive e-mail, so the address is empty. Needs the permission to post there.',
  example: { stream_id: 3 },
  access: 'user',
  params: { stream_id: id },
  result: v.object({ email: describe(v.string(), 'Empty: the channel has no address.') }),
  async run(context, { stream_id }) {
    const { channel, isSubscribed } = await context.viewer.channel(stream_id);
    await checkPosting(context, context.actor, { channel, isSubscribed });
    return { email: '' };
  },
});

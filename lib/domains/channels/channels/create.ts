import * as v from 'valibot';
import { accessUsers } from '../../../access/users.ts';
import { BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, ids, text } from '../../../kernel/schemas.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { createChannel, introduceChannel } from '../channel-creation.ts';
import { checkChannelLimits } from '../channel-limits.ts';
import { channelSettingParams } from '../channel-settings.ts';
import { subscribe } from '../subscribing.ts';

export const createChannelOperation = defineOperation({
  name: 'channels.create',
  http: 'POST /channels/create',
  summary: 'Create a channel and subscribe users to it',
  description: 'All or nothing: an invalid subscriber means no channel. The creator is not subscribed unless listed.',
  example: { name: 'general', subscribers: [9, 10] },
  access: 'member',
  effect: 'write',
  params: v.object({
    name: describe(text(), 'At most 60 characters; unique without regard to case.'),
    description: v.optional(describe(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.'), ''),
    subscribers: describe(ids, 'Users to subscribe; may be empty.'),
    ...channelSettingParams,
    send_new_subscription_messages: v.optional(
      describe(flag, 'Accepted for clients that send it; a new channel sends none.'),
      true,
    ),
  }),
  result: v.object({ id: describe(v.number(), "The channel's ID.") }),
  errors: [BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal],
  async run(context, { subscribers, announce, send_new_subscription_messages: _, ...given }) {
    const channel = await createChannel(context, { announce, ...given });
    await checkChannelLimits(context);
    await subscribe(context, [channel], await accessUsers(context, context.actor, subscribers));
    await introduceChannel(context, channel, announce);
    return { id: channel.id };
  },
});

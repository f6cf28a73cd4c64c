import * as v from 'valibot';
import { accessUsers } from '../../../access/users.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, ids, text } from '../../../kernel/schemas.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import { introduceLater, openChannels, planChannels } from '../channel-creation.ts';
import { channelName, channelSettingParams } from '../channel-settings.ts';
import { subscribe } from '../subscribing.ts';
import { partAsOfNow, partsOf, stoppedAfter } from '../subscribing-parts.ts';

export const createChannelOperation = defineOperation({
  name: 'channels.create',
  http: 'POST /channels/create',
  summary: 'Create a channel and subscribe users to it',
  description:
    'If a subscriber is invalid, no channel is created. You are only subscribed if you list yourself. More than 2,500 subscribers are added in several transactions. The first message is posted in the last transaction, so that all subscribers can read it.',
  example: { name: 'general', subscribers: [9, 10] },
  access: 'member',
  effect: 'manual',
  params: v.object({
    name: describe(text(), 'At most 60 characters. Unique, ignoring case.'),
    description: v.optional(describe(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.'), ''),
    subscribers: describe(ids, 'Users to subscribe. Can be empty.'),
    ...channelSettingParams,
    send_new_subscription_messages: v.optional(describe(flag, 'Accepted for compatibility and ignored.'), true),
  }),
  result: v.object({ id: describe(v.number(), 'ID of the channel.') }),
  errors: [BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal],
  async run({ transact, isTrial }, { name: given, description, subscribers, announce, ...settings }) {
    const { channel, people, others } = await transact('write', async (context) => {
      const name = channelName(given);
      const [taken] = await context.tx.channels.byNames([name]);
      if (taken) throw new ChannelAlreadyExists(name);
      const planned = await planChannels(context, { announce, ...settings }, [{ name, description }]);
      const users = await accessUsers(context, context.actor, subscribers);
      const letIn = async (context: AccountContext, channels: readonly Channel[]) => {
        const [first, ...others] = isTrial ? [{ channels, users, isLast: true }] : partsOf(channels, users);
        await subscribe(context, channels, first?.users ?? []);
        return others;
      };
      const { channels, result: others } = await openChannels(
        context,
        planned,
        announce,
        letIn,
        (others) => others.length === 0,
      );
      const [channel] = channels;
      if (!channel) throw new ChannelAlreadyExists(name);
      return { channel, people: users.length, others };
    });
    let left = others.reduce((sum, part) => sum + part.users.length, 0);
    for (const part of others) {
      const come = transact('write', async (context) => {
        const { channels, users } = await partAsOfNow(context, part);
        await subscribe(context, channels, users);
        if (part.isLast) await introduceLater(context, channels, announce);
      });
      const done = `The channel was created and ${people - left} users were subscribed. Subscribe the other users with subscriptions.add.`;
      await come.catch((error) => Promise.reject(stoppedAfter(error, done)));
      left -= part.users.length;
    }
    return { id: channel.id };
  },
});

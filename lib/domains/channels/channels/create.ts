import * as v from 'valibot';
import type { AccountContext } from '../../../access/context.ts';
import { accessUsers } from '../../../access/users.ts';
import { ChannelAlreadyExists, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { describe, flag, ids, optional, text, type ValuesOf } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import { inParts, type Progress } from '../../../operation/in-parts.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { introduceLater, openChannels, planChannels } from '../channel-creation.ts';
import { channelName, channelSettingParams } from '../channel-settings.ts';
import { addSubscriptions, subscribe } from '../subscribing.ts';
import { partAsOfNow, partsOf, type SubscribingPart } from '../subscribing-parts.ts';

const params = {
  name: describe(text(), 'At most 60 characters. Unique, ignoring case.'),
  description: optional(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.', ''),
  subscribers: describe(ids, 'Users to subscribe. Can be empty.'),
  ...channelSettingParams,
  send_new_subscription_messages: optional(flag, 'Accepted for compatibility and ignored.', true),
};

export const createChannelOperation = defineOperation({
  name: 'channels.create',
  http: 'POST /channels/create',
  summary: 'Create a channel and subscribe users to it',
  description:
    'If a subscriber is invalid, no channel is created. You are only subscribed if you list yourself. More than 2,500 subscribers are added in several transactions. The first message is posted in the last transaction, so that all subscribers can read it.',
  example: { name: 'general', subscribers: [9, 10] },
  access: 'member',
  effect: 'manual',
  params,
  result: v.object({ id: describe(v.number(), 'ID of the channel.') }),
  errors: [ChannelAlreadyExists, UnauthorizedPrincipal],
  async run(manual, given) {
    const doPart = (context: AccountContext, before: CreationProgress | undefined) =>
      before
        ? continueSubscribing(context, before, given.announce)
        : createWithSubscribers(context, given, manual.isTrial);
    const { channel } = await inParts(manual, 'write', doPart, { describe: subscribedSoFar });
    return { id: channel.id };
  },
});

interface CreationProgress extends Progress {
  channel: Channel;
  subscribed: number;
  left: readonly SubscribingPart[];
}

async function createWithSubscribers(
  context: AccountContext,
  { name: given, description, subscribers, announce, ...settings }: ValuesOf<typeof params>,
  isTrial: boolean,
): Promise<CreationProgress> {
  const name = channelName(given);
  const [taken] = await context.tx.channels.byNames([name]);
  if (taken) throw new ChannelAlreadyExists(name);
  const planned = await planChannels(context, { announce, ...settings }, [{ name, description }]);
  const users = await accessUsers(context, context.actor, subscribers);
  const letIn = async (channels: readonly Channel[]) => {
    const [first, ...left] = isTrial ? [{ channels, users, isLast: true }] : partsOf(channels, users);
    const { users: newcomers = [] } = first ?? {};
    const joined = await addSubscriptions(context, channels, newcomers);
    return { joined, subscribed: newcomers.length, left, isComplete: left.length === 0 };
  };
  const { channels, subscribed, left, isComplete } = await openChannels(context, planned, announce, letIn);
  const [channel] = channels;
  if (!channel) throw new ChannelAlreadyExists(name);
  return { channel, subscribed, left, isComplete };
}

async function continueSubscribing(
  context: AccountContext,
  before: CreationProgress,
  announce: boolean,
): Promise<CreationProgress> {
  const [part, ...left] = before.left as [SubscribingPart];
  const { channels, users } = await partAsOfNow(context, part);
  await subscribe(context, channels, users);
  if (part.isLast) await introduceLater(context, channels, announce);
  return { ...before, subscribed: before.subscribed + part.users.length, left, isComplete: left.length === 0 };
}

const subscribedSoFar = ({ subscribed }: CreationProgress) =>
  `The channel was created and ${subscribed} users were subscribed. Subscribe the other users with subscriptions.add.`;

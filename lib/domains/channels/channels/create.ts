import * as v from 'valibot';
import { BadRequest, ChannelAlreadyExists, FieldLocked, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { describe, flag, forPrograms, ids, nonEmptyText, optional, repeatable, text } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { planChannels } from '../channel-creation.ts';
import { channelName, channelSettingParams } from '../channel-settings.ts';
import { beginSubscribing, subscribeInParts } from '../subscriptions/joining.ts';

const TOO_MANY_AT_ONCE =
  'A call with an idempotency_key subscribes at most 2,500 users. Subscribe the others with further calls.';

export const createChannel = defineOperation({
  name: 'channels.create',
  http: 'POST /channels/create',
  summary: 'Create a channel and subscribe users to it',
  description:
    'If a subscriber is invalid, no channel is created. You are only subscribed if you list yourself. More than 2,500 subscribers are added in several transactions. The first message is posted in the last transaction, so that all subscribers can read it.',
  example: { name: 'general', subscribers: [9, 10] },
  access: 'member',
  effect: 'manual',
  params: {
    name: describe(nonEmptyText(), 'At most 60 characters. Unique, ignoring case.'),
    description: optional(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.', ''),
    subscribers: describe(ids, 'Users to subscribe. Can be empty.'),
    ...channelSettingParams,
    send_new_subscription_messages: optional(forPrograms(flag), 'Accepted for compatibility and ignored.', true),
    ...repeatable,
  },
  result: v.object({ id: describe(v.number(), 'ID of the channel.') }),
  errors: [ChannelAlreadyExists, FieldLocked, UnauthorizedPrincipal],
  async run(manual, { name: given, description, subscribers, idempotency_key, ...settings }) {
    const begin = async (context: AccountContext) => {
      const name = channelName(given);
      const [taken] = await context.tx.channels.byNames([name]);
      if (taken) throw new ChannelAlreadyExists(name);
      const planned = await planChannels(context, settings, [{ name, description }]);
      const users = await context.viewer.activeAccounts(subscribers);
      const begun = await beginSubscribing(context, { ...settings, users, colors: new Map() }, planned, manual);
      if (begun.created.length === 0) throw new ChannelAlreadyExists(name);
      return begun;
    };
    const resultOf = ({ created }: { created: readonly Channel[] }) => ({ id: present(created[0]).id });
    if (idempotency_key === undefined) return resultOf(await subscribeInParts(manual, begin));
    return manual.once('write', async (context) => {
      const begun = await begin(context);
      // A repeated call could not continue after a crash between two transactions.
      if (!begun.isComplete) throw new BadRequest(TOO_MANY_AT_ONCE);
      return resultOf(begun);
    });
  },
});

import { accessMessage } from '../../../access/messages.ts';
import { BadRequest } from '../../../base/errors.ts';
import { choice, describe, id, optional, text } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { organizationSetting, REPORT_TYPES } from '../../../rules/organization-settings.ts';
import { storedTopic } from '../../../rules/topics.ts';
import { notifyChannel, quotation, silentMention } from '../notification-bot.ts';
import { messageLink, quotationWithin } from '../reminders/reminder.ts';

const types = Object.keys(REPORT_TYPES) as (keyof typeof REPORT_TYPES)[];
const MAX_DESCRIPTION = 1_000;

export const reportMessage = defineOperation({
  name: 'messages.report',
  http: 'POST /messages/{message_id}/report',
  summary: 'Report a message to the moderators',
  description:
    'The notification bot posts your name, your reason and the message in the channel that the organization has chosen (`moderation_request_channel_id`).',
  example: { message_id: 7, report_type: 'spam' },
  access: 'user',
  effect: 'write',
  params: {
    message_id: id,
    report_type: describe(choice(types), 'Reason. `other` needs a description.'),
    description: optional(text(MAX_DESCRIPTION), `Details, at most ${MAX_DESCRIPTION} characters.`, ''),
  },
  async run(context, { message_id, report_type, description }) {
    const { tx, actor, organization } = context;
    if (report_type === 'other' && description.trim() === '') throw new BadRequest('Describe why you report it.');
    const channelId = organizationSetting(organization, 'moderation_request_channel_id');
    const channel = channelId === null ? undefined : await tx.channels.byId(channelId);
    // Private also now: an older process may have made it public.
    if (!channel?.invite_only || channel.is_archived)
      throw new BadRequest('This organization does not accept reports.');
    const message = await accessMessage(context, message_id);
    const sender = (await tx.users.byId(message.sender_id)) as User;
    const when = new Date(message.timestamp * 1000).toISOString().replace('.000Z', 'Z');
    const reason = quotation(`**${REPORT_TYPES[report_type]}**. ${description}`);
    const head = `${silentMention(actor)} reported a message that ${silentMention(sender)} sent at <time:${when}>: ${await messageLink(context, actor, message)}\n${reason}\n\n`;
    const original = quotationWithin(MAX_MESSAGE_LENGTH - head.length, message.content, 'spoiler Message');
    const topic = storedTopic(`${sender.full_name} moderation`, organization, { truncate: true });
    await notifyChannel(context, channel, { topic, content: head + original, cause: actor });
  },
});

import { BadRequest } from '../../../base/errors.ts';
import { keysOf } from '../../../base/keys.ts';
import { present } from '../../../base/present.ts';
import { choice, describe, id, optional, text } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { organizationSetting, REPORT_TYPES } from '../../../rules/organization-settings.ts';
import { storedTopic } from '../../../rules/topics.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { channelOf, withContentAccess } from '../../../viewer/audiences.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { notifyChannel, silentMention } from '../notification-bot.ts';
import { messageLink, quotationWithin } from '../reminders/reminder.ts';

const types = keysOf(REPORT_TYPES);
const MAX_DESCRIPTION = 1_000;
/** Reports are never deleted. */
const MAX_REPORTS_PER_DAY = 50;
const DAY_SECONDS = 86_400;

export const reportMessage = defineOperation({
  name: 'messages.report',
  http: 'POST /messages/{message_id}/report',
  summary: 'Report a message to the moderators',
  description: `Moderators see your name, your reason and the text of the message (\`reports.list\`), also if it is deleted later. If the organization has chosen a private channel for reports (\`moderation_request_channel_id\`), the notification bot posts the report there, unless the sender can read the channel. Safe to repeat while the report is open. At most ${MAX_REPORTS_PER_DAY} reports in 24 hours.`,
  example: { message_id: 7, report_type: 'spam' },
  access: 'user',
  effect: 'write',
  params: {
    message_id: id,
    report_type: describe(choice(types), 'Reason. `other` needs a description.'),
    description: optional(text(MAX_DESCRIPTION), `Details, at most ${MAX_DESCRIPTION} characters.`, ''),
  },
  async run(context, { message_id, report_type, description }) {
    const { tx, actor, now } = context;
    if (report_type === 'other' && description.trim() === '') throw new BadRequest('Describe why you report it.');
    const message = await context.viewer.message(message_id);
    if (await tx.reports.hasOpen(actor.id, message_id)) return;
    const timestamp = Math.floor(now / 1000);
    if ((await tx.reports.countSince(actor.id, timestamp - DAY_SECONDS, MAX_REPORTS_PER_DAY)) >= MAX_REPORTS_PER_DAY)
      throw new BadRequest(`You can report at most ${MAX_REPORTS_PER_DAY} messages in 24 hours.`);
    const { sender_id, content } = message;
    const reason = { report_type, description };
    await tx.reports.create({ message_id, sender_id, reporter_id: actor.id, content, timestamp, ...reason });
    await announce(context, message, reason);
  },
});

async function announce(
  context: AccountContext,
  message: PlacedMessage,
  { report_type, description }: { report_type: keyof typeof REPORT_TYPES; description: string },
): Promise<void> {
  const { tx, actor, organization } = context;
  const channelId = organizationSetting(organization, 'moderation_request_channel_id');
  const channel = channelId === null ? undefined : await tx.channels.byId(channelId);
  // Private also now: an older process may have made it public.
  if (!channel?.invite_only || channel.is_archived) return;
  const sender = present(await tx.users.byId(message.sender_id));
  // Moderators do not see who reported their own messages, or those of their bots.
  if (await reads(context, channel, sender.bot_owner_id ?? sender.id)) return;
  const when = new Date(message.timestamp * 1000).toISOString().replace('.000Z', 'Z');
  // Marks each line: after an open code fence in the description, a closing fence would not end the quotation.
  const reason = `> **${REPORT_TYPES[report_type]}**. ${description}`.replace(/\r\n?|\n/g, '\n> ');
  const head = `${silentMention(actor)} reported a message that ${silentMention(sender)} sent at <time:${when}>: ${await messageAt(context, message)}\n${reason}\n\n`;
  const original = quotationWithin(MAX_MESSAGE_LENGTH - head.length, message.content, 'spoiler Message');
  const topic = storedTopic(`${sender.full_name} moderation`, organization, { truncate: true });
  await notifyChannel(context, channel, { topic, content: head + original, cause: actor });
}

/** Without the channel, topic and participants of a conversation that moderators may not be able to read. */
async function messageAt(context: AccountContext, message: PlacedMessage): Promise<string> {
  const { id, channel_id } = message;
  if (channel_id === null) return `a direct message (ID ${id})`;
  const { invite_only } = await channelOf(context, channel_id);
  return invite_only ? `a message in a private channel (ID ${id})` : messageLink(context, context.actor, message);
}

async function reads(context: AccountContext, channel: Channel, userId: number): Promise<boolean> {
  const [own] = await context.tx.subscriptions.pairs([userId], [channel.id]);
  return own?.active === true || (await withContentAccess(context, channel, [userId])).length > 0;
}

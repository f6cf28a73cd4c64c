import { type ChatError, StreamDoesNotExist } from '../../../base/errors.ts';
import type { User } from '../../../model/users.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { MAX_CHANNEL_NAME_LENGTH } from '../../../rules/names.ts';
import { truncate } from '../../../rules/topics.ts';
import type { ManualContext, WriteContext } from '../../../viewer/context.ts';
import type { SentMessage } from '../../../viewer/message-changes.ts';
import { channelLink, notifyUser, quotation, silentMention } from '../notification-bot.ts';

const MIN_MS_BETWEEN_NOTICES = 5 * 60_000;

/** Tells the owner of a bot that its messages reach no user: at most once in five minutes for each bot. */
export const botOwnerNotices = defineFeature({
  operations: [],
  refused: { 'messages.send': notifyOfRefusal, 'webhooks.receive': notifyOfRefusal },
  consequences: { sent: { of: 'from outside', react: notifyOfEmptyChannels } },
});

/** The notice has the same text for a hidden channel and for a missing one. */
async function notifyOfRefusal({ transact }: ManualContext<'user'>, refusal: ChatError): Promise<void> {
  if (!(refusal instanceof StreamDoesNotExist)) return;
  const bot = await transact('read', async ({ actor }) => actor);
  if (bot.bot_owner_id === null) return;
  const { stream, stream_id } = refusal.data;
  const name = truncate(String(stream).slice(0, 200).replaceAll('\0', ''), MAX_CHANNEL_NAME_LENGTH, '…');
  const which =
    stream === undefined ? `the channel with ID ${stream_id}.` : `this channel:\n${quotation(name, 'text')}`;
  const reason = 'The channel does not exist, or the bot has no access to it.';
  await transact('append', (context) => notifyOwner(context, bot, `tried to send a message to ${which}\n${reason}`));
}

async function notifyOfEmptyChannels(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  for (const { sender, to } of messages) {
    if (sender.bot_owner_id === null || !('channel' in to)) continue;
    const channel = await context.tx.channels.byId(to.channel.id);
    if (channel?.subscriber_count !== 0) continue;
    await notifyOwner(context, sender, `sent a message to ${channelLink(channel)}. This channel has no subscribers.`);
  }
}

async function notifyOwner(context: WriteContext, bot: User, text: string): Promise<void> {
  const { tx, now } = context;
  const owner = bot.bot_owner_id === null ? undefined : await tx.users.byId(bot.bot_owner_id);
  if (!owner?.is_active || !(await tx.users.claimNotice(bot.id, now, now - MIN_MS_BETWEEN_NOTICES))) return;
  await notifyUser(context, owner, `Your bot ${silentMention(bot)} ${text}`);
}

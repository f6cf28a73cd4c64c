import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { storedTopic } from '../../../rules/topics.ts';
import type { ScheduledMessage } from '../../../storage/interface/scheduled-messages.ts';
import { checkMentions } from '../mentions.ts';
import { messageContent, renderContent } from '../message-content.ts';
import { accessChannelToPost, checkTopicPolicy } from '../posting/channel-place.ts';
import { directParticipants } from '../posting/direct-recipients.ts';

/** `stream` and `private` are old names. */
export type MessageType = 'channel' | 'stream' | 'direct' | 'private';

export const isToChannel = (type: MessageType) => type === 'channel' || type === 'stream';

/** The message in the request. */
export interface WantedMessage {
  type: MessageType;
  to: number | readonly number[];
  topic: string | undefined;
  content: string;
}

type Destination = Pick<ScheduledMessage, 'channel_id' | 'recipient_ids' | 'topic'>;

export type PlannedMessage = Destination & Pick<ScheduledMessage, 'content' | 'rendered_content'>;

/**
 * Checks the message as if it were sent now.
 * @throws the errors of `messages.send`
 */
export async function planMessage(context: AccountContext, wanted: WantedMessage): Promise<PlannedMessage> {
  return isToChannel(wanted.type) ? planChannelMessage(context, wanted) : planDirectMessage(context, wanted);
}

async function planChannelMessage(context: AccountContext, wanted: WantedMessage): Promise<PlannedMessage> {
  const { to } = wanted;
  if (typeof to !== 'number') throw new BadRequest('For a channel message, set "to" to the ID of one channel.');
  if (wanted.topic === undefined) throw new BadRequest('A channel message needs a topic.');
  const topic = storedTopic(wanted.topic, organizationSetting(context.organization, 'empty_topic_display_name'));
  const content = messageContent(wanted.content);
  const { channel } = await accessChannelToPost(context, context.actor, to);
  checkTopicPolicy(context, channel, topic);
  // A topic without messages has no participants. No conversation has ID 0.
  const { id = 0 } = (await context.tx.conversations.topic(channel.id, topic)) ?? {};
  const rendered_content = await renderMentioning(context, content, { id, channel_id: channel.id });
  return { channel_id: channel.id, recipient_ids: [], topic, content, rendered_content };
}

async function planDirectMessage(context: AccountContext, wanted: WantedMessage): Promise<PlannedMessage> {
  const { actor } = context;
  if (typeof wanted.to === 'number') throw new BadRequest('For a direct message, set "to" to a list of user IDs.');
  const content = messageContent(wanted.content);
  const participants = await directParticipants(context, actor, wanted.to);
  const others = participants.map(({ id }) => id).filter((id) => id !== actor.id);
  const rendered_content = await renderMentioning(context, content, { id: 0, channel_id: null });
  return {
    channel_id: null,
    recipient_ids: others.length > 0 ? others : [actor.id],
    topic: '',
    content,
    rendered_content,
  };
}

async function renderMentioning(
  context: AccountContext,
  content: string,
  conversation: { id: number; channel_id: number | null },
): Promise<string> {
  const { html, mentions } = await renderContent(context, context.actor, content);
  await checkMentions(context, context.actor, mentions, conversation);
  return html;
}

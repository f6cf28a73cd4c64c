import type { Channel } from '../../../model/channels.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { RESOLVED, resolveToggle } from '../../../rules/topics.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import type { MovedMessages } from '../../../viewer/message-changes.ts';
import { notifyChannel, silentMention } from '../notification-bot.ts';

/** The notification bot announces moves in the old and in the new topic. */
export const moveNotices = defineFeature({ operations: [], consequences: { afterMove: announceMove } });

async function announceMove(context: AccountContext, move: MovedMessages): Promise<void> {
  const { actor } = context;
  const { from, to, count, isAnnounced } = move;
  const oldTopic = from.conversation.topic;
  const { topic } = to.conversation;
  const who = silentMention(actor);
  const notifyOld = (content: string) =>
    notifyChannel(context, from.channel, { topic: oldTopic, content, cause: actor });
  const notifyNew = (content: string, unreadFor?: readonly number[]) =>
    notifyChannel(context, to.channel, { topic, content, cause: actor, unreadFor });
  const isSameChannel = from.channel.id === to.channel.id;
  const isResolved = topic.startsWith(RESOLVED);
  if (isResolved !== oldTopic.startsWith(RESOLVED) && isAnnounced.inNewPlace) {
    const unreadFor = await context.tx.userTopics.wantingResolveNotices({ channel_id: to.channel.id, topic });
    await notifyNew(`${who} marked this topic as ${isResolved ? 'resolved' : 'unresolved'}.`, unreadFor);
  }
  if (isSameChannel && resolveToggle(oldTopic, topic)) return;
  const what = count === undefined ? 'this topic' : count === 1 ? 'a message' : `${count} messages`;
  // Do not reveal a private channel to users of the other channel.
  const named = (channel: Channel, name: string) =>
    channel.invite_only && !isSameChannel ? 'a private channel' : `#**${channel.name}>${name}**`;
  if (isAnnounced.inNewPlace) await notifyNew(`${who} moved ${what} here from ${named(from.channel, oldTopic)}.`);
  if (isAnnounced.inOldPlace) await notifyOld(`${who} moved ${what} from here to ${named(to.channel, topic)}.`);
}

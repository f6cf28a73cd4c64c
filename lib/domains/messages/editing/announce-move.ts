import type { AccountContext } from '../../../kernel/context.ts';

import { foldTopic } from '../../../rules/fold.ts';
import { resolveToggle } from '../../../rules/topics.ts';
import type { Channel } from '../../../storage/storage.ts';
import { notifyChannel, silentMention } from '../notification-bot.ts';
import type { Moved } from './move.ts';
import type { MovePlan } from './move-plan.ts';

const topicLink = (channel: Pick<Channel, 'name'>, topic: string) => `#**${channel.name}>${topic}**`;

/** Lets the notification bot say in the old and in the new place what went where. */
export async function announceMove(
  context: AccountContext,
  plan: MovePlan,
  moved: Moved,
  where: { old: boolean; new: boolean },
): Promise<void> {
  const { actor } = context;
  const { from, to } = plan;
  const oldTopic = from.conversation.topic;
  const { topic } = moved.conversation;
  const who = silentMention(actor);
  const toggle = from.channel.id === to.channel.id ? resolveToggle(oldTopic, topic) : undefined;
  if (toggle) {
    if (where.new) await notifyChannel(context, to.channel, topic, `${who} marked this topic as ${toggle}.`, actor);
    return;
  }
  // A change of case alone leaves the topic where it is.
  if (from.channel.id === to.channel.id && foldTopic(oldTopic) === foldTopic(topic)) return;
  const count = moved.ids?.length;
  const what = plan.ids === undefined ? 'this topic' : count === 1 ? 'a message' : `${count} messages`;
  if (where.new) {
    await notifyChannel(
      context,
      to.channel,
      topic,
      `${who} moved ${what} here from ${topicLink(from.channel, oldTopic)}.`,
      actor,
    );
  }
  if (where.old) {
    const text = `${who} moved ${what} from here to ${topicLink(to.channel, topic)}.`;
    await notifyChannel(context, from.channel, oldTopic, text, actor);
  }
}

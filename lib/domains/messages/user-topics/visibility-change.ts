import { accessChannel, findChannel, knownChannels } from '../../../access/channels.ts';
import type { AccountContext } from '../../../access/context.ts';
import { BadRequest } from '../../../base/errors.ts';
import { emptyTopicOf, INHERIT, type VisibilityPolicy } from '../../../rules/topics.ts';
import { emitUserTopic } from './events.ts';

/** Topic settings per user. Clients load all of them at start. Concurrent requests can exceed the limit slightly. */
const MAX_TOPICS = 50_000;

/**
 * Sets the caller's policy for a topic and sends an event. Does nothing if the policy does not change.
 * @param channelAddress channel ID or name
 * @throws BadRequest if the channel is archived or the caller cannot read it. To remove a policy, the caller only needs
 *   to know of the channel, or to have a policy there.
 */
export async function changeVisibility(
  context: AccountContext,
  channelAddress: number | string,
  given: string,
  visibility_policy: VisibilityPolicy,
): Promise<void> {
  const { tx, actor, organization, now } = context;
  const topic = emptyTopicOf(given, organization);
  if (visibility_policy === INHERIT) {
    const channel = await findChannel(context, channelAddress);
    const present = await tx.userTopics.get(actor.id, { channel_id: channel?.id ?? 0, topic });
    if (present) {
      await tx.userTopics.remove([actor.id], present);
      emitUserTopic(context, [actor.id], present, INHERIT);
    } else if ((await knownChannels(context, actor, channel ? [channel] : [])).known.length === 0)
      throw new BadRequest(`You have no setting for the topic "${given}" in a channel "${channelAddress}".`);
    return;
  }
  const { channel } = await accessChannel(context, actor, channelAddress, { readable: true });
  const name = { channel_id: channel.id, topic };
  const present = await tx.userTopics.get(actor.id, name);
  if (present?.visibility_policy === visibility_policy) return;
  if (!present && (await tx.userTopics.count(actor.id)) >= MAX_TOPICS)
    throw new BadRequest(`You can have settings for at most ${MAX_TOPICS} topics. Remove some settings first.`);
  await tx.userTopics.set([actor.id], { ...name, visibility_policy, last_updated: Math.floor(now / 1000) });
  emitUserTopic(context, [actor.id], name, visibility_policy);
}

import * as v from 'valibot';
import { accessChannel } from '../../../access/channels.ts';
import { channelMessagesAudience } from '../../../access/messages.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, id, text } from '../../../kernel/schemas.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { INHERIT, MUTED } from '../../../rules/topic-visibility.ts';
import { storedTopic } from '../../../rules/topics.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import { messagesDeleted } from '../../messages/editing/events.ts';
import { noteDeparture } from '../../messages/first-message.ts';
import { emitUserTopic } from '../../messages/user-topics/events.ts';

/** Messages that one transaction deletes: others write in between. */
const BATCH = 500;
/** After this a call answers, and another one goes on; clients give up after a minute. */
const MAX_MS = 25_000;

export const deleteTopic = defineOperation({
  name: 'topics.delete',
  http: 'POST /streams/{stream_id}/delete_topic',
  summary: 'Delete a topic with all its messages for good',
  description:
    'Everything in it that you can read, the newest first; what is sent meanwhile stays. A very long topic takes several calls: repeat it until `complete` is true. Administrators only.',
  example: { stream_id: 3, topic_name: 'lunch' },
  access: 'administrator',
  effect: 'manual',
  params: v.object({
    stream_id: id,
    topic_name: describe(text(), 'Name of the topic, without regard to case; one without messages is no error.'),
  }),
  result: v.object({ complete: describe(v.boolean(), 'Whether nothing is left to another call.') }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run({ transact, signal }, given) {
    const end = performance.now() + MAX_MS;
    let upTo = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const first = await transact('write', (context) => deleteNewest(context, given, upTo));
      if (first === undefined) return { complete: true };
      upTo = first;
      if (performance.now() >= end || signal?.aborted) return { complete: false };
    }
  },
});

/**
 * Deletes the newest messages of the topic before one.
 * @returns the oldest deleted; undefined when none was left, and with the last one what people have set for it goes
 */
async function deleteNewest(
  context: AccountContext,
  given: { stream_id: number; topic_name: string },
  before: number,
): Promise<number | undefined> {
  const { tx, actor, organization, emit } = context;
  const { channel } = await accessChannel(context, actor, given.stream_id, { readable: true });
  const topic = storedTopic(given.topic_name, organizationSetting(organization, 'empty_topic_display_name'));
  const conversation = await tx.conversations.topic(channel.id, topic);
  const ids = conversation ? await readableIds(context, channel, conversation, before) : [];
  const [first] = ids;
  if (first !== undefined && conversation) {
    const audience = await channelMessagesAudience(context, channel, ids);
    await tx.messages.remove(ids);
    const place = { message_type: 'stream' as const, stream_id: channel.id, topic: conversation.topic };
    emit(audience, messagesDeleted({ ...place, message_ids: ids }));
    await noteDeparture(context, channel, first);
  }
  if (ids.length === BATCH) return first;
  await forgetTopic(context, channel, topic, conversation);
  return undefined;
}

function readableIds({ tx, actor }: AccountContext, channel: Channel, { id }: Conversation, before: number) {
  const query = { viewer: actor.id, conversations: [id] };
  const received = hasSharedHistory(channel) ? query : { ...query, receivedOnlyIn: [channel.id] };
  return tx.messages.fetchIds(received, before, 'before', BATCH);
}

/** What people have set for a topic that is gone, unless they can still read something in it. */
async function forgetTopic(
  context: AccountContext,
  channel: Channel,
  topic: string,
  conversation: Conversation | undefined,
): Promise<void> {
  const { tx } = context;
  const name = { channel_id: channel.id, topic: conversation?.topic ?? topic };
  const stored = await tx.userTopics.ofTopics([name]);
  if (stored.length === 0) return;
  const whole = { viewer: context.actor.id, conversations: conversation ? [conversation.id] : [] };
  const left = await tx.messages.fetchIds(whole, 0, 'after', Number.MAX_SAFE_INTEGER);
  let users = stored.map((one) => one.user_id);
  if (left.length > 0) {
    if (hasSharedHistory(channel)) return;
    const missing = await tx.messages.notReceived(users, left);
    users = users.filter((user) => missing.get(user)?.length === left.length);
  }
  await tx.userTopics.remove(users, name);
  const muting = new Set(stored.filter((one) => one.visibility_policy === MUTED).map((one) => one.user_id));
  emitUserTopic(
    context,
    users.filter((user) => muting.has(user)),
    name,
    INHERIT,
  );
  emitUserTopic(
    context,
    users.filter((user) => !muting.has(user)),
    name,
    INHERIT,
    { listsChange: false },
  );
}

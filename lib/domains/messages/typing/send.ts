import { BadRequest, StreamDoesNotExist } from '../../../base/errors.ts';
import { choice, id, list, optional, text } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isGuest } from '../../../rules/roles.ts';
import { storedTopic } from '../../../rules/topics.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { guestsNotSeeing } from '../../../viewer/user-visibility.ts';
import { areGuestsRestricted } from '../../../viewer/viewer.ts';
import { apiEmail } from '../../../views/user-view.ts';
import { accessChannelToPost, directParticipants } from '../posting/destinations.ts';
import { channelReaders, checkSendsTyping, directReaders, typingStarted, typingStopped } from './typing.ts';

export const sendTyping = defineOperation({
  name: 'typing.send',
  http: 'POST /typing',
  summary: 'Show others that you started or stopped typing',
  description:
    'Repeat it while you type. Sent only to users who want typing notifications. Sent to no user if there are more than 100 users. In a channel, only sent to event queues with the client capability `stream_typing_notifications`.',
  example: { op: 'start', to: [9] },
  access: 'user',
  forRooms: { type: ['channel', 'stream'] },
  effect: 'append',
  params: {
    op: choice(['start', 'stop']),
    type: optional(
      choice(['direct', 'private', 'channel', 'stream']),
      '`direct` or `channel`. `private` and `stream` are deprecated names of them.',
      'direct',
    ),
    to: optional(list(id, 1_000), 'For a direct message: user IDs of the recipients.'),
    stream_id: optional(id, 'For a channel message: the channel ID.'),
    topic: optional(text(), 'For a channel message: the topic. Truncated to 60 characters.'),
  },
  errors: [StreamDoesNotExist],
  async run(context, { op, type, to, stream_id, topic }) {
    const { actor, organization, emit } = context;
    const typing = op === 'start' ? typingStarted : typingStopped;
    if (type === 'channel' || type === 'stream') {
      if (stream_id === undefined) throw new BadRequest('Typing in a channel needs stream_id.');
      if (topic === undefined) throw new BadRequest('Typing in a channel needs a topic.');
      checkSendsTyping(actor, 'channels');
      const { isSubscribed } = await accessChannelToPost(context, actor, stream_id);
      const name = storedTopic(topic, organization, { truncate: true });
      const notSeeing = new Set(isSubscribed ? [] : await guestsNotSeeing(context, stream_id, actor));
      const users = (await channelReaders(context, stream_id)).filter((id) => !notSeeing.has(id));
      const event = typing({ message_type: 'stream', sender: personOf(context, actor), stream_id, topic: name });
      if (users.length > 0) emit({ users }, event);
      return;
    }
    if (to === undefined || to.length === 0)
      throw new BadRequest('For a direct message, set "to" to the user IDs of the recipients.');
    checkSendsTyping(actor, 'direct messages');
    const people = await directParticipants(context, actor, to, { isTyping: true });
    const users = await directReaders(context, await typingRecipients(context, people));
    const recipients = people.map((user) => personOf(context, user));
    if (users.length > 0)
      emit({ users }, typing({ message_type: 'direct', sender: personOf(context, actor), recipients }));
  },
});

function personOf({ organization }: AccountContext, user: User): { user_id: number; email: string } {
  return { user_id: user.id, email: apiEmail(user, organization) };
}

/** Restricted guests can see the other participants only after the first message, so they are left out before that. */
async function typingRecipients(context: AccountContext, people: readonly User[]): Promise<readonly User[]> {
  const { tx, actor, organization } = context;
  if (!areGuestsRestricted(organization) || !people.some((user) => isGuest(user) && user.id !== actor.id))
    return people;
  if (await tx.conversations.direct(people.map(({ id: user }) => user))) return people;
  return people.filter((user) => !isGuest(user) || user.id === actor.id);
}

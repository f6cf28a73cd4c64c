import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent, type EventClient, type RoomView } from '../../../events/define-event.ts';
import type { User } from '../../../model/users.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { withoutBlockers } from '../blocking.ts';
import { withTopicsFor } from '../message-view.ts';

const person = v.object({ user_id: v.number(), email: v.string() });

const typing = v.object({
  message_type: v.picklist(['direct', 'stream']),
  sender: describe(person, 'User who is typing.'),
  recipients: describe(v.optional(v.array(person)), 'For direct messages: all participants, including the sender.'),
  stream_id: describe(v.optional(v.number()), 'For channel messages.'),
  topic: describe(v.optional(v.string()), 'For channel messages.'),
});
type Typing = v.InferOutput<typeof typing>;

const typingOptions = {
  fields: typing.entries,
  needs: ({ message_type }: Typing) => (message_type === 'stream' ? 'stream_typing_notifications' : undefined),
  inRooms: ({ stream_id }: Typing, { channels }: RoomView) => stream_id !== undefined && channels.has(stream_id),
  forClient: (event: Typing, client: EventClient) => withTopicsFor(client, event, ['topic']),
} as const;

export const typingStarted = defineEvent('typing/start', {
  summary: 'A user is typing a message. Expires after `server_typing_started_expiry_period_milliseconds`.',
  ...typingOptions,
});

export const typingStopped = defineEvent('typing/stop', {
  summary: 'A user stopped typing.',
  ...typingOptions,
});

const typingEdit = v.object({
  sender_id: describe(v.number(), 'User who is editing.'),
  message_id: v.number(),
  recipient: v.variant('type', [
    v.object({ type: v.literal('channel'), channel_id: v.number(), topic: v.string() }),
    v.object({ type: v.literal('direct'), user_ids: describe(v.array(v.number()), 'All participants.') }),
  ]),
});
type TypingEdit = v.InferOutput<typeof typingEdit>;

const typingEditOptions = {
  fields: typingEdit.entries,
  needs: ({ recipient }: TypingEdit) => (recipient.type === 'channel' ? 'stream_typing_notifications' : undefined),
  forClient({ recipient, ...event }: TypingEdit, client: EventClient): TypingEdit {
    if (recipient.type === 'direct') return { ...event, recipient };
    return { ...event, recipient: withTopicsFor(client, recipient, ['topic']) };
  },
} as const;

export const typingEditStarted = defineEvent('typing_edit_message/start', {
  summary: 'A user is editing one of their messages.',
  ...typingEditOptions,
});

export const typingEditStopped = defineEvent('typing_edit_message/stop', {
  summary: 'A user stopped editing a message.',
  ...typingEditOptions,
});

/** Typing events are not sent to more users than this. They are not worth the cost. */
const MAX_RECEIVERS = 100;

export function checkSendsTyping({ settings }: User, where: 'channels' | 'direct messages'): void {
  const key = where === 'channels' ? 'send_stream_typing_notifications' : 'send_private_typing_notifications';
  if (settings[key] === false) {
    throw new BadRequest(`You have turned off typing notifications in ${where} (setting ${key}).`);
  }
}

/** Subscribers of a channel who receive typing notifications. Empty if the channel has too many subscribers. */
export async function channelReaders(context: AccountContext, channelId: number): Promise<number[]> {
  const { subscriptions, users } = context.tx;
  const subscribers = await subscriptions.subscribersUpTo(channelId, MAX_RECEIVERS);
  return subscribers ? wanting(context, await users.byIds(subscribers)) : [];
}

export const directReaders = async (context: AccountContext, people: readonly User[]) =>
  people.length > MAX_RECEIVERS ? [] : wanting(context, people);

function wanting(context: AccountContext, people: readonly User[]): Promise<number[]> {
  const users = people.filter(
    ({ is_active, settings }) => is_active && settings.receives_typing_notifications !== false,
  );
  return withoutBlockers(
    context,
    context.actor,
    users.map(({ id }) => id),
  );
}

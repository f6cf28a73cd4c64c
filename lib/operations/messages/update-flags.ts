import * as v from 'valibot';
import { BadRequest } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { choice, describe, ids, text } from '../../params.ts';
import { readableMessages } from '../../steps/message-access.ts';
import { messageDetails } from '../../steps/message-details.ts';

const MAX_MESSAGES = 5_000;

export const updateMessageFlags = defineOperation({
  name: 'messages.updateFlags',
  http: 'POST /messages/flags',
  summary: 'Mark messages as read, unread, starred or collapsed',
  description: 'Messages you cannot read are left out.',
  source: 'reference 7.8',
  access: 'user',
  effect: 'append',
  params: v.object({
    messages: describe(ids, `IDs of at most ${MAX_MESSAGES} messages.`),
    op: choice(['add', 'remove']),
    flag: describe(text(60), 'read, starred or collapsed.'),
  }),
  result: v.object({
    messages: describe(v.array(v.number()), 'The messages the request was about, as far as you can read them.'),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  errors: [BadRequest],
  async run(context, { messages: wanted, op, flag }) {
    const { tx, actor, emit } = context;
    if (wanted.length > MAX_MESSAGES) throw new BadRequest(`At most ${MAX_MESSAGES} messages can be changed at once.`);
    if (flag !== 'read' && flag !== 'starred' && flag !== 'collapsed') {
      throw new BadRequest(`The flag "${flag}" cannot be changed; read, starred and collapsed can.`);
    }
    const readable = await readableMessages(context, actor, await tx.messages.byIds(wanted));
    const messages = readable.map((message) => message.id);
    if (messages.length === 0) return { messages, ignored_because_not_subscribed_channels: [] };
    if (flag !== 'read') {
      const changed = await tx.readState.setFlag(actor.id, messages, flag, op === 'add');
      if (changed.length > 0) emit(flagsEvent(actor.id, op, flag, changed));
      return { messages, ignored_because_not_subscribed_channels: [] };
    }
    if (op === 'add') {
      const changed = await tx.readState.markRead(actor.id, messages);
      if (changed.length > 0) emit(flagsEvent(actor.id, op, flag, changed));
      return { messages, ignored_because_not_subscribed_channels: [] };
    }
    // Unread messages of channels one is not subscribed to would never be seen again.
    const channelIds = [...new Set(readable.map((message) => message.channel_id).filter((one) => one !== null))];
    const own = channelIds.length > 0 ? await tx.subscriptions.pairs([actor.id], channelIds) : [];
    const subscribed = new Set(own.filter((one) => one.active).map((one) => one.channel_id));
    const kept = readable.filter((message) => message.channel_id === null || subscribed.has(message.channel_id));
    const changed = await tx.readState.markUnread(actor.id, kept.map((message) => message.id));
    if (changed.length > 0) {
      const details = await messageDetails(context, actor, kept.filter((message) => changed.includes(message.id)));
      emit(flagsEvent(actor.id, op, flag, changed, { message_details: details }));
    }
    return { messages, ignored_because_not_subscribed_channels: channelIds.filter((channel) => !subscribed.has(channel)) };
  },
});

function flagsEvent(userId: number, op: 'add' | 'remove', flag: string, messages: number[], more: Record<string, unknown> = {}) {
  return {
    audience: { users: [userId] },
    event: { type: 'update_message_flags', op, operation: op, flag, messages, all: false, ...more },
  };
}

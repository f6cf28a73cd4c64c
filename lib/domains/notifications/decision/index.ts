import { defineFeature } from '../../../operation/feature.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Services, WriteContext } from '../../../viewer/context.ts';
import type { ChangedMessage, Mentions, SentMessage } from '../../../viewer/message-changes.ts';
import { followsEmailSettings } from '../email/emails.ts';
import { announces } from '../program/program.ts';
import { type AnnouncedMessage, decide } from './decide.ts';

/** Does not check for a relay: only the worker's process may have one configured. */
async function announceSent(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  const [only] = messages;
  if (!only || messages.length > 1) return announceEach(context, messages);
  const { message, mentions } = only;
  if ((await concernsDevices(context, only)) || (await concernsOthers(context, only))) {
    context.enqueue(decide(announcing(message.id, mentions)));
  }
}

/** The same for users mentioned in an edited channel message. */
async function announceEdited(context: WriteContext, edit: ChangedMessage): Promise<void> {
  const { message, mentions } = edit;
  if (message.channel_id === null || !mentionsAny(mentions)) return;
  const hasDevices = await context.services.pushOwners.isAny(
    context,
    { channel: message.channel_id },
    message.sender_id,
  );
  if (hasDevices || notifiesWithoutDevices(context.services)) {
    context.enqueue(decide({ ...announcing(message.id, mentions), only_mentions: true }));
  }
}

function announcing(message_id: number, { users, groups }: Mentions): AnnouncedMessage {
  if (groups.length === 0) return { message_id };
  return { message_id, named_users: [...users], named_groups: groups.map((group) => group.id) };
}

const mentionsAny = ({ users, groups, wildcards }: Mentions) =>
  users.length > 0 || groups.length > 0 || wildcards.channel || wildcards.topic;

/** Usually known without a query. */
function concernsDevices(context: WriteContext, { message, to }: SentMessage): Promise<boolean> {
  const among = 'channel' in to ? { channel: to.channel.id } : { users: to.conversation.participants };
  return context.services.pushOwners.isAny(context, among, message.sender_id);
}

/** Whether e-mail or the program may notify. Usually known without a query. */
async function concernsOthers(context: WriteContext, { message, mentions, to, isFollowed }: SentMessage) {
  const { services } = context;
  if (!notifiesWithoutDevices(services)) return false;
  const { sender_id } = message;
  if (!('channel' in to)) return to.participants.some((user) => user.id !== sender_id && !isBot(user));
  if (isFollowed || mentionsAny(mentions)) return true;
  const ways = { email: followsEmailSettings(services), push: announces(services, 'push') };
  const choosers = await services.channelChoosers.of(context, to.channel.id, ways);
  return choosers.some((id) => id !== sender_id);
}

const notifiesWithoutDevices = (services: Services) => followsEmailSettings(services) || announces(services, 'push');

/** For messages to few recipients each, with one query. */
async function announceEach({ tx, services, enqueue, pushVersion }: WriteContext, messages: readonly SentMessage[]) {
  const senders = new Set(messages.map(({ sender }) => sender.id));
  const receivers = new Set(messages.flatMap(({ receivers = [] }) => receivers));
  const users = [...receivers].filter((id) => !senders.has(id));
  const owners = new Set(pushVersion === 0 ? [] : await tx.pushDevices.someOwners({ users }, users.length));
  for (const { message, receivers = [] } of messages) {
    if (notifiesWithoutDevices(services) || receivers.some((user) => owners.has(user)))
      enqueue(decide({ message_id: message.id }));
  }
}

/**
 * Decides who is notified of a message, and why, once for all ways of notification: phones
 * (`push/notifications/phones.ts`), browsers (`push/browsers/browsers.ts`), e-mail (`../email/emails.ts`) and your
 * program (`../program/program.ts`). Sending a message adds an outbox row, if it may
 * notify a user. The worker decides (`decide.ts`, by the rules in `rules/notifications.ts`).
 */
export const notificationDecisions = defineFeature({
  operations: [],
  outbox: [decide],
  consequences: {
    looksForFollowers: notifiesWithoutDevices,
    sent: { of: 'all', react: announceSent },
    edited: announceEdited,
  },
});

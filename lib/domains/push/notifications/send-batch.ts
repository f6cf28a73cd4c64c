import { plainText } from '../../../markdown/plain-text.ts';
import type { Channel } from '../../../model/channels.ts';
import type { GroupHead } from '../../../model/groups.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { Services } from '../../../viewer/context.ts';
import { areGuestsRestricted } from '../../../viewer/viewer.ts';
import { avatarUrl, UNKNOWN_AVATAR } from '../../../views/avatars.ts';
import { placeholderEmail, UNKNOWN_NAME } from '../../../views/user-view.ts';
import { notifyDevices, notifyTokens } from '../notify.ts';
import { about, aboutPlainly, type PlainPayloads, type PushPayload } from '../relay.ts';

/** A user to notify. `group_id` is set if the user was mentioned only through this group. */
export interface Recipient {
  user_id: number;
  /** Absent if the reason is not a mention. */
  mention?: 'own' | 'all';
  group_id?: number;
}

export interface Batch {
  message_id: number;
  recipients: Recipient[];
  /** For the devices without encryption of one recipient: the relay accepts one account per request. */
  isPlain?: boolean;
}

/** Later notifications are useless. */
export const RETRY_FOR_MS = 3_600_000;

/** Sends the current message to some users. Skips users who have read it since or may no longer read it. */
export const sendBatch = defineOutboxKind<Batch>('push-batch', {
  retryForMs: RETRY_FOR_MS,
  async perform(services, { message_id, recipients, isPlain = false }) {
    const found = await services.storage.read(async (tx) => {
      const ids = recipients.map(({ user_id }) => user_id);
      const standing = await tx.pushNotices.standing(message_id, ids);
      const devices = isPlain ? [] : await tx.pushDevices.active(standing);
      const tokens = isPlain ? await tx.pushTokens.ofAll(standing) : [];
      if (devices.length + tokens.length === 0) return undefined;
      const facts = await factsOf(tx, message_id, { withNames: isPlain });
      return facts && { devices, tokens, facts, readers: await readersOf(tx, facts, recipients, standing) };
    });
    if (!found) return;
    const { devices, tokens, facts, readers } = found;
    const { organization } = facts;
    const notifications = devices.flatMap((device) => {
      const reader = readers.get(device.user_id);
      return reader ? [{ device, payload: messagePayload(services, facts, reader) }] : [];
    });
    await notifyDevices(services, organization, notifications);
    const [reader] = readers.values();
    if (!isPlain || !reader) return;
    const { user_id } = reader;
    await notifyTokens(services, organization, { user_id, tokens, ...plainMessage(services, facts, reader) });
  },
});

export async function readersOf(
  tx: Transaction,
  { organization, channel, sender }: MessageFacts,
  recipients: readonly Recipient[],
  standing: readonly number[],
): Promise<Map<number, Reader>> {
  const groupIds = [...new Set(recipients.flatMap(({ group_id }) => group_id ?? []))];
  const groups = groupIds.length > 0 ? await tx.groups.heads(groupIds) : [];
  const notSeeing =
    channel && areGuestsRestricted(organization) ? await guestsNotSeeing(tx, sender, standing) : new Set();
  return new Map(
    recipients.map(({ user_id, group_id, mention }) => {
      const group = groups.find(({ id }) => id === group_id);
      return [user_id, { user_id, mention, group, seesSender: !notSeeing.has(user_id) }];
    }),
  );
}

/** The current message; undefined if it was deleted. */
export async function factsOf(
  tx: Transaction,
  message_id: number,
  { withNames }: { withNames: boolean },
): Promise<MessageFacts | undefined> {
  const organization = await tx.organization.get();
  const message = await tx.messages.byId(message_id);
  const sender = message && (await tx.users.byId(message.sender_id));
  if (!organization || !message || !sender) return undefined;
  const [conversation] = await tx.conversations.byIds([message.conversation_id]);
  const channel = message.channel_id === null ? undefined : await tx.channels.byId(message.channel_id);
  const participants = conversation?.participants ?? [];
  const named = withNames && !channel && participants.length > 2 ? await tx.users.byIds(participants) : [];
  return {
    organization,
    message,
    sender,
    channel,
    participants,
    names: named.map(({ full_name }) => full_name),
    ...shortContent(message),
  };
}

/** Guests who may not see the sender of a channel message. */
async function guestsNotSeeing(tx: Transaction, sender: User, userIds: readonly number[]): Promise<Set<unknown>> {
  // All users see bots.
  if (sender.bot_type !== null) return new Set();
  const guests = (await tx.users.byIds(userIds)).filter(isGuest).map(({ id }) => id);
  if (guests.length === 0) return new Set();
  const seeing = new Set((await tx.guestVisibility.between(guests, [sender.id])).map(({ guest_id }) => guest_id));
  return new Set(guests.filter((id) => !seeing.has(id)));
}

export interface MessageFacts {
  organization: Organization;
  message: PlacedMessage;
  sender: User;
  /** Absent in direct conversations. */
  channel: Channel | undefined;
  participants: readonly number[];
  /** Names of the participants. Only for group conversations, and only if a device without encryption shows them. */
  names: readonly string[];
  /** Plain text of the message, cut to the maximum length. */
  content: string;
  isContentCut: boolean;
}

export interface Reader {
  user_id: number;
  /** Whether the message mentions the reader (`own`) or all users (`all`). */
  mention: 'own' | 'all' | undefined;
  /** The mentioned group, if the reader was mentioned through a group. */
  group: Pick<GroupHead, 'id' | 'name'> | undefined;
  seesSender: boolean;
}

/** In characters. The push services accept only a few thousand bytes. */
const MAX_CONTENT = 200;

function messagePayload(services: Services, facts: MessageFacts, reader: Reader): PushPayload {
  const { organization, message, sender } = facts;
  const { group } = reader;
  return {
    type: 'message',
    ...about(services, organization, { id: reader.user_id }),
    message_id: message.id,
    time: message.timestamp,
    sender_id: sender.id,
    ...senderShown(services, facts, reader),
    ...destination(facts),
    ...(group ? { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name } : {}),
    content: facts.content,
  };
}

/** Name and avatar of the sender, hidden if the reader may not see the sender. */
export function senderShown(
  { options: { baseUrl } }: Pick<Services, 'options'>,
  { sender, organization }: MessageFacts,
  { seesSender }: Reader,
) {
  return {
    sender_full_name: seesSender ? sender.full_name : UNKNOWN_NAME,
    sender_avatar_url: inFull(seesSender ? avatarUrl(sender, organization) : UNKNOWN_AVATAR, baseUrl),
  };
}

function topicShown({ organization, message }: MessageFacts): string {
  return message.topic || organizationSetting(organization, 'empty_topic_display_name');
}

function destination(facts: MessageFacts): Record<string, unknown> {
  const { channel, participants } = facts;
  if (channel) {
    const topic = topicShown(facts);
    return { recipient_type: 'channel', channel_id: channel.id, channel_name: channel.name, topic };
  }
  return {
    recipient_type: 'direct',
    recipient_user_ids: participants,
    // Clients that do not know recipient_user_ids recognize a group conversation by this field.
    ...(participants.length > 2 ? { pm_users: participants.join(',') } : {}),
  };
}

const inFull = (url: string, baseUrl: string) => (url.startsWith('/') ? baseUrl + url : url);

function shortContent({ rendered_content }: Pick<PlacedMessage, 'rendered_content'>) {
  const text = plainText(rendered_content);
  const content = clipped(text, MAX_CONTENT);
  return { content, isContentCut: content !== text };
}

/** At most `most` characters of a text, with an ellipsis if it was cut. */
export function clipped(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}

/** Replaces a text that must stay hidden. */
export const WITHHELD = 'You have a new message.';
/** In characters. The title of a group conversation contains the names of all participants. */
const MAX_TITLE = 200;

/**
 * A message for devices without encryption. Contains only placeholder e-mail addresses, because the relay and the
 * services of Apple and Google can read it.
 */
function plainMessage(services: Services, facts: MessageFacts, reader: Reader): PlainPayloads {
  const { organization, message, sender } = facts;
  const shown = senderShown(services, facts, reader);
  const isWithheld = organizationSetting(organization, 'require_e2ee_push_notifications');
  const content = isWithheld ? WITHHELD : facts.content;
  const common = {
    ...aboutPlainly(services, organization, reader.user_id),
    sender_id: sender.id,
    sender_email: placeholderEmail(sender.id, organization),
    time: message.timestamp,
    ...(reader.group ? { mentioned_user_group_id: reader.group.id, mentioned_user_group_name: reader.group.name } : {}),
    ...plainDestination(facts),
  };
  return {
    gcm_payload: {
      ...common,
      event: 'message',
      zulip_message_id: message.id,
      content,
      content_truncated: !isWithheld && facts.isContentCut,
      ...shown,
    },
    gcm_options: { priority: 'high' },
    apns_payload: {
      alert: { title: titleOf(facts), subtitle: subtitleOf(facts, reader, shown.sender_full_name), body: content },
      sound: 'default',
      badge: 0,
      custom: { zulip: { ...common, message_ids: [message.id] } },
    },
  };
}

const isGroupConversation = ({ channel, participants }: MessageFacts) => !channel && participants.length > 2;

function plainDestination(facts: MessageFacts): Record<string, unknown> {
  const { channel, participants } = facts;
  if (channel) {
    return { recipient_type: 'stream', stream: channel.name, stream_id: channel.id, topic: topicShown(facts) };
  }
  return { recipient_type: 'private', ...(isGroupConversation(facts) ? { pm_users: participants.join(',') } : {}) };
}

/** The first line on Apple's devices: channel and topic, or participants. */
export function titleOf(facts: MessageFacts): string {
  if (facts.channel) return `#${facts.channel.name} > ${topicShown(facts)}`;
  // Participants of a direct conversation may see each other, so names need no check.
  return isGroupConversation(facts) ? clipped([...facts.names].sort().join(', '), MAX_TITLE) : facts.sender.full_name;
}

/** The second line: the sender, and the reason of the notification. */
export function subtitleOf(facts: MessageFacts, { mention, group }: Reader, name: string): string {
  if (mention === 'all') return `${name} mentioned everyone:`;
  if (mention === 'own') return group ? `${name} mentioned @${group.name}:` : `${name} mentioned you:`;
  return facts.channel || isGroupConversation(facts) ? `${name}:` : '';
}

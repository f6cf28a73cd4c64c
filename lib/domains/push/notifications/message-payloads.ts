import { avatarUrl, UNKNOWN_AVATAR } from '../../../access/avatars.ts';
import type { Services } from '../../../access/context.ts';
import { placeholderEmail, UNKNOWN_NAME } from '../../../access/user-view.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import type { ChannelHead } from '../../../model/channels.ts';
import type { GroupHead } from '../../../model/groups.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { about, aboutPlainly, type PlainPayloads, type PushPayload } from '../payloads.ts';

export interface MessageFacts {
  organization: Organization;
  message: PlacedMessage;
  sender: User;
  /** Absent in direct conversations. */
  channel: ChannelHead | undefined;
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

export function messagePayload(services: Services, facts: MessageFacts, reader: Reader): PushPayload {
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

export function topicShown({ organization, message }: MessageFacts): string {
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

export function shortContent({ rendered_content }: Pick<PlacedMessage, 'rendered_content'>) {
  const text = plainText(rendered_content);
  const content = clipped(text, MAX_CONTENT);
  return { content, isContentCut: content !== text };
}

/** At most `most` characters of a text, with an ellipsis if it was cut. */
export function clipped(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}

/** Replaces the text if the organization requires encryption. */
const WITHHELD = 'You have a new message.';
/** In characters. The title of a group conversation contains the names of all participants. */
const MAX_TITLE = 200;

/**
 * A message for devices without encryption. Contains only placeholder e-mail addresses, because the relay and the
 * services of Apple and Google can read it.
 */
export function plainMessage(services: Services, facts: MessageFacts, reader: Reader): PlainPayloads {
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
function titleOf(facts: MessageFacts): string {
  if (facts.channel) return `#${facts.channel.name} > ${topicShown(facts)}`;
  // Participants of a direct conversation may see each other, so names need no check.
  return isGroupConversation(facts) ? clipped([...facts.names].sort().join(', '), MAX_TITLE) : facts.sender.full_name;
}

/** The second line: the sender, and the reason of the notification. */
function subtitleOf(facts: MessageFacts, { mention, group }: Reader, name: string): string {
  if (mention === 'all') return `${name} mentioned everyone:`;
  if (mention === 'own') return group ? `${name} mentioned @${group.name}:` : `${name} mentioned you:`;
  return facts.channel || isGroupConversation(facts) ? `${name}:` : '';
}

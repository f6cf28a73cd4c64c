import { avatarUrl, UNKNOWN_AVATAR } from '../../../access/avatars.ts';
import { UNKNOWN_NAME } from '../../../access/user-view.ts';
import type { Services } from '../../../kernel/context.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { ChannelHead } from '../../../storage/interface/channels.ts';
import type { GroupHead } from '../../../storage/interface/groups.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { User } from '../../../storage/interface/users.ts';
import { about, type PushPayload } from '../payloads.ts';

/** A message with all data of its notifications. */
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
  /** Whether `content` was cut. */
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

/** The payload for one reader. */
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

/** The plain text of a message, cut to the maximum length. */
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

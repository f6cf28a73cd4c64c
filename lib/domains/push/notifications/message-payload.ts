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

/** A message with all that a notification says of it. */
export interface MessageFacts {
  organization: Organization;
  message: PlacedMessage;
  sender: User;
  /** Absent in direct conversations. */
  channel: ChannelHead | undefined;
  participants: readonly number[];
  /** Theirs, where some device shows them: of a direct conversation of more than two. */
  names: readonly string[];
  /** Of the message, without formatting, as much as fits. */
  content: string;
  /** Whether there is more of it. */
  isContentCut: boolean;
}

export interface Reader {
  user_id: number;
  /** Whether they are mentioned, or everybody is. */
  mention: 'own' | 'all' | undefined;
  /** By which they were mentioned. */
  group: Pick<GroupHead, 'id' | 'name'> | undefined;
  seesSender: boolean;
}

/** Characters of a message: services take no more than some thousand bytes. */
const MAX_CONTENT = 200;

/** The same for everybody, and what is for one reader alone. */
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

/** As whom the reader knows the sender. */
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
    // Clients that do not know the list know by this that it is a group.
    ...(participants.length > 2 ? { pm_users: participants.join(',') } : {}),
  };
}

const inFull = (url: string, baseUrl: string) => (url.startsWith('/') ? baseUrl + url : url);

/** What a message says, without its formatting and as much as fits. */
export function shortContent({ rendered_content }: Pick<PlacedMessage, 'rendered_content'>) {
  const text = plainText(rendered_content);
  const content = clipped(text, MAX_CONTENT);
  return { content, isContentCut: content !== text };
}

/** As many characters of a text, and a sign where there are more. */
export function clipped(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}

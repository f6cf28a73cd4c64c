import { placeholderEmail } from '../../../access/user-view.ts';
import type { Services } from '../../../kernel/context.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { aboutPlainly, type PlainPayloads } from '../plain-payloads.ts';
import { clipped, type MessageFacts, type Reader, senderShown, topicShown } from './message-payload.ts';

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
    ...destination(facts),
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

function destination(facts: MessageFacts): Record<string, unknown> {
  const { channel, participants } = facts;
  if (channel) {
    return { recipient_type: 'stream', stream: channel.name, stream_id: channel.id, topic: topicShown(facts) };
  }
  return {
    recipient_type: 'private',
    ...(isGroupConversation(facts) ? { pm_users: participants.join(',') } : {}),
  };
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

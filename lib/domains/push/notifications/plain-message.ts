import { placeholderEmail } from '../../../access/user-view.ts';
import type { Services } from '../../../kernel/context.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { aboutPlainly, type PlainPayloads } from '../plain-payloads.ts';
import { clipped, type MessageFacts, type Reader, senderShown, topicShown } from './message-payload.ts';

/** Stands where the organization lets nothing be said that is not encrypted. */
const WITHHELD = 'You have a new message.';
/** Characters of the line above a message, which may name many people. */
const MAX_TITLE = 200;

/**
 * A message for devices that do not encrypt. Of addresses none is told but the placeholder: what comes this way is
 * read by the relay and by the services of Apple and Google.
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

/** The first line on Apple's devices: where it was said. */
function titleOf(facts: MessageFacts): string {
  if (facts.channel) return `#${facts.channel.name} > ${topicShown(facts)}`;
  // Whoever takes part in a direct conversation sees the others.
  return isGroupConversation(facts) ? clipped([...facts.names].sort().join(', '), MAX_TITLE) : facts.sender.full_name;
}

/** The second: who said it, and why the reader is told. */
function subtitleOf(facts: MessageFacts, { mention, group }: Reader, name: string): string {
  if (mention === 'all') return `${name} mentioned everyone:`;
  if (mention === 'own') return group ? `${name} mentioned @${group.name}:` : `${name} mentioned you:`;
  return facts.channel || isGroupConversation(facts) ? `${name}:` : '';
}

import type { EventQueue } from '../storage/interface/queues.ts';

/** What a client may say it understands; anything asks about these alone, others are tolerated and not kept. */
export const CAPABILITIES = [
  'archived_channels',
  'bulk_message_deletion',
  'empty_topic_name',
  'include_deactivated_groups',
  'individual_emoji_changes',
  'linkifier_url_template',
  'notification_settings_null',
  'simplified_presence_events',
  'stream_typing_notifications',
  'user_avatar_url_field_optional',
  'user_list_incomplete',
  'user_settings_object',
] as const;

/** What a client may say it understands, by name; who does not is sent the older forms of events and answers. */
export type Capability = (typeof CAPABILITIES)[number];

/** What a queue asked for when it was registered. */
export interface QueueOptions {
  apply_markdown: boolean;
  client_gravatar: boolean;
  include_subscribers: boolean;
  slim_presence: boolean;
  client_capabilities: Partial<Record<Capability, boolean>>;
}

export function queueOptions(queue: Pick<EventQueue, 'options'>): QueueOptions {
  return queue.options as unknown as QueueOptions;
}

import type { EventQueue } from '../storage/interface/events.ts';

/** Known client capabilities. Unknown ones are accepted and not stored. */
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
  'strict_content',
  'time_format_null',
  'user_avatar_url_field_optional',
  'user_list_incomplete',
  'user_settings_object',
] as const;

/** A client capability. Clients without it receive the older forms of events and responses. */
export type Capability = (typeof CAPABILITIES)[number];

export interface QueueOptions {
  apply_markdown: boolean;
  client_gravatar: boolean;
  include_subscribers: boolean;
  slim_presence: boolean;
  client_capabilities: Partial<Record<Capability, boolean>>;
}

export const queueOptions = (queue: Pick<EventQueue, 'options'>) => queue.options as unknown as QueueOptions;

/** The queue of a client with all capabilities but `strict_content`, for events outside of a queue. */
export function wholeView(userId: number, { apply_markdown = false }: { apply_markdown?: boolean } = {}): EventQueue {
  const client_capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, name !== 'strict_content']));
  const options = { apply_markdown, client_gravatar: false, include_subscribers: true, slim_presence: true };
  return {
    id: '',
    user_id: userId,
    client: '',
    event_types: null,
    narrow: [],
    all_public_streams: false,
    rooms: null,
    options: { ...options, client_capabilities },
    start_seq: 0,
    acked_seq: 0,
    last_used_ms: 0,
    lifespan: 0,
    holder: null,
  };
}

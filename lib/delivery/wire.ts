import { roleSeesEmail } from '../access/user-view.ts';
import { type MessageObject, messageView, type SharedMessage } from '../domains/messages/message-view.ts';
import { matchesNarrow } from '../domains/messages/queue-narrow.ts';
import type { ChatEvent, LoggedEvent } from '../kernel/event.ts';
import { organizationSetting } from '../rules/organization-settings.ts';
import { shownTopic } from '../rules/topics.ts';
import type { EventQueue, Organization, User } from '../storage/storage.ts';

/** What a queue asked for when it was registered. */
export interface QueueOptions {
  apply_markdown: boolean;
  client_gravatar: boolean;
  include_subscribers: boolean;
  slim_presence: boolean;
  client_capabilities: Record<string, boolean>;
}

export function queueOptions(queue: Pick<EventQueue, 'options'>): QueueOptions {
  return queue.options as unknown as QueueOptions;
}

/** Whether the queue wants this event at all: by type, by what its client knows, and for messages by its narrow. */
export function queueAccepts(
  queue: EventQueue,
  logged: LoggedEvent,
  reader: Pick<User, 'id'>,
  organization: Organization,
): boolean {
  const { event, archivedChannels } = logged;
  const { client_capabilities } = queueOptions(queue);
  if (archivedChannels !== undefined && archivedChannels !== (client_capabilities.archived_channels ?? false))
    return false;
  if (queue.event_types !== null && !queue.event_types.includes(event.type)) return false;
  if (event.type === 'realm_linkifiers' && !client_capabilities.linkifier_url_template) return false;
  if (event.type !== 'message' || queue.narrow.length === 0) return true;
  return matchesNarrow(queue.narrow, {
    message: event.message as SharedMessage,
    flags: (logged.forUsers?.[reader.id]?.flags ?? event.flags ?? []) as string[],
    readerId: reader.id,
    emptyTopicDisplayName: organizationSetting(organization, 'empty_topic_display_name'),
  });
}

/** An event as the client of this queue understands it, which for some clients takes several. */
export function wireEvents(
  queue: EventQueue,
  logged: LoggedEvent,
  reader: Pick<User, 'id' | 'role'>,
  organization: Organization,
): (ChatEvent & { id: number })[] {
  const event = wireEvent(queue, logged, reader, organization);
  if (event.type !== 'delete_message' || queueOptions(queue).client_capabilities.bulk_message_deletion) return [event];
  const { message_ids, ...rest } = event as typeof event & { message_ids: number[] };
  // All of them gone meanwhile: something must still carry the id, or the client would ask for it for ever.
  if (message_ids.length === 0) return [{ type: 'heartbeat', id: event.id }];
  return message_ids.map((message_id) => ({ ...rest, message_id }));
}

/** Ids count from the queue's own start. */
function wireEvent(
  queue: EventQueue,
  logged: LoggedEvent,
  reader: Pick<User, 'id' | 'role'>,
  organization: Organization,
): ChatEvent & { id: number } {
  const own = logged.forUsers?.[reader.id];
  const echo = logged.forQueue?.queue_id === queue.id ? logged.forQueue.fields : undefined;
  const event: WireEvent = { ...logged.event, ...own, ...echo, id: eventId(queue, logged.seq) };
  const options = queueOptions(queue);
  switch (event.type) {
    case 'message':
      return messageEvent(event, options, organization);
    case 'realm_user':
      return event.op === 'add' ? accountEvent(event, reader, options) : event;
    case 'subscription':
      return event.op === 'add' && !options.include_subscribers ? withoutSubscribers(event) : event;
    case 'update_message':
      return withShown(event, ['orig_subject', 'subject'], options, organization);
    case 'delete_message':
      return withShown(event, ['topic'], options, organization);
    case 'update_message_flags':
      return event.message_details ? withShownTopics(event, options, organization) : event;
    default:
      return event;
  }
}

export function eventId(queue: Pick<EventQueue, 'start_seq'>, seq: number): number {
  return seq - queue.start_seq - 1;
}

type WireEvent = ChatEvent & { id: number };

function messageEvent(event: WireEvent, options: QueueOptions, organization: Organization): WireEvent {
  const message: MessageObject = messageView(
    event.message as SharedMessage,
    { ...options, allow_empty_topic_name: options.client_capabilities.empty_topic_name ?? false },
    organizationSetting(organization, 'empty_topic_display_name'),
  );
  return { ...event, message };
}

function accountEvent(event: WireEvent, reader: Pick<User, 'id' | 'role'>, options: QueueOptions): WireEvent {
  const { email_visibility, ...person } = event.person as Record<string, unknown> & {
    email_visibility: 1 | 2 | 3 | 4 | 5;
  };
  const visible =
    person.is_bot === true || person.user_id === reader.id || roleSeesEmail(email_visibility, reader.role);
  const hasGravatar = String(person.avatar_url).includes('//secure.gravatar.com/');
  return {
    ...event,
    person: {
      ...person,
      ...(visible ? {} : { delivery_email: null }),
      ...(visible && options.client_gravatar && hasGravatar ? { avatar_url: null } : {}),
    },
  };
}

function withoutSubscribers(event: WireEvent): WireEvent {
  const subscriptions = event.subscriptions as Record<string, unknown>[];
  return { ...event, subscriptions: subscriptions.map(({ subscribers: _, ...subscription }) => subscription) };
}

function withShownTopics(event: WireEvent, options: QueueOptions, organization: Organization): WireEvent {
  if (options.client_capabilities.empty_topic_name) return event;
  const shown = organizationSetting(organization, 'empty_topic_display_name');
  const details = event.message_details as Record<string, { topic?: string }>;
  const message_details = Object.fromEntries(
    Object.entries(details).map(([id, one]) => [
      id,
      one.topic === undefined ? one : { ...one, topic: shownTopic(one.topic, shown, false) },
    ]),
  );
  return { ...event, message_details };
}

function withShown(
  event: WireEvent,
  fields: readonly string[],
  options: QueueOptions,
  organization: Organization,
): WireEvent {
  if (options.client_capabilities.empty_topic_name || !fields.some((field) => event[field] === '')) return event;
  const name = organizationSetting(organization, 'empty_topic_display_name');
  return {
    ...event,
    ...Object.fromEntries(fields.filter((field) => event[field] === '').map((field) => [field, name])),
  };
}

import assert from 'node:assert/strict';
import { CAPABILITIES, type QueueOptions } from '../../lib/events/client.ts';
import { eventSchema } from '../../lib/events/define-event.ts';
import { EventEncoder } from '../../lib/events/event-encoder.ts';
import { queueNotice } from '../../lib/events/queue-notices.ts';
import { registered } from '../../lib/internal.ts';
import type { User } from '../../lib/model/users.ts';
import type { EventQueue } from '../../lib/storage/interface/events.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { faultsOf } from './strict-result.ts';

const declarations = new Map(registered.events.map((declaration) => [declaration.eventName, declaration]));

/** Strict decoders in clients fail on any key that the event's declaration does not name. */
export function assertEvent(event: { type: string; op?: unknown }): void {
  const name = event.op === undefined ? event.type : `${event.type}/${event.op}`;
  const declaration = declarations.get(name);
  assert.ok(declaration, `no feature declares the event ${name}`);
  assert.deepEqual(faultsOf(eventSchema(declaration), event), [], name);
}

const modern: QueueOptions = {
  apply_markdown: true,
  client_gravatar: false,
  include_subscribers: true,
  slim_presence: false,
  client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
};

/** Checks every event after `from` in the log against its declaration, for every recipient. */
export async function assertLog(storage: Storage, from: number): Promise<void> {
  const wire = new EventEncoder(registered.events);
  await storage.read(async (tx) => {
    const stored = (await tx.events.since(from, 10_000)).filter((entry) => !queueNotice(entry));
    if (stored.length === 0) return;
    const organization = await tx.organization.get();
    if (!organization) return;
    const reader = { id: 0, role: 100 } as User;
    const queue = { ...MODERN_QUEUE, options: { ...modern } };
    const logged = await wire.complete({ tx, organization, now: 0 }, reader, stored);
    for (const entry of logged)
      for (const event of wire.eventsFor(queue, entry, reader, organization)) assertEvent(event);
  });
}

const MODERN_QUEUE: EventQueue = {
  id: 'modern',
  user_id: 0,
  client: 'test',
  event_types: null,
  narrow: [],
  all_public_streams: false,
  rooms: null,
  options: {},
  start_seq: 0,
  acked_seq: 0,
  last_used_ms: 0,
  lifespan: 600,
  holder: null,
};

const PERMISSIONS = [
  'add_subscribers',
  'remove_subscribers',
  'administer_channel',
  'delete_any_message',
  'delete_own_message',
  'move_messages_out_of_channel',
  'move_messages_within_channel',
  'send_message',
  'subscribe',
  'resolve_topics',
].map((name) => `can_${name}_group`);

/** Every key that a strict client needs in a channel object. */
export const CHANNEL_KEYS: readonly string[] = [
  'stream_id',
  'name',
  'is_archived',
  'description',
  'date_created',
  'creator_id',
  'invite_only',
  'rendered_description',
  'is_web_public',
  'stream_post_policy',
  'message_retention_days',
  'history_public_to_subscribers',
  'topics_policy',
  'first_message_id',
  'folder_id',
  'is_recently_active',
  'is_announcement_only',
  'stream_weekly_traffic',
  'subscriber_count',
  ...PERMISSIONS,
];

export const SUBSCRIPTION_KEYS: readonly string[] = [
  ...CHANNEL_KEYS,
  'desktop_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
  'push_notifications',
  'audible_notifications',
  'pin_to_top',
  'is_muted',
  'in_home_view',
  'color',
];

export const GROUP_KEYS: readonly string[] = [
  'id',
  'name',
  'description',
  'date_created',
  'creator_id',
  'members',
  'direct_subgroup_ids',
  'is_system_group',
  'deactivated',
  ...['add_members', 'join', 'leave', 'manage', 'mention', 'remove_members'].map((name) => `can_${name}_group`),
];

import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { BadNarrow, BadRequest } from '../../../base/errors.ts';
import {
  choice,
  describe,
  either,
  entriesOf,
  falseByDefault,
  flag,
  forPrograms,
  id,
  integer,
  list,
  optional,
  record,
  text,
  trueByDefault,
  type ValuesOf,
} from '../../../base/schemas.ts';
import { API_VERSION, FEATURE_LEVEL } from '../../../base/version.ts';
import { CAPABILITIES, type QueueOptions } from '../../../events/client.ts';
import { haveQueuesEnded, queueDeleted } from '../../../events/queue-notices.ts';
import { keptPerChat } from '../../../operation/feature.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isGuest, roomsOf } from '../../../rules/roles.ts';
import type { EventQueue } from '../../../storage/interface/events.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { AccountContext, Services, Snapshot, StatePart } from '../../../viewer/context.ts';
import { userViewParams } from '../../../views/user-view.ts';
import { narrowParam } from '../../messages/message-window.ts';
import { channelsNamed } from '../../messages/narrow.ts';
import { readQueueNarrow } from '../../messages/queue-narrow.ts';
import { roomIds } from './queue-owner.ts';

/** Seconds without a poll until a queue expires, unless the client requests more. */
const DEFAULT_LIFESPAN = 600;
/** Phones can sleep for days. */
const MOBILE_LIFESPAN = 7 * 86_400;
const MAX_LIFESPAN = 7 * 86_400;

/**
 * Queues per account: more than a user has devices, or a faulty program registers in ten minutes. A new queue above the
 * limit ends the least recently used queue. An error instead would let a faulty program lock its owner out of all other
 * clients until its queues expire.
 */
const MAX_QUEUES = 1_000;

const types = list(text(100), 200);

const CAPABILITIES_EXPECTED = 'must be an object with boolean values, for example {"bulk_message_deletion": true}';

const params = {
  apply_markdown: falseByDefault('Send message content as HTML instead of Markdown.'),
  client_gravatar: optional(
    v.nullable(userViewParams.client_gravatar.wrapped),
    'Return null as `avatar_url` of Gravatar avatars. Default, and null: true.',
    true,
  ),
  include_subscribers: optional(
    either([flag, choice(['partial'])], 'must be true, false or partial'),
    'Include the subscribers of channels. With `partial`, the largest channels get `partial_subscribers` if the response would be too large.',
    false,
  ),
  include_never_subscribed: trueByDefault(
    'With `false`, the response has no `never_subscribed`, which lists all other channels that you can see.',
  ),
  slim_presence: optional(forPrograms(flag), 'Send presence by user ID, in the short format.', false),
  presence_history_limit_days: optional(id, 'Include the presence of users who were active in this many days.', 14),
  event_types: optional(v.nullable(types), 'Event types for the queue. Default: all.'),
  fetch_event_types: optional(v.nullable(types), 'Types of state to return. Default: same as `event_types`.'),
  all_public_streams: falseByDefault('Include messages of public channels you are not subscribed to.'),
  narrow: optional(
    v.nullable(narrowParam),
    'Only send messages that match all these terms: objects, or pairs like `["channel", "general"]`. Members also get matching messages of public channels without a subscription, unless a term selects only their own messages, like `is:mentioned` or `dm`.',
    [],
  ),
  client_capabilities: optional(
    forPrograms(
      v.pipe(
        record(text(100), v.unknown(), CAPABILITIES_EXPECTED),
        v.object(entriesOf(CAPABILITIES, v.optional(flag))),
      ),
    ),
    'Optional features that the client supports, by name. Typing in channels needs `stream_typing_notifications`. With `strict_content`, the HTML of messages in events has no `style` attributes. With `time_format_null`, `twenty_four_hour_time` of `user_settings` is null until the user chooses a format.',
    {},
  ),
  queue_lifespan_secs: optional(forPrograms(integer), 'Old name of `idle_queue_timeout`.'),
  idle_queue_timeout: optional(
    either([integer, choice(['mobile'])], 'must be a number of seconds or the word mobile'),
    'Seconds without a poll until the queue expires: 600 (default) to 604,800, or `mobile` for 7 days.',
  ),
};

type RegisterParams = ValuesOf<typeof params>;

export const register = defineOperation({
  name: 'register',
  http: 'POST /register',
  summary: 'Register an event queue and get the initial state',
  description:
    'The queue starts exactly at the returned state: apply its events to keep the state up to date. Queues survive restarts and expire when you do not poll them. An account can have 1,000 queues. A new queue above this limit ends the least recently used queue.',
  example: { fetch_event_types: ['subscription'], event_types: ['message'] },
  access: 'user',
  forRooms: true,
  scope: 'read',
  effect: 'manual',
  params,
  result: v.looseObject({
    queue_id: describe(v.string(), 'Queue ID for GET /events.'),
    last_event_id: v.number(),
    user_id: describe(v.number(), 'Your own ID, whatever `fetch_event_types` selects.'),
    zulip_version: v.string(),
    zulip_feature_level: v.number(),
    zulip_merge_base: v.string(),
  }),
  errors: [BadNarrow],
  extent: () => 'large',
  async run({ transact, now, client, services }, given) {
    if (isDeafToTyping(given) && services.options.development)
      services.logger.warn({ client }, 'this event queue gets no typing in channels: it lacks the client capability');
    const queue = { id: randomUUID(), client, now };
    for (;;) {
      const snapshot = await transact('read', (context) => takeSnapshot(context, given));
      // The log keeps events for longer than this takes, so the queue can start at the snapshot.
      const hasBegun = await transact('append', (context) => beginQueue(context, given, snapshot, queue));
      const { state, user_id } = snapshot;
      if (hasBegun) return { ...state, user_id, queue_id: queue.id, last_event_id: -1, ...VERSIONS };
    }
  },
});

const VERSIONS = { zulip_version: API_VERSION, zulip_feature_level: FEATURE_LEVEL, zulip_merge_base: API_VERSION };

const isDeafToTyping = ({ event_types, client_capabilities }: RegisterParams) =>
  event_types?.includes('typing') && !client_capabilities.stream_typing_notifications;

const queueOptions = (given: RegisterParams): QueueOptions => ({
  apply_markdown: given.apply_markdown,
  client_gravatar: given.client_gravatar ?? true,
  include_subscribers: given.include_subscribers !== false,
  slim_presence: given.slim_presence,
  client_capabilities: given.client_capabilities,
});

type StartingPoint = Awaited<ReturnType<typeof takeSnapshot>>;

/**
 * The state and the end of the log. Must be a single snapshot. Otherwise the first events could be missing, or repeat
 * changes in the state.
 */
async function takeSnapshot(context: AccountContext, given: RegisterParams) {
  const { actor, organization, tx } = context;
  const { presence_history_limit_days, include_never_subscribed } = given;
  if (given.all_public_streams && isGuest(actor)) throw new BadRequest('Guests cannot use all_public_streams.');
  const fetched = given.fetch_event_types === undefined ? given.event_types : given.fetch_event_types;
  const [narrow, state, tail] = await Promise.all([
    storedNarrow(context, given.narrow ?? []),
    initialState({
      context,
      options: queueOptions(given),
      mayNameSome: given.include_subscribers === 'partial',
      include_never_subscribed,
      presence_history_limit_days,
      wants: (type: string) => !fetched || fetched.includes(type),
    }),
    tx.events.tail(),
  ]);
  return { version: organization.version, narrow, state, tail, user_id: actor.id };
}

/** Creates the queue. Returns false if the state is outdated. */
async function beginQueue(
  { tx, actor, organization, services, afterCommit }: AccountContext,
  given: RegisterParams,
  { version, narrow, tail }: StartingPoint,
  { id, client, now }: { id: string; client: string; now: number },
): Promise<boolean> {
  // A change with too many events ends the queues of a user. This queue does not exist yet, so read the state
  // again instead. Every such change raises the version.
  if (organization.version !== version && (await haveQueuesEnded(tx, actor.id, tail))) return false;
  const created = tx.queues.create({
    id,
    user_id: actor.id,
    client,
    event_types: given.event_types ?? null,
    narrow,
    all_public_streams: given.all_public_streams,
    rooms: roomIds(actor),
    options: { ...queueOptions(given) },
    start_seq: tail,
    acked_seq: tail,
    last_used_ms: now,
    lifespan: lifespan(given.idle_queue_timeout ?? given.queue_lifespan_secs),
    holder: services.hub.id,
  });
  const [surplus, crowd] = await Promise.all([
    tx.queues.removeSurplus(actor.id, MAX_QUEUES),
    endTruncatedQueues(tx, services),
    created,
  ]);
  const ended = [...surplus, ...crowd];
  if (ended.length > 0) {
    await tx.events.append(ended.map(queueDeleted), now);
    afterCommit(() => services.hub.wake());
  }
  return true;
}

function lifespan(given: number | 'mobile' | undefined): number {
  if (given === 'mobile') return MOBILE_LIFESPAN;
  if (given === undefined) return DEFAULT_LIFESPAN;
  return Math.min(Math.max(given, DEFAULT_LIFESPAN), MAX_LIFESPAN);
}

/**
 * A token for rooms gets only these parts: they show no more than it can see, or clients do not start without them.
 */
const STATE_OF_ROOMS: Readonly<Record<string, true | object>> = {
  realm: true,
  realm_emoji: true,
  realm_user: true,
  subscription: true,
  update_message_flags: true,
  starred_messages: true,
  user_settings: true,
  message: { max_message_id: -1 },
  drafts: { drafts: [] },
  muted_users: { muted_users: [] },
  recent_private_conversations: { recent_private_conversations: [] },
  user_topic: { user_topics: [] },
};

function stateOfRooms(parts: Services['initialState']): Services['initialState'] {
  const stateOf = (type: string, part: StatePart) => {
    const open = Object.hasOwn(STATE_OF_ROOMS, type) && STATE_OF_ROOMS[type];
    return open === true ? part : open && (async () => open);
  };
  const open = Object.entries(parts).map(([type, part]) => [type, stateOf(type, part)] as const);
  return Object.fromEntries(open.filter((entry): entry is [string, StatePart] => Boolean(entry[1])));
}

async function initialState(snapshot: Snapshot): Promise<Record<string, unknown>> {
  const { services, actor } = snapshot.context;
  const named = roomsOf(actor) ? stateOfRooms(services.initialState) : services.initialState;
  const parts = Object.entries(named).filter(([type]) => snapshot.wants(type));
  return Object.assign({}, ...(await Promise.all(parts.map(([, part]) => part(snapshot)))));
}

const OF_CHANNELS: ReadonlySet<string> = new Set(['channel', 'stream']);
const OF_PEOPLE: ReadonlySet<string> = new Set(['dm', 'pm-with', 'dm-including', 'group-pm-with', 'sender', 'from']);

/**
 * The narrow as stored: pairs of strings. Users by ID, because a message event has one address per user. Channels by ID,
 * because a message finds waiting polls by its channel.
 */
async function storedNarrow(
  context: AccountContext,
  given: v.InferOutput<typeof narrowParam>,
): Promise<EventQueue['narrow']> {
  const written = given.map((term): EventQueue['narrow'][number] => {
    const [operator, operand, negated] = Array.isArray(term) ? term : [term.operator, term.operand, term.negated];
    const pair = [operator.toLowerCase(), String(operand)] as const;
    return negated === true ? [...pair, true] : [...pair];
  });
  const terms = readQueueNarrow(written);
  const channels = new Map((await channelsNamed(context.tx, terms)).map(({ id, name }) => [name.toLowerCase(), id]));
  const narrow = written.map(([operator, operand, ...negated]): EventQueue['narrow'][number] => {
    const id = OF_CHANNELS.has(operator) ? channels.get(operand.trim().toLowerCase()) : undefined;
    return [operator, id === undefined ? operand : String(id), ...negated];
  });
  const named = narrow.flatMap(([operator, operand]) => (OF_PEOPLE.has(operator) ? people(operand) : []));
  const addresses = named.filter((person) => person.includes('@'));
  if (addresses.length === 0) return narrow;
  const users = await context.viewer.usersByAddress(addresses);
  const visible = await context.viewer.visibleUserIds();
  const byId = (address: string) => {
    const id = users.get(address)?.id;
    return id === undefined || (visible && !visible.has(id)) ? address : id;
  };
  return narrow.map(([operator, operand, ...negated]) =>
    OF_PEOPLE.has(operator)
      ? [operator, people(operand).map(byId).join(','), ...negated]
      : [operator, operand, ...negated],
  );
}

const people = (operand: string) => operand.split(',').map((person) => person.trim());

const MAX_QUEUES_IN_ALL = 100_000;
/** Registrations per process between two counts. A count reads all queues. */
const REGISTRATIONS_PER_COUNT = 500;
/** Queues ended per count. More than `REGISTRATIONS_PER_COUNT`, so that their number falls below the limit. */
const MAX_ENDED = 1_000;

const registrationsOf = keptPerChat(() => ({ count: 0 }));

/** On every 500th registration: if there are too many queues, ends those that expire first. Returns their IDs. */
async function endTruncatedQueues(tx: Transaction, services: Services): Promise<string[]> {
  const registrations = registrationsOf(services);
  registrations.count++;
  return registrations.count % REGISTRATIONS_PER_COUNT === 0 ? tx.queues.removeCrowd(MAX_QUEUES_IN_ALL, MAX_ENDED) : [];
}

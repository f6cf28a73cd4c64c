import { randomBytes } from 'node:crypto';
import { MovedMessages } from '../delivery/moved-messages.ts';
import { isAdministrator, isGuest } from '../rules/roles.ts';
import type { Audience, EventDraft } from '../storage/interface/event-log.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { User } from '../storage/interface/users.ts';
import { CAPABILITIES } from './client.ts';
import type { OutboxDraft, TransactionContext } from './context.ts';
import type { Events } from './generated.ts';

/** People named of each audience, and events listed, at most. */
const MAX_PEOPLE = 20;
const MAX_EVENTS = 1_000;

/** Who would receive an event. */
export interface Recipients {
  /** `everyone`: all accounts; `members`: all but guests; `public`: clients that asked for all public channels. */
  scope?: 'everyone' | 'members' | 'public';
  /** Everybody subscribed to this channel. */
  channel?: number;
  /** Whether the caller is among them. */
  includes_you: boolean;
  /** How many active accounts, all in all. For administrators. */
  count?: number;
  /** The first of them, 20 at most. For administrators. */
  users?: { user_id: number; full_name: string }[];
}

/** An event that would be sent. */
export interface DryRunEvent {
  type: string;
  op?: string;
  /** As the caller's own client would receive it, messages as Markdown; null where they would not and are no administrator. */
  event: Events[keyof Events] | null;
  recipients: Recipients;
  /** Only for clients that know archived channels (true), or only for those that do not (false). */
  archived_channels?: boolean;
}

/** Something that would leave the process, such as an e-mail. */
export interface DryRunSideEffect {
  kind: string;
  /** Not before this time, milliseconds since the epoch; at once when absent. */
  due_ms?: number;
  /** What it would work on, addresses of others among it; never told by a server. */
  payload?: Record<string, unknown>;
}

/** What an operation would do; nothing of it has happened. */
export interface DryRun<A = object> {
  /** What it would answer. Ids may be others when it is done, and API keys in it are made up. */
  answer: A;
  /** What it would send, in order, 1,000 at most. */
  events: DryRunEvent[];
  /** How many more events there are; absent when all are listed. */
  events_left_out?: number;
  side_effects: DryRunSideEffect[];
}

export type Consequences = Omit<DryRun, 'answer'>;

export const NOTHING: Consequences = { events: [], side_effects: [] };

/**
 * The organization with another secret. Keys are derived from it, also those of accounts and generations that
 * are still to come: an answer that is never carried out must not tell them in advance.
 */
export function withMadeUpSecret(organization: Organization): Organization {
  return { ...organization, secret: randomBytes(32).toString('hex') };
}

/** What a transaction about to be rolled back would have sent, for its caller to see. */
export async function consequences(
  context: TransactionContext,
  events: readonly EventDraft[],
  items: readonly OutboxDraft[],
): Promise<Consequences> {
  const listed = events.slice(0, MAX_EVENTS);
  const left = events.length - listed.length;
  const audiences = await resolveAudiences(context, listed);
  const shown: DryRunEvent[] = [];
  for (const [at, draft] of listed.entries()) {
    const { type, op } = draft.event;
    const recipients = audiences[at] as Recipients;
    const maySee = recipients.includes_you || isAdministratorOf(context);
    shown.push({
      type,
      ...(op === undefined ? {} : { op }),
      event: maySee ? await eventForCaller(context, draft) : null,
      recipients,
      ...(draft.archivedChannels === undefined ? {} : { archived_channels: draft.archivedChannels }),
    });
  }
  return {
    events: shown,
    ...(left > 0 ? { events_left_out: left } : {}),
    side_effects: items.map(({ kind, payload, due_ms }) => ({
      kind,
      payload,
      ...(due_ms === undefined ? {} : { due_ms }),
    })),
  };
}

const isAdministratorOf = ({ actor }: Pick<TransactionContext, 'actor'>) =>
  actor !== undefined && isAdministrator(actor);

/** As a client of the caller's would receive it that understands everything. */
async function eventForCaller(context: TransactionContext, draft: EventDraft): Promise<DryRunEvent['event']> {
  const { actor, organization, services } = context;
  if (!actor) return null;
  const { wire } = services;
  const [logged] = await wire.complete(context, actor, [{ ...draft, seq: 1 }], new MovedMessages());
  const [event] = logged ? wire.eventsFor(queueOf(actor), logged, actor, organization) : [];
  if (!event) return null;
  const { id, ...shown } = event;
  return shown.type === draft.event.type ? (shown as DryRunEvent['event']) : null;
}

function queueOf({ id }: User) {
  const client_capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, true]));
  // Markdown is what people read here.
  const options = { apply_markdown: false, client_gravatar: false, include_subscribers: true, slim_presence: true };
  return {
    id: '',
    user_id: id,
    client: '',
    event_types: null,
    narrow: [],
    all_public_streams: false,
    options: { ...options, client_capabilities },
    start_seq: 0,
    acked_seq: 0,
    last_used_ms: 0,
    lifespan: 0,
    holder: null,
  };
}

/** For each event its recipients, in a number of statements that does not follow the events. */
async function resolveAudiences(context: TransactionContext, drafts: readonly EventDraft[]): Promise<Recipients[]> {
  const { tx, actor } = context;
  const channels = [...new Set(drafts.map(({ audience }) => audience.channel).filter((id) => id !== undefined))];
  const subscribers =
    channels.length > 0 ? await tx.subscriptions.subscriberIds(channels) : new Map<number, number[]>();
  if (!isAdministratorOf(context)) {
    // They may have deactivated themself.
    const isActive = actor !== undefined && drafts.length > 0 && (await tx.users.byId(actor.id))?.is_active === true;
    return drafts.map(({ audience }) => ({
      ...placesOf(audience),
      includes_you: isActive && includes(audience, actor, subscribers),
    }));
  }
  const everyone = drafts.length > 0 ? (await tx.users.activeIds()).sort((a, b) => a - b) : [];
  const guests = drafts.some(({ audience }) => audience.scope === 'members')
    ? new Set(await tx.users.activeIds([600]))
    : new Set<number>();
  const active = new Set(everyone);
  const known = new Map<string, number[]>();
  const idsOf = (audience: Audience): number[] => {
    const key = JSON.stringify(audience);
    const ids = known.get(key) ?? accountsIn(audience);
    known.set(key, ids);
    return ids;
  };
  const accountsIn = ({ scope, users = [], channel, except = [] }: Audience): number[] => {
    const found = new Set<number>();
    if (scope === 'everyone') for (const id of everyone) found.add(id);
    if (scope === 'members') for (const id of everyone) if (!guests.has(id)) found.add(id);
    for (const id of channel === undefined ? [] : (subscribers.get(channel) ?? [])) found.add(id);
    for (const id of users) if (active.has(id)) found.add(id);
    for (const id of except) found.delete(id);
    return [...found].sort((a, b) => a - b);
  };
  const ids = drafts.map(({ audience }) => idsOf(audience));
  const named = new Set(ids.flatMap((list) => list.slice(0, MAX_PEOPLE)));
  const names = new Map((await tx.users.byIds([...named])).map((user) => [user.id, user.full_name]));
  return drafts.map(({ audience }, at) => {
    const list = ids[at] as number[];
    return {
      ...placesOf(audience),
      includes_you: actor !== undefined && list.includes(actor.id),
      count: list.length,
      users: list.slice(0, MAX_PEOPLE).map((user_id) => ({ user_id, full_name: names.get(user_id) ?? '' })),
    };
  });
}

function placesOf({ scope, channel }: Audience): Pick<Recipients, 'scope' | 'channel'> {
  return { ...(scope === undefined ? {} : { scope }), ...(channel === undefined ? {} : { channel }) };
}

function includes(
  { scope, channel, users = [], except = [] }: Audience,
  user: User,
  subscribers: ReadonlyMap<number, readonly number[]>,
): boolean {
  if (except.includes(user.id)) return false;
  return (
    scope === 'everyone' ||
    (scope === 'members' && !isGuest(user)) ||
    users.includes(user.id) ||
    (channel !== undefined && (subscribers.get(channel)?.includes(user.id) ?? false))
  );
}

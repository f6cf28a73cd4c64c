import type { OutboxDraft, TransactionContext } from '../access/context.ts';
import { wholeView } from '../events/client.ts';
import { isAdministrator } from '../rules/roles.ts';
import type { Audience, EventDraft } from '../storage/interface/events.ts';
import type { Events } from './generated.ts';

/** Most events listed. */
const MAX_EVENTS = 1_000;

/** An event that the operation would send. */
export interface DryRunEvent {
  /** Event type, for example `message`. */
  type: string;
  /** Event `op`, for example `add`, if the type has one. */
  op?: string;
  /**
   * The event as the client of the caller would receive it, with messages in Markdown. It is null if the caller is
   * neither a recipient nor an administrator.
   */
  event: Events[keyof Events] | null;
  /** The recipients. */
  recipients: Recipients;
  /** true: sent only to clients with the capability `archived_channels`. false: only to clients without it. */
  archived_channels?: boolean;
}

/** A side effect outside of the database, for example an e-mail. */
export interface DryRunSideEffect {
  /** Kind of the side effect, for example `invitation`. */
  kind: string;
  /** Earliest time, in milliseconds since the epoch. Absent: immediately. */
  due_ms?: number;
  /** Data of the side effect. May contain addresses of other users, so servers never send it. */
  payload?: Record<string, unknown>;
}

/** Result of a dry run. Nothing has changed. */
export interface DryRun<A = object> {
  /** The answer that the call would have. The real call may use other IDs. API keys in it are invalid. */
  answer: A;
  /** The events that the call would send, in order. At most 1,000. */
  events: DryRunEvent[];
  /** Number of events that are not listed. Absent if all are listed. */
  events_left_out?: number;
  /** The side effects that would follow, in order. */
  side_effects: DryRunSideEffect[];
}

export type Consequences = Omit<DryRun, 'answer'>;

export const NOTHING: Consequences = { events: [], side_effects: [] };

/** The events and side effects of a transaction that will be rolled back, as far as the caller may see them. */
export async function consequences(
  context: TransactionContext,
  events: readonly EventDraft[],
  items: readonly OutboxDraft[],
): Promise<Consequences> {
  const listed = events.slice(0, MAX_EVENTS);
  const left = events.length - listed.length;
  const audiences = await recipientsOf(context, listed);
  const shown: DryRunEvent[] = [];
  for (const [at, draft] of listed.entries()) {
    const { type, op } = draft.event;
    const recipients = audiences[at] as Recipients;
    const maySee = recipients.includes_you || mayKnowOthers(context);
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

/** The event as a client of the caller with all capabilities receives it. null for events of older clients alone. */
async function eventForCaller(context: TransactionContext, draft: EventDraft): Promise<DryRunEvent['event']> {
  const { actor, organization, services } = context;
  if (!actor) return null;
  const { wire } = services;
  if (wire.declarationOf(draft.event).unless) return null;
  const [logged] = await wire.complete(context, actor, [{ ...draft, seq: 1 }]);
  const [event] = logged ? wire.eventsFor(wholeView(actor.id), logged, actor, organization) : [];
  if (!event) return null;
  const { id, ...shown } = event;
  return shown.type === draft.event.type ? (shown as DryRunEvent['event']) : null;
}

/** Most users listed per event. */
const MAX_PEOPLE = 20;

/** Recipients of an event. */
export interface Recipients {
  /** `everyone`: all accounts; `members`: all but guests; `public`: clients that asked for all public channels. */
  scope?: 'everyone' | 'members' | 'public';
  /** Channel ID: all subscribers of this channel. */
  channel?: number;
  /** Whether the caller is a recipient. */
  includes_you: boolean;
  /** Total number of active recipients. Only for administrators. */
  count?: number;
  /** The first 20 recipients. Only for administrators. */
  users?: { user_id: number; full_name: string }[];
}

/** Only administrators may see who is subscribed to a private channel, or who has starred a message in it. */
const mayKnowOthers = ({ actor }: Pick<TransactionContext, 'actor'>) => actor !== undefined && isAdministrator(actor);

/** The recipients of each event. The number of statements does not grow with the number of events. */
async function recipientsOf(context: TransactionContext, drafts: readonly EventDraft[]): Promise<Recipients[]> {
  const { tx, actor } = context;
  const channels = [...new Set(drafts.map(({ audience }) => audience.channel).filter((id) => id !== undefined))];
  const subscribers =
    channels.length > 0 ? await tx.subscriptions.subscriberIds(channels) : new Map<number, number[]>();
  const active = new Set(drafts.length > 0 ? await tx.users.activeIds() : []);
  const guests = new Set(
    drafts.some(({ audience }) => audience.scope === 'members') ? await tx.users.activeIds([600]) : [],
  );
  const known = new Map<string, number[]>();
  const accountsIn = ({ scope, users = [], channel, except = [] }: Audience): number[] => {
    const found = new Set(scope === 'everyone' || scope === 'members' ? active : []);
    if (scope === 'members') for (const id of guests) found.delete(id);
    for (const id of channel === undefined ? [] : (subscribers.get(channel) ?? [])) found.add(id);
    for (const id of users) found.add(id);
    for (const id of except) found.delete(id);
    return [...found].filter((id) => active.has(id)).sort((a, b) => a - b);
  };
  const ids = drafts.map(({ audience }) => {
    const key = JSON.stringify(audience);
    const list = known.get(key) ?? accountsIn(audience);
    known.set(key, list);
    return list;
  });
  const mayKnow = mayKnowOthers(context);
  const named = new Set(mayKnow ? ids.flatMap((list) => list.slice(0, MAX_PEOPLE)) : []);
  const names = new Map((await tx.users.byIds([...named])).map((user) => [user.id, user.full_name]));
  return drafts.map(({ audience: { scope, channel } }, at) => {
    const list = ids[at] as number[];
    const users = list.slice(0, MAX_PEOPLE).map((user_id) => ({ user_id, full_name: names.get(user_id) ?? '' }));
    return {
      ...(scope === undefined ? {} : { scope }),
      ...(channel === undefined ? {} : { channel }),
      includes_you: actor !== undefined && list.includes(actor.id),
      ...(mayKnow ? { count: list.length, users } : {}),
    };
  });
}

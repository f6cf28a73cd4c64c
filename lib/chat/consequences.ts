import { wholeView } from '../events/client.ts';
import { isGuest, isSystem } from '../rules/roles.ts';
import type { Audience, EventDraft } from '../storage/interface/events.ts';
import type { OutboxDraft, TransactionContext } from '../viewer/context.ts';
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
   * The event as the client of the caller would receive it, with messages in Markdown. It is null if only older clients
   * receive it.
   */
  event: Events[keyof Events] | null;
  /** The recipients. */
  recipients: Recipients;
  /** true: sent only to clients with the capability `archived_channels`. false: only to clients without it. */
  archived_channels?: boolean;
}

/** Recipients of an event. Without a field: single users, you among them. */
export interface Recipients {
  /** `everyone`: all accounts; `members`: all but guests; `public`: clients that asked for all public channels. */
  scope?: 'everyone' | 'members' | 'public';
  /** Channel ID: all subscribers of this channel. */
  channel?: number;
}

/** A side effect outside of the database, for example an e-mail. */
export interface DryRunSideEffect {
  /** Kind of the side effect, for example `invitation`. */
  kind: string;
  /** Earliest time, in milliseconds since the epoch. Absent: immediately. */
  due_ms?: number;
  /** Data of the side effect. Only for `chat.system()`. */
  payload?: Record<string, unknown>;
}

/** Result of a dry run. Nothing has changed. */
export interface DryRun<A = object> {
  /** The answer that the call would have. The real call may use other IDs. API keys in it are invalid. */
  answer: A;
  /** The events that the caller would receive, in order. At most 1,000. `chat.system()` gets the events of all users. */
  events: DryRunEvent[];
  /** Number of events that are not listed. Absent if all are listed. */
  events_left_out?: number;
  /**
   * The side effects that follow from the call alone, in order, for example the e-mail of an invitation. Not
   * notifications, which depend on devices and settings of others. `chat.system()` gets all side effects.
   */
  side_effects: DryRunSideEffect[];
}

export type Consequences = Omit<DryRun, 'answer'>;

export const NOTHING: Consequences = { events: [], side_effects: [] };

/**
 * The events and side effects of a transaction that will be rolled back. A caller gets what the real call would send to
 * them, and side effects of the kinds that follow from the call alone. All else may depend on data hidden from
 * the caller. The host's own code gets everything.
 */
export async function consequences(
  context: TransactionContext,
  events: readonly EventDraft[],
  items: readonly OutboxDraft[],
  isPredictable: (kind: string) => boolean,
): Promise<Consequences> {
  const isHost = context.actor !== undefined && isSystem(context.actor);
  const received = isHost ? events : await receivedBy(context, events);
  const left = received.length - MAX_EVENTS;
  const shown: DryRunEvent[] = [];
  for (const draft of received.slice(0, MAX_EVENTS)) {
    const { type, op } = draft.event;
    const { scope, channel } = draft.audience;
    shown.push({
      type,
      ...(op === undefined ? {} : { op }),
      event: await eventForCaller(context, draft),
      recipients: { ...(scope === undefined ? {} : { scope }), ...(channel === undefined ? {} : { channel }) },
      ...(draft.archivedChannels === undefined ? {} : { archived_channels: draft.archivedChannels }),
    });
  }
  return {
    events: shown,
    ...(left > 0 ? { events_left_out: left } : {}),
    side_effects: items
      .filter(({ kind }) => isHost || isPredictable(kind))
      .map(({ kind, payload, due_ms }) => ({
        kind,
        ...(isHost ? { payload } : {}),
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

/** The events that the caller would receive. The number of statements does not grow with the number of events. */
async function receivedBy({ tx, actor }: TransactionContext, drafts: readonly EventDraft[]) {
  if (!actor || drafts.length === 0) return [];
  // The change may have deactivated the account, or subscribed it to a channel.
  const account = await tx.users.byId(actor.id);
  if (!account?.is_active) return [];
  const channels = [...new Set(drafts.map(({ audience }) => audience.channel).filter((id) => id !== undefined))];
  const own = channels.length > 0 ? await tx.subscriptions.pairs([actor.id], channels) : [];
  const subscribed = new Set(own.filter(({ active }) => active).map(({ channel_id }) => channel_id));
  const isRecipient = ({ scope, users, channel, except }: Audience) =>
    !except?.includes(actor.id) &&
    (scope === 'everyone' ||
      (scope === 'members' && !isGuest(account)) ||
      (channel !== undefined && subscribed.has(channel)) ||
      users?.includes(actor.id) === true);
  return drafts.filter(({ audience }) => isRecipient(audience));
}

import { randomBytes } from 'node:crypto';
import { MovedMessages } from '../delivery/moved-messages.ts';
import { wholeView } from '../delivery/whole-view.ts';
import type { EventDraft } from '../storage/interface/event-log.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { OutboxDraft, TransactionContext } from './context.ts';
import type { Events } from './generated.ts';
import { isToldOfOthers, type Recipients, recipientsOf } from './recipients.ts';

/** Events listed at most. */
const MAX_EVENTS = 1_000;

/** An event that would be sent. */
export interface DryRunEvent {
  /** As clients know it, such as `message`. */
  type: string;
  /** What happened to it, such as `add`, where the type has several. */
  op?: string;
  /** As the caller's own client would receive it, messages as Markdown; null where they would not and are no administrator. */
  event: Events[keyof Events] | null;
  /** Whom it would reach. */
  recipients: Recipients;
  /** Only for clients that know archived channels (true), or only for those that do not (false). */
  archived_channels?: boolean;
}

/** Something that would leave the process, such as an e-mail. */
export interface DryRunSideEffect {
  /** Name of the work, such as `invitation`. */
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
  /** What would leave the process afterwards, in order. */
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
  const audiences = await recipientsOf(context, listed);
  const shown: DryRunEvent[] = [];
  for (const [at, draft] of listed.entries()) {
    const { type, op } = draft.event;
    const recipients = audiences[at] as Recipients;
    const maySee = recipients.includes_you || isToldOfOthers(context);
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

/** As a client of the caller's would receive it that understands everything. */
async function eventForCaller(context: TransactionContext, draft: EventDraft): Promise<DryRunEvent['event']> {
  const { actor, organization, services } = context;
  if (!actor) return null;
  const { wire } = services;
  const [logged] = await wire.complete(context, actor, [{ ...draft, seq: 1 }], new MovedMessages());
  const [event] = logged ? wire.eventsFor(wholeView(actor.id), logged, actor, organization) : [];
  if (!event) return null;
  const { id, ...shown } = event;
  return shown.type === draft.event.type ? (shown as DryRunEvent['event']) : null;
}

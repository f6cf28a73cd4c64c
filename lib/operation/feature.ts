import type { ChatError } from '../base/errors.ts';
import type { EventDeclaration } from '../events/define-event.ts';
import type { OutboxClaim, OutboxFailure, OutboxItem } from '../storage/interface/outbox.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type {
  ManualContext,
  MessageConsequences,
  OutboxDraft,
  RegisteredConsequences,
  Services,
  StatePart,
} from '../viewer/context.ts';
import type { Operation } from './operation.ts';

/** A feature, as its `index.ts` registers it. */
export interface Feature {
  readonly operations: readonly Operation[];
  readonly events?: readonly EventDeclaration[];
  /** Its part of the initial state, by fetch type of `register`. */
  readonly initialState?: Readonly<Record<string, StatePart>>;
  readonly dueWork?: readonly DueWork[];
  readonly outbox?: readonly OutboxKind[];
  readonly consequences?: MessageConsequences;
  /** Called after the rollback of a refused operation, by its name, as the caller. Dry runs do not call it. */
  readonly refused?: Readonly<Record<string, AfterRefusal>>;
  /** Of the feature of second factors. */
  readonly confirm?: Confirm;
}

/**
 * Uses up a code of an account's second factor, in a transaction of its own.
 * @throws SecondFactorNeeded, RateLimitHit
 */
export type Confirm = (services: Pick<Services, 'asSystem'>, userId: number, code: string) => Promise<void>;

/** Does something after a refusal, in transactions of its own. The caller gets the refusal in any case. */
export type AfterRefusal = (context: ManualContext<'user'>, refusal: ChatError) => Promise<void>;

/** Registers a feature. Methods, routes, commands and API documentation follow from it. */
export function defineFeature<const F extends Feature>(feature: F): F {
  return feature;
}

/** What a feature keeps in memory for each chat. @param make called at the first use */
export function keptPerChat<T>(make: (services: Services) => T): (services: Services) => T {
  const kept = new WeakMap<Services, { value: T }>();
  return (services) => {
    let found = kept.get(services);
    if (!found) {
      found = { value: make(services) };
      kept.set(services, found);
    }
    return found.value;
  };
}

/** Everything that features register besides operations. */
export interface Registered {
  readonly events: readonly EventDeclaration[];
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly dueWork: readonly DueWork[];
  readonly outboxKinds: readonly OutboxKind[];
  readonly consequences: RegisteredConsequences;
  readonly refused: Readonly<Record<string, AfterRefusal>>;
  readonly confirm: Confirm | undefined;
}

/** In the order of the features. */
export function registeredIn(features: readonly Feature[]): Registered {
  const consequences = <N extends keyof MessageConsequences>(name: N) =>
    features.flatMap((feature) => feature.consequences?.[name] ?? []) as NonNullable<MessageConsequences[N]>[];
  return {
    events: features.flatMap(({ events = [] }) => events),
    initialState: Object.assign({}, ...features.map(({ initialState }) => initialState)),
    dueWork: features.flatMap(({ dueWork = [] }) => dueWork),
    outboxKinds: features.flatMap(({ outbox = [] }) => outbox),
    consequences: {
      sending: consequences('sending'),
      looksForFollowers: consequences('looksForFollowers'),
      flags: consequences('flags'),
      sent: consequences('sent'),
      edited: consequences('edited'),
      detached: consequences('detached'),
      moved: consequences('moved'),
      afterMove: consequences('afterMove'),
      deleting: consequences('deleting'),
      read: consequences('read'),
      reacted: consequences('reacted'),
    },
    refused: Object.assign({}, ...features.map(({ refused }) => refused)),
    confirm: features.find(({ confirm }) => confirm)?.confirm,
  };
}

/** A kind of background work with a due time. The worker runs it only when it is due. */
export interface DueWork {
  name: string;
  /** Time of the next work, in milliseconds. undefined if there is none. Called often, so use an index. */
  nextDue(tx: Transaction, services: Services): Promise<number | undefined>;
  /**
   * Does the due work; returns the number of completed jobs. Runs once at a time per process, but concurrently with
   * other processes. Its writes must be short, bounded and, if possible, of the kind `mark` or `silent`. After
   * `isStopping`, it must only finish running work.
   */
  run(services: Services, isStopping: () => boolean): Promise<number>;
  /** Called instead of `run` while it runs, if more work may be due. Absent: the work is due again after the run. */
  startMore?(): void;
  /** Its data is only in memory, so it runs once more when the chat closes. */
  alsoAtClose?: boolean;
  /** It only frees space, so a closed chat need not be opened for it. */
  isHousekeeping?: boolean;
}

/**
 * Does due work in transactions of at most `size` items, until one has less.
 * @param doBatch returns the number of its items
 * @returns the number of all items
 */
export async function inBatches(size: number, isStopping: () => boolean, doBatch: () => Promise<number>) {
  let done = 0;
  for (let last = size; last >= size && !isStopping(); done += last) last = await doBatch();
  return done;
}

/** Default concurrency per kind. A slow server delays only items of its own kind. */
const ITEMS_PER_KIND_AT_A_TIME = 10;

/** Thrown by `perform` if a retry would not help: the item fails immediately and finally. */
export class PermanentFailure extends Error {}

/** Identifies an item (`id`, `created_ms`) and the attempt. */
export type OutboxAttempt = Pick<OutboxItem, 'id' | 'created_ms' | 'attempts'>;

export interface OutboxOutcome<P extends object = OutboxItem['payload']> {
  item: OutboxItem & { payload: P };
  /** Absent on success. */
  failure?: Omit<OutboxFailure, keyof OutboxClaim>;
}

interface OutboxOptions<P extends object> {
  /** Concurrent items of this kind per process. Default 10. */
  concurrency?: number;
  /** At most `places` of them have the same key, such as an account whose server is slow. The others wait. */
  share?: { places: number; keyOf(payload: P): number | undefined };
  /**
   * Time in milliseconds for which an item is retried, at least once an hour. Default: eight attempts with growing
   * pauses.
   */
  retryForMs?: number;
  /** The items follow from the call and from what its caller sees. Dry runs list only these kinds. */
  isPredictable?: boolean;
  /**
   * Executes the side effect. If it throws, it is retried later and finally given up, with the error stored. After a
   * crash it may run again.
   */
  perform(services: Services, payload: P, item: OutboxAttempt): Promise<void>;
  /** Called with the results that the outbox records, in the same transaction. */
  noteOutcomes?(tx: Transaction, outcomes: readonly OutboxOutcome<P>[]): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the widest kind must accept every payload
export interface OutboxKind<P extends object = any> extends OutboxOptions<P> {
  (payload: P, due?: { due_ms: number }): OutboxDraft;
  readonly kind: string;
  concurrency: number;
}

/**
 * Declares a kind of side effect. Call it to create an item for `enqueue`. The item is committed together with the
 * change.
 * @example enqueue(sendEmail({ to: 'ada@example.com', subject: 'Welcome', text: '…' }));
 */
export function defineOutboxKind<P extends object>(kind: string, options: OutboxOptions<P>): OutboxKind<P> {
  const make = (payload: P, due = {}) => ({ kind, payload: payload as Record<string, unknown>, ...due });
  return Object.assign(make, { concurrency: ITEMS_PER_KIND_AT_A_TIME, ...options, kind });
}

import type * as v from 'valibot';
import type { Engine } from './engine.ts';
import type { ChatErrorClass } from './errors.ts';
import type { EventDraft } from './events/event.ts';
import type { Prebuilt } from './prebuilt.ts';
import type { Organization, Transaction, User } from './storage/storage.ts';

/**
 * Who may call an operation at all; checked before parameters are read.
 * - `anyone`: no credentials are read
 * - `spectator`: credentials are optional where the organization is open to the public
 * - `user`: every active account, bots and guests included
 * - `member`: no guests · `human`: no bots · `human member`: neither
 * - `administrator`, `owner`: of the organization
 */
export type Access = 'anyone' | 'spectator' | 'user' | 'member' | 'human' | 'human member' | 'administrator' | 'owner';

/**
 * What an operation does to the stored state.
 * - `read`: one read transaction
 * - `write`: one write transaction, alone among the writers
 * - `append`: a write that commutes with its like (sending, flags): many may commit at once on PostgreSQL
 * - `own`: opens its own transactions through `engine` (register, long polling)
 */
export type Effect = 'read' | 'write' | 'append' | 'own';

export type HttpRoute = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** What every operation receives beside its parameters. */
interface CallContext<A extends Access> {
  /** The caller, read afresh in this transaction. */
  readonly actor: A extends 'anyone' ? undefined : A extends 'spectator' ? User | undefined : User;
  readonly organization: Organization;
  /** The present, milliseconds since the epoch, from the injected clock. */
  readonly now: number;
  /** Name of the client program, at most 30 characters. */
  readonly client: string;
  readonly engine: Engine;
}

/** Inside a transaction: nothing but `tx` is awaited, since the work may be repeated. */
export interface TransactionContext<A extends Access = Access> extends CallContext<A> {
  readonly tx: Transaction;
  /** The account as this transaction sees it; reading operations find one they know without asking the database. */
  account(id: number): Promise<User | undefined>;
  /** Appends an event to this transaction; it is delivered after the commit. */
  emit(event: EventDraft): void;
  /** The organization's `places_version` as this transaction found it. */
  readonly placesVersion: number;
  /** For what is remembered in memory: done when this change is committed, and never for one rolled back. */
  afterCommit(then: () => void): void;
  /** A side effect that leaves the process: committed with this change, done by the background worker. */
  enqueue(item: OutboxDraft): void;
}

/** A transaction of a caller who has an account, whatever the operation asks of them beyond. */
export type AccountContext = Omit<TransactionContext, 'actor'> & { readonly actor: User };

/** For an operation that opens its own transactions, each with the caller read afresh. */
export interface OwnContext<A extends Access = Access> extends CallContext<A> {
  transact<T>(effect: 'read' | 'write' | 'append', work: (context: TransactionContext<A>) => Promise<T>): Promise<T>;
  /** Aborted when the caller went away. */
  readonly signal: AbortSignal | undefined;
}

export type Context<A extends Access = Access, E extends Effect = Effect> = E extends 'own'
  ? OwnContext<A>
  : TransactionContext<A>;

export interface OutboxDraft {
  kind: string;
  payload: Record<string, unknown>;
  /** Not before this time, milliseconds; at once when absent. */
  due_ms?: number;
}

export type ParamEntries = v.ObjectEntries;
export type ParamSchema = v.ObjectSchema<ParamEntries, undefined>;
export type ResultSchema = v.GenericSchema<unknown, object>;

/** A result whose large fields may be assembled from stored bytes. */
export type ResultOf<R extends ResultSchema> = {
  [K in keyof v.InferOutput<R>]: v.InferOutput<R>[K] | Prebuilt<v.InferOutput<R>[K]>;
};

export interface Operation<
  N extends string = string,
  A extends Access = Access,
  E extends Effect = Effect,
  // biome-ignore lint/suspicious/noExplicitAny: the widest operation must accept every parameter schema
  P extends v.ObjectSchema<any, undefined> = v.ObjectSchema<any, undefined>,
  // biome-ignore lint/suspicious/noExplicitAny: likewise for results
  R extends v.GenericSchema<any, any> = v.GenericSchema<any, any>,
> {
  /** Group and action, `messages.send`: the session's method and the words of `chatctl`. */
  readonly name: N;
  /** Method and path below `/api/v1`; a second route is a legacy address of the same operation. */
  readonly http: HttpRoute | readonly [HttpRoute, ...HttpRoute[]];
  /** One line, imperative, no full stop. */
  readonly summary: string;
  /** What is worth knowing beyond the summary; shown by `--help` and in OpenAPI. */
  readonly description?: string;
  /** Section of the specification, or of the facts about the reference server, that this keeps. */
  readonly source?: string;
  readonly access: A;
  readonly effect: E;
  readonly params: P;
  readonly result: R;
  /** Everything `run` may refuse with. */
  readonly errors: readonly ChatErrorClass[];
  /** Incoming-webhook bots may call it. */
  readonly webhook?: boolean;
  /**
   * The answer may wait for something to happen, for as long as the server holds it. So a server counts
   * these calls apart in its rate limits, keeps no more of the request than it needs, hands over a signal
   * that says when nobody waits any more, and lets them go when it closes; a client has more patience.
   * Goes with the effect `own`: nothing waits inside a transaction.
   */
  readonly longPoll?: boolean;
  /**
   * A limit beyond the one that counts every request. `sign-in`: wrong passwords
   * (`AuthenticationFailed`) are counted for each account, by the text in the parameter `account`.
   */
  readonly limitedBy?: { readonly rule: 'sign-in'; readonly account: keyof P['entries'] & string };
  run(context: Context<A, E>, params: v.InferOutput<P>): Promise<ResultOf<R>>;
}

/**
 * Declares one operation: the library method, the route, the command and the OpenAPI entry all come from it.
 * What a transport must know of it stands here too (`access`, `longPoll`, `limitedBy`, and a file among its
 * parameters), so that none asks for an operation by name.
 */
export function defineOperation<
  const N extends string,
  const A extends Access,
  const E extends Effect,
  P extends ParamSchema,
  R extends ResultSchema,
>(operation: Operation<N, A, E, P, R>): Operation<N, A, E, P, R> {
  return operation;
}

/** The routes of an operation as method and path, its own first. */
export function routesOf(operation: Pick<Operation, 'http'>): { method: string; path: string }[] {
  const routes = typeof operation.http === 'string' ? [operation.http] : operation.http;
  return routes.map((route) => {
    const [method, path] = route.split(' ') as [string, string];
    return { method, path };
  });
}

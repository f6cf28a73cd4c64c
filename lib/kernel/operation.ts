import type * as v from 'valibot';
import type { ReadExtent, Transaction } from '../storage/interface/storage.ts';
import type { Access, ManualContext, Services, TransactionContext } from './context.ts';
import type { ChatErrorClass } from './errors.ts';
import type { Proposal } from './hooks.ts';
import type { RawJson } from './raw-json.ts';
import type { Resumption } from './resumption.ts';

/**
 * What an operation does to the stored state.
 * - `read`: one read transaction
 * - `write`: one write transaction, alone among the writers
 * - `mark`: a write that commutes with its like and with `append` (flags, marking as read): runs beside them on PostgreSQL
 * - `append`: likewise, and adds a little in a few statements (sending, reactions): many commit together
 * - `manual`: opens its own transactions (register, long polling)
 */
export type Effect = 'read' | 'write' | 'mark' | 'append' | 'manual';

/**
 * - `sign-in`: wrong passwords (`AuthenticationFailed`) are counted for each account, by the text in the parameter
 *   `account`, and afresh whenever the chat says that it was unlocked (`signInState` of the transport)
 * - `own-password`: likewise wrong passwords (`WrongPassword`) of the caller, where the parameter `password` is given
 * - `email`: calls are counted for each network address, since each may send an e-mail to a third person
 * - `invited-email`: likewise, apart: of those who hold an invitation many may be behind one network address
 */
export type Limit<N extends string = string> =
  | { readonly rule: 'sign-in'; readonly account: N }
  | { readonly rule: 'own-password'; readonly password: N }
  | { readonly rule: 'email' | 'invited-email' };

export type HttpRoute = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

export type Context<A extends Access = Access, E extends Effect = Effect> = E extends 'manual'
  ? ManualContext<A>
  : TransactionContext<A>;

export type ParamEntries = v.ObjectEntries;
export type ParamSchema = v.ObjectSchema<ParamEntries, undefined>;
export type ResultSchema = v.GenericSchema<unknown, object>;

/** A result whose large fields may be assembled from stored bytes. */
export type ResultOf<R extends ResultSchema> = {
  [K in keyof v.InferOutput<R>]: v.InferOutput<R>[K] | RawJson<v.InferOutput<R>[K]>;
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
  /** Method and path below `/api/v1`, where `{name*}` at the end takes all that is left; a second route is a legacy address of the same operation. */
  readonly http: HttpRoute | readonly [HttpRoute, ...HttpRoute[]];
  /** One line, imperative, no full stop. */
  readonly summary: string;
  /** What is worth knowing beyond the summary; shown by `--help` and in OpenAPI. */
  readonly description?: string;
  /** Parameters of one call that works, for the documentation; a file is left out. */
  readonly example?: Omit<v.InferInput<P>, 'file'>;
  readonly access: A;
  readonly effect: E;
  readonly params: P;
  readonly result: R;
  /** Everything `run` may refuse with. */
  readonly errors: readonly ChatErrorClass[];
  /**
   * How far its reads may go, by its parameters, where that is more than a few rows by an index. On SQLite such reads
   * are done beside the event loop. Scans, whose cost follows whatever there is and not the answer, wait in line as
   * well, one of each caller at a time, and a server counts the time that they take.
   */
  extent?(params: v.InferOutput<P>): ReadExtent | undefined;
  /**
   * Of a call whose reads are done beside the event loop: asks at once, while the caller is being let in, what `run`
   * will ask whoever it is. Storages that answer a question asked before need not be asked twice. Throws nothing.
   */
  ahead?(tx: Transaction, params: v.InferOutput<P>, readerId: number): readonly Promise<unknown>[];
  /**
   * `run` of the effect `manual` begins with a transaction, and looks at neither caller nor organization before: so that
   * transaction lets the caller in, where otherwise one of its own does.
   */
  readonly startsInTransaction?: boolean;
  /** Incoming-webhook bots may call it. */
  readonly webhook?: boolean;
  /**
   * The answer may wait for something to happen, for as long as the server holds it. So a server counts
   * these calls apart in its rate limits, keeps no more of the request than it needs, hands over a signal
   * that says when nobody waits any more, and lets them go when it closes; a client has more patience.
   * Goes with the effect `manual`: nothing waits inside a transaction.
   */
  readonly longPoll?: boolean;
  /** A limit beyond the one that counts every request. */
  readonly limitedBy?: Limit<keyof P['entries'] & string>;
  /**
   * Whether what is done by it, and refused, is kept in the audit log; where it
   * names a parameter, of calls that give it. Default: changes that are for administrators and owners alone; of what only reads, nothing. `sign-in`: its result has the
   * `user_id` of whoever showed a password and got a key.
   */
  readonly audited?: boolean | 'sign-in' | { readonly whenGiven: keyof P['entries'] & string };
  /**
   * A call that goes on where the caller's last one ended, where this process knows that nothing has changed since they
   * were let in. It asks no database; whether the caller has shown as much again is looked at besides. Goes with the
   * effect `manual`.
   */
  resume?(services: Services, params: v.InferOutput<P>): Resumption | undefined;
  /**
   * What the hooks of the embedding program decide on before it is done, where it has any: looked up in a transaction
   * that reads, for a caller who may know of it. Goes with effects other than `manual`.
   */
  propose?(context: TransactionContext<A>, params: v.InferOutput<P>): Promise<Proposal | undefined>;
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

/** Exists in types alone; no value has it. */
export interface Combined<C> {
  readonly combination: C | undefined;
}

/** What the parameters of an operation must fit together; nothing where its schemas say it all. */
export type CombinationOf<O> = O extends Combined<infer C> ? C : unknown;

/**
 * Says in the types of the library which parameters go together, where schemas speak of each alone.
 * Nothing changes at run time, where `run` checks it.
 */
export function combining<C>() {
  return <O extends Operation>(operation: O) => operation as O & Combined<C>;
}

/** The routes of an operation as method and path, its own first. */
export function routesOf(operation: Pick<Operation, 'http'>): { method: string; path: string }[] {
  const routes = typeof operation.http === 'string' ? [operation.http] : operation.http;
  return routes.map((route) => {
    const [method, path] = route.split(' ') as [string, string];
    return { method, path };
  });
}

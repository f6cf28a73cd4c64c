import type * as v from 'valibot';
import type { Proposal } from '../adapters/hooks.ts';
import type { CancelSignal } from '../base/cancel-signal.ts';
import {
  BadRequest,
  ChatError,
  type ChatErrorClass,
  IdempotencyKeyReused,
  RateLimitHit,
  SecondFactorNeeded,
  UnauthorizedPrincipal,
} from '../base/errors.ts';
import type { RawJson } from '../base/raw-json.ts';
import { empty, type InputsOf, type ValuesOf } from '../base/schemas.ts';
import type { ReadExtent } from '../storage/interface/storage.ts';
import type { Access, AccountContext, ManualContext, TransactionContext } from '../viewer/context.ts';
import { secretsIn } from './secrets.ts';

/**
 * What an operation does to the stored state.
 * - `read`: one read transaction
 * - `write`: one exclusive write transaction
 * - `mark`: a write that commutes with other `mark` and `append` writes (flags, marking as read). Concurrent on
 *   PostgreSQL
 * - `append`: like `mark`, with a few small statements (sending, reactions). Many of them share one commit
 * - `manual`: opens its own transactions (register)
 * - `poll`: like `manual`. The response may wait for an event, as long as the server allows. Servers have a separate
 *   rate limit for these calls and keep little of the request in memory. They pass a signal for a client that is gone,
 *   and end the calls on close. Clients use a longer timeout
 */
export type Effect = TransactionEffect | 'manual' | 'poll';

export type TransactionEffect = 'read' | 'write' | 'mark' | 'append';

/**
 * - `sign-in`: limits wrong passwords (`AuthenticationFailed`) per account, by the parameter named in `account`. An
 *   unlock resets the count (`signInState` of the transport)
 * - `own-password`: limits wrong passwords (`WrongPassword`) and codes of the caller, in calls with the parameter
 *   named in `password`. Operations that require it have no dry runs
 * - `email`: limits calls per network address, since each may send an e-mail to a third person
 * - `invited-email`: the same with a separate limit, since many invited users may share one network address
 */
type Limit<N extends string = string> =
  | { readonly rule: 'sign-in'; readonly account: N }
  | { readonly rule: 'own-password'; readonly password: N }
  | { readonly rule: 'email' | 'invited-email' | 'join' };

/** Scopes of tokens. `write` includes `read`. */
export const SCOPES = ['read', 'write'] as const;

/**
 * What a caller must have to call an operation: a token with this scope, or a login that is not a token. The rule: an
 * answer to a token contains no secret that outlives the token, and no call with a token creates one.
 */
type Scope = (typeof SCOPES)[number] | 'login';

/** The scope by effect, for an operation with parameters that no token may set. */
interface ScopeByParameters<N extends string = string> {
  /** An empty text counts as absent. */
  readonly loginFor: readonly N[];
}

type Audited<N extends string = string> = boolean | 'sign-in' | 'noted' | { readonly whenGiven: N };

export type HttpRoute = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

type Context<A extends Access = Access, E extends Effect = Effect> = E extends 'manual' | 'poll'
  ? ManualContext<A>
  : TransactionContext<A>;

type ParamEntries = Readonly<Record<string, v.GenericSchema>>;
type ResultSchema = v.GenericSchema<unknown, object>;

/** A result. Large fields may be `RawJson`. */
type ResultOf<R extends ResultSchema> = {
  [K in keyof v.InferOutput<R>]: v.InferOutput<R>[K] | RawJson<v.InferOutput<R>[K]>;
};

/** An operation as its file declares it. */
interface Declaration<
  N extends string,
  A extends Access,
  E extends Effect,
  P extends ParamEntries,
  R extends ResultSchema | undefined,
> {
  /** Group and action, for example `messages.send`: the method of a session and the command of `chatctl`. */
  readonly name: N;
  /** Method and path below `/api/v1`. `{name*}` at the end matches the rest of the path. Further routes are legacy. */
  readonly http: HttpRoute | readonly [HttpRoute, ...HttpRoute[]];
  /** One line, imperative, no full stop. */
  readonly summary: string;
  /** Details for `--help` and OpenAPI. */
  readonly description?: string;
  /** Parameters of a working call, for the documentation. Without files. */
  readonly example?: Omit<InputsOf<P>, 'file'>;
  readonly access: A;
  /** Default: `read`, as for nearly all GET operations. */
  readonly effect?: E;
  /** Default: no parameters. */
  readonly params?: P;
  /** Default: an object without fields. `run` then returns nothing. */
  readonly result?: R;
  /** Every error that `run` may throw, except `BadRequest` and the refusal of a caller without the required role. */
  readonly errors?: readonly ChatErrorClass[];
  /**
   * Declares large reads, depending on the parameters. On SQLite they run in worker threads. A `scan`, whose cost does
   * not depend on the size of the answer, also waits in a queue: one per caller at a time. Servers limit scan time.
   */
  extent?(params: ValuesOf<P>): ReadExtent | undefined;
  /**
   * `login`: no token may call it. For operations that create a secret elsewhere, such as a link in an e-mail. Also for
   * those that change who can log in: accounts, roles, addresses, passwords, keys, devices. `loginFor`: only with these
   * parameters, for the same reasons. Default: `login` if the result always contains a `secret`, else `read` for the
   * effects `read` and `poll`, and `write` for others.
   */
  readonly scope?: Scope | ScopeByParameters<keyof P & string>;
  /**
   * Tokens that are limited to rooms may call it. The caller is then a guest who sees only these rooms, so everything
   * that `run` uses must come from `context.viewer`. An object: the values that a parameter may have. Default: they may not.
   */
  readonly forRooms?: true | { readonly [name in keyof P & string]?: readonly string[] };
  /** Changes or logs in the account of the caller. `chat.system()` has none, so it is refused. */
  readonly ownAccount?: boolean;
  /**
   * Other programs call it, which have a body of their own and know only a URL. Over HTTP, the parameter named in `body`
   * is the whole body, unless that is a form. `headers` are parameters too. The parameter `api_key` of the URL logs in
   * an incoming-webhook bot.
   */
  readonly incoming?: {
    readonly body: keyof P & string;
    readonly headers: Readonly<Record<string, keyof P & string>>;
    /** The header with the ID of a delivery. A repeated delivery to the same URL has no effect. */
    readonly delivery: string;
  };
  /**
   * Of an operation with the parameter `idempotency_key` (`repeatable` in `schemas.ts`): parameters in which a repeated
   * call may differ. `canonical` makes one form of parameters that have several forms with the same meaning. With the
   * effect `manual`, `run` makes its change with `once`.
   */
  readonly idempotency?: {
    readonly ignored: readonly (keyof P & string)[];
    canonical?(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  };
  /** A rate limit in addition to that for all requests. */
  readonly limitedBy?: Limit<keyof P & string>;
  /**
   * Whether the audit log records calls and refusals. `whenGiven`: only calls with this parameter. `sign-in`: the
   * result has the `user_id` of the account. `noted`: only changes for which `run` calls `audit`, and no refusals.
   * Default: only changes that require an administrator or owner.
   */
  readonly audited?: Audited<keyof P & string>;
  /**
   * Has the parameter `code` (`confirmationCode`), and its `run` calls `checkConfirmed`: some calls give access to an
   * account whose role needs a second factor. Then the code of the caller is used up before `run`.
   */
  readonly mayNeedCode?: true;
  /**
   * The message for the hooks of the embedding program. Called only if there are hooks, in a read transaction before
   * the operation. Not for the effect `manual`.
   */
  propose?(context: TransactionContext<A>, params: ValuesOf<P>): Promise<Proposal | undefined>;
  run(context: Context<A, E>, params: ValuesOf<P>): Promise<R extends ResultSchema ? ResultOf<R> : void>;
}

export interface Operation<
  N extends string = string,
  A extends Access = Access,
  E extends Effect = Effect,
  P extends ParamEntries = ParamEntries,
  // biome-ignore lint/suspicious/noExplicitAny: the widest operation must accept every result schema
  R extends v.GenericSchema<any, any> = v.GenericSchema<any, any>,
> extends Omit<Declaration<N, A, E, P, R>, 'scope' | 'audited'> {
  readonly effect: E;
  readonly params: P;
  readonly result: R;
  readonly scope: Scope;
  readonly audited: Audited;
  /** Parameters that no token may set. */
  readonly loginFor: readonly string[];
  /** Whether the result may contain a `secret`. */
  readonly hasSecrets: boolean;
  /** Every error that a call may throw. */
  readonly errors: readonly ChatErrorClass[];
}

/**
 * Declares one operation. The library method, the route, the command and the OpenAPI entry follow from it. It contains
 * everything that transports need (`access`, `effect`, `limitedBy`, a file), so no transport uses operation names.
 */
export function defineOperation<
  const N extends string,
  const A extends Access,
  const E extends Effect = 'read',
  P extends ParamEntries = Record<never, never>,
  R extends ResultSchema | undefined = undefined,
>(declaration: Declaration<N, A, E, P, R>) {
  const run = async (...given: Parameters<typeof declaration.run>) => (await declaration.run(...given)) ?? {};
  const confirming = declaration.mayNeedCode ? [RateLimitHit, SecondFactorNeeded] : [];
  const errors = [...new Set([...errorsBefore(declaration), ...(declaration.errors ?? []), ...confirming])];
  const { access, effect = 'read', result = empty } = declaration;
  const secrets = secretsIn(result);
  const byEffect = effect === 'read' || effect === 'poll' ? 'read' : 'write';
  const { scope: declared = secrets === 'always' ? 'login' : byEffect } = declaration;
  const [scope, loginFor] =
    typeof declared === 'object' ? ([byEffect, declared.loginFor] as const) : ([declared, []] as const);
  const isForAdministrators = access === 'administrator' || access === 'owner';
  const complete: object = {
    params: {},
    audited: effect !== 'read' && isForAdministrators,
    ...declaration,
    description: describeWithTokens({ ...declaration, scope, loginFor }),
    effect,
    result,
    scope,
    loginFor,
    hasSecrets: secrets !== 'never',
    errors,
    run,
  };
  return complete as Operation<N, A, E, P, R extends ResultSchema ? R : typeof empty>;
}

/** The description, with what tokens cannot do. */
function describeWithTokens({
  access,
  description,
  scope,
  loginFor,
  forRooms,
}: Pick<Operation, 'access' | 'description' | 'scope' | 'loginFor' | 'forRooms'>): string | undefined {
  const limits = [
    ...(scope === 'login' && access !== 'anyone' ? ['Bearer tokens cannot call it.'] : []),
    ...(loginFor.length > 0 ? [`Bearer tokens cannot set ${loginFor.map((name) => `\`${name}\``).join(' or ')}.`] : []),
    ...(forRooms ? ['Tokens that are limited to rooms can call it.'] : []),
  ];
  return [...(description === undefined ? [] : [description]), ...limits].join(' ') || undefined;
}

/** The errors of the steps before `run`, for a caller with an account: no permission, or invalid parameters. */
function errorsBefore({ access, params }: { access: Access; params?: object }): ChatErrorClass[] {
  const reused = params && 'idempotency_key' in params ? [IdempotencyKeyReused] : [];
  if (access === 'administrator' || access === 'owner') return [BadRequest, UnauthorizedPrincipal, ...reused];
  return params || ['member', 'human', 'human member'].includes(access) ? [BadRequest, ...reused] : [];
}

/** Exists only in types; no value has it. */
export interface Combined<C> {
  readonly combination: C | undefined;
}

/** Type of the allowed parameter combinations of an operation. */
export type CombinationOf<O> = O extends Combined<infer C> ? C : unknown;

/**
 * Restricts the combinations of parameters in the types of the library. Schemas only describe each parameter. No effect
 * at run time, where `run` checks the combination.
 */
export function combining<C>() {
  return <O extends Operation>(operation: O) => operation as O & Combined<C>;
}

/** The routes of an operation as method and path, the current one first. */
export function routesOf(operation: Pick<Operation, 'http'>): { method: string; path: string }[] {
  const routes = typeof operation.http === 'string' ? [operation.http] : operation.http;
  return routes.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path };
  });
}

/** The context of a long call: a `ManualContext` of any access. */
export interface LongCall {
  transact<T>(effect: 'write' | 'mark', work: (context: AccountContext) => Promise<T>): Promise<T>;
  readonly signal: CancelSignal | undefined;
  readonly isDryRun: boolean;
}

export interface Progress {
  readonly isComplete: boolean;
}

interface PartsOptions<P extends Progress> {
  /** The progress of a call that has begun in another transaction. */
  begun?: P | undefined;
  /** Time in milliseconds after which no part begins. A call with this limit also stops when its client is gone. */
  maxMs?: number;
  /** A sentence for the error message if a later part fails, because the changes of earlier parts are kept. Can be empty. */
  describe?(done: P): string;
}

/**
 * Does a long call in several transactions, so that other writers get their turn in between. Most calls have one part.
 * Returns the progress after the last part.
 * @param doPart does the next part. It repeats all checks, because anything may have changed since the last part
 */
export async function inParts<P extends Progress>(
  { transact, signal }: LongCall,
  effect: 'write' | 'mark',
  doPart: (context: AccountContext, before: P | undefined) => Promise<P>,
  { begun, maxMs, describe }: PartsOptions<P> = {},
): Promise<P> {
  const end = maxMs === undefined ? undefined : performance.now() + maxMs;
  const isOver = () => end !== undefined && (performance.now() >= end || signal?.aborted === true);
  const next = async (before?: P) => {
    try {
      return await transact(effect, (context) => doPart(context, before));
    } catch (error) {
      const done = before && describe?.(before);
      if (done && error instanceof ChatError) error.message = `${error.message} ${done}`;
      throw error;
    }
  };
  let done = begun ?? (await next());
  while (!done.isComplete && !isOver()) done = await next(done);
  return done;
}

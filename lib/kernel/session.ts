import type * as v from 'valibot';
import { StorageError } from '../storage/storage-error.ts';
import { catalogue } from './catalogue.ts';
import type { ChatEvent } from './event.ts';
import type { Operation } from './operation.ts';

type Catalogue = (typeof catalogue)[number];

type Parameters<O extends Operation> = v.InferInput<O['params']>;
type Answer<O extends Operation> = v.InferOutput<O['result']> & {
  /** Names given that the operation does not know; absent when there are none. */
  ignored_parameters_unsupported?: string[];
};

/** Parameters may be left out altogether where none is required. */
type Method<O extends Operation> =
  Record<never, never> extends Parameters<O>
    ? (parameters?: Parameters<O>) => Promise<Answer<O>>
    : (parameters: Parameters<O>) => Promise<Answer<O>>;

type Grouped<N extends string> = N extends `${infer G}.${string}` ? G : never;
type Single<N extends string> = N extends `${string}.${string}` ? never : N;
type ActionsOf<G extends string, N extends string> = N extends `${G}.${infer A}` ? A : never;
type Named<N extends string> = Extract<Catalogue, { name: N }>;
type Name = Catalogue['name'];

type Operations = {
  [N in Single<Name>]: Method<Named<N>>;
} & {
  [G in Grouped<Name>]: { [A in ActionsOf<G, Name>]: Method<Named<`${G}.${A}`>> };
};

export interface ListenOptions {
  /** Only these types; all when absent. */
  event_types?: string[];
  narrow?: [string, string][];
  apply_markdown?: boolean;
  all_public_streams?: boolean;
  client_capabilities?: Record<string, boolean>;
  /** Go on with an earlier queue instead of registering a new one; nothing is lost or repeated. */
  queue?: { queue_id: string; last_event_id: number };
  /** Called with the queue once it is known, to be stored for going on later. */
  onQueue?: (queue: { queue_id: string; last_event_id: number }) => void;
  /** Ends the iteration. A queue made here is deleted unless `onQueue` was given. */
  signal?: AbortSignal;
}

/** An event with its id in the queue. */
export type QueuedEvent = ChatEvent & { id: number };

/**
 * Everything one caller can do. `chat.as(user)` and `connect({ … })` return the same type, so a program
 * need not care which one it holds. Parameter and result names are the wire's own.
 */
export interface Session extends Operations {
  /** Events from now on, or from a durable queue, one by one; heartbeats are left out. */
  listen(options?: ListenOptions): AsyncIterableIterator<QueuedEvent>;
}

/** Runs one operation by whatever way the session has. */
export type Invoke = (
  operation: Operation,
  parameters: Record<string, unknown>,
  signal?: AbortSignal,
) => Promise<object>;

/** Builds a session over a way to run operations. */
export function sessionOver(invoke: Invoke): Session {
  const session: Record<string, unknown> = {};
  for (const operation of catalogue as readonly Operation[]) {
    const [group, action] = operation.name.split('.') as [string, string | undefined];
    const method = (parameters: Record<string, unknown> = {}) => invoke(operation, parameters);
    if (action === undefined) session[group] = method;
    else {
      session[group] ??= {};
      (session[group] as Record<string, unknown>)[action] = method;
    }
  }
  session.listen = (options: ListenOptions = {}) => listen(invoke, options);
  return session as unknown as Session;
}

function operationNamed(name: Name): Operation {
  return (catalogue as readonly Operation[]).find((operation) => operation.name === name) as Operation;
}

/** The chat was closed under the listener: there is nothing more to come. */
function isClosed(error: unknown): boolean {
  return error instanceof StorageError && error.reason === 'closed';
}

async function* listen(invoke: Invoke, options: ListenOptions): AsyncIterableIterator<QueuedEvent> {
  const { queue, onQueue, signal, ...registration } = options;
  let position = queue;
  if (!position) {
    const fetch_event_types: string[] = [];
    position = (await invoke(operationNamed('register'), { ...registration, fetch_event_types })) as {
      queue_id: string;
      last_event_id: number;
    };
  }
  const { queue_id } = position;
  let { last_event_id } = position;
  onQueue?.({ queue_id, last_event_id });
  try {
    while (!signal?.aborted) {
      const answer = (await invoke(operationNamed('events.list'), { queue_id, last_event_id }, signal)) as {
        events: QueuedEvent[];
      };
      for (const event of answer.events) {
        last_event_id = Math.max(last_event_id, event.id);
        if (event.type !== 'heartbeat') yield event;
      }
    }
  } catch (error) {
    if (!signal?.aborted && !isClosed(error)) throw error;
  } finally {
    if (!queue && !onQueue) await invoke(operationNamed('events.delete'), { queue_id }).catch(() => undefined);
  }
}

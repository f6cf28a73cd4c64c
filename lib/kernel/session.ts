import { catalogue, operationNamed } from './catalogue.ts';
import type { Capability } from './client.ts';
import type { AnyEvent, Events, Operations, States } from './generated.ts';
import type { StateOf } from './methods.ts';
import type { Operation } from './operation.ts';

/**
 * Something that happened, as clients receive it, without its id in their queue. A union over `type` and
 * `op`: `if (event.type === 'message') event.message.content`.
 */
export type ChatEvent = Events[keyof Events];

/** Types of events that `listen` yields. */
export type EventType = Exclude<ChatEvent['type'], 'heartbeat'>;

/** Types of state that `register` fetches. */
export type FetchType = keyof States;

/** What `register` answers for these fetch types. */
export type InitialState<T extends FetchType = FetchType> = StateOf<States, T>;

export interface ListenOptions<T extends EventType = EventType> {
  /** Only these types; all when absent. */
  event_types?: readonly T[];
  narrow?: [string, string][];
  apply_markdown?: boolean;
  all_public_streams?: boolean;
  client_capabilities?: Partial<Record<Capability, boolean>>;
  /** Go on with an earlier queue instead of registering a new one; nothing is lost or repeated. */
  queue?: { queue_id: string; last_event_id: number };
  /** Called with the queue once it is known, to be stored for going on later. */
  onQueue?: (queue: { queue_id: string; last_event_id: number }) => void;
  /** Ends the iteration. A queue made here is deleted unless `onQueue` was given. */
  signal?: AbortSignal;
}

/** An event with its id in the queue. */
export type QueuedEvent<T extends EventType = EventType> = Extract<ChatEvent, { type: T }> & { id: number };

/**
 * Everything one caller can do. `chat.as(user)` and `connect({ … })` return the same type, so a program
 * need not care which one it holds. Parameter and result names are the wire's own.
 */
export interface Session extends Operations {
  /**
   * Events from now on, or from a durable queue, one by one; heartbeats are left out.
   * @example for await (const event of session.listen({ event_types: ['message'] })) console.log(event.message.content);
   */
  listen<const T extends EventType = EventType>(options?: ListenOptions<T>): AsyncIterableIterator<QueuedEvent<T>>;
}

/** Runs one operation by whatever way the session has. */
export type Invoke = (
  operation: Operation,
  parameters: Record<string, unknown>,
  signal?: AbortSignal,
) => Promise<object>;

/** Builds a session over a way to run operations. Once that `isClosed`, listening ends. */
export function sessionOver(invoke: Invoke, isClosed: () => boolean): Session {
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
  session.listen = (options: ListenOptions = {}) => listen(invoke, isClosed, options);
  return session as unknown as Session;
}

async function* listen(
  invoke: Invoke,
  isClosed: () => boolean,
  options: ListenOptions,
): AsyncIterableIterator<QueuedEvent> {
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
    while (!signal?.aborted && !isClosed()) {
      const answer = (await invoke(operationNamed('events.list'), { queue_id, last_event_id }, signal)) as {
        events: AnyEvent[];
      };
      for (const event of answer.events) {
        last_event_id = Math.max(last_event_id, event.id);
        if (event.type !== 'heartbeat') yield event as QueuedEvent;
      }
    }
  } catch (error) {
    // Closed under the listener, there is nothing more to come.
    if (!signal?.aborted && !isClosed()) throw error;
  } finally {
    if (!queue && !onQueue) await invoke(operationNamed('events.delete'), { queue_id }).catch(() => undefined);
  }
}

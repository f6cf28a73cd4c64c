import type { Explanation } from '../access/explanation.ts';
import type { Capability } from './client.ts';
import type { DryRun } from './consequences.ts';
import { type DownloadedFile, type DownloadOptions, pathIdIn } from './download.ts';
import type { AnyEvent, Events, Operations, States } from './generated.ts';
import type { NamesOf, ParametersIn, StateOf } from './methods.ts';

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

/** The name of every operation, such as `messages.send`. */
export type OperationName = NamesOf<Operations>;

/** What a call of the operation is given. */
export type ParametersOf<N extends OperationName> = ParametersIn<Operations, N>;

/** The operations, each telling what it would do. */
export type DryRuns = DryRunsOf<Operations>;

type DryRunsOf<O> = {
  [K in keyof O]: O[K] extends (...parameters: infer P) => Promise<infer A>
    ? (...parameters: P) => Promise<DryRun<A>>
    : DryRunsOf<O[K]>;
};

/** A queue, and how far it has been read: what a program stores to go on later. */
export interface QueuePlace {
  /** As `register` answers it. */
  queue_id: string;
  /** The `id` of the last event that was dealt with; -1 in a new queue. */
  last_event_id: number;
}

/** Which events to listen to, and from where on. */
export interface ListenOptions<T extends EventType = EventType> {
  /** Only these types; all when absent. */
  event_types?: readonly T[];
  /** Only messages that match all of these, such as `[['channel', 'general']]`. */
  narrow?: [operator: string, operand: string][];
  /** Contents of messages as HTML. Default false: as Markdown. */
  apply_markdown?: boolean;
  /** Also messages of public channels that the account is not subscribed to. Default false. */
  all_public_streams?: boolean;
  /** What your program understands, by name; what older ones get instead is left out then. */
  client_capabilities?: Partial<Record<Capability, boolean>>;
  /** Go on with an earlier queue instead of registering a new one; nothing is lost or repeated. */
  queue?: QueuePlace;
  /** Called with the queue once it is known, to be stored for going on later. */
  onQueue?: (queue: QueuePlace) => void;
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
   * Every operation once more, to see what it would do: it is run, what it would answer, the events it would send
   * and its side effects are collected, and all of it is rolled back. It is refused where it would be.
   * @example
   * const { answer, events } = await session.dryRun.channels.create({ name: 'general', subscribers: [9] });
   */
  readonly dryRun: DryRuns;
  /**
   * Whether somebody may do something, and which rules decide it, in the order in which they are asked. The
   * operation is run as a dry run. Anybody may ask about themself; administrators about everybody.
   * @param user by id or address
   * @throws UnauthorizedPrincipal, BadRequest
   * @example
   * const { allowed, steps } = await session.why('ben@example.com', 'channels.archive', { stream_id: 4 });
   */
  why<N extends OperationName>(
    user: number | string,
    operation: N,
    ...parameters: ParametersOf<N>
  ): Promise<Explanation>;
  /**
   * An uploaded file, for its owner and for whoever may read a message that links to it.
   * @param address as messages have it: below the site, in full, or what stands after `/user_uploads/`
   * @throws NoSuchFile, FileForbidden, BadRequest
   * @example
   * const { name, content } = await session.download('/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png');
   * await pipeline(content, createWriteStream(name));
   */
  download(address: string, options?: DownloadOptions): Promise<DownloadedFile>;
  /**
   * Events from now on, or from a durable queue, one by one; heartbeats are left out.
   * @example for await (const event of session.listen({ event_types: ['message'] })) console.log(event.message.content);
   */
  listen<const T extends EventType = EventType>(options?: ListenOptions<T>): AsyncIterableIterator<QueuedEvent<T>>;
}

/** Runs one operation by whatever way the session has. */
export type Invoke<O> = (operation: O, parameters: Record<string, unknown>, signal?: AbortSignal) => Promise<object>;

/** What a session stands over; `O` is what its ways have to know of an operation. */
export interface SessionWays<O extends { readonly name: string }> {
  operations: readonly O[];
  invoke: Invoke<O>;
  dryRun: (operation: O, parameters: Record<string, unknown>) => Promise<DryRun>;
  why: (user: number | string, operation: O, parameters: Record<string, unknown>) => Promise<Explanation>;
  download: (pathId: string, options: DownloadOptions) => Promise<DownloadedFile>;
  /** From then on listening ends. */
  isClosed: () => boolean;
  /**
   * Waits until it may be asked again what is new, where nothing came of it.
   * @param since milliseconds since the epoch, when it last did
   * @returns false where it is given up
   */
  recover?: (error: unknown, since: number, signal: AbortSignal | undefined) => Promise<boolean>;
}

/** Builds a session over ways to run operations. */
export function sessionOver<O extends { readonly name: string }>(ways: SessionWays<O>): Session {
  const { operations, invoke, dryRun, why, download } = ways;
  const session = methodsOver(operations, invoke);
  let dryRuns: Record<string, unknown> | undefined;
  return Object.defineProperty(
    Object.assign(session, {
      download: async (address: string, options: DownloadOptions = {}) => download(pathIdIn(address), options),
      listen: (options: ListenOptions = {}) => listen(ways, options),
      // Whoever registers by themselves and then listens to the queue waits as long as `listen` does.
      register: async (parameters: Record<string, unknown> = {}) =>
        patiently(ways, () => invoke(named(operations, 'register'), parameters)),
      why: async (user: number | string, operation: OperationName, parameters: Record<string, unknown> = {}) =>
        why(user, named(operations, operation), parameters),
    }),
    'dryRun',
    // Few sessions are asked for one.
    { enumerable: true, get: () => (dryRuns ??= methodsOver(operations, dryRun)) },
  ) as unknown as Session;
}

function named<O extends { readonly name: string }>(operations: readonly O[], name: OperationName): O {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** Of each list of operations, where a session has them: a host asks for a session with every request of its own. */
const placesOf = new WeakMap<readonly object[], readonly { group: string; action: string | undefined }[]>();

/** A method for each operation, as the names of operations group them. */
function methodsOver<O extends { readonly name: string }>(
  operations: readonly O[],
  run: (operation: O, parameters: Record<string, unknown>) => Promise<object>,
): Record<string, unknown> {
  const methods: Record<string, unknown> = {};
  let places = placesOf.get(operations);
  if (!places) {
    places = operations.map(({ name }) => {
      const [group, action] = name.split('.') as [string, string | undefined];
      return { group, action };
    });
    placesOf.set(operations, places);
  }
  operations.forEach((operation, at) => {
    const { group, action } = places[at] as { group: string; action: string | undefined };
    const method = (parameters: Record<string, unknown> = {}) => run(operation, parameters);
    if (action === undefined) methods[group] = method;
    else {
      methods[group] ??= {};
      (methods[group] as Record<string, unknown>)[action] = method;
    }
  });
  return methods;
}

/** Again and again, as long as it may become well. */
async function patiently<A>(
  { recover, isClosed }: Pick<SessionWays<never>, 'recover' | 'isClosed'>,
  ask: () => Promise<A>,
  since = Date.now(),
  signal?: AbortSignal,
): Promise<A> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (signal?.aborted || isClosed() || !(await recover?.(error, since, signal))) throw error;
    }
  }
}

async function* listen<O extends { readonly name: string }>(
  ways: SessionWays<O>,
  options: ListenOptions,
): AsyncIterableIterator<QueuedEvent> {
  const { operations, invoke, isClosed } = ways;
  const { queue, onQueue, signal, ...registration } = options;
  const isOver = () => signal?.aborted || isClosed();
  let heardAt = Date.now();
  const ask = async <A>(name: OperationName, parameters: object, until?: AbortSignal): Promise<A> => {
    const run = () => invoke(named(operations, name), { ...parameters }, until);
    const answer = (await patiently(ways, run, heardAt, signal)) as A;
    heardAt = Date.now();
    return answer;
  };
  let own: string | undefined;
  try {
    // Not ended by the signal: a queue that nobody knows of could not be deleted.
    const begin = queue ?? (await ask<QueuePlace>('register', { ...registration, fetch_event_types: [] }));
    const { queue_id } = begin;
    let { last_event_id } = begin;
    if (!queue && !onQueue) own = queue_id;
    onQueue?.({ queue_id, last_event_id });
    while (!isOver()) {
      const { events } = await ask<{ events: AnyEvent[] }>('events.list', { queue_id, last_event_id }, signal);
      for (const event of events) {
        last_event_id = Math.max(last_event_id, event.id);
        if (event.type !== 'heartbeat') yield event as QueuedEvent;
      }
    }
  } catch (error) {
    // Closed under the listener, there is nothing more to come.
    if (!isOver()) throw error;
  } finally {
    if (own !== undefined) await invoke(named(operations, 'events.delete'), { queue_id: own }).catch(() => undefined);
  }
}

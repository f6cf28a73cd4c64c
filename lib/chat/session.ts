import type { AbortSignalLike } from '../base/platform-types.ts';
import type { Explanation } from '../engine/explanation.ts';
import type { Capability } from '../events/client.ts';
import {
  type CallOptions,
  type ConnectionState,
  cancellable,
  type EventTransport,
  type RegisterOptions,
} from './call-options.ts';
import type { DryRun } from './consequences.ts';
import { type DownloadedFile, type DownloadOptions, pathIdIn } from './download.ts';
import type { AnyEvent, Events, Operations, States } from './generated.ts';
import type { NamesOf, ParametersIn, StateOf } from './methods.ts';

/**
 * An event as clients receive it, without its `id` in the queue. A union over `type` and `op`:
 * `if (event.type === 'message') console.log(event.message.content)`.
 */
export type ChatEvent = Events[keyof Events];

/** Event types that `listen` yields. */
export type EventType = Exclude<ChatEvent['type'], 'heartbeat'>;

/** State that `register` can fetch. */
export type FetchType = keyof States;

/** The response of `register` for these fetch types. */
export type InitialState<T extends FetchType = FetchType> = StateOf<States, T>;

/** Name of an operation, for example `messages.send`. */
export type OperationName = NamesOf<Operations>;

/** Arguments of an operation: its parameters, and options of the call. */
export type ParametersOf<N extends OperationName> = ParametersIn<Operations, N>;

/** All operations, as dry runs. */
export type DryRuns = DryRunsOf<Operations>;

type DryRunsOf<O> = {
  [K in keyof O]: O[K] extends (...parameters: infer P) => Promise<infer A>
    ? (...parameters: P) => Promise<DryRun<A>>
    : DryRunsOf<O[K]>;
};

/** An event queue and the position of its reader. Store it to continue with the same queue later. */
export interface QueuePlace {
  /** From the response of `register`. */
  queue_id: string;
  /** `id` of the last processed event; -1 for a new queue. */
  last_event_id: number;
}

/** Options of `session.listen`. */
export interface ListenOptions<T extends EventType = EventType> {
  /** Only events of these types. Default: all types. */
  event_types?: readonly T[];
  /** Only messages that match all of these filters, for example `[['channel', 'general']]`. */
  narrow?: [operator: string, operand: string][];
  /** Whether message contents are HTML. Default false: Markdown. */
  apply_markdown?: boolean;
  /** Also messages of public channels that the user is not subscribed to. Default false. */
  all_public_streams?: boolean;
  /** Event formats that your program understands. Without them, the server sends the older formats. */
  client_capabilities?: Partial<Record<Capability, boolean>>;
  /** Continue with this queue instead of registering a new one. No event is lost or repeated. */
  queue?: QueuePlace;
  /** Called once, with the queue. Store it to continue with it later. */
  onQueue?: (queue: QueuePlace) => void;
  /**
   * Called when the state of the connection changes, and before every retry. Reads what a stored queue missed with
   * short polls first, so that `live` does not wait for an event.
   */
  onState?: (state: ConnectionState) => void;
  /** `listen` calls it when it knows how events arrive, and after each change. */
  onTransport?: (transport: EventTransport) => void;
  /**
   * Yields arrays: the events of one response. An empty array means that the server answered without events. All
   * events of an array are acknowledged when you request the next one. Default false: single events.
   */
  batches?: boolean;
  /** Ends the iteration. Deletes a queue that was registered here, unless you set `onQueue`. */
  signal?: AbortSignalLike;
}

/** An event with its `id` in the queue. */
export type QueuedEvent<T extends EventType = EventType> = Extract<ChatEvent, { type: T }> & { id: number };

/**
 * All operations, called as one user. `chat.as(user)` and `connect({ … })` return the same type, so the same code
 * works in process and over HTTP. Names of parameters and results are those of the HTTP API.
 */
export interface Session extends Operations {
  /**
   * Dry runs: every operation again, run and rolled back. Each resolves to the answer of the call, the events that
   * you would receive, and the side effects that follow from the call alone. Throws the same errors as the call.
   * @example
   * const { answer, events } = await session.dryRun.channels.create({ name: 'general', subscribers: [9] });
   */
  readonly dryRun: DryRuns;
  /**
   * Explains whether a user may do something, and which rules decide it, in the order in which they are checked.
   * Runs the operation as a dry run. Users may ask about themselves, administrators about all users. About others, the
   * decision is `undecided` if it depends on data that you cannot see.
   * @param user user ID or e-mail address
   * @throws UnauthorizedPrincipal if you are not an administrator and ask about another user
   * @throws BadRequest if there is no such user, or if the operation does not support dry runs
   * @example
   * const { decision, steps } = await session.why('ben@example.com', 'channels.archive', { stream_id: 4 });
   */
  why<N extends OperationName>(
    user: number | string,
    operation: N,
    ...parameters: ParametersOf<N>
  ): Promise<Explanation>;
  /**
   * Downloads an uploaded file. Allowed for its owner and for users who can read a message that links to it.
   * @param address URL or path as in messages, or only the part after `/user_uploads/`
   * @throws NoSuchFile if there is no such file, or if you may not read it
   * @throws BadRequest if the address is not that of an uploaded file, or if the range starts after its end
   * @example
   * const { name, content } = await session.download('/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png');
   * await pipeline(content, createWriteStream(name));
   */
  download(address: string, options?: DownloadOptions): Promise<DownloadedFile>;
  /**
   * Iterates over events, with the events of one response together. Skips heartbeats. Errors end the iteration.
   * @example for await (const events of session.listen({ batches: true })) for (const event of events) apply(event);
   */
  listen<const T extends EventType = EventType>(
    options: ListenOptions<T> & { batches: true },
  ): AsyncIterableIterator<readonly QueuedEvent<T>[]>;
  /**
   * Iterates over events: from now on, or from a stored queue. Skips heartbeats. Errors end the iteration.
   * @example for await (const event of session.listen({ event_types: ['message'] })) console.log(event.message.content);
   */
  listen<const T extends EventType = EventType>(
    options?: ListenOptions<T> & { batches?: false },
  ): AsyncIterableIterator<QueuedEvent<T>>;
}

/** What a session has to know of an operation. */
interface Method {
  readonly name: string;
  /** The name, split at the dot: programs may open a session for each request. */
  readonly path: readonly string[];
}

/** The functions behind a session. `O` is their description of an operation. */
interface SessionWays<O extends Method> {
  operations: readonly O[];
  /** Runs one operation, in process or over HTTP. */
  invoke: (operation: O, parameters: Record<string, unknown>, options: CallOptions) => Promise<object>;
  dryRun: (operation: O, parameters: Record<string, unknown>, options: CallOptions) => Promise<DryRun>;
  why: (
    user: number | string,
    operation: O,
    parameters: Record<string, unknown>,
    options: CallOptions,
  ) => Promise<Explanation>;
  download: (pathId: string, options: DownloadOptions) => Promise<DownloadedFile>;
  /** The events of a queue until the stream ends. Undefined if there are no streams: `events.list` is called instead. */
  stream?: (place: QueuePlace, signal: AbortSignalLike | undefined) => AsyncIterable<readonly AnyEvent[]> | undefined;
  /** Once true, all `listen` iterations end. */
  isClosed: () => boolean;
  /** Begins an outage: failures in a row. Its function waits before the next retry, or returns false to stop retrying. */
  outage?: () => Recover;
}

type Recover = (error: unknown, options: RegisterOptions) => Promise<boolean>;

/** Builds a session from functions that run operations. */
export function sessionOver<O extends Method>(ways: SessionWays<O>): Session {
  const { operations, invoke, dryRun, why, download } = ways;
  const session = methodsOver(operations, invoke);
  let dryRuns: Record<string, unknown> | undefined;
  return Object.defineProperty(
    Object.assign(session, {
      download: async (address: string, options: DownloadOptions = {}) =>
        cancellable(options.signal, async () => download(pathIdIn(address), options)),
      listen: (options: ListenOptions = {}) => (options.batches ? batches(ways, options) : singles(ways, options)),
      // `register` retries like `listen`, for programs that register a queue first and then listen to it.
      register: (parameters: Record<string, unknown> = {}, options: RegisterOptions = {}) =>
        cancellable(options.signal, () =>
          patiently(ways, () => invoke(named(operations, 'register'), parameters, options), options),
        ),
      why: (
        user: number | string,
        operation: OperationName,
        parameters: Record<string, unknown> = {},
        options: CallOptions = {},
      ) => cancellable(options.signal, async () => why(user, named(operations, operation), parameters, options)),
    }),
    'dryRun',
    { enumerable: true, get: () => (dryRuns ??= methodsOver(operations, dryRun)) },
  ) as unknown as Session;
}

function named<O extends Method>(operations: readonly O[], name: OperationName): O {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** One method for each operation: `messages.send` becomes `session.messages.send`. */
function methodsOver<O extends Method>(
  operations: readonly O[],
  run: (operation: O, parameters: Record<string, unknown>, options: CallOptions) => Promise<object>,
): Record<string, unknown> {
  const methods: Record<string, unknown> = {};
  for (const operation of operations) {
    const [group = '', action] = operation.path;
    const method = (parameters: Record<string, unknown> = {}, options: CallOptions = {}) =>
      cancellable(options.signal, () => run(operation, parameters, options));
    if (action === undefined) methods[group] = method;
    else {
      methods[group] ??= {};
      (methods[group] as Record<string, unknown>)[action] = method;
    }
  }
  return methods;
}

/** Retries as long as `recover` allows. */
async function patiently<A>(
  { outage, isClosed }: Pick<SessionWays<never>, 'outage' | 'isClosed'>,
  ask: () => Promise<A>,
  options: RegisterOptions,
): Promise<A> {
  options.onState?.({ state: 'connecting' });
  let lastError: Error | undefined;
  let recover: Recover | undefined;
  for (;;) {
    try {
      const answer = await ask();
      options.onState?.({ state: 'live', ...(lastError && { lastError }) });
      return answer;
    } catch (error) {
      lastError = error as Error;
      recover ??= outage?.();
      if (options.signal?.aborted || isClosed() || !(await recover?.(error, options))) throw error;
    }
  }
}

async function* singles<O extends Method>(
  ways: SessionWays<O>,
  options: ListenOptions,
): AsyncIterableIterator<QueuedEvent> {
  for await (const events of batches(ways, options)) yield* events;
}

async function* batches<O extends Method>(
  ways: SessionWays<O>,
  options: ListenOptions,
): AsyncIterableIterator<readonly QueuedEvent[]> {
  const { operations, invoke, isClosed } = ways;
  const { queue, onQueue, onState, onTransport, batches, signal, ...registration } = options;
  const isOver = () => signal?.aborted || isClosed();
  let recover: Recover | undefined;
  let state: ConnectionState['state'] | undefined;
  let lastError: Error | undefined;
  let transport: EventTransport | undefined;
  const report = (next: ConnectionState) => {
    if (next.state === state && state !== 'offline') return;
    state = next.state;
    if (next.state === 'offline') lastError = next.error;
    onState?.(next.state === 'offline' || !lastError ? next : { ...next, lastError });
  };
  const arriveBy = (next: EventTransport) => {
    if (next !== transport) onTransport?.(next);
    transport = next;
  };
  const ask = (name: OperationName, parameters: object, options: CallOptions) =>
    invoke(named(operations, name), { ...parameters }, options);
  const poll = async (parameters: QueuePlace & { dont_block?: boolean }) =>
    ((await ask('events.list', parameters, { signal })) as { events: AnyEvent[] }).events;
  async function* nextEvents(place: QueuePlace): AsyncGenerator<readonly AnyEvent[]> {
    // Confirms the connection at once: an idle long poll, or a stream that a proxy buffers, would not show it.
    if (onState && state !== 'live') {
      const missed = await poll({ ...place, dont_block: true });
      report({ state: missed.length > 0 ? 'catching-up' : 'live' });
      yield missed;
      return;
    }
    const stream = ways.stream?.(place, signal);
    if (!stream) {
      arriveBy(ways.stream ? 'poll' : 'local');
      yield await poll(place);
      return;
    }
    for await (const events of stream) {
      arriveBy('stream');
      yield events;
    }
  }
  let own: string | undefined;
  try {
    // Not aborted by the signal: a queue whose ID is not known could not be deleted.
    const register = async () =>
      (await ask('register', { ...registration, fetch_event_types: [] }, {})) as unknown as QueuePlace;
    const begin = queue ?? (await patiently(ways, register, { signal, onState: report }));
    const place = { queue_id: begin.queue_id, last_event_id: begin.last_event_id };
    if (queue) report({ state: 'connecting' });
    else if (!onQueue) own = place.queue_id;
    onQueue?.({ ...place });
    while (!isOver()) {
      try {
        for await (const events of nextEvents(place)) {
          recover = undefined;
          for (const { id } of events) place.last_event_id = Math.max(place.last_event_id, id);
          yield events.filter((event) => event.type !== 'heartbeat') as QueuedEvent[];
        }
      } catch (error) {
        recover ??= ways.outage?.();
        if (isOver() || !(await recover?.(error, { signal, onState: report }))) throw error;
      }
    }
  } catch (error) {
    // An error after `close` or `abort` ends the iteration normally.
    if (!isOver()) throw error;
  } finally {
    if (own !== undefined) await ask('events.delete', { queue_id: own }, {}).catch(() => undefined);
  }
}

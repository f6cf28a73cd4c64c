import type { Explanation } from '../access/explanation.ts';
import type { Capability } from '../events/client.ts';
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

/** Parameters of an operation. */
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
  /** Ends the iteration. Deletes a queue that was registered here, unless you set `onQueue`. */
  signal?: AbortSignal;
}

/** An event with its `id` in the queue. */
export type QueuedEvent<T extends EventType = EventType> = Extract<ChatEvent, { type: T }> & { id: number };

/**
 * All operations, called as one user. `chat.as(user)` and `connect({ … })` return the same type, so the same code
 * works in process and over HTTP. Names of parameters and results are those of the HTTP API.
 */
export interface Session extends Operations {
  /**
   * Dry runs: every operation again, run and rolled back. Each resolves to the answer, the events and the side
   * effects that the call would have. Throws the same errors as the call.
   * @example
   * const { answer, events } = await session.dryRun.channels.create({ name: 'general', subscribers: [9] });
   */
  readonly dryRun: DryRuns;
  /**
   * Explains whether a user may do something, and which rules decide it, in the order in which they are checked.
   * Runs the operation as a dry run. Users may ask about themselves, administrators about all users.
   * @param user user ID or e-mail address
   * @throws UnauthorizedPrincipal if you are not an administrator and ask about another user
   * @throws BadRequest if there is no such user, or if the operation does not support dry runs
   * @example
   * const { allowed, steps } = await session.why('ben@example.com', 'channels.archive', { stream_id: 4 });
   */
  why<N extends OperationName>(
    user: number | string,
    operation: N,
    ...parameters: ParametersOf<N>
  ): Promise<Explanation>;
  /**
   * Downloads an uploaded file. Allowed for its owner and for users who can read a message that links to it.
   * @param address URL or path as in messages, or only the part after `/user_uploads/`
   * @throws NoSuchFile if there is no such file, FileForbidden if you may not read it
   * @throws BadRequest if the address is not that of an uploaded file, or if the range starts after its end
   * @example
   * const { name, content } = await session.download('/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png');
   * await pipeline(content, createWriteStream(name));
   */
  download(address: string, options?: DownloadOptions): Promise<DownloadedFile>;
  /**
   * Iterates over events: from now on, or from a stored queue. Skips heartbeats. Errors end the iteration.
   * @example for await (const event of session.listen({ event_types: ['message'] })) console.log(event.message.content);
   */
  listen<const T extends EventType = EventType>(options?: ListenOptions<T>): AsyncIterableIterator<QueuedEvent<T>>;
}

/** The functions behind a session. `O` is their description of an operation. */
export interface SessionWays<O extends { readonly name: string }> {
  operations: readonly O[];
  /** Runs one operation, in process or over HTTP. */
  invoke: (operation: O, parameters: Record<string, unknown>, signal?: AbortSignal) => Promise<object>;
  dryRun: (operation: O, parameters: Record<string, unknown>) => Promise<DryRun>;
  why: (user: number | string, operation: O, parameters: Record<string, unknown>) => Promise<Explanation>;
  download: (pathId: string, options: DownloadOptions) => Promise<DownloadedFile>;
  /** The events of a queue until the stream ends. Undefined if there are no streams: `events.list` is called instead. */
  stream?: (place: QueuePlace, signal: AbortSignal | undefined) => AsyncIterable<readonly AnyEvent[]> | undefined;
  /** Once true, all `listen` iterations end. */
  isClosed: () => boolean;
  /**
   * Waits before a retry after a failure.
   * @param since time of the last success, in milliseconds since the epoch
   * @returns false to stop retrying
   */
  recover?: (error: unknown, since: number, signal: AbortSignal | undefined) => Promise<boolean>;
}

/** Builds a session from functions that run operations. */
export function sessionOver<O extends { readonly name: string }>(ways: SessionWays<O>): Session {
  const { operations, invoke, dryRun, why, download } = ways;
  const session = methodsOver(operations, invoke);
  let dryRuns: Record<string, unknown> | undefined;
  return Object.defineProperty(
    Object.assign(session, {
      download: async (address: string, options: DownloadOptions = {}) => download(pathIdIn(address), options),
      listen: (options: ListenOptions = {}) => listen(ways, options),
      // `register` retries like `listen`, for programs that register a queue first and then listen to it.
      register: async (parameters: Record<string, unknown> = {}) =>
        patiently(ways, () => invoke(named(operations, 'register'), parameters)),
      why: async (user: number | string, operation: OperationName, parameters: Record<string, unknown> = {}) =>
        why(user, named(operations, operation), parameters),
    }),
    'dryRun',
    { enumerable: true, get: () => (dryRuns ??= methodsOver(operations, dryRun)) },
  ) as unknown as Session;
}

function named<O extends { readonly name: string }>(operations: readonly O[], name: OperationName): O {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** One method for each operation: `messages.send` becomes `session.messages.send`. */
function methodsOver<O extends { readonly name: string }>(
  operations: readonly O[],
  run: (operation: O, parameters: Record<string, unknown>) => Promise<object>,
): Record<string, unknown> {
  const methods: Record<string, unknown> = {};
  for (const operation of operations) {
    const [group, action] = operation.name.split('.') as [string, string | undefined];
    const method = (parameters: Record<string, unknown> = {}) => run(operation, parameters);
    if (action === undefined) methods[group] = method;
    else methods[group] = Object.assign(methods[group] ?? {}, { [action]: method });
  }
  return methods;
}

/** Retries as long as `recover` allows. */
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
  async function* nextEvents(place: QueuePlace): AsyncGenerator<readonly AnyEvent[]> {
    const stream = ways.stream?.(place, signal);
    if (!stream) {
      yield (await ask<{ events: AnyEvent[] }>('events.list', place, signal)).events;
      return;
    }
    try {
      for await (const events of stream) {
        heardAt = Date.now();
        yield events;
      }
    } catch (error) {
      if (isOver() || !(await ways.recover?.(error, heardAt, signal))) throw error;
    }
  }
  let own: string | undefined;
  try {
    // Not aborted by the signal: a queue whose ID is not known could not be deleted.
    const begin = queue ?? (await ask<QueuePlace>('register', { ...registration, fetch_event_types: [] }));
    const place = { queue_id: begin.queue_id, last_event_id: begin.last_event_id };
    if (!queue && !onQueue) own = place.queue_id;
    onQueue?.({ ...place });
    while (!isOver()) {
      for await (const events of nextEvents(place)) {
        for (const event of events) {
          place.last_event_id = Math.max(place.last_event_id, event.id);
          if (event.type !== 'heartbeat') yield event as QueuedEvent;
        }
      }
    }
  } catch (error) {
    // An error after `close` or `abort` ends the iteration normally.
    if (!isOver()) throw error;
  } finally {
    if (own !== undefined) await invoke(named(operations, 'events.delete'), { queue_id: own }).catch(() => undefined);
  }
}

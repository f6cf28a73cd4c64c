import { operationNamed } from '../catalogue.ts';
import { type EventCaller, nextEvents } from '../domains/events/queues/next-events.ts';
import { type PollParams, poll } from '../domains/events/queues/poll.ts';
import { type Caller, isStill } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import { type DecodeParameter, readParameters, unknownParameters, type Values } from '../engine/parameters.ts';
import type { EventFrame } from '../events/event-encoder.ts';

const operation = operationNamed('events.list');

/**
 * A call of `events.list` with its parameters. The caller has a user ID.
 * @throws the refusal of the caller, or else that of the parameters
 */
async function begin(engine: Engine, caller: Caller, values: Values, decode: DecodeParameter) {
  const call: EventCaller = {
    services: engine,
    signal: caller.signal,
    permit: caller.permit,
    loginEndsAt: caller.login && caller.login.expiresAt * 1000,
    continueAs: (account) => isStill(caller, account, engine.clock.now()),
    transact: ((effect, work, reading) =>
      engine.transact(operation, caller, effect, work as never, reading)) as EventCaller['transact'],
  };
  try {
    return { call, params: readParameters(operation, values, decode) as unknown as PollParams };
  } catch (refusal) {
    return call.transact('read', () => Promise.reject(refusal));
  }
}

/** Like a call of `events.list`, for servers. Keeps little in memory, because thousands of polls wait. */
export async function pollEvents(engine: Engine, caller: Caller, values: Values, decode: DecodeParameter) {
  const ignored = unknownParameters(operation, values);
  const { call, params } = await begin(engine, caller, values, decode);
  const answer: Promise<object> = poll(call, params);
  return ignored.length === 0 ? answer : { ...(await answer), ignored_parameters_unsupported: ignored };
}

/** UTF-8 of events. Empty: no event has arrived during the heartbeat time. */
export type StreamedEvents = readonly Buffer[];

/** Milliseconds after which a stream ends: its client connects again, and so acknowledges what it has received. */
const MAX_MS = 5 * 60_000;
/**
 * Log positions after which a stream ends at the latest. Each stream ends at a random number above half of it, so that
 * streams that began together do not reconnect together. A queue ends if its client acknowledges none for 100,000.
 */
const MAX_POSITIONS = 20_000;

/**
 * The events of a queue, as text in frames. The first text comes immediately, even without events. Ends when a newer
 * poll or stream of the queue begins, and when the client has left. Also ends after five minutes, or 10,000 to 20,000
 * positions of the log.
 * @param values parameters of `events.list`
 * @throws the errors of `events.list`, at any time: the account may be deactivated, or the queue deleted
 */
export async function* streamEvents(
  engine: Engine,
  caller: Caller,
  values: Values,
  decode: DecodeParameter,
  frame: EventFrame,
): AsyncGenerator<StreamedEvents> {
  const { call, params } = await begin(engine, caller, values, decode);
  const { queue_id, last_event_id: acknowledged } = params;
  const end = performance.now() + MAX_MS;
  const most = MAX_POSITIONS * (1 - Math.random() / 2);
  let sent = acknowledged;
  let start: number | undefined;
  for (let patience = 0; ; patience = engine.options.heartbeatSeconds * 1000) {
    const { events, id, isSuperseded } = await nextEvents(
      call,
      { queue_id, acknowledged, sent },
      {
        until: performance.now() + patience,
        encode: (queue, events, reader, organization) =>
          engine.wire.encode(queue, events, { reader, organization, frame }),
      },
    );
    // The client may read slowly, and others need the place.
    call.permit?.end();
    if (isSuperseded) return;
    yield events ?? [];
    // Positions without events count as acknowledged. The client of a quiet queue only knows the ID of an old event.
    start ??= events ? Math.max(0, acknowledged) : id;
    if (id - start >= most || performance.now() >= end) return;
    sent = id;
  }
}

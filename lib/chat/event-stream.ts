import { operationNamed } from '../catalogue.ts';
import { type PollParams, poll, pollLog } from '../domains/events/queues/poll.ts';
import type { Transact } from '../engine/call.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import { type DecodeParameter, readParameters, type Values } from '../engine/parameters.ts';
import { manualContext } from '../engine/transaction-context.ts';
import type { EventFrame } from '../events/event-encoder.ts';

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
  const operation = operationNamed('events.list');
  const transact: Transact = (...step) => engine.transact(operation, ...step);
  const resumed = engine.resumed(operation, caller, values, decode);
  const context = manualContext(engine, caller, transact, { known: resumed });
  let params: PollParams;
  try {
    params = readParameters(operation, values, decode) as unknown as PollParams;
  } catch (refusal) {
    // Authorizes the caller first.
    return await transact(caller, 'read', () => Promise.reject(refusal));
  }
  const until = performance.now() + MAX_MS;
  const most = MAX_POSITIONS * (1 - Math.random() / 2);
  if (resumed) yield [];
  let start: number | undefined;
  let next: PollParams = { ...params, dont_block: !resumed };
  for (let ask = resumed ? poll : pollLog; ; ask = poll) {
    const end = performance.now() + engine.options.heartbeatSeconds * 1000;
    const outcome = await ask(context, next, end, (queue, events, reader, organization) =>
      engine.wire.encode(queue, events, { reader, organization, frame }),
    );
    // The client may read slowly, and others need the place.
    context.permit?.end();
    if ('ending' in outcome && outcome.ending === 'superseded') return;
    yield 'events' in outcome ? outcome.events : [];
    // Positions without events count as acknowledged. The client of a quiet queue only knows the ID of an old event.
    start ??= 'ending' in outcome ? outcome.id : Math.max(0, params.last_event_id);
    if (outcome.id - start >= most || performance.now() >= until) return;
    next = { ...params, last_event_id: outcome.id, dont_block: false, isUnacknowledged: true };
  }
}

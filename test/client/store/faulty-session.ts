import { setImmediate as turn } from 'node:timers/promises';
import type { QueuePlace, Session } from '../../../lib/chat/session.ts';
import { Unreachable } from '../../../lib/client/client.ts';

/** The faults of the next calls. */
export interface Faults {
  /** A number from 0 to below 1. */
  random(): number;
  /** The connection is down: calls fail before they reach the server. */
  isDown: boolean;
  /** Share of the calls whose response is lost. */
  lost: number;
  /** Longest delay of a response, in turns of the event loop. */
  delay: number;
  /** Of the last registration. */
  queueId?: string;
}

type Method = (parameters?: object, options?: object) => Promise<object>;

/** A session in process whose calls are delayed, lost and refused as on a bad connection. */
export function faultySession(session: Session, faults: Faults): Session {
  const call = async (method: Method, parameters?: object, options?: object): Promise<object> => {
    const failure = () => new Unreachable('http://chat.example.com', new Error('no connection'));
    if (faults.isDown) throw failure();
    const answer = await method(parameters, options);
    if ('queue_id' in answer) faults.queueId = String(answer.queue_id);
    for (let turns = Math.floor(faults.random() * faults.delay); turns > 0; turns--) await turn();
    if (faults.isDown || faults.random() < faults.lost) throw failure();
    return answer;
  };
  const groups = Object.entries(session).map(([name, group]) => {
    if (typeof group === 'function') return [name, (...given: object[]) => call(group as Method, ...given)];
    const methods = Object.entries(group as Record<string, Method>);
    return [
      name,
      Object.fromEntries(methods.map(([one, method]) => [one, (...given: object[]) => call(method, ...given)])),
    ];
  });
  const faulty = Object.fromEntries(groups) as Session;
  return Object.assign(faulty, {
    listen: (options: ListenArguments) => listen(faulty, options),
  });
}

interface ListenArguments {
  queue: QueuePlace;
  signal: AbortSignal;
  onState(state: object): void;
}

/** Polls as `listen` does, and fails with the connection: the store registers again or continues. */
async function* listen(session: Session, { queue, signal, onState }: ListenArguments) {
  const place = { ...queue };
  onState({ state: 'connecting' });
  while (!signal.aborted) {
    try {
      const { events } = await session.events.list({ ...place, dont_block: true });
      place.last_event_id = events.at(-1)?.id ?? place.last_event_id;
      if (events.length > 0) yield events;
      onState({ state: 'live' });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      onState({ state: 'offline', error, retryAt: Date.now(), retryNow: () => undefined });
    }
    await turn();
  }
}

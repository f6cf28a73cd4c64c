import { ChatError } from '../base/errors.ts';
import type { AnyEvent } from '../chat/generated.ts';
import type { QueuePlace } from '../chat/session.ts';
import { follow, readAnswer, Unreachable } from './answer.ts';
import type { Platform } from './platform.ts';

/** Milliseconds. The server sends something at once, but a proxy may hold it back. */
const FIRST_TIMEOUT_MS = 10_000;
/** Milliseconds. The server sends something more often. */
const SILENCE_TIMEOUT_MS = 120_000;

/** The server has no event streams, or a proxy holds them back. Polls work. */
export class NoStream extends Error {}

/**
 * The events of a queue, as they arrive together. Ends when the server ends the stream. The framing is our own: a
 * parser for all server-sent events would be a tenth of the browser build.
 * @throws NoStream; ChatError; Unreachable if the connection breaks, or nothing arrives for two minutes
 */
export async function* streamedEvents(
  platform: Pick<Platform, 'request'>,
  site: string,
  { queue_id, last_event_id }: QueuePlace,
  signals: readonly (AbortSignal | undefined)[],
): AsyncGenerator<readonly AnyEvent[]> {
  const query = new URLSearchParams({ queue_id, last_event_id: String(last_event_id) });
  const ending = new AbortController();
  const end = () => ending.abort();
  const unfollow = follow(signals, end);
  const within = (milliseconds: number, error: Error) => setTimeout(() => ending.abort(error), milliseconds);
  let timer = within(FIRST_TIMEOUT_MS, new NoStream());
  try {
    const address = `${site}/api/v1/events/stream?${query}`;
    const answer = await platform.request(address, { method: 'GET', signal: ending.signal });
    if (answer.status === 404) throw new NoStream();
    if (answer.status !== 200) readAnswer(site, answer.status, await answer.text(() => undefined));
    if (!answer.header('content-type')?.startsWith('text/event-stream')) throw new NoStream();
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of answer.content) {
      clearTimeout(timer);
      const frames = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
      rest = frames.pop() as string;
      yield frames.flatMap((frame) => eventsIn(site, frame));
      // Not while the program handles the events.
      timer = within(
        SILENCE_TIMEOUT_MS,
        new Unreachable(site, new Error(`no response within ${SILENCE_TIMEOUT_MS} ms`)),
      );
    }
  } catch (error) {
    const isKnown = (cause: unknown) =>
      cause instanceof ChatError || cause instanceof NoStream || cause instanceof Unreachable;
    throw [ending.signal.reason, error].find(isKnown) ?? new Unreachable(site, error);
  } finally {
    clearTimeout(timer);
    unfollow();
    end();
  }
}

/** Comments have no data. */
function eventsIn(site: string, frame: string): AnyEvent[] {
  const at = frame.indexOf('data:');
  if (at === -1) return [];
  const data = frame.slice(at + 'data:'.length);
  if (frame.startsWith('event:error')) readAnswer(site, 400, data);
  return [JSON.parse(data) as AnyEvent];
}

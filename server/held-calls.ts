import { Unauthorized } from '../lib/index.ts';
import { type CancelSignal, decodeText, present } from '../lib/internal.ts';
import type { ApiRequest, Call } from './api-request.ts';
import { EVENT_FRAME, sendEventStream } from './event-stream.ts';
import type { HeldQueue } from './long-polls.ts';

/** Runs a long poll until an event comes, the client disconnects or the server closes. */
export function poll(request: ApiRequest, call: Call): Promise<object> {
  const { caller, values } = call;
  const check = hostLoginCheck(request, call);
  request.keepEncoding();
  return hold(request, call, check, async (signal) => {
    caller.signal = signal;
    // Counts only the synchronous part.
    const endWork = request.turn?.beginWork();
    const polling = request.context.transport.pollEvents(caller, values, decodeText);
    endWork?.();
    const answer = await polling;
    await check?.();
    return answer;
  });
}

/** Sends the events of a queue until the client disconnects. */
export async function streamEvents(request: ApiRequest, call: Call): Promise<undefined> {
  const { context, req, res } = request;
  const { caller, values } = call;
  // Without a value, the header is as good as absent: a proxy or a browser may send it so.
  const last_event_id = req.headers['last-event-id'] || (values.last_event_id ?? '-1');
  const check = hostLoginCheck(request, call);
  await hold(request, call, check, (signal) => {
    caller.signal = signal;
    const events = context.transport.streamEvents(caller, { ...values, last_event_id }, decodeText, EVENT_FRAME);
    const admit = (bytes: number) => context.unsent.hold(res, present(caller.userId), bytes);
    return sendEventStream(request, check ? checked(events, check) : events, admit);
  });
}

function hold<T>(
  { context, req, res }: ApiRequest,
  call: Call,
  check: (() => Promise<void>) | undefined,
  run: (signal: CancelSignal) => Promise<T>,
): Promise<T> {
  const { caller, values } = call;
  const queue: HeldQueue = {
    queueId: String(values.queue_id),
    userId: present(caller.userId),
    address: context.rateLimits?.addressOf(req) ?? '',
  };
  return context.polls.hold(req, res, run, { queue, authenticatesAgain: check !== undefined });
}

/**
 * Checks a login of the host again, before what has waited goes out: only the host knows when the login is over. The
 * chat itself checks API keys, tokens and cookies.
 */
function hostLoginCheck({ context, req }: ApiRequest, { caller }: Call): (() => Promise<void>) | undefined {
  if (caller.keyGeneration !== undefined) return undefined;
  return async () => {
    const { userId } = await context.authentication.identify(req, 'user');
    if (userId !== caller.userId) throw new Unauthorized('The login is over. Log in again.');
  };
}

/** Runs the check before each item. */
async function* checked<T>(items: AsyncIterable<T>, check: () => Promise<void>): AsyncGenerator<T> {
  for await (const item of items) {
    await check();
    yield item;
  }
}

import { RateLimitHit } from '../lib/index.ts';
import {
  type Asker,
  type Caller,
  decodeText,
  mayBeAudited,
  type Operation,
  routesOf,
  transportOf,
} from '../lib/internal.ts';
import { mediaType } from './body.ts';
import { clientName } from './client-name.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { noFields, queryText, readFields } from './form.ts';
import { hasLongLists, withLongListsWritten } from './large-lists.ts';
import { HeldPoll } from './long-polls.ts';
import { type ApiContext, noteRoute, sendAnswer } from './pipeline.ts';
import { PollTurn } from './poll-turn.ts';
import type { RateLimitStatus } from './rate-limits.ts';
import { type RequestRecord, recordOf } from './request-record.ts';
import { sendFailure } from './respond.ts';
import type { Route } from './router.ts';

/**
 * Long polls that go on where the last one of their queue ended. With each message thousands of them are answered and
 * come again, and this process knows all about them: each is let in and set waiting in one go, and a small object is
 * all that is kept of it. What is asked of it is what `pipeline.ts` asks of any request, which also answers whatever is
 * not as plain as that.
 */
export class Repolls {
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(
    private readonly api: ApiContext,
    operations: readonly Operation[],
  ) {
    const routes = new Map<string, Route>();
    for (const operation of operations) {
      if (!operation.longPoll || !operation.resume || operation.limitedBy || mayBeAudited(operation)) continue;
      for (const { path } of routesOf(operation)) {
        const route = api.router.find(path)?.methods.get('GET');
        if (route?.operation === operation && route.names.length === 0) routes.set(path, route);
      }
    }
    this.#routes = routes;
  }

  /**
   * Takes the request of such a poll; any other is left as it is, and nothing has been counted of it.
   * @param path below `/api/v1`
   */
  take(req: ServerRequest, res: ServerAnswer, path: string, query: string): boolean {
    const route = this.#routes.get(path);
    if (!route || req.method !== 'GET' || mediaType(req) !== undefined) return false;
    const { authentication, chat, rateLimits, queue, polls } = this.api;
    const { operation } = route;
    const identity = authentication.verified(req, operation.access);
    if (!identity) return false;
    const values = fieldsOf(query);
    const { userId, address, keyGeneration } = identity;
    const caller: Caller = { userId, address, keyGeneration, client: clientName(req) };
    const resumed = values && transportOf(chat).resume(operation, caller, values, decodeText);
    if (!resumed) return false;
    const record = recordOf(req);
    if (record) {
      noteRoute(record, route, undefined);
      record.userId = userId;
    }
    const turn = queue && new PollTurn(queue, userId, res, operation);
    const poll = new Repoll(this.api, req, res, path, userId, record, rateLimits?.take(req, userId, true), turn);
    if (poll.isRefused) return true;
    const endWork = turn?.beginWork();
    if (turn) {
      caller.turn = turn;
      caller.beginWork = () => turn.beginWork();
    }
    caller.signal = poll;
    polls.add(poll, req, res);
    record?.beginWaiting();
    try {
      resumed.begin(poll, poll);
    } finally {
      endWork?.();
    }
    return true;
  }
}

/** Nothing where they cannot be read. */
function fieldsOf(query: string): Readonly<Record<string, string>> | undefined {
  try {
    return readFields(queryText(query), noFields());
  } catch {
    return undefined;
  }
}

/** One of them while it waits. */
class Repoll extends HeldPoll implements Asker {
  constructor(
    private readonly api: ApiContext,
    private readonly req: ServerRequest,
    private readonly res: ServerAnswer,
    private readonly path: string,
    private readonly userId: number,
    private readonly record: RequestRecord | undefined,
    private readonly limits: RateLimitStatus | undefined,
    private readonly turn: PollTurn | undefined,
  ) {
    super();
  }

  /** Refuses it where the account has polled too often. */
  get isRefused(): boolean {
    const retryAfter = this.limits?.retryAfter;
    if (retryAfter !== undefined) this.reject(new RateLimitHit(retryAfter));
    return retryAfter !== undefined;
  }

  resolve(result: object): void {
    if (hasLongLists(result)) {
      const endWork = this.turn?.beginWork();
      withLongListsWritten(result)
        .finally(endWork)
        .then(
          (written) => this.resolve(written),
          (error) => this.reject(error),
        );
      return;
    }
    this.record?.endWaiting();
    const { api, req, res, userId } = this;
    try {
      sendAnswer(api, req, res, userId, result, this.#headers);
      this.turn?.end();
    } catch (error) {
      this.reject(error);
    }
  }

  reject(error: unknown): void {
    this.record?.endWaiting();
    const { api, req, res, path } = this;
    sendFailure(transportOf(api.chat).logger, req, res, path, error, this.#headers);
    this.turn?.end();
  }

  get #headers(): readonly string[] {
    const limits = this.limits?.headers ?? [];
    return this.record ? ['X-Request-Id', this.record.id, ...limits] : limits;
  }
}

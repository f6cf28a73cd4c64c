import { RateLimitHit } from '../lib/index.ts';
import {
  type Asker,
  type Caller,
  decodeText,
  mayBeAudited,
  type Operation,
  type ProvenCaller,
  type Resumed,
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
    const { authentication, chat, rateLimits, polls } = this.api;
    const { operation } = route;
    const identity = authentication.verified(req, operation.access);
    if (!identity) return false;
    const values = fieldsOf(query);
    const resumed = values && transportOf(chat).resume(operation, identity, values, decodeText);
    if (!resumed) return false;
    const record = recordOf(req);
    if (record) {
      noteRoute(record, route, undefined);
      record.userId = identity.userId;
    }
    const limits = rateLimits?.take(req, identity.userId, true);
    const poll = new Repoll(this.api, req, res, route, identity, clientName(req), record, limits);
    if (poll.isRefused) return true;
    polls.add(poll, req, res);
    record?.beginWaiting();
    // What this takes is less than it would take to count it for the account.
    resumed.begin(poll, poll);
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
  /** Once it has to look at the log. */
  #turn: PollTurn | undefined;

  constructor(
    private readonly api: ApiContext,
    /** Until it has been answered, as `res`: see `Waiter.finish`. */
    private req: ServerRequest | undefined,
    private res: ServerAnswer | undefined,
    private readonly route: Route,
    private readonly identity: ProvenCaller,
    private readonly client: string,
    private readonly record: RequestRecord | undefined,
    private readonly limits: RateLimitStatus | undefined,
  ) {
    super();
  }

  /** Refuses it where the account has polled too often. */
  get isRefused(): boolean {
    const retryAfter = this.limits?.retryAfter;
    if (retryAfter !== undefined) this.reject(new RateLimitHit(retryAfter));
    return retryAfter !== undefined;
  }

  context(known: Resumed): ReturnType<Asker['context']> {
    const { api, res, route, identity, client } = this;
    const { chat, queue } = api;
    const caller: Caller = { ...identity, client, signal: this };
    if (queue && res) {
      const turn = new PollTurn(queue, identity.userId, res, route.operation);
      caller.beginWork = () => turn.beginWork();
      this.#turn = caller.turn = turn;
    }
    return transportOf(chat).resumedContext(route.operation, caller, known);
  }

  resolve(result: object): void {
    if (hasLongLists(result)) {
      const endWork = this.#turn?.beginWork();
      withLongListsWritten(result)
        .finally(endWork)
        .then(
          (written) => this.resolve(written),
          (error) => this.reject(error),
        );
      return;
    }
    this.record?.endWaiting();
    const { api, req, res, identity } = this;
    if (!req || !res) return;
    try {
      sendAnswer(api, req, res, identity.userId, result, this.#headers);
      this.#end();
    } catch (error) {
      this.reject(error);
    }
  }

  reject(error: unknown): void {
    this.record?.endWaiting();
    const { api, req, res, route } = this;
    if (!req || !res) return;
    sendFailure(transportOf(api.chat).logger, req, res, route.path, error, this.#headers);
    this.#end();
  }

  #end(): void {
    this.#turn?.end();
    this.req = this.res = undefined;
  }

  get #headers(): readonly string[] {
    const limits = this.limits?.headers ?? [];
    return this.record ? ['X-Request-Id', this.record.id, ...limits] : limits;
  }
}

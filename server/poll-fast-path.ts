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
import { PollPermit } from './poll-permit.ts';
import type { RateLimitStatus } from './rate-limits.ts';
import { type RequestRecord, recordOf } from './request-record.ts';
import { sendFailure } from './respond.ts';
import type { Route } from './router.ts';

/**
 * A fast path for long polls that continue a queue. Each message ends thousands of polls, which then come again. For a
 * plain request, this process knows all it needs: it admits the poll in one step and keeps only a small object. The
 * checks are the same as in `pipeline.ts`, which handles all other requests.
 */
export class PollFastPath {
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
   * Handles the request if it is such a poll. Otherwise returns false and counts nothing.
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
    // Counting this work for the account would cost more than the work.
    resumed.begin(poll, poll);
    return true;
  }
}

/** Undefined if the query is invalid. */
function fieldsOf(query: string): Readonly<Record<string, string>> | undefined {
  try {
    return readFields(queryText(query), noFields());
  } catch {
    return undefined;
  }
}

/** A waiting poll. */
class Repoll extends HeldPoll implements Asker {
  /** Set when the poll must read the event log. */
  #turn: PollPermit | undefined;

  constructor(
    private readonly api: ApiContext,
    /** `req` and `res` are undefined after the response: see `Waiter.finish`. */
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

  /** Refuses the poll if the account is rate-limited. */
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
      const turn = new PollPermit(queue, identity.userId, res, route.operation);
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

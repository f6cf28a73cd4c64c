import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Caller,
  ChatError,
  decodeText,
  MethodNotAllowed,
  NotFound,
  type Operation,
  RateLimitHit,
} from '../lib/index.ts';
import { CallerGone } from './body-stream.ts';
import { callerAddress, clientName } from './caller.ts';
import { Exchange, type Face } from './exchange.ts';
import { reportFailure } from './failure.ts';
import { noFields, queryText, readFields } from './form.ts';
import { identify } from './identity.ts';
import type { RateLimits } from './rate-limits.ts';
import { sendError, sendOptions, sendResult } from './respond.ts';
import type { Match, Route } from './router.ts';

/** A call as it is handed to the chat. */
interface Call {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Answers one API request: route, method, authentication, rate limit; access, parameters and the
 * operation itself happen in the chat; then the response (reference, 1.1).
 * @param path below `/api/v1`
 * @param query without the question mark
 */
export async function answerCall(
  face: Face,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const exchange = new Exchange(face, req, res);
  try {
    const call = await prepare(exchange, path, query);
    if (!call) return;
    const result = await perform(exchange, call);
    if (!res.destroyed) sendResult(res, result, exchange.headers);
  } catch (error) {
    refuse(exchange, path, error);
  }
}

/** Everything before the chat is asked; nothing when the answer has been given already. */
async function prepare(exchange: Exchange, path: string, query: string): Promise<Call | undefined> {
  const { face, req, res } = exchange;
  const match = face.router.find(path);
  if (!match) throw new NotFound(path.slice(0, 200));
  if (req.method === 'OPTIONS') {
    sendOptions(res, match.allowed);
    return undefined;
  }
  const route = await select(exchange, match);
  const { operation } = route;
  const { userId, keyGeneration } = await identify(face, req, operation.access);
  if (face.rateLimits) limit(exchange, face.rateLimits, operation, userId);
  if (exchange.body === undefined && exchange.bodyFault === undefined) await exchange.readBody(route.file);
  if (exchange.bodyFault !== undefined) throw exchange.bodyFault;
  const fields = noFields();
  if (query !== '') readFields(queryText(query), fields);
  const values: Record<string, unknown> = fields;
  // The body wins over the query, the path over both.
  if (exchange.body) Object.assign(values, exchange.body.fields);
  if (route.file && exchange.body?.file) values[route.file.name] = exchange.body.file;
  for (let i = 0; i < route.names.length; i++) values[route.names[i] as string] = match.values[i] as string;
  const caller: Caller = { userId, client: clientName(req) };
  if (keyGeneration !== undefined) caller.keyGeneration = keyGeneration;
  return { operation, caller, values };
}

/** The operation by method. A field `method` in the body of a POST stands for the method. */
async function select(exchange: Exchange, match: Match): Promise<Route> {
  let method = exchange.req.method ?? 'GET';
  if (method === 'HEAD') method = 'GET';
  // A file is read once it is known whose it is.
  if (method === 'POST' && !(match.routes.get('POST')?.file && exchange.isMultipart)) {
    await exchange.readBody();
    const fields = exchange.body?.fields;
    if (fields?.method !== undefined) {
      method = fields.method;
      const named = match.routes.get(method);
      // Having been obeyed, it is no parameter, unless the operation has one of that name.
      if (named && !Object.hasOwn(named.operation.params.entries, 'method')) delete fields.method;
    }
  }
  const route = match.routes.get(method);
  if (!route) throw new MethodNotAllowed(method.slice(0, 20), [...match.allowed]);
  return route;
}

function limit(exchange: Exchange, limits: RateLimits, operation: Operation, userId: number | null): void {
  const { face, req } = exchange;
  const { headers, retryAfter } =
    userId === null
      ? limits.ofAddress(callerAddress(req, Number(face.options.trustProxy ?? 0)))
      : limits.ofUser(userId, operation.longPoll === true);
  exchange.headers = headers;
  if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
}

function perform({ face, req, res }: Exchange, { operation, caller, values }: Call): Promise<object> {
  if (operation.longPoll) {
    // Thousands of polls wait at a time; headers are a good part of what each of them holds.
    if (face.ownsRequests) {
      req.headers = {};
      req.rawHeaders = [];
    }
    return face.polls.hold(res, (signal) => {
      caller.signal = signal;
      return face.chat.call(operation, caller, values, decodeText);
    });
  }
  const account = operation.limitedBy && values[operation.limitedBy.account];
  if (face.rateLimits && typeof account === 'string') {
    return face.rateLimits.signIn(account, () => face.chat.call(operation, caller, values, decodeText));
  }
  return face.chat.call(operation, caller, values, decodeText);
}

function refuse({ face, req, res, headers }: Exchange, path: string, error: unknown): void {
  if (error instanceof CallerGone || res.destroyed) return;
  if (error instanceof ChatError && !res.headersSent) {
    sendError(res, error, headers);
    return;
  }
  reportFailure(face.chat.logger, res, error, { method: req.method, path }, headers);
}

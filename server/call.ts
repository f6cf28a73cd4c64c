import { type Caller, decodeText, encodeText, type Operation, present, textKind } from '../lib/internal.ts';
import type { ApiRequest, Call, Kind, Stage } from './api-request.ts';
import { browserName, clientName } from './authentication.ts';
import { noFields, queryText, readFields } from './form.ts';
import { poll, streamEvents } from './held-calls.ts';
import { takeIdempotencyKey } from './idempotency-key.ts';
import { addHeaders } from './incoming-webhooks.ts';
import { EMAIL_RULES } from './rate-limits.ts';
import { recordOf } from './request-record.ts';
import type { Route } from './router.ts';
import { asNewClients } from './zulip-clients.ts';

/** Calls the operation, which checks access and reads the parameters. */
export const call: Stage = {
  async enter(request) {
    const { req, route, kind } = request;
    const call = { caller: callerOf(request), ...valuesOf(request) };
    const key = req.headers['idempotency-key'];
    if (key !== undefined) takeIdempotencyKey(key, route.operation, call.values);
    request.result = await (request.preview ? preview : CALLS[kind])(request, call);
    if (!request.result) request.isAnswered = true;
  },
};

/** How each kind of request is called. Undefined: the response is already sent. */
const CALLS: Readonly<Record<Kind, (request: ApiRequest, call: Call) => Promise<object | undefined>>> = {
  call: limitedCall,
  'sign-in': limitedCall,
  upload: limitedCall,
  preview,
  poll,
  stream: streamEvents,
};

function limitedCall(request: ApiRequest, call: Call): Promise<object> {
  const run = () => perform(request, call);
  const { limitedBy } = request.route.operation;
  const answering = limitedBy ? limited(request, call, limitedBy, run) : run();
  return call.repeated.length === 0 ? answering : answering.then((answer) => withRepeated(answer, call.repeated));
}

type Limit = NonNullable<Operation['limitedBy']>;
type Run = () => Promise<object>;

/** Runs a call with the extra rate limit of its operation. */
function limited(request: ApiRequest, { values }: Call, limit: Limit, run: Run): Promise<object> {
  const { context, req } = request;
  const { rateLimits } = context;
  if (!rateLimits) return run();
  switch (limit.rule) {
    case 'sign-in':
      return signIn(request, values[limit.account], run);
    case 'own-password':
      return ownPassword(request, values[limit.password], run);
    case 'join':
      return rateLimits.join(req, run);
    default:
      return rateLimits.takeByAddress(req, EMAIL_RULES[limit.rule]).then(run);
  }
}

async function signIn({ context, req, userId }: ApiRequest, account: unknown, run: Run): Promise<object> {
  if (typeof account === 'string') return context.passwordLimits?.signIn(req, account, run) ?? run();
  await context.rateLimits?.take(req, userId);
  return run();
}

/** The password is only given if the request confirms it. */
async function ownPassword({ context, userId }: ApiRequest, password: unknown, run: Run): Promise<object> {
  const limits = password ? context.passwordLimits : undefined;
  return userId !== null && limits ? limits.ownPassword(userId, run) : run();
}

function perform({ context, route, turn }: ApiRequest, { caller, values }: Call): Promise<object> {
  // Counts only the synchronous part, such as reading the parameters.
  const endWork = turn?.beginWork();
  const result = context.transport.engine.call(route.operation, caller, values, decodeText);
  endWork?.();
  return result;
}

function preview(request: ApiRequest, call: Call): Promise<object> {
  const { context, route, preview } = request;
  const { caller, values } = call;
  const { operation } = route;
  if (preview?.kind === 'why')
    return context.transport.why(operation, { asker: caller, about: preview.user, values, decode: decodeText });
  const dryRun = async () => {
    const done = await context.transport.dryRun(operation, caller, values, decodeText);
    return { ...done, answer: withRepeated(done.answer, call.repeated) };
  };
  // Only this limit: other dry runs send no e-mail and check no password.
  const { limitedBy } = operation;
  return limitedBy?.rule === 'join' ? limited(request, call, limitedBy, dryRun) : dryRun();
}

function callerOf(request: ApiRequest): Caller {
  const { context, req, route, preview, turn, userId, identity } = request;
  const { rateLimits, passwordLimits } = context;
  const caller: Caller = { ...identity, client: clientName(req) };
  if (route.operation.audited || preview?.kind === 'why') {
    const record = recordOf(req);
    if (record) caller.request = record.id;
    if (rateLimits) caller.network = rateLimits.addressOf(req);
    caller.browser = browserName(req.headers['user-agent'] ?? '');
  }
  if (passwordLimits && route.operation.limitedBy?.rule === 'sign-in') caller.countGuess = passwordLimits.guesses(req);
  if (turn) caller.permit = turn;
  if (route.operation.extent) {
    caller.scanTerms = () => ({ ...rateLimits?.scansOf(req, userId), signal: request.signal });
  }
  return caller;
}

/** Parameters by name, as text. The path overrides the body, and the body overrides the query. */
function valuesOf(request: ApiRequest) {
  const { match, route, query, form } = request;
  const { params, incoming } = route.operation;
  // Not a copy: fields of a streamed form may still arrive.
  const values: Record<string, unknown> = form?.fields ?? noFields();
  if (form?.typed) addTyped(values, form.typed, params);
  if (query !== '') addQuery(values, query);
  if (route.file && form?.file) values[route.file.name] = form.file;
  const repeated = takePathValues(values, route.names, match.values);
  if (route.needsAdapting) asNewClients(values, params);
  if (incoming) addHeaders(values, incoming, request.req);
  return { values, repeated };
}

/** The members of a JSON body. Strings stay text, even if they look like a number. Other values keep their type. */
function addTyped(values: Record<string, unknown>, typed: object, params: Route['operation']['params']): void {
  for (const [name, text] of Object.entries(values)) {
    const schema = params[name];
    if (schema && textKind(schema) === 'text or json') values[name] = encodeText(schema, text);
  }
  Object.assign(values, typed);
}

function addQuery(values: Record<string, unknown>, query: string): void {
  const inQuery = readFields(queryText(query), noFields());
  for (const name in inQuery) if (!Object.hasOwn(values, name)) values[name] = inQuery[name];
}

/**
 * Sets the parameters of the path. Clients repeat them in the query or the form.
 * @returns the names of those repeated with another value, which are reported as ignored
 */
function takePathValues(
  values: Record<string, unknown>,
  names: readonly string[],
  inPath: readonly string[],
): string[] {
  const repeated: string[] = [];
  for (const [i, name] of names.entries()) {
    const value = present(inPath[i]);
    if (Object.hasOwn(values, name) && String(values[name]) !== value) repeated.push(name);
    values[name] = value;
  }
  return repeated;
}

/** Reports parameters of the path that the client has repeated with another value. */
function withRepeated(answer: object, repeated: readonly string[]): object {
  if (repeated.length === 0) return answer;
  const { ignored_parameters_unsupported: unknown = [] } = answer as { ignored_parameters_unsupported?: string[] };
  return { ...answer, ignored_parameters_unsupported: [...unknown, ...repeated].sort() };
}

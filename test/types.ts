/** What the compiler must accept and refuse in the types of the library. This file is compiled, never run. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type {
  AnyEvent,
  Events as GeneratedEvents,
  States as GeneratedStates,
  Operations,
  Registered,
  RegisterParameters,
} from '../lib/chat/generated.ts';
import type { Answer } from '../lib/chat/methods.ts';
import type {
  CallOptions,
  Chat,
  ChatEvent,
  ConnectionState,
  ErrorCode,
  NarrowOperator,
  NarrowParam,
  QueuedEvent,
  Session,
  UploadOptions,
} from '../lib/index.ts';
import { ChatError, isChatError, RateLimitHit } from '../lib/index.ts';
import { requestListener } from '../server/index.ts';
import type { Answers, Events, Parameters, Registration, States } from './documents/inferred-types.ts';

declare function is<Expected>(): <Actual>(value: Actual) => Same<Expected, Actual> extends true ? void : never;
type Same<A, B> = [A, B] extends [B, A] ? true : false;
declare const session: Session;
declare const chat: Chat;
declare const event: ChatEvent;

// The generated types equal the declarations. An error names the difference.
type Generated<N extends string> = N extends `${infer Group extends keyof Operations}.${infer Action}`
  ? Action extends keyof Operations[Group]
    ? Operations[Group][Action]
    : never
  : N extends keyof Operations
    ? Operations[N]
    : never;
type Call<P, A, O> =
  Record<never, never> extends P
    ? (parameters?: P, options?: O) => Promise<Answer<A>>
    : (parameters: P, options?: O) => Promise<Answer<A>>;
type Options<N> = N extends 'uploads.send' ? UploadOptions : CallOptions;
type EventList = Omit<Answers['events.list'], 'events'> & { events: AnyEvent[] };
type Method = Exclude<keyof Parameters, 'register'>;
type Different<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B ? (Same<A[K], B[K]> extends true ? never : K) : K;
}[keyof A | keyof B];
declare function none<Names extends never>(): Names;
none<
  Different<
    { [N in Method]: Generated<N> },
    { [N in Method]: Call<Parameters[N], N extends 'events.list' ? EventList : Answers[N], Options<N>> }
  >
>();
none<Different<GeneratedEvents, Events>>();
none<Different<GeneratedStates, States>>();
none<Different<{ RegisterParameters: RegisterParameters; Registered: Registered }, Registration>>();

// Events by type, and by type and op.
if (event.type === 'message') {
  is<string>()(event.message.content);
  is<string[]>()(event.flags);
  // @ts-expect-error message events do not have this field
  event.message_id;
}
if (event.type === 'reaction' && event.op === 'add') is<string>()(event.emoji_name);
if (event.type === 'message' && event.message.type === 'private')
  is<number>()(event.message.display_recipient[0]?.id ?? 0);
if (event.type === 'message' && event.message.type === 'stream') is<string>()(event.message.display_recipient);
if (event.type === 'subscription') {
  is<'add' | 'remove' | 'update' | 'peer_add' | 'peer_remove'>()(event.op);
  if (event.op === 'peer_add') is<number[]>()(event.user_ids);
}
// @ts-expect-error there is no such type
if (event.type === 'mesage') throw event;

// listen() yields the requested events, and refuses unknown ones.
async function listening() {
  for await (const heard of session.listen({ event_types: ['message'] })) is<QueuedEvent<'message'>>()(heard);
  for await (const heard of session.listen({ event_types: ['message', 'reaction'] })) {
    is<'message' | 'reaction'>()(heard.type);
    is<number>()(heard.id);
  }
  for await (const heard of session.listen()) if (heard.type === 'realm_user') is<'add' | 'update'>()(heard.op);
  for await (const events of session.listen({ event_types: ['message'], batches: true }))
    is<readonly QueuedEvent<'message'>[]>()(events);
  const onState = (connection: ConnectionState) => {
    if (connection.state === 'offline') is<number>()(connection.retryAt);
    // @ts-expect-error there is no next attempt
    else connection.retryAt;
  };
  session.listen({ onState });
  // @ts-expect-error a misspelt type
  session.listen({ event_types: ['mesage'] });
  // @ts-expect-error heartbeats are omitted
  session.listen({ event_types: ['heartbeat'] });
}

// The type of register's response depends on the fetched types.
async function registering() {
  const some = await session.register({ fetch_event_types: ['realm_linkifiers', 'message'] });
  is<string>()(some.queue_id);
  is<number>()(some.max_message_id);
  is<string>()(some.realm_linkifiers[0]?.pattern ?? '');
  // @ts-expect-error was not fetched
  some.streams;
  const byEvents = await session.register({ event_types: ['stream'] });
  is<string>()(byEvents.streams[0]?.name ?? '');
  const nothing = await session.register({ event_types: ['message'], fetch_event_types: [] });
  // @ts-expect-error nothing was fetched
  nothing.max_message_id;
  const all = await session.register();
  is<string>()(all.subscriptions[0]?.color ?? '');
  is<number>()(all.user_id);
  is<string>()(all.realm_users[0]?.full_name ?? '');
  is<boolean | null>()(all.user_settings.twenty_four_hour_time);
  const { signal } = new AbortController();
  const one = await session.register({ fetch_event_types: ['message'] }, { signal, onState: () => undefined });
  is<number>()(one.max_message_id);
  await session.users.me({}, { signal });
  await session.dryRun.messages.delete({ message_id: 7 }, { signal });
  await session.why(9, 'messages.delete', { message_id: 7 }, { signal });
  // @ts-expect-error a misspelt option
  await session.users.me({}, { singal: signal });
  // @ts-expect-error a misspelt type
  await session.register({ fetch_event_types: ['realm_linkifier'] });
  const { events } = await session.events.list({ queue_id: some.queue_id, last_event_id: -1 });
  if (events[0]?.type === 'message') is<string>()(events[0].message.content);
}

// `authenticate` gets the request type of the framework.
interface FrameworkRequest extends IncomingMessage {
  session: { userId: number };
}
const listener = requestListener(chat, { authenticate: (req: FrameworkRequest) => req.session.userId });
is<(req: FrameworkRequest, res: ServerResponse, next?: () => void) => void>()(listener);
createServer(requestListener(chat, { authenticate: () => ({ external_id: 'u7' }) }));
// @ts-expect-error requests of node:http have no session
createServer(listener);

// Operators of narrows have a name.
const operators: NarrowOperator[] = ['channel', 'topic', 'is'];
const narrow: NarrowParam = operators.map((operator) => [operator, 'x'] as const);
void session.messages.list({ anchor: 'newest', num_before: 1, num_after: 0, narrow });
// @ts-expect-error there is no such operator
operators.push('chanel');

// A channel message has a topic. A direct message does not accept one.
async function sending() {
  await session.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup' });
  await session.messages.send({ type: 'direct', to: [9], content: 'Soup' });
  // Readonly lists are accepted at any depth.
  const everybody: readonly number[] = [9, 10];
  await session.messages.send({ type: 'direct', to: everybody, content: 'Soup' });
  const soups = { anchor: 'newest', narrow: [['search', 'soup'], { operator: 'sender', operand: [9] }] } as const;
  const { messages } = await session.messages.list(soups);
  is<string[] | undefined>()(messages[0]?.flags);
  // @ts-expect-error no topic
  await session.messages.send({ type: 'channel', to: 'general', content: 'Soup' });
  // @ts-expect-error no content
  await session.messages.send({ type: 'direct', to: [9] });
  // @ts-expect-error a misspelt parameter
  await session.messages.addReaction({ message_id: 7, emoji_nmae: 'tada' });
  // @ts-expect-error there is no such operation
  await session.messages.sendAll({});
}

// A dry run has the parameters and the response of its operation. `why` takes the operation's name.
async function trying() {
  const { answer, events } = await session.dryRun.channels.create({ name: 'plans', subscribers: [9] });
  is<number>()(answer.id);
  const [first] = events;
  is<number | undefined>()(first?.recipients.channel);
  if (first?.event?.type === 'message') is<string>()(first.event.message.content);
  // @ts-expect-error a misspelt parameter
  await session.dryRun.channels.archive({ stream_idd: 4 });
  const { allowed, steps } = await session.why('ben@example.com', 'channels.archive', { stream_id: 4 });
  is<boolean>()(allowed);
  is<string | undefined>()(steps[0]?.setting);
  await session.why(9, 'users.me');
  // @ts-expect-error a misspelt parameter
  await session.why(9, 'channels.archive', { stream: 4 });
  // @ts-expect-error there is no such operation
  await session.why(9, 'channels.sing');
}

// Codes are a union, and a rate limit error has the time to wait.
function failing(error: unknown) {
  if (error instanceof RateLimitHit) is<number>()(error.retryAfter);
  if (error instanceof ChatError) is<ErrorCode | null>()(error.code);
  if (isChatError(error, 'RATE_LIMIT_HIT')) is<number>()(error.data['retry-after']);
  if (isChatError(error, 'STREAM_DOES_NOT_EXIST')) is<string | undefined>()(error.data.stream);
  if (isChatError(error, 'BAD_IMAGE')) is<unknown>()(error.data.width);
  // @ts-expect-error a misspelt code
  if (isChatError(error, 'BAD_REQEST')) throw error;
  // @ts-expect-error a misspelt code
  if (error instanceof ChatError && error.code === 'BAD_REQEST') throw error;
}

export { failing, listening, registering, sending, trying };

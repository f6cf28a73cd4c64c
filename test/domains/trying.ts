import assert from 'node:assert/strict';
import { CAPABILITIES } from '../../lib/events/client.ts';
import { ChatError, type DryRun, type DryRunEvent, type Session, type UserReference } from '../../lib/index.ts';
import { catalogue, hasDryRun, type Operation, transportOf } from '../../lib/internal.ts';
import type { LoggedEvent } from '../../lib/storage/interface/events.ts';
import type { CountedWorld } from '../world/copies.ts';
import type { World } from '../world/world.ts';

type Method = (parameters?: object) => Promise<Record<string, unknown>>;

/** How closely IDs of a dry run match those of the call. */
interface Expectation {
  /** The call gets the same IDs. */
  sameIds: boolean;
}

/**
 * A world whose sessions make a dry run before each change. The dry run must change nothing, and its response and
 * events must equal those of the change.
 * @param tried is called with the name of each operation
 */
export function tryingFirst(world: CountedWorld, expectation: Expectation, tried: (operation: string) => void): World {
  // One call at a time. Otherwise the log would also have events of other calls.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const wrap = (session: Session, user: UserReference): Session => {
    const methods: Record<string, unknown> = { ...session };
    for (const operation of (catalogue as readonly Operation[]).filter(hasDryRun)) {
      const [group, action] = operation.name.split('.') as [string, string | undefined];
      const attempt = (parameters: object = {}) =>
        inTurn(() => {
          tried(operation.name);
          return tryThenDo({ world, session, user, expectation }, operation, parameters);
        });
      if (action === undefined) methods[group] = attempt;
      else methods[group] = { ...(methods[group] as object), [action]: attempt };
    }
    return methods as unknown as Session;
  };
  const chat = Object.assign(Object.create(world.chat), {
    as: (...given: Parameters<World['chat']['as']>) => wrap(world.chat.as(...given), given[0]),
    anonymous: () => world.chat.anonymous(),
    runDue: () => world.chat.runDue(),
  });
  return { ...world, chat, as: (user) => wrap(world.as(user), world.users[user]) };
}

interface Attempt {
  world: CountedWorld;
  session: Session;
  /** The user of the session. */
  user: UserReference;
  expectation: Expectation;
}

async function tryThenDo(
  { world, session, user, expectation: { sameIds } }: Attempt,
  operation: Operation,
  parameters: object,
): Promise<Record<string, unknown>> {
  const { storage } = world;
  const tryIt = async () => {
    const writes = await world.writes();
    const tried = await settled(methodOf(session.dryRun, operation)(parameters) as Promise<unknown> as Promise<DryRun>);
    assert.equal(await world.writes(), writes, `${operation.name}: the dry run changes nothing`);
    return tried;
  };
  const doIt = () => settled(methodOf(session, operation)(parameters));
  // Without a queue, so that the world is unchanged after a refusal.
  const refused = await tryIt();
  if (refused.error) {
    const done = await doIt();
    assert.ok(done.error, `${operation.name}: only the dry run is refused: ${refused.error.message}`);
    checkSame(operation, refused.error, done.error);
    throw done.error;
  }
  const userId = await transportOf(world.chat).resolveUser(user);
  const queue_id = await fullQueue(session);
  const dryRun = await tryIt();
  const tail = await storage.read((tx) => tx.events.tail());
  const done = await doIt();
  if (done.error) {
    checkSame(operation, dryRun.error, done.error);
    throw done.error;
  }
  assert.ok(dryRun.value, `${operation.name}: the dry run is refused: ${dryRun.error?.message}`);
  const { answer, events } = dryRun.value;
  const logged = (await storage.read((tx) => tx.events.since(tail, 10_000))).filter(isForSomebody);
  const heads = await Promise.all(logged.map((event) => loggedHead(world, event, userId)));
  assert.deepEqual(
    events.map(headOf),
    heads.filter((head) => head !== undefined),
    `the events of ${operation.name}`,
  );
  if (sameIds && !IN_MEMORY.includes(operation.name)) {
    assert.deepEqual(comparable(answer), comparable(done.value ?? {}), `the answer of ${operation.name}`);
    if (queue_id !== undefined) await checkContents(session, queue_id, events);
  }
  return done.value as Record<string, unknown>;
}

function checkSame({ name }: Operation, tried: ChatError | undefined, done: ChatError): void {
  assert.deepEqual([tried?.code, tried?.message], [done.code, done.message], name);
}

/** Operations on data in memory, which a dry run does not change. Their responses show the state before. */
const IN_MEMORY = ['presence.report'];

interface Settled<T> {
  value?: T;
  error?: ChatError;
}

async function settled<T>(answer: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await answer };
  } catch (error) {
    if (error instanceof ChatError) return { error };
    throw error;
  }
}

function methodOf(methods: object, { name }: Operation): Method {
  const [group, action] = name.split('.') as [string, string | undefined];
  const found = (methods as Record<string, Method & Record<string, Method>>)[group];
  return (action === undefined ? found : found?.[action]) as Method;
}

/** Notices between processes have no audience. */
const isForSomebody = ({ event }: LoggedEvent) => event.type !== 'parlance_queue';

/** Type and recipients of an event in a dry run. */
function headOf({ type, op, recipients, archived_channels }: DryRunEvent) {
  return { type, op, archived_channels, ...recipients };
}

/** The same of a logged event, computed from its position. Undefined if the user does not receive it. */
async function loggedHead({ storage }: World, { event, audience, archivedChannels, seq }: LoggedEvent, userId: number) {
  const reached = await storage.read(async (tx) => {
    const users = (await tx.users.changedSince(0)).filter((user) => user.is_active && !user.is_system_bot);
    const ids = users.map((user) => user.id);
    const { scope, channel } = audience;
    const periods = channel === undefined ? [] : await tx.subscriptions.periodsBetween(ids, [channel], seq - 1, seq);
    const subscribed = new Set(periods.map(({ user_id }) => user_id));
    return users.filter(
      ({ id, role }) =>
        !audience.except?.includes(id) &&
        (scope === 'everyone' ||
          (scope === 'members' && role !== 600) ||
          subscribed.has(id) ||
          audience.users?.includes(id)),
    );
  });
  if (!reached.some(({ id }) => id === userId)) return undefined;
  return {
    type: event.type,
    op: event.op,
    archived_channels: archivedChannels,
    ...(audience.scope === undefined ? {} : { scope: audience.scope }),
    ...(audience.channel === undefined ? {} : { channel: audience.channel }),
  };
}

/** Registers a queue with all capabilities. Undefined for an account that cannot have one. */
async function fullQueue(session: Session): Promise<string | undefined> {
  const client_capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, true]));
  const answer = await settled(
    session.register({ fetch_event_types: [], client_gravatar: false, include_subscribers: true, client_capabilities }),
  );
  return answer.value?.queue_id;
}

/** Checks that the caller's client receives the events of the dry run. */
async function checkContents(session: Session, queue_id: string, events: readonly DryRunEvent[]): Promise<void> {
  const { value } = await settled(session.events.list({ queue_id, last_event_id: -1, dont_block: true }));
  // A user who deactivated their account, or whose visible users changed as a whole, has no queue any more.
  if (!value) return;
  const received = value.events.filter(({ type }) => type !== 'heartbeat').map(({ id, ...event }) => event);
  const promised = events.filter(({ archived_channels, event }) => event !== null && archived_channels !== false);
  assert.deepEqual(
    comparable(promised.map(({ event }) => event)),
    comparable(received),
    'the events that the caller receives',
  );
}

/** Replaces random parts: keys, tokens, links and names of queues. */
export function comparable(value: object): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner) => {
    if (name === 'api_key' || name === 'queue_id' || name === 'token') return 'made up';
    if (typeof inner !== 'string') return inner;
    return inner.replace(/[0-9a-f]{32,}/g, 'made up').replace(/(?<=\/(join|reset)\/)[\w-]+/g, 'made up');
  });
}

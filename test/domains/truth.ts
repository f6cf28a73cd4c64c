import assert from 'node:assert/strict';
import { ChatError, type Session } from '../../lib/index.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';
import { applyEvent, comparable, forgetFormer, type State } from '../events/reference-client.ts';
import { assertEvent } from '../world/event-keys.ts';
import { CHANNELS, USER_NAMES } from '../world/fixture.ts';
import type { World } from '../world/world.ts';

/** All users of the fixture who can register. */
const REGISTERING = USER_NAMES.filter((name) => name !== 'deactivated' && name !== 'webhook');

/** Parameters with which a client registers. */
export type Registration = Parameters<Session['register']>[0] & object;

export interface Observer {
  name: string;
  id: number;
}

/** Organizations that send different events, each with its observers. */
export const ORGANIZATIONS = {
  'all users see each other': async (world: World): Promise<Observer[]> =>
    REGISTERING.map((name) => ({ name, id: world.users[name] })),
  /** The two guests share no channel. */
  'guests see only related users': async (world: World): Promise<Observer[]> => {
    const { as, users } = world;
    await world.settings({ can_access_all_users_group: systemGroupId('role:members') });
    const owner = as('owner');
    const { user_id: id } = await owner.users.create({ email: 'second@example.com', full_name: 'Stranger', role: 600 });
    await owner.subscriptions.remove({ subscriptions: [CHANNELS.default], principals: [id] });
    await owner.subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], principals: [id] });
    await as('guest').messages.send({ type: 'direct', to: [users.hamlet], content: 'Good day.' });
    return [
      { name: 'the guest', id: users.guest },
      { name: 'another guest', id },
      { name: 'a member', id: users.cordelia },
    ];
  },
};

interface Client {
  observer: Observer;
  session: Session;
  registration: Registration;
  state: State;
}

/** Clients that follow a world by events alone. */
export class Clients {
  readonly #world: World;
  readonly #clients: Client[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  async register(observers: readonly Observer[], registrations: readonly Registration[]): Promise<void> {
    for (const observer of observers) {
      const session = this.#world.chat.as(observer.id);
      for (const registration of registrations) {
        const state = await fetchState(session, registration);
        this.#clients.push({ observer, session, registration, state });
      }
    }
  }

  /** Applies the events of each client. Returns users whose queues have ended; their clients have registered again. */
  async take(): Promise<string[]> {
    const ended: string[] = [];
    for (const client of await this.#active()) {
      const { observer, session, registration, state } = client;
      const { queue_id, last_event_id } = state;
      const polled = session.events.list({ queue_id, last_event_id, dont_block: true });
      const answer = await polled.catch((error: unknown) => {
        if (error instanceof ChatError && error.code === 'BAD_EVENT_QUEUE_ID') return undefined;
        throw error;
      });
      if (!answer) {
        ended.push(observer.name);
        client.state = await fetchState(session, registration);
        continue;
      }
      for (const event of answer.events) {
        assertEvent(event);
        applyEvent(state, event, observer.id);
        state.last_event_id = event.id;
      }
    }
    return ended;
  }

  /** Fails if the state of a client differs from a new registration. */
  async compare(): Promise<void> {
    for (const { observer, session, registration, state } of await this.#active()) {
      const after = await fetchState(session, registration);
      forgetFormer(after, state);
      const [told, found] = [comparable(state), comparable(after)];
      const who = `${observer.name}, ${JSON.stringify(registration.client_capabilities ?? {})}`;
      // The client did not request these channels, so it starts without them.
      if (registration.include_never_subscribed === false) delete found.never_subscribed;
      for (const key of Object.keys(found)) assert.deepEqual(told[key], found[key], `${key} of ${who}`);
      await session.events.delete({ queue_id: after.queue_id });
    }
  }

  /** A deactivated user has neither events nor state. */
  async #active(): Promise<Client[]> {
    const active = await this.#world.storage.read(async (tx) => {
      const users = [];
      for (const { observer } of this.#clients) users.push(await tx.users.byId(observer.id));
      return users.map((user) => user?.is_active);
    });
    return this.#clients.filter((_client, at) => active[at]);
  }
}

async function fetchState(session: Session, registration: Registration): Promise<State> {
  const state: State = await session.register(registration);
  // The client knows its own capabilities.
  state.user_list_incomplete = registration.client_capabilities?.user_list_incomplete;
  state.never_subscribed ??= [];
  return state;
}

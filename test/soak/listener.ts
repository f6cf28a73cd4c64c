import assert from 'node:assert/strict';
import { applyEvent, comparable, type State } from '../events/reference-client.ts';
import type { Account } from './population.ts';

const REGISTRATION = {
  include_subscribers: true,
  client_capabilities: {
    archived_channels: true,
    empty_topic_name: true,
    notification_settings_null: true,
    linkifier_url_template: true,
  },
};

/** A client that keeps its state from events only. It polls the two processes in turn. */
export class Listener {
  /** How often each message was received. */
  readonly received = new Map<number, number>();
  readonly failures: string[] = [];
  readonly #account: Account;
  readonly #state: State;
  #last: number;
  #isOver = false;
  #listening: Promise<void> = Promise.resolve();

  private constructor(account: Account, state: State) {
    this.#account = account;
    this.#state = state;
    this.#last = state.last_event_id;
  }

  static async begin(account: Account): Promise<Listener> {
    const listener = new Listener(account, await account.sessions[0].register(REGISTRATION));
    listener.#listening = listener.#listen();
    return listener;
  }

  get id(): number {
    return this.#account.id;
  }

  get email(): string {
    return this.#account.email;
  }

  /** Reads the remaining events and compares the state with that of a fresh client. */
  async end(): Promise<void> {
    this.#isOver = true;
    // The process that holds the poll releases it. The events come again below.
    const { queue_id } = this.#state;
    for (const { events } of this.#account.sessions) {
      await events.list({ queue_id, last_event_id: this.#last, dont_block: true });
    }
    await this.#listening;
    while ((await this.#poll(1, true)) > 0);
    const fresh = await this.#account.sessions[1].register(REGISTRATION);
    const [told, found] = [comparable(this.#state), comparable(fresh)];
    for (const key of Object.keys(found)) {
      try {
        assert.deepEqual(told[key], found[key]);
      } catch (error) {
        this.failures.push(`${key} is not what a fresh register gives: ${(error as Error).message.slice(0, 600)}`);
      }
    }
  }

  async #listen(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      try {
        await this.#poll(turn % 2, false);
      } catch (error) {
        if (!this.#isOver) this.failures.push(`a poll failed: ${(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  async #poll(process: number, dont_block: boolean): Promise<number> {
    const session = this.#account.sessions[process as 0 | 1];
    const { queue_id } = this.#state;
    const { events } = await session.events.list({ queue_id, last_event_id: this.#last, dont_block });
    for (const event of events as State[]) {
      // A heartbeat contains the position of the queue, which may be known already.
      if (event.type === 'heartbeat') continue;
      if (event.id <= this.#last) this.failures.push(`event ${event.id} came after ${this.#last}`);
      this.#last = Math.max(this.#last, event.id);
      if (event.type === 'message') this.received.set(event.message.id, (this.received.get(event.message.id) ?? 0) + 1);
      applyEvent(this.#state, event, this.id);
    }
    return events.length;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { ChatError, connect, type Session } from '../../lib/index.ts';
import type { Member, Population } from './population.ts';

/** Durations of requests of ordinary users, in milliseconds, by kind. */
export type Waits = Map<string, number[]>;

/** Pause between two requests of a user. Keeps the rate below the limit. */
const PAUSE_MS = 400;
/** Requests of a user between two registrations of a queue. */
const REGISTERS_EVERY = 50;
/** Requests that take longer are printed. */
const LONG_MS = 2_000;

/** A user who reads and writes at a normal rate during the attack. */
export class Bystander {
  readonly failures: string[] = [];
  readonly #session: Session;
  /** Times at which ordinary users sent messages, by message ID. */
  readonly #sent: Map<number, number>;
  readonly #received = new Set<number>();
  #listening: Promise<void> = Promise.resolve();
  #isOver = false;
  /** True once no more messages are sent. */
  #hasAll = false;

  constructor(
    site: string,
    { email, key }: Member,
    private readonly population: Population,
    private readonly waits: Waits,
    sent: Map<number, number>,
    private readonly tell: (line: string) => void,
  ) {
    this.#session = connect({ site, email, api_key: key, client: 'Bystander' });
    this.#sent = sent;
  }

  /** Sent messages that this user did not receive. */
  missing(): number[] {
    return [...this.#sent.keys()].filter((id) => !this.#received.has(id));
  }

  async send(): Promise<void> {
    const to = this.population.open;
    const message = { type: 'channel', to, topic: 'work', content: 'Is the **lamp** lit?' } as const;
    const { id } = await this.#session.messages.send(message);
    this.#sent.set(id, performance.now());
  }

  /** Waits until all messages have arrived. The last message wakes waiting polls. */
  async end(last: Promise<void>): Promise<void> {
    this.#isOver = true;
    await last;
    this.#hasAll = true;
    await this.#listening;
  }

  /** Every message that others send after this call must arrive. */
  async begin(): Promise<void> {
    const { queue_id, last_event_id } = await this.#session.register({
      event_types: ['message'],
      fetch_event_types: ['realm'],
      narrow: [['channel', 'open']],
    });
    this.#listening = this.#listen(queue_id as string, last_event_id ?? -1);
  }

  async live(signal: AbortSignal): Promise<void> {
    const { open } = this.population;
    const doings: Record<string, () => Promise<unknown>> = {
      send: () => this.send(),
      list: () =>
        this.#session.messages.list({ anchor: 'newest', num_before: 50, num_after: 0, narrow: [['channel', open]] }),
      read: () => this.#session.messages.markTopicRead({ stream_id: open, topic_name: 'work' }),
      me: () => this.#session.users.me(),
      react: async () => {
        const message_id = [...this.#sent.keys()].at(-1);
        if (message_id !== undefined)
          await this.#session.messages.addReaction({ message_id, emoji_name: 'lamp' }).catch(expected);
      },
      register: async () => {
        const { queue_id } = await this.#session.register({
          event_types: ['message'],
          fetch_event_types: ['realm', 'message'],
        });
        if (queue_id) await this.#session.events.delete({ queue_id });
      },
      presence: () => this.#session.presence.report({ status: 'active', ping_only: true }),
    };
    await this.#timed('send', () => this.send());
    const names = Object.keys(doings).filter((name) => name !== 'register');
    for (let turn = 1; !signal.aborted; turn++) {
      // Clients register again from time to time.
      const name = turn % REGISTERS_EVERY === 0 ? 'register' : (names[turn % names.length] as string);
      await this.#timed(name, doings[name] as () => Promise<unknown>);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #timed<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      this.failures.push(`${name}: ${(error as Error).message}`);
      return undefined;
    } finally {
      const took = performance.now() - begun;
      if (took > LONG_MS) this.tell(`a user waited ${(took / 1_000).toFixed(1)} s for ${name}`);
      this.#note(name, took);
    }
  }

  #note(name: string, milliseconds: number): void {
    const waits = this.waits.get(name);
    if (waits) waits.push(milliseconds);
    else this.waits.set(name, [milliseconds]);
  }

  /** Polls until all sent messages have arrived, with a limited number of polls after the end. */
  async #listen(queue_id: string, from: number): Promise<void> {
    let last = from;
    for (let rounds = 0; !this.#hasAll || (this.missing().length > 0 && rounds < 20); rounds += this.#hasAll ? 1 : 0) {
      try {
        const { events } = await this.#session.events.list({
          queue_id,
          last_event_id: last,
          dont_block: this.#isOver,
        });
        for (const event of events) {
          last = Math.max(last, event.id);
          if (event.type !== 'message') continue;
          this.#received.add(event.message.id);
          const sent = this.#sent.get(event.message.id);
          if (sent !== undefined) this.#note('delivery', performance.now() - sent);
        }
        if (this.#isOver && events.length === 0) await sleep(200);
      } catch (error) {
        this.failures.push(`poll: ${(error as Error).message}`);
        await sleep(500);
      }
    }
  }
}

/** The user has added this reaction before. */
function expected(error: unknown): void {
  if (!(error instanceof ChatError) || error.status >= 500 || error.status === 429) throw error;
}

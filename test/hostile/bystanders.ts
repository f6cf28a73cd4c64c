import { setTimeout as sleep } from 'node:timers/promises';
import { ChatError, connect, type Session } from '../../lib/index.ts';
import type { Member, Population } from './population.ts';

/** What ordinary people do, and how long it takes them. */
export type Waits = Map<string, number[]>;

/** Between two things that one of them does; below the limit of requests. */
const PAUSE_MS = 400;
/** So many things they do for each new beginning of their client. */
const REGISTERS_EVERY = 50;
/** Worth a line. */
const LONG_MS = 2_000;

/** Somebody who reads and writes as people do, while others attack. */
export class Bystander {
  readonly failures: string[] = [];
  readonly #session: Session;
  /** Of messages of ordinary people that were sent, when. */
  readonly #sent: Map<number, number>;
  readonly #received = new Set<number>();
  #listening: Promise<void> = Promise.resolve();
  #isOver = false;
  /** Nothing is sent any more. */
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

  /** Messages that should have come and did not. */
  missing(): number[] {
    return [...this.#sent.keys()].filter((id) => !this.#received.has(id));
  }

  async send(): Promise<void> {
    const to = this.population.open;
    const message = { type: 'channel', to, topic: 'work', content: 'Is the **lamp** lit?' } as const;
    const { id } = await this.#session.messages.send(message);
    this.#sent.set(id, performance.now());
  }

  /** Waits until everything has come, the last message too, which brings back the polls that wait. */
  async end(last: Promise<void>): Promise<void> {
    this.#isOver = true;
    await last;
    this.#hasAll = true;
    await this.#listening;
  }

  /** From here on, everything that others send has to come. */
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
      // Clients begin anew now and then.
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
      if (took > LONG_MS) this.tell(`somebody waited ${(took / 1_000).toFixed(1)} s for ${name}`);
      this.#note(name, took);
    }
  }

  #note(name: string, milliseconds: number): void {
    const waits = this.waits.get(name);
    if (waits) waits.push(milliseconds);
    else this.waits.set(name, [milliseconds]);
  }

  /** Until everything that was sent has come, a while after the end. */
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

/** They have reacted with it before. */
function expected(error: unknown): void {
  if (!(error instanceof ChatError) || error.status >= 500 || error.status === 429) throw error;
}

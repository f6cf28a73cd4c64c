import { setTimeout } from 'node:timers/promises';
import { isChatError, type Session } from '../../lib/index.ts';

const RETRY_MS = 100;
/** Polls after the last message was sent. */
const LAST_ATTEMPTS = 200;

/** Sends one message after another, to each process in turn. */
export class Sender {
  /** Contents with an acknowledgement. */
  readonly acknowledged: string[] = [];
  /** Start and end of each acknowledged send (`performance.now()`). */
  readonly times: { began: number; ended: number }[] = [];
  refused = 0;

  constructor(
    private readonly name: string,
    private readonly sessions: readonly Session[],
    private readonly channel: number,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    for (let at = 0; !isOver(); at++) {
      const content = `${this.name}.${at}`;
      const began = performance.now();
      try {
        await inTurn(this.sessions, at).messages.send({ type: 'channel', to: this.channel, topic: 'x', content });
        this.acknowledged.push(content);
        this.times.push({ began, ended: performance.now() });
      } catch {
        this.refused++;
        await setTimeout(RETRY_MS);
      }
    }
  }
}

/** Polls each process in turn. Registers again when its queue expires. */
export class Poller {
  /** How often the current queue received each content. */
  readonly told = new Map<string, number>();
  repeated = 0;
  ended = 0;
  /** The newest message when the current queue started. */
  #from = 0;
  #queue = '';
  #last = -1;

  constructor(private readonly sessions: readonly Session[]) {}

  async register(): Promise<void> {
    const state = await this.sessions[0]?.register({ event_types: ['message'], fetch_event_types: ['message'] });
    this.#queue = state?.queue_id as string;
    this.#last = state?.last_event_id as number;
    this.#from = state?.max_message_id as number;
    this.told.clear();
  }

  /** Ends after the last message arrives, or some time after it was sent. */
  async run(last: () => { id: number; content: string } | undefined): Promise<void> {
    let attempts = 0;
    for (let at = 0; attempts < LAST_ATTEMPTS; at++) {
      const ending = last();
      if (ending && (this.told.has(ending.content) || this.#from >= ending.id)) return;
      if (ending) {
        attempts++;
        await setTimeout(RETRY_MS);
      }
      try {
        const poll = { queue_id: this.#queue, last_event_id: this.#last, dont_block: ending !== undefined };
        const { events } = await inTurn(this.sessions, at).events.list(poll);
        for (const event of events) this.#take(event);
      } catch (error) {
        await setTimeout(RETRY_MS);
        if (!isChatError(error, 'BAD_EVENT_QUEUE_ID')) continue;
        this.ended++;
        await this.register();
      }
    }
  }

  /** Messages that the current queue must receive. */
  missing(stored: ReadonlyMap<number, string>): string[] {
    return [...stored]
      .filter(([id, content]) => id > this.#from && !this.told.has(content))
      .map(([, content]) => content);
  }

  #take(event: { id: number; type: string; message?: { content: string } }): void {
    if (event.type === 'heartbeat') return;
    const content = event.message?.content as string;
    if (event.id <= this.#last || this.told.has(content)) this.repeated++;
    this.#last = Math.max(this.#last, event.id);
    this.told.set(content, (this.told.get(content) ?? 0) + 1);
  }
}

const inTurn = (sessions: readonly Session[], at: number) => sessions[at % sessions.length] as Session;

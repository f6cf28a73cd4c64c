import { setMaxListeners } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Attack } from './attacks/attack.ts';
import { ATTACKS } from './attacks.ts';
import type { Member, Population } from './population.ts';

/** Result of one kind of attack. */
export interface Tally {
  calls: number;
  /** Number of responses by status. 0: the connection broke. */
  statuses: Record<number, number>;
  /** Longest duration in milliseconds. */
  longest: number;
  /** Size of the largest response in bytes. */
  largest: number;
}

/** Concurrent requests of one attacker. */
const ABREAST = 12;
/** Connections of one attacker that read no response. */
const DEAF = 4;
/** Connections of one attacker that never end their request. They block only requests of the same account. */
const MUTE = 4;
/** Waiting polls of one attacker, like a client with 20 tabs. */
const POLLS = 20;

export const basic = ({ email, key }: Member) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;

/** A user with an ordinary account who sends expensive requests at the highest possible rate. */
export class Attacker {
  readonly #agent = new Agent({
    connections: ABREAST + POLLS,
    pipelining: 1,
    headersTimeout: 300_000,
    bodyTimeout: 300_000,
  });
  readonly #sockets = new Set<Socket>();

  constructor(
    private readonly site: string,
    private readonly member: Member,
    private readonly population: Population,
    private readonly tallies: Map<string, Tally>,
    private readonly faults: string[],
    /** Whether some of its requests never end. */
    private readonly isMute: boolean,
  ) {}

  async attack(signal: AbortSignal): Promise<void> {
    setMaxListeners(0, signal);
    const names = shuffled(Object.keys(ATTACKS));
    let next = 0;
    const attacking = async () => {
      while (!signal.aborted) {
        const name = names[next++ % names.length] as string;
        const make = ATTACKS[name] as (typeof ATTACKS)[string];
        const wait = await this.#perform(name, make(this.population, this.member), signal);
        if (wait > 0) await sleep(wait * 1_000, undefined, { signal }).catch(() => undefined);
      }
    };
    await Promise.all([
      ...Array.from({ length: ABREAST }, attacking),
      ...Array.from({ length: POLLS }, () => this.#poll(signal)),
      ...Array.from({ length: DEAF }, () => this.#staySilent(signal, true)),
      ...Array.from({ length: this.isMute ? MUTE : 0 }, () => this.#staySilent(signal, false)),
    ]);
    for (const socket of this.#sockets) socket.destroy();
    await this.#agent.destroy();
  }

  /** Returns the seconds to wait if the rate limit is reached. */
  async #perform(name: string, attack: Attack, signal: AbortSignal): Promise<number> {
    const begun = performance.now();
    let status = 0;
    let wait = 0;
    let bytes = 0;
    try {
      const answer = await request(`${this.site}${addressOf(attack)}${queryOf(attack)}`, {
        method: attack.method,
        dispatcher: this.#agent,
        headers: { authorization: basic(this.member), ...headersOf(attack), ...attack.headers },
        body: bodyOf(attack) ?? null,
        signal,
      });
      status = answer.statusCode;
      for await (const chunk of answer.body) bytes += (chunk as Buffer).length;
      wait = status === 429 ? Number(answer.headers['retry-after'] ?? 1) : 0;
    } catch (error) {
      if (signal.aborted) return 0;
      // The server does not read a refused body to its end.
      const code = codeOf(error);
      if (!['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(code)) {
        status = -1;
        this.faults.push(`${name}: ${code} ${(error as Error).message}`);
      }
    }
    this.#note(name, status, performance.now() - begun, bytes);
    return wait;
  }

  #note(name: string, status: number, milliseconds: number, bytes: number): void {
    const tally = this.tallies.get(name) ?? { calls: 0, statuses: {}, longest: 0, largest: 0 };
    this.tallies.set(name, tally);
    tally.calls++;
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (status !== 429) tally.longest = Math.max(tally.longest, milliseconds);
    tally.largest = Math.max(tally.largest, bytes);
  }

  /** Polls again after each response. */
  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const queue = await this.#register();
      if (queue === undefined) {
        await sleep(5_000, undefined, { signal }).catch(() => undefined);
        continue;
      }
      let last = -1;
      while (!signal.aborted) {
        const found = await this.#fetchEvents(queue, last, signal);
        if (found === undefined) break;
        last = Math.max(last, found);
      }
    }
  }

  async #register(): Promise<string | undefined> {
    try {
      const answer = await request(`${this.site}/api/v1/register`, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { authorization: basic(this.member), 'content-type': 'application/x-www-form-urlencoded' },
        body: 'fetch_event_types=[]',
      });
      return ((await answer.body.json()) as { queue_id?: string }).queue_id;
    } catch {
      return undefined;
    }
  }

  /** Returns the last event ID, or undefined if the queue cannot be used any more. */
  async #fetchEvents(queue: string, last: number, signal: AbortSignal): Promise<number | undefined> {
    try {
      const answer = await request(`${this.site}/api/v1/events?queue_id=${queue}&last_event_id=${last}`, {
        dispatcher: this.#agent,
        headers: { authorization: basic(this.member) },
        signal,
      });
      if (answer.statusCode >= 500) this.#note('a poll', answer.statusCode, 0, 0);
      if (answer.statusCode === 429) {
        await answer.body.dump();
        await sleep(Number(answer.headers['retry-after'] ?? 1) * 1_000, undefined, { signal }).catch(() => undefined);
        return last;
      }
      const { events } = (await answer.body.json()) as { events?: { id: number }[] };
      return events ? Math.max(last, ...events.map(({ id }) => id)) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Requests a large list and reads nothing, or starts a body and does not end it. Connects again after a cut. */
  async #staySilent(signal: AbortSignal, asks: boolean): Promise<void> {
    const { hostname, port } = new URL(this.site);
    const head = `Host: ${hostname}\r\nAuthorization: ${basic(this.member)}\r\n`;
    const narrow = encodeURIComponent(JSON.stringify([['channel', this.population.noise]]));
    const text = asks
      ? `GET /api/v1/messages?anchor=newest&num_before=5000&num_after=0&narrow=${narrow} HTTP/1.1\r\n${head}\r\n`
      : `POST /api/v1/messages HTTP/1.1\r\n${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 900000\r\n\r\ncontent=`;
    while (!signal.aborted) {
      const socket = connectSocket(Number(port), hostname);
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.write(text);
      socket.pause();
      const cut = new Promise((resolve) => socket.once('close', resolve));
      await Promise.race([cut, sleep(60_000, undefined, { signal }).catch(() => undefined)]);
      socket.destroy();
      this.#sockets.delete(socket);
      await sleep(5_000, undefined, { signal }).catch(() => undefined);
    }
  }
}

function encoded(fields: Readonly<Record<string, unknown>> = {}): string {
  const values = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(values).toString();
}

const addressOf = ({ path }: Attack) => (path.startsWith('//') ? path.slice(1) : `/api/v1${path}`);

/** Longer parameters go into the body, as in clients. */
const MAX_QUERY = 8_000;
const goesInQuery = ({ method, fields }: Attack) =>
  method === 'OPTIONS' || (method === 'GET' && encoded(fields).length <= MAX_QUERY);

const queryOf = (attack: Attack) => (goesInQuery(attack) ? `?${encoded(attack.fields)}` : '');

function headersOf(attack: Attack): Record<string, string> {
  if (goesInQuery(attack)) return {};
  return { 'content-type': attack.body?.type ?? 'application/x-www-form-urlencoded' };
}

function bodyOf(attack: Attack): string | undefined {
  return goesInQuery(attack) ? undefined : (attack.body?.content ?? encoded(attack.fields));
}

const codeOf = (error: unknown) =>
  (error as { code?: string }).code ?? (error as { cause?: { code?: string } }).cause?.code ?? '';

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

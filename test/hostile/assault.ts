import { setTimeout } from 'node:timers/promises';
import { Child } from '../bench/child.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import type { Tally } from './attackers.ts';
import type { Attacked } from './attacking.ts';
import { Bystander, type Waits } from './bystanders.ts';
import type { Figures, Place } from './hostile-server.ts';
import type { Population, Sizes } from './population.ts';

export interface Outcome {
  tallies: ReadonlyMap<string, Tally>;
  waits: Waits;
  /** Errors, lost messages and other failures. */
  faults: string[];
  /** Peak resident memory in bytes. */
  rss: number;
  /** Longest block of the event loop, in milliseconds. */
  held: number;
}

/** The server and the process of the attackers. */
export const programs = () =>
  bundle('hostile', { server: 'test/hostile/hostile-server.ts', attackers: 'test/hostile/attacking.ts' });

const LOOK_MS = 1_000;
/** Looks of which one is reported. */
const LOOKS = 10;
/** Heap limit of the server in MB. */
const HEAP = 1_024;

/**
 * Attacks a server while other users work. The server must not end, fail or lose a message.
 *
 * @param isOver decides by the time and the number of attacks
 */
export async function assault(
  programs: Bundle,
  place: Place,
  sizes: Sizes,
  isOver: (seconds: number, attacks: number) => boolean,
  tell: (line: string) => void = () => undefined,
): Promise<Outcome> {
  const server = new Child(programs.program('server'), [`--max-old-space-size=${HEAP}`]);
  const attackers = new Child(programs.program('attackers'));
  const faults: string[] = [];
  try {
    const site = `http://127.0.0.1:${await server.ask<number>('start', place)}`;
    const population = await server.ask<Population>('fill', sizes);
    tell(`filled: ${JSON.stringify(sizes)}`);
    const waits: Waits = new Map();
    const sent = new Map<number, number>();
    const stop = new AbortController();
    const bystanders = population.ordinary.map((member) => new Bystander(site, member, population, waits, sent, tell));
    await Promise.all(bystanders.map((bystander) => bystander.begin()));
    const living = bystanders.map((bystander) => bystander.live(stop.signal));
    await attackers.ask('attack', { site, population });

    const begin = performance.now();
    let [looks, attacks] = [0, 0];
    let [rss, held] = [0, 0];
    let errors: Figures['errors'] = [];
    while (!isOver((performance.now() - begin) / 1_000, attacks)) {
      await setTimeout(LOOK_MS);
      attacks = await attackers.ask<number>('attacks');
      const figures = await server.ask<Figures>('figures');
      rss = Math.max(rss, figures.rss);
      held = Math.max(held, figures.held);
      errors = figures.errors;
      if (++looks % LOOKS > 0) continue;
      tell(
        `${(figures.rss / 1e6).toFixed(0)} MB resident, ${(figures.heap / 1e6).toFixed(0)} MB heap, ${(figures.external / 1e6).toFixed(0)} MB outside the heap, event loop blocked for ${figures.held.toFixed(0)} ms, ${attacks} attacks`,
      );
    }
    stop.abort();
    const attacked = await attackers.ask<Attacked>('end');
    faults.push(...attacked.faults);
    const tallies = new Map(attacked.tallies);
    await Promise.all(living);
    const last = bystanders[0]?.send() ?? Promise.resolve();
    await Promise.all(bystanders.map((bystander) => bystander.end(last)));
    for (const [said, times] of errors) faults.push(`logged ${times} times: ${said}`);
    for (const [name, { statuses }] of tallies) {
      for (const [status, times] of Object.entries(statuses))
        if (Number(status) >= 500) faults.push(`${name}: ${times} times ${status}`);
    }
    for (const bystander of bystanders) {
      faults.push(...bystander.failures);
      const missing = bystander.missing();
      if (missing.length > 0) faults.push(`a user did not receive messages: ${missing.join(', ')}`);
    }
    return { tallies, waits, faults, rss, held };
  } finally {
    await Promise.all([server.stop(), attackers.stop()]);
  }
}

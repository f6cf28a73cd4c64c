import { Child } from '../bench/child.ts';
import { Attacker, type Tally } from './attackers.ts';
import { Bystander, type Waits } from './bystanders.ts';
import type { Figures, Place } from './hostile-server.ts';
import type { Population, Sizes } from './population.ts';

export interface Outcome {
  tallies: ReadonlyMap<string, Tally>;
  waits: Waits;
  /** What must not have happened. */
  faults: string[];
  /** Bytes, at most. */
  rss: number;
  /** Milliseconds for which the event loop was held, at most. */
  held: number;
}

/** Megabytes of heap that the server may have. */
const HEAP = 1_024;

/**
 * Lets members do their worst to a server of its own, while others go on with their work: nothing may end it, fail in
 * it or be lost.
 */
export async function assault(
  program: string,
  place: Place,
  sizes: Sizes,
  seconds: number,
  tell: (line: string) => void = () => undefined,
): Promise<Outcome> {
  const server = new Child(program, [`--max-old-space-size=${HEAP}`]);
  const faults: string[] = [];
  try {
    const site = `http://127.0.0.1:${await server.ask<number>('start', place)}`;
    const population = await server.ask<Population>('fill', sizes);
    tell(`filled: ${JSON.stringify(sizes)}`);
    const tallies = new Map<string, Tally>();
    const waits: Waits = new Map();
    const sent = new Map<number, number>();
    const stop = new AbortController();
    const bystanders = population.ordinary.map((member) => new Bystander(site, member, population, waits, sent, tell));
    await Promise.all(bystanders.map((bystander) => bystander.begin()));
    const attackers = population.hostile.map((member) => new Attacker(site, member, population, tallies, faults));
    const living = bystanders.map((bystander) => bystander.live(stop.signal));
    const attacking = attackers.map((attacker) => attacker.attack(stop.signal));

    const end = performance.now() + seconds * 1_000;
    let [rss, held] = [0, 0];
    let errors: Figures['errors'] = [];
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, Math.max(0, end - performance.now()))));
      const figures = await server.ask<Figures>('figures');
      rss = Math.max(rss, figures.rss);
      held = Math.max(held, figures.held);
      errors = figures.errors;
      tell(
        `${(figures.rss / 1e6).toFixed(0)} MB resident, ${(figures.heap / 1e6).toFixed(0)} MB heap, ${(figures.external / 1e6).toFixed(0)} MB beside it, loop held ${figures.held.toFixed(0)} ms, ${count(tallies)} attacks`,
      );
    }
    stop.abort();
    await Promise.all(attacking);
    await Promise.all(living);
    const last = bystanders[0]?.send() ?? Promise.resolve();
    await Promise.all(bystanders.map((bystander) => bystander.end(last)));
    for (const [said, times] of errors) faults.push(`logged ${times} times: ${said}`);
    for (const [name, { statuses }] of tallies) {
      for (const [status, times] of statuses) if (status >= 500) faults.push(`${name}: ${times} times ${status}`);
    }
    for (const bystander of bystanders) {
      faults.push(...bystander.failures);
      const missing = bystander.missing();
      if (missing.length > 0) faults.push(`messages did not come to somebody: ${missing.join(', ')}`);
    }
    return { tallies, waits, faults, rss, held };
  } finally {
    await server.stop();
  }
}

function count(tallies: ReadonlyMap<string, Tally>): number {
  return [...tallies.values()].reduce((sum, { calls }) => sum + calls, 0);
}

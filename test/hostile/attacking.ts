import { answer } from '../bench/children/answering.ts';
import { Attacker, type Tally } from './attackers.ts';
import type { Population } from './population.ts';

/** The attackers have their own process, so that their CPU time does not count as waiting time of others. */

export interface Attacked {
  tallies: [name: string, tally: Tally][];
  faults: string[];
}

/** One in 4 attackers has requests that never end. */
const MUTE_EVERY = 4;

const tallies = new Map<string, Tally>();
const faults: string[] = [];
const stop = new AbortController();
let attacking: Promise<unknown> = Promise.resolve();

function attack({ site, population }: { site: string; population: Population }): void {
  const attackers = population.hostile.map(
    (member, at) => new Attacker(site, member, population, tallies, faults, at % MUTE_EVERY === 0),
  );
  attacking = Promise.all(attackers.map((attacker) => attacker.attack(stop.signal)));
}

const attacks = () => [...tallies.values()].reduce((sum, { calls }) => sum + calls, 0);

async function end(): Promise<Attacked> {
  stop.abort();
  await attacking;
  return { tallies: [...tallies], faults };
}

answer({ attack, attacks, end });

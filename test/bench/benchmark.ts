import type { Kit } from './kit.ts';

export type Bound = { atLeast: number } | { atMost: number };

/** The result of one benchmark: a number per round, for the subject and for the floor. */
export interface Finding {
  name: string;
  /** Subject divided by floor, one for each round. `bound` limits its median. */
  ratios: readonly number[];
  /** Without a bound, the figure is informative only. */
  bound?: Bound;
  /** Medians, in `unit`. */
  subject: number;
  floor: number;
  unit: string;
  /** Describes the floor, with other useful numbers. */
  note: string;
  /** Microseconds of CPU per request: steadier than requests per second on a busy machine. */
  cpu?: { subject: number; floor: number };
  /** The bound limits the subject itself, in its unit, and not the ratio. */
  absolute?: readonly number[];
}

export interface Benchmark {
  /** Names of its figures. The first is the name of the benchmark. */
  names: readonly [string, ...string[]];
  /** Milliseconds after which its processes end. Default four minutes. */
  limitMs?: number;
  run(kit: Kit): Promise<Finding[]>;
}

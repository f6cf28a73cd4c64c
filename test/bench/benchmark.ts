import type { Kit } from './kit.ts';

export type Bound = { atLeast: number } | { atMost: number };

/** What one benchmark found: a number for each round, the subject's beside the floor's. */
export interface Finding {
  name: string;
  /** Subject divided by floor, one for each round; what `bound` is about. */
  ratios: readonly number[];
  /** Without one the figure only informs. */
  bound?: Bound;
  /** Medians, in `unit`. */
  subject: number;
  floor: number;
  unit: string;
  /** What the floor is, and other numbers worth a look. */
  note: string;
  /** Microseconds of CPU for each request: steadier than their number where a machine has other work. */
  cpu?: { subject: number; floor: number };
  /** The bound is about the subject itself, in its unit, not about the ratio. */
  absolute?: readonly number[];
}

export interface Benchmark {
  /** Names of its findings, the first its own. */
  names: readonly [string, ...string[]];
  run(kit: Kit): Promise<Finding[]>;
}

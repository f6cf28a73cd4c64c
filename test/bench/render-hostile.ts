import type { Benchmark } from './benchmark.ts';
import { median } from './rounds.ts';

const ROUNDS = 7;
const LENGTH = 10_000;
/** Times plain text: below that, differences are mostly noise. */
const DEAR = 4;

type Times = Record<string, number>;

/** The benchmark measures CPU time, because the renderer has no steps to count. */
export const renderHostile: Benchmark = {
  names: ['render_hostile', 'render_hostile_double'],
  async run(kit) {
    const renderer = kit.start('renderer');
    const rounds: { plain: number; half: Times; whole: Times }[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const plain = await renderer.ask<number>('plain', { length: LENGTH });
      const half = await renderer.ask<Times>('hostile', { length: LENGTH / 2 });
      const whole = await renderer.ask<Times>('hostile', { length: LENGTH });
      if (round >= 0) rounds.push({ plain, half, whole });
    }
    const plain = median(rounds.map((round) => round.plain));
    const all = Object.keys(rounds[0]?.whole ?? {}).map((name) => {
      const of = (length: 'half' | 'whole') => median(rounds.map((round) => round[length][name] as number));
      return { name, half: of('half'), whole: of('whole') };
    });
    const [worst] = all.sort((one, other) => other.whole - one.whole);
    const [steepest] = all
      .filter(({ whole }) => whole > plain * DEAR)
      .sort((one, other) => other.whole / other.half - one.whole / one.half);
    if (!worst || !steepest) throw new Error('No hostile message costs more than plain text.');
    return [
      {
        name: 'render_hostile',
        ratios: rounds.map((round) => (round.whole[worst.name] as number) / round.plain),
        bound: { atMost: 30 },
        subject: worst.whole,
        floor: plain,
        unit: 'ms',
        note: `CPU of the worst of ${all.length} hostile messages of ${LENGTH} characters, compared with plain text of that length: ${worst.name}`,
      },
      {
        name: 'render_hostile_double',
        ratios: rounds.map((round) => (round.whole[steepest.name] as number) / (round.half[steepest.name] as number)),
        bound: { atMost: 2.5 },
        subject: steepest.whole,
        floor: steepest.half,
        unit: 'ms',
        note: `CPU of the hostile message that grows most with its length, compared with half of it: ${steepest.name}`,
      },
    ];
  },
};

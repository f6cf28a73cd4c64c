import type { Benchmark } from './benchmark.ts';
import { alternate, median, summary } from './rounds.ts';

type Means = Record<string, number>;

const ROUNDS = 15;
/** Enough for the compiler to finish. */
const WARM_UPS = 10;

export const render: Benchmark = {
  names: ['render'],
  async run(kit) {
    const renderer = kit.start('renderer');
    const seen: Record<'markdownIt' | 'dialect', Means[]> = { markdownIt: [], dialect: [] };
    const mean = (question: 'markdownIt' | 'dialect') => async () => {
      const means = await renderer.ask<Means>(question);
      seen[question].push(means);
      const each = Object.values(means);
      return each.reduce((sum, one) => sum + one, 0) / each.length;
    };
    const pairs = await alternate(ROUNDS, WARM_UPS, mean('markdownIt'), mean('dialect'));
    const kinds = Object.keys(seen.dialect[0] as Means).map((kind) => {
      const ratios = seen.dialect.map((ours, at) => (ours[kind] as number) / (seen.markdownIt[at]?.[kind] as number));
      return `${kind} ${median(ratios.slice(WARM_UPS)).toFixed(2)}`;
    });
    return [
      {
        name: 'render',
        ...summary(pairs),
        bound: { atMost: 2.5 },
        unit: 'us',
        note: `a short message in the dialect, compared with markdown-it and the same text; by kind: ${kinds.join(', ')}`,
      },
    ];
  },
};

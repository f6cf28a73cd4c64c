import type { Benchmark } from './benchmark.ts';
import { alternate, median, summary } from './rounds.ts';

const ROUNDS = 11;
const WARM_UPS = 3;
/** Measurements per round. The round is their median. */
const REPEATS = 5;
const CHARACTERS = 32_768;
const EDITS = 100;

export const historyDiff: Benchmark = {
  names: ['history_diff', 'history_diff_double', 'history_diff_many'],
  async run(kit) {
    const server = kit.start('edited-messages');
    const kinds = await server.ask<string[]>('start', { database: kit.newDatabase() });
    const add = (kind: string | undefined, characters: number, edits = 1) =>
      server.ask<number>('add', { ...(kind === undefined ? {} : { kind }), characters, edits });
    const readOnce = (message: number) => () => server.ask<number>('history', { message });
    const read = (message: number) => async () => {
      const times: number[] = [];
      for (let n = 0; n < REPEATS; n++) times.push(await readOnce(message)());
      return median(times);
    };

    const hostile = new Map<string, number>();
    for (const kind of kinds) hostile.set(kind, await add(kind, CHARACTERS));
    const costs = new Map<string, number[]>(kinds.map((kind) => [kind, []]));
    for (let n = 0; n < 5; n++) {
      for (const [kind, message] of hostile) costs.get(kind)?.push(await readOnce(message)());
    }
    const dear = (kind: string) => median(costs.get(kind) as number[]);
    const worst = kinds.reduce((one, other) => (dear(other) > dear(one) ? other : one));
    const one = hostile.get(worst) as number;

    const benign = read(await add(undefined, CHARACTERS));
    const double = read(await add(worst, 2 * CHARACTERS));
    const many = readOnce(await add(worst, CHARACTERS, EDITS));
    const manyBenign = readOnce(await add(undefined, CHARACTERS, EDITS));
    const size = `${CHARACTERS / 1024} kB`;
    return [
      {
        name: 'history_diff',
        ...summary(await alternate(ROUNDS, WARM_UPS, benign, read(one))),
        unit: 'ms',
        note: `history of a message of ${size} edited once, ${worst} (the slowest of ${kinds.length} kinds), compared with an edit of one word`,
      },
      {
        name: 'history_diff_double',
        ...summary(await alternate(ROUNDS, WARM_UPS, read(one), double)),
        bound: { atMost: 2 },
        unit: 'ms',
        note: 'the same pair at twice the length, compared with itself',
      },
      {
        name: 'history_diff_many',
        ...summary(await alternate(ROUNDS, 1, manyBenign, many)),
        unit: 'ms',
        note: `the same pair edited there and back ${EDITS} times, compared with ${EDITS} edits of one word`,
      },
    ];
  },
};

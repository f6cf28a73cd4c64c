import { join } from 'node:path';
import type { Benchmark } from './benchmark.ts';
import { alternate, median, summary } from './rounds.ts';

const MESSAGES = 1_000_000;
const LIMIT = 20;
const ROUNDS = 7;
const WARM_UPS = 1;
const TIMES = 3;
const READS = 150;

/**
 * Search terms for the chat and for a bare table of SQLite: rare, frequent, absent, two words, without spaces, a
 * phrase.
 */
const SEARCHES: readonly [words: string, query: string][] = [
  ['zebrafish', 'zebrafish'],
  ['everywhere', 'everywhere'],
  ['nowhereatall', 'nowhereatall'],
  ['everywhere zebrafish', 'everywhere zebrafish'],
  ['東京', '東京*'],
  ['"zebrafish swims"', '"zebrafish swims"'],
];

interface Found {
  ms: number;
  found: number[];
}

export const search: Benchmark = {
  names: ['search', 'search_guest', 'search_others'],
  async run(kit) {
    const child = kit.start('search');
    await child.ask('start', { database: kit.newDatabase(), bare: join(kit.folder, 'bare.db'), messages: MESSAGES });
    const cases: { words: string; query: string; found: number[] }[] = [];
    for (const [words, query] of SEARCHES) {
      const { found } = await child.ask<Found>('search', { words, times: 1, limit: LIMIT });
      cases.push({ words, query, found });
    }
    const subject = async () => {
      let total = 0;
      for (const { words } of cases)
        total += (await child.ask<Found>('search', { words, times: TIMES, limit: LIMIT })).ms;
      return total / TIMES;
    };
    // The floor returns as much: the same messages listed by ID, with access checks, beside IDs and marked texts of the
    // bare table. It has no thread, so other load on the machine slows down only the searches.
    const floor = async () => {
      let total = 0;
      for (const one of cases) total += await child.ask<number>('floor', { ...one, times: TIMES, limit: LIMIT });
      return total / TIMES;
    };
    const compared = summary(await alternate(ROUNDS, WARM_UPS, floor, subject));
    const asGuest = { words: 'everywhere', times: TIMES, limit: LIMIT, asGuest: true };
    const ofGuest = await alternate(
      ROUNDS,
      WARM_UPS,
      async () => (await child.ask<number>('guestList', { times: TIMES, limit: LIMIT })) / TIMES,
      async () => (await child.ask<Found>('search', asGuest)).ms / TIMES,
    );
    const slowest = async (given: { words?: string; lists?: boolean }) =>
      percentile(await child.ask('others', { ...given, reads: READS }));
    const idle: number[] = [];
    const others = await alternate(
      ROUNDS,
      WARM_UPS,
      async () => {
        idle.push(await slowest({}));
        return slowest({ lists: true });
      },
      () => slowest({ words: 'everywhere' }),
    );
    return [
      {
        name: 'search',
        ...compared,
        bound: { atMost: 2 },
        unit: 'ms',
        note: `${SEARCHES.length} searches of ${MESSAGES} messages, compared with the same messages listed by ID and the query of a bare FTS5 table; found ${cases.map(({ words, found }) => `${words} ${found.length}`).join(', ')}`,
      },
      {
        name: 'search_guest',
        ...summary(ofGuest),
        unit: 'ms',
        note: 'a guest with 5,000 messages searches them for a word of nine of ten other messages, compared with a list of as many messages',
      },
      {
        name: 'search_others',
        ...summary(others),
        bound: { atMost: 3 },
        unit: 'ms',
        note: `p99 of small reads during constant searches, compared with constant lists of as many messages; ${median(idle).toFixed(2)} ms with neither`,
      },
    ];
  },
};

function percentile(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] as number;
}

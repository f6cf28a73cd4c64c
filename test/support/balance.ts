import { readFileSync } from 'node:fs';

/** Seconds of each file, measured with `--record`. Compiled programs do not use this file. */
const measured: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('../durations.json', import.meta.url), 'utf8'),
);

/** A process needs two seconds or more to load the library and to fill a database, so this is the minimum of a batch. */
const LEAST_SECONDS = 15;
const MOST_SECONDS = 600;
/** The part of the remaining seconds that the next batches of all processes have together. */
const SHARE = 0.8;

export interface BalanceOptions {
  processes: number;
  /** Folders whose files take less than measured, because they run only some of their cases. */
  unknown?: readonly string[];
  durations?: Readonly<Record<string, number>>;
}

/**
 * Batches of files in the order in which processes run them. Slow files come first, then smaller and smaller batches,
 * so that all processes end at about the same time. A file without a measurement counts as the median.
 */
export function batchesOf(
  files: readonly string[],
  { processes, unknown = [], durations = measured }: BalanceOptions,
): string[][] {
  const known = Object.values(durations).sort((a, b) => a - b);
  const median = known[Math.floor(known.length / 2)] ?? 1;
  const secondsOf = (file: string) =>
    unknown.some((folder) => file.startsWith(folder)) ? median : (durations[file] ?? median);
  let left = files.reduce((sum, file) => sum + secondsOf(file), 0);
  const batches: string[][] = [];
  let room = 0;
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    if (room <= 0) {
      batches.push([]);
      room = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, (left / processes) * SHARE));
    }
    batches.at(-1)?.push(file);
    room -= secondsOf(file);
    left -= secondsOf(file);
  }
  return batches;
}

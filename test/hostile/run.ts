import { parseArgs } from 'node:util';
import { filePlace, postgresPlace } from '../soak/places.ts';
import { assault, type Outcome, programs } from './assault.ts';

/**
 * `npm run hostile -- --minutes 60 --engine sqlite|postgres`: twenty members send the most expensive requests that
 * their accounts allow. The database is large, and the server has a heap of 1 GiB. Prints the result of each attack and
 * the waiting times of other users.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    engine: { type: 'string', default: 'sqlite' },
    people: { type: 'string', default: '4000' },
    messages: { type: 'string', default: '100000' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0) || !['sqlite', 'postgres'].includes(values.engine)) {
  console.error('npm run hostile -- --minutes 60 --engine sqlite|postgres --people 4000 --messages 100000');
  process.exit(2);
}
const sizes = {
  people: Number(values.people),
  channels: 300,
  messages: Number(values.messages),
  topics: 10_000,
  worst: 1_000,
  hostile: 20,
  ordinary: 5,
};
/** Limit of the 99th percentile of other users' requests, in milliseconds. */
const P99 = 1_000;

const bundle = await programs();
const { folder, remove } = bundle;
const place = values.engine === 'postgres' ? await postgresPlace() : filePlace(folder);
try {
  const outcome = await assault(
    bundle,
    { ...place.given, folder },
    sizes,
    (seconds) => seconds >= minutes * 60,
    (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  );
  process.exitCode = report(outcome) ? 0 : 1;
} finally {
  await place.remove();
  await remove();
}

function report({ tallies, waits, faults, rss, held }: Outcome): boolean {
  const byLongest = [...tallies].sort(([, a], [, b]) => b.longest - a.longest);
  for (const [name, { calls, statuses, longest, largest }] of byLongest) {
    const answers = Object.entries(statuses)
      .map(([status, times]) => `${times} x ${status}`)
      .join(', ');
    console.log(
      `${name.padEnd(48)} ${String(calls).padStart(6)}  ${longest.toFixed(0).padStart(7)} ms  ${(largest / 1e6).toFixed(2).padStart(6)} MB  ${answers}`,
    );
  }
  const all: number[] = [];
  for (const [name, times] of waits) {
    if (name !== 'delivery') all.push(...times);
    console.log(`others, ${name.padEnd(12)} ${percentiles(times)}`);
  }
  console.log(`others, all          ${percentiles(all)}`);
  console.log(`at most ${(rss / 1e6).toFixed(0)} MB resident, event loop blocked for ${held.toFixed(0)} ms`);
  for (const [fault, times] of counted(faults)) console.log(`FAULT ${times > 1 ? `${times} times ` : ''}${fault}`);
  const isPrompt = percentile(all, 0.99) <= P99;
  if (!isPrompt) console.log(`FAULT others waited for more than ${P99} ms`);
  return isPrompt && faults.length === 0;
}

function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0;
}

function percentiles(times: readonly number[]): string {
  const [half, most, all] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(0).padStart(6));
  return `${String(times.length).padStart(6)} times  p50 ${half} ms  p99 ${most} ms  longest ${all} ms`;
}

function counted(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const SHOWN = 20;
const RECORD = new URL('durations.json', import.meta.url);

/**
 * A reporter for `--durations` and `--record`: the seconds of each file. The empty suite of a file comes before its
 * tests (batch.ts). Plain JavaScript, since Node loads reporters before tsx.
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 */
export default async function* durations(source) {
  const wanted = process.env.PARLANCE_TEST_DURATIONS ?? '';
  const seconds = new Map();
  let file;
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0) continue;
    if (/^test\/.*\.test\.ts$/.test(data.name)) file = data.name;
    seconds.set(file, (seconds.get(file) ?? 0) + data.details.duration_ms / 1000);
  }
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  if (wanted.includes('--durations')) {
    yield '\nSlowest files, in seconds:\n';
    for (const [name, duration] of slowest) yield `${duration.toFixed(1).padStart(8)}  ${name}\n`;
  }
  if (!wanted.includes('--record')) return;
  const known = { ...JSON.parse(readFileSync(RECORD, 'utf8')), ...Object.fromEntries(seconds) };
  const kept = Object.entries(known).filter(([name]) => existsSync(name));
  const lines = kept
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, duration]) => `  ${JSON.stringify(name)}: ${Number(duration.toFixed(1))}`);
  writeFileSync(RECORD, `{\n${lines.join(',\n')}\n}\n`);
}

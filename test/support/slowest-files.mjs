const SHOWN = 20;

/**
 * A reporter for `--durations`: the slowest files. The empty suite of a file comes before its tests (batch.ts).
 * Plain JavaScript, since Node loads reporters before tsx.
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 */
export default async function* slowestFiles(source) {
  const seconds = new Map();
  let file;
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0) continue;
    if (/^test\/.*\.test\.ts$/.test(data.name)) file = data.name;
    seconds.set(file, (seconds.get(file) ?? 0) + data.details.duration_ms / 1000);
  }
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  yield '\nSlowest files, in seconds:\n';
  for (const [name, duration] of slowest) yield `${duration.toFixed(1).padStart(8)}  ${name}\n`;
}

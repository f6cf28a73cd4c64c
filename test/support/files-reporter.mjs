import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

const SHOWN = 20;
/** Node's reason for skipping a test with `--test-name-pattern`. */
const NOT_NAMED = 'test name does not match pattern';
const RECORD = new URL('../durations.json', import.meta.url);
const { PARLANCE_TEST_FOLDER: FOLDER, PARLANCE_TEST_DURATIONS: wanted = '' } = process.env;

/**
 * A reporter that groups results by file. It names the unfinished tests of a killed process, counts skipped tests by
 * their reason, lists the slowest files (`--durations`) and records the seconds of all (`--record`). It writes at the
 * end of the log, where readers look first, and gives the runner the names of failed files. Plain JavaScript, since Node
 * loads reporters before tsx.
 *
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 */
export default async function* filesReporter(source) {
  /** By source file. Processes run at the same time. */
  const begun = new Map();
  const seconds = new Map();
  /** By reason, the number of skipped tests and groups of each file. */
  const skipped = new Map();
  const failed = new Set();
  let report = '';
  // Results come in the order of processes and files. The empty suite of a file comes before its tests (batch.ts).
  let current;
  for await (const { type, data } of source) {
    if (!['test:dequeue', 'test:complete', 'test:pass', 'test:fail'].includes(type)) continue;
    const { file = '', name, nesting } = data;
    const isProcess = relative(file, name) === '';
    const tests = begun.get(file) ?? [];
    begun.set(file, tests);
    if (type === 'test:dequeue' && !isProcess) tests.push({ name, nesting });
    if (type === 'test:complete' && !isProcess) {
      const ended = tests.findLastIndex((test) => test.name === name && test.nesting === nesting);
      if (ended !== -1) tests.splice(ended, 1);
    }
    const signal = type === 'test:fail' && isProcess && data.details.error.signal;
    if (signal) {
      const files = filesOf(file);
      const unfinished = [...begun].filter(([source]) => files.some((name) => isFrom(source, name)));
      const lines = unfinished.flatMap(([, tests]) =>
        tests.map((test) => `${'  '.repeat(test.nesting + 1)}${test.name}\n`),
      );
      const unended = lines.length === 0 ? ' No test of it had begun.\n' : ' Begun and not ended:\n';
      report += `A process with ${files.join(', ')} was ended by ${signal}.${unended}${lines.join('')}`;
    }
    if (type === 'test:fail' && isProcess) {
      const files = filesOf(file);
      // If it was killed, its last file has no end.
      if (signal) for (const name of files.slice(-1)) failed.add(name);
      // A hook outside of all tests has failed, which can be of any file.
      if (!files.some((name) => failed.has(name))) for (const name of files) failed.add(name);
    }
    if ((type !== 'test:pass' && type !== 'test:fail') || isProcess) continue;
    if (data.skip !== undefined && data.skip !== NOT_NAMED) {
      const files = skipped.get(data.skip) ?? new Map();
      skipped.set(data.skip, files.set(current, (files.get(current) ?? 0) + 1));
    }
    if (nesting !== 0) continue;
    // Durations of the empty suites include waits.
    const [, heading] = /^(?:end of )?(test\/.*\.ts)$/.exec(name) ?? [];
    if (heading) current = heading;
    if (type === 'test:fail') failed.add(current);
    seconds.set(current, (seconds.get(current) ?? 0) + (heading ? 0 : data.details.duration_ms / 1000));
  }
  yield report;
  writeFileSync(join(FOLDER, 'failed.json'), JSON.stringify([...failed]));
  for (const [reason, files] of skipped) {
    const count = [...files.values()].reduce((sum, each) => sum + each);
    yield `\nSkipped ${count} tests or groups of tests, because ${reason}:\n`;
    for (const [name, each] of files) yield `${String(each).padStart(8)}  ${name}\n`;
  }
  if (wanted.includes('--durations')) {
    const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
    yield '\nSlowest files, in seconds:\n';
    for (const [name, duration] of slowest) yield `${duration.toFixed(1).padStart(8)}  ${name}\n`;
  }
  if (wanted.includes('--record')) writeFileSync(RECORD, record(seconds));
}

/** The test files that a process has taken (batch.ts), in order. */
function filesOf(program) {
  const places = readdirSync(join(FOLDER, 'claims')).map((name) => join(FOLDER, 'claims', name));
  const claims = places.map((place) => ({ ...JSON.parse(readFileSync(place, 'utf8')), at: statSync(place).mtimeMs }));
  const own = claims.filter((claim) => resolve(claim.program) === resolve(program)).sort((a, b) => a.at - b.at);
  return own.map(({ file }) => file);
}

/** Whether a location is in a test file, or in the compiled file if there is no source map. */
const isFrom = (place, file) => place === resolve(file) || basename(place).startsWith(`${basename(file, '.ts')}-`);

/** Durations of other files are kept. */
function record(seconds) {
  const known = { ...JSON.parse(readFileSync(RECORD, 'utf8')), ...Object.fromEntries(seconds) };
  const files = Object.keys(known).filter((name) => existsSync(name));
  const lines = files.sort().map((name) => `  ${JSON.stringify(name)}: ${Number(known[name].toFixed(1))}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/**
 * A reporter that names the unfinished tests of each file or batch that was ended from outside. Plain JavaScript, since
 * Node loads reporters before tsx.
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 */
export default async function* unendedTests(source) {
  const begun = new Map();
  // Told at the end, where a log of the whole run is read first.
  let report = '';
  for await (const { type, data } of source) {
    if (type !== 'test:dequeue' && type !== 'test:complete' && type !== 'test:fail') continue;
    const { file = '', name, nesting } = data;
    const isFile = relative(file, name) === '';
    const tests = begun.get(file) ?? [];
    begun.set(file, tests);
    if (type === 'test:dequeue' && !isFile) tests.push({ name, nesting });
    if (type === 'test:complete' && !isFile) {
      const ended = tests.findLastIndex((test) => test.name === name && test.nesting === nesting);
      if (ended !== -1) tests.splice(ended, 1);
    }
    const signal = type === 'test:fail' && isFile && data.details.error.signal;
    if (!signal) continue;
    const unfinished = filesOf(file).flatMap((each) => begun.get(each) ?? []);
    const lines = unfinished.map((test) => `${'  '.repeat(test.nesting + 1)}${test.name}\n`);
    const unended = lines.length === 0 ? ' No test of it had begun.\n' : ' Begun and not ended:\n';
    report += `${relative('', file)} was ended by ${signal}.${unended}${lines.join('')}`;
  }
  yield report;
}

/** The test files of a batch that run.ts wrote, or the file itself. */
function filesOf(file) {
  if (!/batch-\d+\.mjs$/.test(file)) return [file];
  const names = readFileSync(file.replace(/\.mjs$/, '.ts'), 'utf8').match(/(?<=")test\/[^"]+/g) ?? [];
  return [file, ...names].map((each) => resolve(each));
}

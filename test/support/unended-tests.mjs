import { relative } from 'node:path';

/**
 * A reporter that says of each file that was ended from outside which of its tests had begun and not ended. Plain
 * JavaScript, since Node loads reporters before tsx.
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 */
export default async function* unendedTests(source) {
  const begun = new Map();
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
    const lines = tests.map((test) => `${'  '.repeat(test.nesting + 1)}${test.name}\n`);
    const unended = lines.length === 0 ? ' No test of it had begun.\n' : ' Begun and not ended:\n';
    yield `${relative('', file)} was ended by ${signal}.${unended}${lines.join('')}`;
  }
}

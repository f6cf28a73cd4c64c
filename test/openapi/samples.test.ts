import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildProgram } from '../../cli/program.ts';
import { catalogue, decodeText, type Operation, routesOf, textKind } from '../../lib/internal.ts';
import { samplesOf } from '../../lib/openapi/samples.ts';
import { CHATCTL_SAMPLES_FILE, chatctlSamples } from '../documents/chatctl-samples.ts';

const operations = catalogue as readonly Operation[];
const entriesOf = ({ params }: Operation) => Object.entries(params);

/** The arguments that a shell passes to a command in each line. */
function wordsOf(command: string, lines: readonly string[]): string[][] {
  // Separators for the ends of words and lines. No file names are expanded.
  const script = `${command}() { printf '%s\\001' "$@"; printf '\\002'; }\n${lines.map((line) => line.replace(/ < \S+$/, '')).join('\n')}`;
  const printed = execFileSync('sh', ['-c', script], {
    env: { ZULIP_SITE: 'https://chat', ZULIP_EMAIL: 'a', ZULIP_API_KEY: 'k' },
  });
  return printed
    .toString()
    .split('\x02')
    .slice(0, -1)
    .map((line) => line.split('\x01').slice(0, -1));
}

function sampleOf(operation: Operation, label: string): string {
  const [route] = routesOf(operation);
  const { method, path } = route as { method: string; path: string };
  const sample = samplesOf(operation, method, path.replace('*}', '}')).find((each) => each.label === label);
  assert.ok(sample, `${operation.name} has no sample for ${label}`);
  return sample.source;
}

test('the curl samples contain the parameters of the examples', () => {
  const lines = wordsOf(
    'curl',
    operations.map((operation) => sampleOf(operation, 'curl')),
  );
  assert.equal(lines.length, operations.length);
  for (const [at, operation] of operations.entries()) {
    const words = lines[at] as string[];
    const [{ method = '', path = '' } = {}] = routesOf(operation);
    const said = words.includes('-X') ? words[words.indexOf('-X') + 1] : undefined;
    const hasBody = words.some((word) => /^--(data-urlencode|form)/.test(word));
    assert.equal(said ?? (hasBody && !words.includes('--get') ? 'POST' : 'GET'), method, operation.name);
    const pattern = path.replace(/\{(\w+)\*?\}/g, '(?<$1>[^/]+)');
    const inPath = new RegExp(`^https://chat/api/v1${pattern}$`).exec(String(words[0]))?.groups;
    assert.ok(inPath !== undefined || !path.includes('{'), `${operation.name}: ${words[0]}`);
    const given = new Map(
      Object.entries({ ...inPath }).map(([name, text]) => [name, decodeURIComponent(text as string)]),
    );
    for (const [place, word] of words.entries()) {
      if (!/^--(data-urlencode|form-string)$/.test(word)) continue;
      const [name = '', ...text] = (words[place + 1] as string).split('=');
      given.set(name, text.join('='));
    }
    const read = entriesOf(operation).flatMap(([name, schema]) =>
      given.has(name) ? [[name, decodeText(name, schema, given.get(name))]] : [],
    );
    assert.deepEqual(Object.fromEntries(read), { ...operation.example }, operation.name);
  }
});

test('the curl samples upload a file and send a key only if needed', () => {
  for (const operation of operations) {
    const hasFile = entriesOf(operation).some(([, schema]) => textKind(schema) === 'file');
    const sample = sampleOf(operation, 'curl');
    assert.equal(sample.includes('--form file=@cat.png'), hasFile, operation.name);
    assert.equal(sample.includes('$ZULIP_API_KEY'), operation.access !== 'anyone', operation.name);
  }
});

test('the chatctl samples use existing commands and options', () => {
  const quiet = { out: () => undefined, err: () => undefined } as unknown as Parameters<typeof buildProgram>[0];
  const program = buildProgram(quiet);
  const lines = wordsOf(
    'chatctl',
    operations.map((operation) => sampleOf(operation, 'chatctl')),
  );
  for (const words of lines) {
    let command = program;
    let rest = words;
    for (;;) {
      const child = command.commands.find((each) => each.name() === rest[0] || each.aliases().includes(rest[0] ?? ''));
      if (!child) break;
      command = child;
      rest = rest.slice(1);
    }
    assert.notEqual(command, program, words.join(' '));
    const { unknown, operands } = command.parseOptions(rest);
    assert.deepEqual(unknown, [], words.join(' '));
    assert.ok(operands.length === 0 || command.registeredArguments.length > 0, words.join(' '));
  }
});

test('the chatctl samples are up to date; `npm run documents` writes them', () => {
  const text = readFileSync(new URL(`../../${CHATCTL_SAMPLES_FILE}`, import.meta.url), 'utf8');
  assert.ok(text === chatctlSamples(), `${CHATCTL_SAMPLES_FILE} is out of date`);
});

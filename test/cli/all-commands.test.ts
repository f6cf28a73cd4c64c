import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Command } from 'commander';
import { showInFull } from '../../cli/help.ts';
import { fieldAt } from '../../cli/operations/command.ts';
import { selectionOf } from '../../cli/output/json.ts';
import { buildProgram, metadata } from '../../cli/program.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { plainParams } from '../domains/tables.ts';
import type { Params } from '../world/case.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { BASE_URL } from '../world/world.ts';
import { terminal } from './terminals.ts';

const operations = catalogue as readonly Operation[];

interface Printed {
  out: string;
  err: string;
}

/** Operations that need a file, events, e-mail, a push relay or a development server. */
const ELSEWHERE = [
  ...[
    'avatars.upload',
    'customEmoji.upload',
    'devFetchApiKey',
    'devListUsers',
    'events.list',
    'invites.confirmAddress',
  ],
  ...['organization.uploadIcon', 'organization.uploadLogo'],
  ...['passwords.requestReset', 'push.register', 'push.sendTest', 'uploads.send'],
];

/** Callers in order. The first one that is not refused runs the command. */
const WHO: readonly UserName[] = ['owner', 'hamlet', 'cordelia', 'webhook'];

async function printedBy(operation: Operation): Promise<Printed> {
  let refusal: unknown;
  for (const who of WHO) {
    const world = await sqliteEngine.world();
    try {
      // The command uses the system clock.
      world.clock.advance({ seconds: Math.max(0, Math.floor((Date.now() - world.clock.now()) / 1000)) });
      const params = await plainParams(operation.name, world, who);
      const yes = metadata.get(operation.name)?.confirm === undefined ? [] : ['--yes'];
      const args = [...wordsOf(operation), ...optionsOf(params), ...yes, '--user', String(world.users[who])];
      return await run([...args, '--db', world.location as string, '--base-url', BASE_URL]);
    } catch (error) {
      refusal = error;
    } finally {
      await world.close();
    }
  }
  throw new Error(`Every caller is refused: ${operation.name}`, { cause: refusal });
}

let said: Printed = { out: '', err: '' };

/** One world for all: building it takes as long as most commands. */
const tree = buildProgram({
  ...terminal(),
  out(text) {
    said.out += `${text}\n`;
  },
  err(text) {
    said.err += `${text}\n`;
  },
});

async function run(args: readonly string[]): Promise<Printed> {
  said = { out: '', err: '' };
  await tree.parseAsync(args, { from: 'user' });
  return said;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
const wordsOf = ({ name }: Operation) => name.split('.').map(kebab);
const optionsOf = (params: Params) =>
  Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${kebab(name)}=${typeof value === 'string' ? value : JSON.stringify(value)}`);

describe('the output of every command in the catalogue', () => {
  const printed = new Map<string, Printed>();
  before(async () => {
    for (const operation of operations) {
      if (!ELSEWHERE.includes(operation.name)) printed.set(operation.name, await printedBy(operation));
    }
  });

  it('is not empty and contains no JSON', () => {
    for (const [name, { out, err }] of printed) {
      assert.notEqual(out + err, '', name);
      assert.doesNotMatch(out, /[{[]["{[]|\[object/, name);
    }
  });

  it('is a sentence if the command changes something', () => {
    for (const { name, effect } of operations) {
      const { out = '', err = '' } = printed.get(name) ?? {};
      if (effect !== 'write' || !printed.has(name)) continue;
      assert.doesNotMatch(out, /^[a-z_]+: /m, `${name} shows the fields of its response`);
      // A key or a link has its own line, after a sentence on stderr. A status follows the name of its user.
      assert.match(out + err, /[.:]\n|^[A-Z]\w*: /, name);
    }
  });

  it('names the empty list if a list is empty', () => {
    for (const [name, { err }] of printed) assert.doesNotMatch(err, /^(None|Done)\.$/m, name);
  });

  it('of each command without output here has a sentence, except events listen', () => {
    const speechless = ELSEWHERE.filter((name) => {
      const { done, before, perform } = metadata.get(name) ?? {};
      return !done && !before && !perform;
    });
    assert.deepEqual(speechless, ['events.list']);
  });

  it('destructive commands ask for confirmation or name the command that reverts them', () => {
    const taking = operations.filter(({ name, effect }) => effect !== 'read' && TAKING.test(name));
    assert.ok(taking.length > 20);
    for (const { name } of taking) {
      const { confirm, undo } = metadata.get(name) ?? {};
      assert.ok((confirm === undefined) !== (undo === undefined), `${name} needs either \`confirm\` or \`undo\``);
      if (undo !== undefined) assert.ok(commandAt(undo.split(' ')), `${name}: there is no command ${undo}`);
    }
  });
});

const TAKING = /(\.|[a-z])(delete|remove|deactivate|revoke|archive|regenerate|Remove|Deactivate)([A-Z]|$)/;

function commandAt(words: readonly string[]): Command | undefined {
  let at: Command | undefined = tree;
  for (const word of words) {
    at = at?.commands.find((child) => child.name() === word || child.aliases().includes(word));
  }
  return at;
}

/** Commands without subcommands, with their words. */
function leaves(at: Command, words: readonly string[] = []): [words: string, command: Command][] {
  const below = at.createHelp().visibleCommands(at);
  const own: [string, Command][] = below.length === 0 || meansSomething(at) ? [[words.join(' '), at]] : [];
  return [...own, ...below.flatMap((child) => leaves(child, [...words, child.name()]))];
}

const meansSomething = (command: Command) => fieldAt(command, 0) !== undefined;

/** The help at a width of so many columns. */
function helpOf(command: Command, width: number): string {
  let help = '';
  process.env.COLUMNS = String(width);
  command.configureOutput({
    writeOut(text) {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

const SECTIONS = [
  'Usage:',
  'Arguments:',
  'Parameters:',
  'Filters:',
  'Options:',
  'Connection:',
  'Commands:',
  'Examples:',
];

describe('the help of every command', () => {
  const all = leaves(tree);

  it('starts with a summary, for groups of commands too', () => {
    const everyOne = (at: Command): Command[] =>
      at
        .createHelp()
        .visibleCommands(at)
        .flatMap((child) => [child, ...everyOne(child)]);
    for (const command of everyOne(tree)) {
      const text = command.summary() || command.description();
      assert.match(text, /^[A-Z].+ /, command.name());
    }
  });

  it('names for --json only fields of the response', () => {
    assert.match(helpOf(commandAt(['channels', 'list']) as Command, 100), /--json=stream_id,name prints only/);
    assert.doesNotMatch(helpOf(commandAt(['messages', 'delete']) as Command, 100), /--json[=[]/);
    for (const operation of operations) {
      const { columns } = metadata.get(operation.name) ?? {};
      const help = helpOf(commandAt(wordsOf(operation)) as Command, 200);
      const [, example] = /--json=(\S+) prints only these fields/.exec(help) ?? [];
      const hasFields = Object.keys((operation.result as { entries?: object }).entries ?? {}).length > 0;
      assert.equal(example !== undefined, hasFields, operation.name);
      if (example !== undefined) selectionOf(example.split(','), operation.result, Object.keys(columns ?? {}));
    }
  });

  it('names the connection options only if the command accepts them', () => {
    const taking = all.filter(([, command]) => command.options.some(({ long }) => long === '--site'));
    assert.ok(taking.length > catalogue.length && taking.length < all.length);
    for (const [words, command] of all)
      assert.equal(
        helpOf(command, 100).includes('--db, --site'),
        taking.some(([, other]) => other === command),
        words,
      );
  });

  it('has its sections in a fixed order and ends with valid examples', () => {
    assert.ok(all.length > catalogue.length);
    for (const [words, command] of all) {
      const help = helpOf(command, 100);
      const sections = [...help.matchAll(/^[A-Z][a-z]+:(?= [a-z]|$)/gm)].map(([title]) => title);
      assert.deepEqual(
        sections,
        SECTIONS.filter((title) => sections.includes(title)),
        words,
      );
      assert.equal(sections.at(-1), 'Examples:', words);
      checkExamples(help, words);
    }
  });

  it('fits the width of the terminal, except for longer words', () => {
    for (const [path, command] of all) {
      for (const width of [50, 80, 120]) {
        for (const line of helpOf(command, width).split('\n')) {
          const words = line
            .trim()
            .replace(/ \\$/, '')
            .replace(/'[^']*'|"[^"]*"/g, 'quoted')
            .replace(/^(--?[\w-]+) /, '$1=');
          const isOneWord = line.startsWith('Usage:') || !words.includes(' ');
          assert.ok(line.length <= width || isOneWord, `${path}, ${width} columns: ${line}`);
        }
      }
    }
  });

  it('offers --yes for each irreversible command that is not an operation', () => {
    const operationWords = new Set(operations.map((operation) => wordsOf(operation).join(' ')));
    const others = all.filter(([words, command]) => !operationWords.has(words) && !meansSomething(command));
    const taking = others.filter(([words]) =>
      /(^|[ -])(restore|migrate|logout|remove|delete|move-to-now|forget)\b/.test(words),
    );
    assert.deepEqual(
      taking.map(([words]) => words),
      ['auth logout', 'migrate', 'restore', 'cursors remove', 'cursors move-to-now'],
    );
    for (const [words, command] of taking)
      assert.ok(
        command.options.some(({ long }) => long === '--yes'),
        words,
      );
  });

  it('leaves out parameters that only programs send, unless it is full', () => {
    const send = commandAt(['messages', 'send']) as Command;
    assert.doesNotMatch(helpOf(send, 100), /--(queue-id|local-id|widget-content|subject|idempotency-key)\b/);
    showInFull(send);
    assert.match(
      helpOf(send, 100),
      /^For programs:\n(.*\n)*? {2}--queue-id <text>.*\n(.*\n)*? {2}--widget-content <json>/m,
    );
  });
});

function checkExamples(help: string, name: string): void {
  const [, examples = ''] = help.replaceAll(/ \\\n */g, ' ').split('\nExamples:\n');
  const lines = [...examples.matchAll(/^ {2}(?:[A-Z_]+=\S+ )*chatctl ?(.*)$/gm)].map(([, line = '']) => line);
  assert.ok(lines.length > 0, `${name} has no example`);
  for (const line of lines) checkTypable(line, name);
}

/** Checks that the command has every option of the line. */
function checkTypable(typed: string, name: string): void {
  // The argument is a command too.
  const line = typed.replace(/^why \S+ /, '');
  const words = line.split(' ');
  let at = tree;
  for (const word of words) {
    const child = at.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (!child) break;
    at = child;
  }
  // Quotes may contain anything.
  const options = line.replace(/'[^']*'|"[^"]*"/g, '').matchAll(/(?<= )--[a-z-]+/g);
  for (const [option] of options) {
    const known = at.options.some(({ long }) => long === option);
    assert.ok(known, `${name}: \`${line}\` has ${option}, which ${at.name()} does not accept`);
  }
}

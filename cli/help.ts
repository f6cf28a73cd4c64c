import { type Command, Help, type HelpConfiguration } from 'commander';
import { connectionOptions, optionsInHelp } from './global-options.ts';
import { pad, widthOf, wrap } from './output/width.ts';

const INDENT = '  ';
const ON = ' \\';

const SECTIONS = ['Parameters:', 'Filters:', 'Options:', 'Connection:'];
/** Options that are not listed here are parameters of the command. */
const SECTION_OF: Readonly<Record<string, string>> = {
  db: 'Connection:',
  schema: 'Connection:',
  json: 'Options:',
  jq: 'Options:',
  version: 'Options:',
};

export function sortOptions(command: Command): void {
  for (const option of command.options) option.helpGroupHeading ??= SECTION_OF[option.name()] ?? 'Parameters:';
}

function groupItems<T>(all: readonly T[], visible: readonly T[], groupOf: (item: T) => string): Map<string, T[]> {
  const names = [...new Set(all.map(groupOf)), ...new Set(visible.map(groupOf))];
  const placed = [...SECTIONS.filter((name) => names.includes(name)), ...names];
  return new Map(placed.map((name) => [name, visible.filter((item) => groupOf(item) === name)]));
}

/** Maximum width of the column of terms. The description of a wider term begins on the next line. */
const termsWithin = (width: number) => Math.max(12, Math.floor(width * 0.4));

/** Commands of which the help shows everything: access, route, errors and the options of the connection. */
const inFull = new WeakSet<Command>();

export const showInFull = (command: Command) => inFull.add(command);
export const isInFull = (command: Command) => inFull.has(command);

export const helpLayout: HelpConfiguration = {
  visibleOptions(command) {
    const all = Help.prototype.visibleOptions.call(this, command);
    return isInFull(command) ? all : optionsInHelp(command, all);
  },
  groupItems,
  padWidth(command, helper) {
    return Math.min(Help.prototype.padWidth.call(this, command, helper), termsWithin(helper.helpWidth ?? 80));
  },
  formatItem(term, termWidth, description, helper) {
    const room = (helper.helpWidth ?? 80) - termWidth - 2 * INDENT.length;
    const [first, ...more] = description === '' ? [] : wrap(description, room);
    const below = (lines: readonly string[]) =>
      lines.map((line) => `${' '.repeat(termWidth + 2 * INDENT.length)}${line}`);
    if (first === undefined) return `${INDENT}${term}`;
    if (widthOf(term) > termWidth) return [`${INDENT}${term}`, ...below([first, ...more])].join('\n');
    return [`${INDENT}${pad(term, termWidth)}${INDENT}${first}`, ...below(more)].join('\n');
  },
};

export function connectionHelp(width: number): string {
  const help = Object.assign(new Help(), helpLayout, { helpWidth: width });
  const termWidth = Math.min(Math.max(...connectionOptions.map(([flags]) => widthOf(flags))), termsWithin(width));
  return [
    ...wrap(
      'Each command acts on a database directly (--db) or on a server (--site, --config-file, --profile), as one account. ' +
        'An option overrides its environment variable. A variable overrides the configuration file.',
      width,
    ),
    '',
    ...connectionOptions.map(([flags, description]) =>
      helpLayout.formatItem?.call(help, flags, termWidth, description, help),
    ),
    '',
    ...examplesSection(
      ['users list --db chat.db', 'users list --db chat.db --user ben@example.com', 'users list --profile work'],
      width,
    ),
  ].join('\n');
}

/** Adds notes and examples below the options. The examples are written without `chatctl`. */
export function addExamples(command: Command, examples: readonly string[], notes: readonly string[] = []): Command {
  return command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.();
    const above = notes.flatMap((note) => ['', ...wrap(note, width ?? Number.POSITIVE_INFINITY)]);
    return [...above, '', ...examplesSection(examples, width)].join('\n');
  });
}

/** Breaks long lines with a backslash, so that they can still be copied. */
export function examplesSection(examples: readonly string[], width = Number.POSITIVE_INFINITY): string[] {
  return ['Examples:', ...examples.flatMap((example) => brokenLine(spelled(example), width))];
}

/** An example that begins with an environment variable already contains `chatctl`. */
const spelled = (example: string) => (/^[A-Z_]+=/.test(example) ? example : `chatctl ${example}`);

function brokenLine(example: string, width: number): string[] {
  if (widthOf(example) + INDENT.length <= width) return [`${INDENT}${example}`];
  const lines: string[] = [];
  let line = INDENT;
  for (const word of wordsOf(example)) {
    const isFull = line.trim() !== '' && widthOf(`${line} ${word}${ON}`) > width;
    if (isFull) {
      lines.push(`${line}${ON}`);
      line = INDENT.repeat(2);
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** Splits at spaces, but keeps quoted text, and an option with its value, together. */
const wordsOf = (line: string) => line.match(/(?:--?[a-z][a-z-]* (?=[^-|<>&]))?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

import { type Command, Help, type HelpConfiguration } from 'commander';
import { pad, widthOf, wrap } from './output/width.ts';

const INDENT = '  ';
/** What a shell needs to go on in the next line. */
const ON = ' \\';

/** The sections of options, in the order in which the help of every command has them. */
const SECTIONS = ['Parameters:', 'Filters:', 'Options:', 'Connection:'];
/** What says where a command goes, and what nearly every command takes; the rest are parameters of its own. */
const SECTION_OF: Readonly<Record<string, string>> = {
  db: 'Connection:',
  schema: 'Connection:',
  json: 'Options:',
  jq: 'Options:',
  version: 'Options:',
};

/** Puts the options of a command that are in no section into one. */
export function sortOptions(command: Command): void {
  for (const option of command.options) option.helpGroupHeading ??= SECTION_OF[option.name()] ?? 'Parameters:';
}

/** Groups of options or commands, those of options in their order. */
function groupItems<T>(all: readonly T[], visible: readonly T[], groupOf: (item: T) => string): Map<string, T[]> {
  const names = [...new Set(all.map(groupOf)), ...new Set(visible.map(groupOf))];
  const placed = [...SECTIONS.filter((name) => names.includes(name)), ...names];
  return new Map(placed.map((name) => [name, visible.filter((item) => groupOf(item) === name)]));
}

/** The widest column of terms: what is wider has its description in the lines below. */
const termsWithin = (width: number) => Math.max(12, Math.floor(width * 0.4));

/** The parts of the help that commander lets be chosen. */
export const helpLayout: HelpConfiguration = {
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

/** Below the options: what more there is to say, and examples, without `chatctl`. */
export function addExamples(command: Command, examples: readonly string[], notes: readonly string[] = []): Command {
  return command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.();
    const above = notes.flatMap((note) => ['', ...wrap(note, width ?? Number.POSITIVE_INFINITY)]);
    return [...above, '', ...examplesSection(examples, width)].join('\n');
  });
}

/** Lines that are too long go on behind a backslash, so that they can be copied as they are. */
export function examplesSection(examples: readonly string[], width = Number.POSITIVE_INFINITY): string[] {
  return ['Examples:', ...examples.flatMap((example) => brokenLine(spelled(example), width))];
}

/** What begins with a variable of the environment names the program itself. */
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

/** What a shell takes apart, an option together with its value; quotes keep together what they hold. */
const wordsOf = (line: string) => line.match(/(?:--?[a-z][a-z-]* (?=[^-|<>&]))?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

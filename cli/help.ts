import { type Command, Help, type HelpConfiguration } from 'commander';
import { optionsInHelp } from './global-options.ts';
import { widthOf, wrap } from './output/width.ts';

const INDENT = '  ';
const ON = ' \\';

/** Commands of which the help shows everything: access, route, errors and the options of the connection. */
const inFull = new WeakSet<Command>();

export const showInFull = (command: Command) => inFull.add(command);
export const isInFull = (command: Command) => inFull.has(command);

export const helpLayout: HelpConfiguration = {
  visibleOptions(command) {
    const all = Help.prototype.visibleOptions.call(this, command);
    return isInFull(command) ? all : optionsInHelp(command, all);
  },
  minWidthToWrap: 1,
  padWidth(command, helper) {
    // The description of a wider term begins on the next line.
    const widest = Math.max(12, Math.floor((helper.helpWidth ?? 80) * 0.4));
    return Math.min(Help.prototype.padWidth.call(this, command, helper), widest);
  },
  formatItem(term, termWidth, description, helper) {
    const format = (shown: string) => Help.prototype.formatItem.call(this, shown, termWidth, description, helper);
    const isTooWide = description !== '' && helper.displayWidth(term) > termWidth;
    return isTooWide ? `${INDENT}${term}\n${format('')}` : format(term);
  },
};

/** Adds notes and examples below the options. The examples are written without `chatctl`. */
export function addExamples(command: Command, examples: readonly string[], notes: readonly string[] = []): Command {
  return command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.();
    const above = notes.flatMap((note) => ['', ...wrap(note, width ?? Number.POSITIVE_INFINITY)]);
    return [...above, '', ...examplesSection(examples, width)].join('\n');
  });
}

/** Breaks long lines with a backslash, so that they can still be copied. */
export const examplesSection = (examples: readonly string[], width = Number.POSITIVE_INFINITY): string[] => [
  'Examples:',
  ...examples.flatMap((example) => brokenLine(spelled(example), width)),
];

/** An example that begins with an environment variable already contains `chatctl`. */
const spelled = (example: string) => (/^[A-Z_]+=/.test(example) ? example : `chatctl ${example}`);

function brokenLine(example: string, width: number): string[] {
  if (widthOf(example) + INDENT.length <= width) return [`${INDENT}${example}`];
  const lines: string[] = [];
  for (const word of wordsOf(example)) {
    const longer = `${lines.at(-1) ?? ' '} ${word}`;
    if (lines.length > 0 && widthOf(longer) + ON.length > width) lines.push(`${INDENT}${INDENT}${word}`);
    else lines.splice(-1, 1, longer);
  }
  return lines.map((line, at) => (at < lines.length - 1 ? `${line}${ON}` : line));
}

/** Splits at spaces, but keeps quoted text, and an option with its value, together. */
const wordsOf = (line: string) => line.match(/(?:--?[a-z][a-z-]* (?=[^-|<>&]))?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

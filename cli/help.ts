import { type Command, Help, type HelpConfiguration, Option } from 'commander';
import { OPEN_TO, type Operation, routesOf, shellWord } from '../lib/internal.ts';
import { declaredParser, type Field } from './arguments/parsers.ts';
import { optionsInHelp } from './global-options.ts';
import { wordsOf } from './names.ts';
import type { CommandMetadata } from './operations/metadata.ts';
import { cell, widthOf, wrap } from './output/text.ts';

const INDENT = '  ';
const LINE_CONTINUES = ' \\';

/** Commands of which the help shows everything: access, route, errors and the options of the connection. */
const inFull = new WeakSet<Command>();

export const showInFull = (command: Command) => inFull.add(command);

/** Another name of an option, which only the full help shows. */
export class OtherFlag extends Option {}

export const helpLayout: HelpConfiguration = {
  visibleOptions(command) {
    const all = Help.prototype.visibleOptions.call(this, command);
    if (!inFull.has(command)) return optionsInHelp(command, all);
    return [...all, ...command.options.filter((option) => option instanceof OtherFlag)];
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

/** The width of the terminal. In a pipe, for example to a pager, COLUMNS or else 80. */
export function helpWidth(): number {
  const asked = Number(process.env.COLUMNS);
  const columns = (process.stdout.isTTY && process.stdout.columns) || (asked > 0 ? asked : 80);
  return Math.max(40, columns);
}

/** Adds notes and examples below the options. The examples are written without `chatctl`. */
export function addExamples(command: Command, examples: readonly string[], notes: readonly string[] = []): Command {
  return command.addHelpText('after', () => {
    const above = notes.flatMap((note) => ['', ...wrap(note, helpWidth())]);
    return [...above, '', ...examplesSection(examples)].join('\n');
  });
}

const examplesSection = (examples: readonly string[]): string[] => [
  'Examples:',
  ...examples.flatMap((example) => brokenLine(`chatctl ${example}`, helpWidth())),
];

/** Breaks a long line with a backslash, so that it can still be copied. */
function brokenLine(example: string, width: number): string[] {
  if (widthOf(example) + INDENT.length <= width) return [`${INDENT}${example}`];
  const lines: string[] = [];
  for (const word of unbroken(example)) {
    const longer = `${lines.at(-1) ?? ' '} ${word}`;
    if (lines.length > 0 && widthOf(longer) + LINE_CONTINUES.length > width) lines.push(`${INDENT}${INDENT}${word}`);
    else lines.splice(-1, 1, longer);
  }
  return lines.map((line, at) => (at < lines.length - 1 ? `${line}${LINE_CONTINUES}` : line));
}

/** Splits at spaces, but keeps quoted text, and an option with its value, together. */
const unbroken = (line: string) => line.match(/(?:--?[a-z][a-z-]* (?=[^-|<>&]))?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

/** `<channel>` in `--to-channel <channel>`. */
export function placeholder({ shape, parser }: Field): string {
  if (parser?.startsWith('permission')) return 'group';
  if (parser === 'propagate mode') return 'which';
  if (parser === 'moment') return 'time';
  if (parser === 'new subscriptions' || parser === 'channel names') return 'channels';
  if (parser) return parser;
  if (shape.kind === 'list') return 'list';
  return shape.kind === 'json' ? 'json' : shape.kind;
}

/** `--at` of `--at <time>`. */
export const typedFlag = ({ alias, flag }: Field) => /--[a-z-]+/.exec(alias ?? flag)?.[0] ?? flag;

/** The description of an option, then in parentheses the format of its value. */
export function descriptionOf(field: Field, defaultSource?: string): string {
  const { shape, parser } = field;
  const { fallback = '' } = shape;
  // Also not an empty list.
  const hasDefault = String(fallback) !== '' && fallback !== false;
  const notes = [
    formatOf(field),
    defaultSource === undefined ? undefined : `default: ${defaultSource}`,
    isTypedAsList(field) ? 'comma-separated or JSON' : undefined,
    hasDefault ? `default ${formatDefault(parser, fallback)}` : undefined,
    shape.isOptional || defaultSource !== undefined ? undefined : 'required',
  ].filter((note) => note !== undefined);
  return [shape.description ?? '', notes.length === 0 ? '' : `(${notes.join('; ')})`].join(' ').trim();
}

const isJsonList = ({ shape, parser }: Field) => parser === undefined && shape.type === 'list of JSON';

/** Undefined if the placeholder or the name already shows the format. */
function formatOf(field: Field): string | undefined {
  const { shape, parser } = field;
  const note = parser && declaredParser(parser).note;
  if (note !== undefined) return note;
  if (shape.kind === 'boolean' || /^(text|integer|list of texts)$/.test(shape.type)) return undefined;
  return isJsonList(field) ? 'JSON list' : shape.type.replaceAll('|', ', ');
}

const isTypedAsList = (field: Field) =>
  field.shape.kind === 'list' && !isJsonList(field) && field.parser !== 'addresses' && field.parser !== 'files';

function formatDefault(parser: Field['parser'], fallback: unknown): string {
  if (parser === 'role') return cell('role', fallback);
  return parser === 'propagate mode' ? String(fallback).replace('change_', '') : JSON.stringify(fallback);
}

/** The help below the options: examples and, in full, access, route and errors. */
export function helpFooter(
  command: Command,
  operation: Operation,
  metadata: CommandMetadata,
  examples: readonly string[],
): string {
  const [route] = routesOf(operation);
  const rows: [heading: string, text: string][] = [];
  if (inFull.has(command)) {
    const isConditional = operation.errors.some(({ name }) => name === 'UnauthorizedPrincipal');
    rows.push([
      'Access:',
      `${OPEN_TO[operation.access]}${isConditional ? ', if its role or permissions allow it' : ''}`,
    ]);
    if (operation.description !== undefined) rows.push(['Details:', operation.description]);
    if (route) rows.push(['Route:', `${route.method} /api/v1${route.path}`]);
    const errors = operation.errors.map(({ name }) => spaced(name)).join(', ');
    if (errors !== '') rows.push(['Errors:', errors]);
  } else rows.push(['More:', `chatctl help ${wordsOf(command).join(' ')} --full (access, route, errors)`]);
  if (metadata.undo) rows.push(['Undo:', `chatctl ${metadata.undo}`]);
  const lines = rows.flatMap(([heading, text]) =>
    wrap(text, helpWidth() - HEADING_WIDTH).map(
      (line, at) => `${(at === 0 ? heading : '').padEnd(HEADING_WIDTH)}${line}`,
    ),
  );
  return [...(lines.length > 0 ? ['', ...lines] : []), '', ...examplesSection(examples)].join('\n');
}

const HEADING_WIDTH = 10;

/** `StreamDoesNotExist` reads "stream does not exist". */
const spaced = (className: string): string => className.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

/** The operation's example as a command line, without `chatctl`. */
export function exampleLine(
  { example = {} }: Pick<Operation, 'example'>,
  fields: readonly Field[],
  path: readonly string[],
  byPosition: readonly Field[],
): string {
  const given = new Map(Object.entries(example).map(([name, value]) => [name, exampleOf(name, fields, value)]));
  const words: string[] = [...path];
  for (const field of byPosition) {
    const value = given.get(field.name);
    // After a missing argument, the next one would take its position.
    if (value === undefined) break;
    words.push(...(field.shape.kind === 'list' && Array.isArray(value) ? value.map(wordOf) : [wordOf(value)]));
    given.delete(field.name);
  }
  const options: string[] = [];
  for (const field of fields) {
    const value = given.get(field.name);
    if (value === undefined) continue;
    const flag = typedFlag(field);
    if (typeof value === 'boolean') options.push(value ? flag : flag.replace('--', '--no-'));
    else options.push(flag, isPlainList(value) ? shellWord(value.join(',')) : wordOf(value));
  }
  return [...words, ...options].join(' ');
}

/** A name instead of an ID. */
function exampleOf(name: string, fields: readonly Field[], value: unknown): unknown {
  const parser = fields.find((field) => field.name === name)?.parser;
  const named = parser && declaredParser(parser).example;
  return named === undefined ? value : Array.isArray(value) ? [named] : named;
}

const isPlainList = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => /^[\w@.:-]+$/.test(String(each)));

const wordOf = (value: unknown) => shellWord(typeof value === 'string' ? value : JSON.stringify(value));

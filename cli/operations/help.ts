import { OPEN_TO, type Operation, routesOf } from '../../lib/internal.ts';
import { MOMENT_FORMS } from '../arguments/moments.ts';
import { NUMBERED } from '../arguments/numbered-words.ts';
import { type Field, ROLES_TO_CHOOSE } from '../arguments/parsers.ts';
import { examplesSection } from '../help.ts';
import { cell } from '../output/cells.ts';
import { wrap } from '../output/width.ts';
import type { CommandMetadata } from './metadata.ts';

/** `<channel>` in `--to-channel <channel>`. */
export function placeholder({ shape, parser }: Field): string {
  if (parser?.startsWith('permission')) return 'group';
  if (parser === 'propagate mode') return 'which';
  if (parser === 'moment') return 'time';
  if (parser && parser !== 'named objects') return parser;
  if (shape.kind === 'list') return 'list';
  return shape.kind === 'json' ? 'json' : shape.kind;
}

/** What an option is about, and in brackets how it is typed. */
export function descriptionOf({ shape, parser }: Field, isOnStdin = false): string {
  const note = parserNote(parser) ?? (shape.kind === 'boolean' ? undefined : shape.type.replaceAll('|', ', '));
  const notes = note === undefined ? [] : [note];
  if (isOnStdin) notes.push('stdin when left out');
  if (shape.kind === 'list' && parser !== 'addresses' && parser !== 'files')
    notes.push('separated by commas, repeated, or as JSON');
  if (!isBlank(shape.fallback)) notes.push(`default ${formatDefault(parser, shape.fallback)}`);
  if (!shape.isOptional && !isOnStdin) notes.push('required');
  return [shape.description ?? '', notes.length === 0 ? '' : `(${notes.join('; ')})`].join(' ').trim();
}

const isBlank = (fallback: unknown) => fallback === undefined || fallback === '' || isEmpty(fallback);
const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;

function formatDefault(parser: Field['parser'], fallback: unknown): string {
  if (parser === 'role') return cell('role', fallback);
  return parser === 'propagate mode' ? String(fallback).replace('change_', '') : JSON.stringify(fallback);
}

function parserNote(parser: Field['parser']): string | undefined {
  switch (parser) {
    case 'channel':
      return 'name or ID';
    case 'channels':
      return 'names or IDs';
    case 'user':
      return 'e-mail address or ID';
    case 'users':
      return 'e-mail addresses or IDs; - for those on stdin, @file for those in a file';
    case 'group':
      return 'name or ID';
    case 'groups':
      return 'names or IDs';
    case 'folder':
    case 'profile field':
    case 'playground':
      return 'name or ID';
    case 'folders':
    case 'profile fields':
      return 'names or IDs';
    case 'linkifier':
      return 'pattern or ID';
    case 'linkifiers':
      return 'patterns or IDs';
    case 'recipients':
      return 'a channel by name or ID, or people by e-mail address or ID';
    case 'permission':
      return 'user groups by name or ID and people by e-mail address, separated by commas, or JSON with direct_members and direct_subgroups';
    case 'permission change':
      return 'user groups by name or ID and people by e-mail address, separated by commas, or JSON with new and old';
    case 'role':
      return ROLES_TO_CHOOSE;
    case 'time':
      return 'UNIX seconds or a date such as 2030-01-31T09:00Z';
    case 'moment':
      return MOMENT_FORMS;
    case 'duration':
      return 'seconds, or with a unit: 90s, 15m, 1h, 7d, 2w';
    case 'validity':
      return 'minutes, or with a unit: 90m, 12h, 7d, 2w; never';
    case 'addresses':
      return 'apart by blanks or commas; - for those on stdin, @file for those in a file';
    case 'invitation':
      return 'e-mail address or ID';
    case 'invitation link':
      return 'the link or its ID';
    case 'invitation key':
      return 'the link or what it ends in';
    case 'emoji':
      return 'name, :name: or the character itself';
    case 'propagate mode':
      return 'one, later or all';
    case 'bot type':
    case 'interface':
      return Object.keys(NUMBERED[parser]).join(', ');
    case 'named objects':
      return 'names, or JSON objects with a name';
    default:
      return undefined;
  }
}

/** What stands below the options in a command's help; lines fit into a width where there is one. */
export function helpFooter(
  operation: Operation,
  metadata: CommandMetadata,
  examples: readonly string[],
  width = Number.POSITIVE_INFINITY,
): string {
  const [route] = routesOf(operation);
  const rows: [heading: string, text: string][] = [['Who may:', OPEN_TO[operation.access]]];
  if (route) rows.push(['Route:', `${route.method} /api/v1${route.path}`]);
  if (operation.errors.length > 0) rows.push(['Errors:', operation.errors.map((each) => spaced(each.name)).join(', ')]);
  if (metadata.undo) rows.push(['Undo:', `chatctl ${metadata.undo}`]);
  const lines = rows.flatMap(([heading, text]) =>
    wrap(text, width - INDENT).map((line, at) => `${(at === 0 ? heading : '').padEnd(INDENT)}${line}`),
  );
  return ['', ...lines, '', ...examplesSection(examples, width)].join('\n');
}

const INDENT = 10;

/** `StreamDoesNotExist` reads "stream does not exist". */
function spaced(className: string): string {
  return className.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

import { type Field, ROLE_WORDS, roleWord } from '../arguments/parsers.ts';

/** `<channel>` in `--to-channel <channel>`. */
export function metavar({ shape, reading }: Field): string {
  if (reading?.startsWith('permission')) return 'group';
  if (reading === 'reach of a move') return 'which';
  if (reading && reading !== 'named objects') return reading;
  if (shape.kind === 'list') return 'list';
  return shape.kind === 'json' ? 'json' : shape.kind;
}

/** What an option is about, and in brackets how it is written. */
export function descriptionOf({ shape, reading }: Field, isOnStdin = false): string {
  const notes = [readingNote(reading) ?? (shape.kind === 'boolean' ? 'yes or no' : shape.type)];
  if (isOnStdin) notes.push('stdin when left out');
  if (shape.kind === 'list') notes.push('separated by commas, repeated, or as JSON');
  if (!isNothing(shape.fallback)) notes.push(`default ${defaultWord(reading, shape.fallback)}`);
  if (!shape.isOptional && !isOnStdin) notes.push('required');
  const note = `(${notes.join('; ')})`;
  return shape.description ? `${shape.description} ${note}` : note;
}

const isNothing = (fallback: unknown) => fallback === undefined || fallback === '' || isEmpty(fallback);
const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;

function defaultWord(reading: Field['reading'], fallback: unknown): string {
  if (reading === 'role') return roleWord(fallback);
  return reading === 'reach of a move' ? String(fallback).replace('change_', '') : JSON.stringify(fallback);
}

function readingNote(reading: Field['reading']): string | undefined {
  switch (reading) {
    case 'channel':
      return 'name or ID';
    case 'channels':
      return 'names or IDs';
    case 'user':
      return 'e-mail address or ID';
    case 'users':
      return 'e-mail addresses or IDs';
    case 'group':
      return 'name or ID';
    case 'groups':
      return 'names or IDs';
    case 'recipients':
      return 'a channel by name or ID, or people by e-mail address or ID';
    case 'permission':
      return "a user group's name or ID, or JSON with direct_members and direct_subgroups";
    case 'permission change':
      return "a user group's name or ID, or JSON with new and old";
    case 'role':
      return ROLE_WORDS;
    case 'time':
      return 'UNIX seconds or a date such as 2030-01-31T09:00Z';
    case 'duration':
      return 'seconds, or with a unit: 90s, 15m, 1h, 7d, 2w';
    case 'emoji':
      return 'name, :name: or the character itself';
    case 'reach of a move':
      return 'one, later or all';
    case 'named objects':
      return 'names, or JSON objects with a name';
    default:
      return undefined;
  }
}

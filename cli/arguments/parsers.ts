import type { GenericSchema } from 'valibot';
import { UsageError } from '../failure.ts';
import type { LookupKind, Lookups } from '../lookups.ts';
import { inSeconds } from './durations.ts';
import { fileAt } from './file.ts';
import type { Shape } from './shape.ts';

/** How a word of people's is understood where the wire wants something else. */
export type Reading =
  | 'channel'
  | 'channels'
  | 'user'
  | 'users'
  | 'group'
  | 'groups'
  | 'role'
  /** A channel or people; read together with the other parts of an address. */
  | 'recipients'
  | 'emoji'
  /** `one`, `later`, `all` for what the API calls `change_one` and so on. */
  | 'reach of a move'
  | 'time'
  /** A number of seconds, also with its unit: `1h`. */
  | 'duration'
  /** Who holds a permission: a group by name or ID, or the object the API takes. */
  | 'permission'
  /** Likewise where the API wants `{ new, old }`: a bare value is the new one. */
  | 'permission change'
  /** A list of objects with a name: a bare word is the name. */
  | 'named objects';

/** A value that may have to wait for a lookup; what can be refused without the chat is refused before. */
export type Pending = (lookups: Lookups) => unknown;

export interface Field {
  name: string;
  /** As written by people, `--stream-id`. */
  flag: string;
  schema: GenericSchema;
  shape: Shape;
  reading?: Reading | undefined;
}

export type Decode = (name: string, schema: GenericSchema, raw: unknown) => unknown;

const ROLES: Readonly<Record<string, number>> = {
  owner: 100,
  administrator: 200,
  admin: 200,
  moderator: 300,
  member: 400,
  guest: 600,
};
export const roleWord = (role: unknown) => Object.keys(ROLES).find((word) => ROLES[word] === role) ?? String(role);
export const ROLE_WORDS = 'owner, administrator, moderator, member, guest';

/** Reads what was given for one parameter; `decode` is the library's text codec. */
export function readField(field: Field, given: boolean | readonly string[], decode: Decode): Pending {
  if (typeof given === 'boolean') return () => given;
  const last = given.at(-1) as string;
  if (field.shape.kind === 'file') return () => fileAt(last);
  switch (field.reading) {
    case 'channel':
    case 'user':
    case 'group':
      return found(field.reading, last);
    case 'channels':
    case 'users':
    case 'groups':
      return foundAll(field, field.reading.slice(0, -1) as LookupKind, given, decode);
    case 'role':
      return constant(
        ROLES[last.toLowerCase()] ?? scalar(field, last, decode, `must be one of ${ROLE_WORDS}, or a number`),
      );
    case 'time':
      return constant(/^-?[0-9]+$/.test(last) ? Number(last) : pointInTime(field, last));
    case 'duration':
      return constant(scalar(field, inSeconds(last), decode));
    case 'emoji':
      return emoji(last);
    case 'reach of a move':
      return constant(reachOfMove(field, last));
    case 'permission':
      return permission(field, last, decode);
    case 'permission change': {
      const change = permission(field, last, decode);
      return last.trim().startsWith('{') ? change : async (lookups) => ({ new: await change(lookups) });
    }
    case 'named objects':
      return constant(
        elements(field, given, decode).map((each) => ('text' in each ? { name: each.text } : each.value)),
      );
    default:
      return constant(plain(field, given, decode));
  }
}

const constant =
  (value: unknown): Pending =>
  () =>
    value;
const found =
  (kind: LookupKind, text: string): Pending =>
  (lookups) =>
    lookups.id(kind, text);

/** The API names emoji; people type `tada`, `:tada:` or the character. */
function emoji(text: string): Pending {
  const name = text.trim().replace(/^:(.+):$/, '$1');
  if (/^[\p{L}\p{N}_+-]+$/u.test(name)) return constant(name);
  return async () => {
    const { emojiNameOf } = await import('../../lib/index.ts');
    // Reactions have no skin colour, but keyboards do.
    return emojiNameOf(name) ?? emojiNameOf(name.replace(/\p{Emoji_Modifier}/gu, '')) ?? name;
  };
}

function permission(field: Field, text: string, decode: Decode): Pending {
  return text.trim().startsWith('{') ? constant(scalar(field, text, decode)) : found('group', text);
}

function foundAll(field: Field, kind: LookupKind, given: readonly string[], decode: Decode): Pending {
  const items = elements(field, given, decode).map((each) => ('text' in each ? each.text : each.value));
  return (lookups) => Promise.all(items.map((item) => (typeof item === 'string' ? lookups.id(kind, item) : item)));
}

function plain(field: Field, given: readonly string[], decode: Decode): unknown {
  const { shape } = field;
  const last = given.at(-1) as string;
  if (shape.kind === 'list' || (shape.item && (given.length > 1 || /^[0-9]+(,[0-9]+)+$/.test(last)))) {
    const item = shape.item as GenericSchema;
    return elements(field, given, decode).map((each) =>
      'text' in each ? refusing(field, () => decode(field.flag, item, each.text)) : each.value,
    );
  }
  return scalar(field, last, decode);
}

/** Text still to be read, or a value that was JSON already. */
type Element = { text: string } | { value: unknown };

/** The elements of a list given as JSON, separated by commas, or one at a time. */
function elements(field: Field, given: readonly string[], decode: Decode): Element[] {
  return given.flatMap((text): Element[] => {
    const trimmed = text.trim();
    if (trimmed.startsWith('[')) {
      const list = scalar(field, trimmed, decode);
      if (Array.isArray(list)) return list.map((value: unknown) => ({ value }));
    }
    if (trimmed.startsWith('{'))
      return [{ value: scalar({ ...field, schema: field.shape.item ?? field.schema }, trimmed, decode) }];
    return trimmed.split(',').flatMap((part) => (part.trim() === '' ? [] : [{ text: part.trim() }]));
  });
}

function scalar(field: Field, text: string, decode: Decode, otherwise?: string): unknown {
  return refusing(field, () => decode(field.flag, field.schema, text), otherwise);
}

function reachOfMove(field: Field, text: string): string {
  const [, word] = /^(?:change_)?(one|later|all)$/.exec(text) ?? [];
  if (word === undefined) throw new UsageError(`${field.flag} must be one, later or all.`);
  return `change_${word}`;
}

function pointInTime(field: Field, text: string): number {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) {
    throw new UsageError(`${field.flag} must be UNIX seconds or a date such as 2030-01-31T09:00Z.`);
  }
  return Math.floor(milliseconds / 1000);
}

/** The codec's refusals are about what was typed: a usage error, not an answer of the chat. */
function refusing<T>(field: Field, work: () => T, otherwise?: string): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(otherwise ? `${field.flag} ${otherwise}.` : (error as Error).message);
  }
}

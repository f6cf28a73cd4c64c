import type { GenericSchema } from 'valibot';
import { UsageError } from '../failure.ts';
import { addressesIn, fileAt, namesIn, streamedFiles } from '../files.ts';
import type { LookupKind, Lookups } from '../lookups.ts';
import { ROLE_NAMES } from '../output/table.ts';
import { minutesIn, secondsIn, secondsOfDay } from './dates.ts';
import type { Shape } from './shape.ts';
import { fieldDataOf, NUMBERED, profileValue, ROLES, splitAssignment, textsByKey } from './values.ts';

/** How a typed text becomes the value that the API expects. */
export type Parser =
  | 'channel'
  | 'channels'
  | 'user'
  | 'users'
  | 'group'
  | 'groups'
  | 'folder'
  | 'folders'
  | 'role'
  /** A channel or users. Parsed together with the topic and the type. */
  | 'recipients'
  | 'emoji'
  /** `one`, `later`, `all` for what the API calls `change_one` and so on. */
  | 'propagate mode'
  | 'time'
  /** A time such as `tomorrow 9:00`. Parsed together with its time zone. */
  | 'moment'
  /** Seconds, or a number with a unit: `1h`. */
  | 'duration'
  /** Minutes, or a number with a unit: `7d`. `never` is null. */
  | 'validity'
  /** E-mail addresses, also from stdin or a file. */
  | 'addresses'
  /** Paths of files. Each file is read while it is sent. */
  | 'files'
  /** An e-mail invitation, by address or ID. */
  | 'invitation'
  /** A reusable invitation, by link or ID. */
  | 'invitation link'
  /** The key at the end of an invitation link, or the link itself. */
  | 'invitation key'
  /** The holders of a permission: groups by name or ID, users by e-mail address, or the object that the API takes. */
  | 'permission'
  /** Like `permission`, for `{ new, old }`. A plain value is the new value. */
  | 'permission change'
  /** A list of objects with a name. A plain word is the name. */
  | 'named objects'
  | 'profile field'
  | 'profile fields'
  /** A linkifier, by pattern or ID. */
  | 'linkifier'
  | 'linkifiers'
  | 'playground'
  /** A saved snippet, by title or ID. */
  | 'snippet'
  /** The type of a profile field, by name: `short-text`. */
  | 'field type'
  | 'bot type'
  | 'interface'
  /** The data of a profile field: options, a URL, or the object that the API takes. */
  | 'field data'
  /** Values of profile fields: `Favourite food=Soup`, repeatable. */
  | 'profile data'
  /** Texts by key: `visits=3`, repeatable, or the object that the API takes. */
  | 'texts by key';

/** The parser for a parameter name, in all operations. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  stream_id: 'channel',
  channel_folder_id: 'folder',
  folder_id: 'folder',
  user_id: 'user',
  user_ids: 'users',
  user_group_id: 'group',
  subscribers: 'users',
  principals: 'users',
  role: 'role',
};

/** The default parser of a parameter. `type` comes from `shapeOf`. */
export function parserFor(parameter: string, type: string): Parser | undefined {
  const isPermission = /^(can_.+_groups?|direct_message_.+_group|create_multiuse_invite_group)$/.test(parameter);
  if (isPermission) return type.startsWith('JSON') ? 'permission change' : 'permission';
  return PARSERS[parameter];
}

/** The command-line values by parameter. */
export type RawValues = Map<string, boolean | readonly string[]>;

/** Returns the value, which may need a lookup. Invalid values fail earlier, before any request. */
export type Resolver = (lookups: Lookups) => unknown;

export interface Field {
  name: string;
  /** The option, `--stream-id`. */
  flag: string;
  schema: GenericSchema;
  shape: Shape;
  parser?: Parser | undefined;
}

export type Decode = (name: string, schema: GenericSchema, raw: unknown) => unknown;

export const roleNamed = (name: string): number | undefined => ROLES[name.trim().toLowerCase()];

/** For help and error messages. */
export const ROLES_TO_CHOOSE = Object.values(ROLE_NAMES).join(', ');

const numbered = (field: Field, words: Record<string, number>, word: string, decode: Decode, choice?: string) =>
  words[word.toLowerCase()] ?? scalar(field, word, decode, `must be one of ${choice ?? Object.keys(words).join(', ')}`);

/** Parses the values for one parameter. `decode` is the text codec of the library. */
export function parseField(field: Field, given: boolean | readonly string[], decode: Decode): Resolver {
  if (typeof given === 'boolean') return () => given;
  const last = given.at(-1) as string;
  if (field.parser === 'files') return () => streamedFiles(given);
  if (field.shape.kind === 'file') return () => fileAt(last);
  switch (field.parser) {
    case 'channel':
    case 'user':
    case 'group':
    case 'profile field':
    case 'linkifier':
    case 'playground':
    case 'snippet':
    case 'invitation':
    case 'invitation link':
      return found(field.parser, last);
    case 'folder':
      // `null` removes the channel from its folder, if the parameter allows it.
      return last === 'null' ? constant(scalar(field, last, decode)) : found('folder', last);
    case 'channels':
    case 'users':
    case 'groups':
    case 'profile fields':
    case 'linkifiers':
    case 'folders':
      return foundAll(field, field.parser.slice(0, -1) as LookupKind, given, decode);
    case 'role':
      return constant(numbered(field, ROLES, last, decode, `${ROLES_TO_CHOOSE}, or a number`));
    case 'field type':
    case 'bot type':
    case 'interface':
      return constant(numbered(field, NUMBERED[field.parser], last, decode));
    case 'field data':
      return constant(last.trim().startsWith('{') ? scalar(field, last, decode) : fieldDataOf(given));
    case 'profile data':
      return profileData(field, given, decode);
    case 'texts by key':
      return constant(last.trim().startsWith('{') ? scalar(field, last, decode) : textsByKey(given));
    case 'time':
      return constant(/^-?[0-9]+$/.test(last) ? Number(last) : secondsOfDay(field.flag, last));
    case 'duration':
      return constant(scalar(field, secondsIn(last), decode));
    case 'validity':
      return constant(scalar(field, minutesIn(last), decode));
    case 'addresses':
      return () => addressesIn(given);
    case 'invitation key':
      return constant(last.trim().replace(/^.*\/join\/([\w-]+)\/?$/, '$1'));
    case 'emoji':
      return emoji(last);
    case 'propagate mode':
      return constant(propagateMode(field, last));
    case 'permission':
      return permission(field, given, decode);
    case 'permission change': {
      const change = permission(field, given, decode);
      return last.trim().startsWith('{') ? change : async (lookups) => ({ new: await change(lookups) });
    }
    case 'named objects': {
      const objects = listOf(field, given, decode);
      return constant(objects.map((value) => (typeof value === 'string' ? { name: value } : value)));
    }
    default:
      return constant(plain(field, given, decode));
  }
}

function constant(value: unknown): Resolver {
  return () => value;
}

function found(kind: LookupKind, text: string): Resolver {
  return (lookups) => lookups.id(kind, text);
}

/** Accepts `tada`, `:tada:` or the character. The API takes the name. */
function emoji(text: string): Resolver {
  const name = text.trim().replace(/^:(.+):$/, '$1');
  if (/^[\p{L}\p{N}_+-]+$/u.test(name)) return constant(name);
  return async () => {
    const { emojiNameOf } = await import('../../lib/internal.ts');
    // Reactions have no skin tones, but keyboards insert them.
    return emojiNameOf(name) ?? emojiNameOf(name.replace(/\p{Emoji_Modifier}/gu, '')) ?? name;
  };
}

function profileData(field: Field, given: readonly string[], decode: Decode): Resolver {
  const [first = ''] = given;
  if (given.length === 1 && first.trim().startsWith('[')) return constant(scalar(field, first, decode));
  for (const text of given) splitAssignment(text);
  return async (lookups) => {
    const data = [];
    for (const text of given) data.push(await profileValue(text, lookups));
    return data;
  };
}

/** `moderators`, `alice@example.com`, or several of these separated by commas. */
function permission(field: Field, given: readonly string[], decode: Decode): Resolver {
  const last = given.at(-1) as string;
  if (last.trim().startsWith('{')) return constant(scalar(field, last, decode));
  const names = given.flatMap((text) => text.split(',')).flatMap((name) => name.trim() || []);
  if (names.length === 0) throw new UsageError(`${field.flag} is empty.`, 'For no users, use the group "nobody".');
  const [group] = names;
  if (names.length === 1 && group !== undefined && !group.includes('@')) return found('group', group);
  return async (lookups) => {
    const holders = { direct_members: [] as number[], direct_subgroups: [] as number[] };
    for (const name of names) {
      if (name.includes('@')) holders.direct_members.push(await lookups.id('user', name));
      else holders.direct_subgroups.push(await lookups.id('group', name));
    }
    return holders;
  };
}

function foundAll(field: Field, kind: LookupKind, given: readonly string[], decode: Decode): Resolver {
  const items = listOf(field, given, decode);
  return async (lookups) => {
    const ids: unknown[] = [];
    for (const item of items) {
      const names = typeof item === 'string' ? await namesIn(item) : [];
      for (const name of names) ids.push(await lookups.id(kind, name));
      if (typeof item !== 'string') ids.push(item);
    }
    return ids;
  };
}

function plain(field: Field, given: readonly string[], decode: Decode): unknown {
  const { shape } = field;
  const last = given.at(-1) as string;
  if (shape.kind === 'list' || (shape.item && (given.length > 1 || /^[0-9]+(,[0-9]+)+$/.test(last)))) {
    const item = shape.item as GenericSchema;
    return elements(field, given, decode).map((each) =>
      'text' in each ? asUsageError(field, () => decode(field.flag, item, each.text)) : each.value,
    );
  }
  return scalar(field, last, decode);
}

const listOf = (field: Field, given: readonly string[], decode: Decode) =>
  elements(field, given, decode).map((each) => ('text' in each ? each.text : each.value));

/** A text to decode, or a value from JSON. */
type Element = { text: string } | { value: unknown };

/**
 * The elements of a list, given as JSON, separated by commas, or by repeating the option. An empty text is an error: a
 * shell variable may be unset.
 */
function elements(field: Field, given: readonly string[], decode: Decode): Element[] {
  if (given.every((text) => /^[\s,]*$/.test(text))) {
    throw new UsageError(`${field.flag} is empty.`, "Omit it, or use '[]' for an empty list.");
  }
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
  return asUsageError(field, () => decode(field.flag, field.schema, text), otherwise);
}

function propagateMode(field: Field, text: string): string {
  const [, mode] = /^(?:change_)?(one|later|all)$/.exec(text) ?? [];
  if (mode === undefined) throw new UsageError(`${field.flag} must be one, later or all.`);
  return `change_${mode}`;
}

/** Turns errors of the codec into usage errors: no request was sent. */
function asUsageError<T>(field: Field, work: () => T, otherwise?: string): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(otherwise ? `${field.flag} ${otherwise}.` : (error as Error).message);
  }
}

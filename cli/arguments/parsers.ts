import type { GenericSchema } from 'valibot';
import { ROLE_NAMES, roleName } from '../../lib/internal.ts';
import { UsageError } from '../failure.ts';
import { addressesIn, fileAt, namesIn, streamedFiles } from '../files.ts';
import type { LookupKind, Lookups } from '../lookups.ts';
import { DATE_FORMATS, minutesIn, secondsIn } from './durations.ts';
import type { Shape } from './shape.ts';
import {
  BOT_TYPES,
  FIELD_TYPES,
  fieldDataOf,
  INTERFACES,
  profileValue,
  splitAssignment,
  textsByKey,
} from './values.ts';

export type RawValues = Map<string, boolean | readonly string[]>;

/** Returns the value, which may need a lookup. Invalid values fail earlier, before any request. */
export type Resolver = (lookups: Lookups) => unknown;

export interface Field {
  name: string;
  /** The option, `--stream-id`. */
  flag: string;
  /** A shorter option, `-m, --message <text>`. */
  alias?: string | undefined;
  isInPath?: boolean;
  schema: GenericSchema;
  shape: Shape;
  parser?: Parser | undefined;
}

export type Decode = (name: string, schema: GenericSchema, raw: unknown) => unknown;

export const roleNamed = (name: string): number | undefined => ROLE_NAMES[name.trim().toLowerCase()];

export const ROLES = [...new Set(Object.values(ROLE_NAMES).map(roleName))];
export const ROLES_TO_CHOOSE = ROLES.join(', ');

interface Typed {
  field: Field;
  texts: readonly string[];
  last: string;
  /** The text codec of the library. */
  decode: Decode;
}

/** How a typed text becomes the value that the API expects. */
interface Declared {
  /** The format, for the help. */
  note?: string | undefined;
  /** Used in examples instead of an ID. */
  example?: string;
  parse(typed: Typed): Resolver;
}

const parser = (note: string | undefined, parse: Declared['parse']): Declared => ({ note, parse });
const named = (kind: LookupKind, example: string, note: string | undefined = 'name or ID') => ({
  ...parser(note, ({ last }) => found(kind, last)),
  example,
});
const severalNamed = (kind: LookupKind, example: string, note = 'names or IDs') => ({
  ...parser(note, (typed) => foundAll(kind, typed)),
  example,
});

const numbered = (words: Readonly<Record<string, number>>, choice: string, otherwise = choice) =>
  parser(choice, ({ field, last, decode }) =>
    constant(words[last.toLowerCase()] ?? scalar(field, last, decode, `must be one of ${otherwise}`)),
  );
const choicesIn = (words: object) => Object.keys(words).join(', ');

/** The object that the API takes, as JSON, or another form of it. */
const jsonOr = (parse: (texts: readonly string[]) => unknown) =>
  parser(undefined, ({ field, texts, last, decode }) =>
    constant(last.trim().startsWith('{') ? scalar(field, last, decode) : parse(texts)),
  );

const JOIN_LINK = 'https://chat.example.com/join/q1Zc7P0aXw9RkT3mB8vYdL2s/';

const DECLARED = {
  channel: named('channel', 'general'),
  channels: severalNamed('channel', 'general'),
  user: named('user', 'ben@example.com', 'e-mail address or ID'),
  users: severalNamed('user', 'ben@example.com', 'e-mail addresses or IDs; - for stdin, @file for a file'),
  bot: named('user', 'oracle-bot@example.com', 'e-mail address or ID'),
  group: named('group', 'support'),
  groups: severalNamed('group', 'moderators'),
  // `null` removes the channel from its folder, if the parameter allows it.
  folder: parser('name or ID', ({ field, last, decode }) =>
    last === 'null' ? constant(scalar(field, last, decode)) : found('folder', last),
  ),
  folders: severalNamed('folder', 'Teams'),
  'profile field': named('profile field', 'Favourite food'),
  'profile fields': severalNamed('profile field', 'Favourite food'),
  linkifier: named('linkifier', '#(?P<id>[0-9]+)', 'pattern or ID'),
  linkifiers: severalNamed('linkifier', '#(?P<id>[0-9]+)', 'patterns or IDs'),
  playground: named('playground', 'Rust playground'),
  snippet: { ...named('snippet', 'Greeting'), note: undefined },
  invitation: named('invitation', 'ben@example.com', 'e-mail address or ID'),
  'invitation link': named('invitation link', JOIN_LINK, 'link or ID'),
  'invitation key': parser('link, or the key at its end', ({ last }) =>
    constant(last.trim().replace(/^.*\/join\/([\w-]+)\/?$/, '$1')),
  ),
  /** With the topic and the type: `parseRecipients`. */
  recipients: parser('channel name or ID, or e-mail addresses or IDs of users', plain),
  role: numbered(ROLE_NAMES, ROLES_TO_CHOOSE, `${ROLES_TO_CHOOSE}, or a number`),
  'bot type': numbered(BOT_TYPES, choicesIn(BOT_TYPES)),
  interface: numbered(INTERFACES, choicesIn(INTERFACES)),
  'field type': { ...numbered(FIELD_TYPES, choicesIn(FIELD_TYPES)), note: undefined },
  'field data': jsonOr(fieldDataOf),
  'profile data': parser(undefined, profileData),
  'texts by key': jsonOr(textsByKey),
  emoji: parser('name, :name: or emoji character', ({ last }) => emoji(last)),
  'propagate mode': parser('one, later or all', ({ field, last }) => constant(propagateMode(field, last))),
  /** With its time zone: `parseMoment`. */
  moment: parser(DATE_FORMATS, plain),
  duration: parser('seconds, or 90s, 15m, 1h, 7d, 2w', ({ field, last, decode }) =>
    constant(scalar(field, secondsIn(last), decode)),
  ),
  validity: parser('minutes, or 90m, 12h, 7d, 2w, never', ({ field, last, decode }) =>
    constant(scalar(field, minutesIn(last), decode)),
  ),
  addresses: parser('separated by spaces or commas; - for stdin, @file for a file', (typed) => {
    return () => addressesIn(typed.texts);
  }),
  /** Each file is read while it is sent. */
  files: parser(undefined, (typed) => {
    return () => streamedFiles(typed.texts);
  }),
  permission: parser('groups or e-mail addresses', permission),
  /** A plain value is the new value of `{ new, old }`. */
  'permission change': parser('groups or e-mail addresses', (typed) => {
    const change = permission(typed);
    return typed.last.trim().startsWith('{') ? change : async (lookups) => ({ new: await change(lookups) });
  }),
  'named objects': parser('names, or JSON objects with a name', (typed) =>
    constant(listOf(typed).map((value) => (typeof value === 'string' ? { name: value } : value))),
  ),
};

export type Parser = keyof typeof DECLARED;

export const declaredParser = (parser: Parser): Declared => DECLARED[parser];

export const PARSERS: Readonly<Record<string, Parser>> = {
  stream_id: 'channel',
  channel_folder_id: 'folder',
  folder_id: 'folder',
  user_id: 'user',
  user_ids: 'users',
  user_group_id: 'group',
  subscribers: 'users',
  principals: 'users',
  muted_user_id: 'user',
  bot_id: 'bot',
  bot_owner_id: 'user',
  role: 'role',
  field_id: 'profile field',
  filter_id: 'linkifier',
  playground_id: 'playground',
  saved_snippet_id: 'snippet',
  invite_id: 'invitation',
  new_stream_announcements_stream_id: 'channel',
  scheduled_delivery_timestamp: 'moment',
};

/** Shorter options for parameters of several commands. */
export const FLAGS: Readonly<Record<string, string>> = {
  content: '-m, --message <text>',
  scheduled_delivery_timestamp: '--at <time>',
};

/** The default parser of a parameter. `type` comes from `shapeOf`. */
export function parserFor(parameter: string, type: string): Parser | undefined {
  const isPermission = /^(can_.+_groups?|direct_message_.+_group|create_multiuse_invite_group)$/.test(parameter);
  if (isPermission) return type.startsWith('JSON') ? 'permission change' : 'permission';
  return PARSERS[parameter] ?? (/_(limit|period)_seconds$/.test(parameter) ? 'duration' : undefined);
}

export function parseField(field: Field, given: boolean | readonly string[], decode: Decode): Resolver {
  if (typeof given === 'boolean') return () => given;
  const typed = { field, texts: given, last: given.at(-1) as string, decode };
  if (field.shape.kind === 'file' && field.parser !== 'files') return () => fileAt(typed.last);
  return field.parser ? DECLARED[field.parser].parse(typed) : plain(typed);
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

function profileData({ field, texts, last: first, decode }: Typed): Resolver {
  if (texts.length === 1 && first.trim().startsWith('[')) return constant(scalar(field, first, decode));
  for (const text of texts) splitAssignment(text);
  return (lookups) => Promise.all(texts.map((text) => profileValue(text, lookups)));
}

/** `moderators`, `alice@example.com`, or several of these separated by commas. */
function permission({ field, texts, last, decode }: Typed): Resolver {
  if (last.trim().startsWith('{')) return constant(scalar(field, last, decode));
  const names = texts.flatMap((text) => text.split(',')).flatMap((name) => name.trim() || []);
  if (names.length === 0) throw new UsageError(`${field.flag} is empty.`, 'For no users, use the group "nobody".');
  const [group] = names;
  if (names.length === 1 && group !== undefined && !group.includes('@')) return found('group', group);
  return async (lookups) => {
    const idsOf = (kind: LookupKind, some: string[]) => Promise.all(some.map((name) => lookups.id(kind, name)));
    const [users, groups] = [names.filter((name) => name.includes('@')), names.filter((name) => !name.includes('@'))];
    return { direct_members: await idsOf('user', users), direct_subgroups: await idsOf('group', groups) };
  };
}

function foundAll(kind: LookupKind, typed: Typed): Resolver {
  const items = listOf(typed);
  return async (lookups) => {
    const names = await Promise.all(items.map((item) => (typeof item === 'string' ? namesIn(item) : [item])));
    return Promise.all(names.flat().map((name) => (typeof name === 'string' ? lookups.id(kind, name) : name)));
  };
}

function plain(typed: Typed): Resolver {
  const { field, texts, last, decode } = typed;
  const { kind, item } = field.shape;
  const isList = kind === 'list' || (item && (texts.length > 1 || /^[0-9]+(,[0-9]+)+$/.test(last)));
  if (!isList) return constant(scalar(field, last, decode));
  const element = { ...field, schema: item as GenericSchema };
  return constant(elements(typed).map((each) => ('text' in each ? scalar(element, each.text, decode) : each.value)));
}

const listOf = (typed: Typed) => elements(typed).map((each) => ('text' in each ? each.text : each.value));

type Element = { text: string } | { value: unknown };

/** The elements of a list. An empty text is an error: a shell variable may be unset. */
function elements({ field, texts, decode }: Typed): Element[] {
  if (texts.every((text) => /^[\s,]*$/.test(text))) {
    throw new UsageError(`${field.flag} is empty.`, "Omit it, or use '[]' for an empty list.");
  }
  return texts.flatMap((text): Element[] => {
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

/** Turns errors of the codec into usage errors: no request was sent. */
function scalar({ flag, schema }: Field, text: string, decode: Decode, otherwise?: string): unknown {
  try {
    return decode(flag, schema, text);
  } catch (error) {
    throw new UsageError(otherwise ? `${flag} ${otherwise}.` : (error as Error).message);
  }
}

function propagateMode(field: Field, text: string): string {
  const [, mode] = /^(?:change_)?(one|later|all)$/.exec(text) ?? [];
  if (mode === undefined) throw new UsageError(`${field.flag} must be one, later or all.`);
  return `change_${mode}`;
}

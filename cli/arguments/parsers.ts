import type { GenericSchema } from 'valibot';
import { decodeText, present, ROLE_NAMES, roleName } from '../../lib/internal.ts';
import { UsageError } from '../failure.ts';
import { addressesIn, fileAt, namesIn, streamedFiles } from '../files.ts';
import { ifReadable, type LookupKind, type Lookups } from '../lookups.ts';
import { cut } from '../output/text.ts';
import { DATE_FORMATS, minutesIn, secondsIn } from './durations.ts';
import type { Shape } from './shape.ts';
import { FIELD_TYPES, fieldDataOf, fieldValue, partsOf, splitAssignment, textsByKey } from './values.ts';

type Raw = boolean | readonly string[];
export type RawValues = Map<string, Raw>;

/** Returns the value, which may need a lookup. Invalid values fail earlier, before any request. */
export type Resolver = (lookups: Lookups) => unknown;

export interface Field {
  name: string;
  /** The option, `--stream-id`. When the command runs: the option or argument that was typed. */
  flag: string;
  /** A shorter option, `-m, --message <text>`. */
  alias?: string | undefined;
  isInPath?: boolean;
  schema: GenericSchema;
  shape: Shape;
  parser?: Parser | undefined;
}

export const roleNamed = (name: string): number | undefined => ROLE_NAMES.get(name.trim().toLowerCase());

export const ROLES = [...new Set([...ROLE_NAMES.values()].map(roleName))];
export const ROLES_TO_CHOOSE = ROLES.join(', ');

interface Typed {
  field: Field;
  texts: readonly string[];
  last: string;
  /** Options of the command line, by commander's attribute names. */
  options: Readonly<Record<string, unknown>>;
}

/** How a typed text becomes the value that the API expects. */
interface Declared {
  /** The format, for the help. */
  note?: string | undefined;
  /** Used in examples instead of an ID. */
  example?: string;
  /** The records whose names complete a value. */
  kinds?: readonly LookupKind[];
  parse(typed: Typed): Resolver;
}

const parser = (help: string | Omit<Declared, 'parse'>, parse: Declared['parse']): Declared =>
  typeof help === 'string' ? { note: help, parse } : { ...help, parse };
const named = (kind: LookupKind, example: string, note = 'name or ID') =>
  parser({ note, example, kinds: [kind] }, ({ last }) => found(kind, last));
const severalNamed = (kind: LookupKind, example: string, note = 'names or IDs') =>
  parser({ note, example, kinds: [kind] }, (typed) =>
    foundAll(typed, async (lookups, item) => (isText(item) ? lookups.id(kind, item) : item)),
  );

const isText = (item: unknown) => typeof item === 'string';

const oneOf = (words: Readonly<Record<string, number>>, choice = Object.keys(words).join(', '), others = '') =>
  parser(choice, ({ field, last }) => {
    const known = new Map(Object.entries(words)).get(last.toLowerCase());
    return constant(known ?? scalar(field, last, `must be one of ${choice}${others}`));
  });

/** The object that the API takes, as JSON, or another form of it. */
const jsonOr = (parse: (texts: readonly string[]) => unknown) =>
  parser({}, ({ field, texts, last }) => constant(last.trim().startsWith('{') ? scalar(field, last) : parse(texts)));

const HOLDERS: Omit<Declared, 'parse'> = { note: 'groups or e-mail addresses', kinds: ['group'] };
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
  folder: parser({ note: 'name or ID', kinds: ['folder'] }, ({ field, last }) =>
    last === 'null' ? constant(scalar(field, last)) : found('folder', last),
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
  recipients: parser(
    { note: 'channel name or ID, or e-mail addresses or IDs of users', kinds: ['channel', 'user'] },
    plain,
  ),
  role: oneOf(Object.fromEntries(ROLE_NAMES), ROLES_TO_CHOOSE, ', or a number'),
  'bot type': oneOf({ generic: 1, 'incoming-webhook': 2, 'outgoing-webhook': 3 }),
  interface: oneOf({ zulip: 1, slack: 2 }),
  'field type': { ...oneOf(FIELD_TYPES), note: undefined },
  'field data': jsonOr(fieldDataOf),
  'profile data': parser({}, profileData),
  'texts by key': jsonOr(textsByKey),
  emoji: parser('name, :name: or emoji character', ({ last }) => emoji(last)),
  'propagate mode': parser('one, later or all', ({ field, last }) => {
    const [, mode] = /^(?:change_)?(one|later|all)$/.exec(last) ?? [];
    if (mode === undefined) throw new UsageError(`${field.flag} must be one, later or all.`);
    return constant(`change_${mode}`);
  }),
  /** With its time zone: `parseMoment`. */
  moment: parser(DATE_FORMATS, plain),
  duration: parser('seconds, or 90s, 15m, 1h, 7d, 2w', ({ field, last }) => constant(scalar(field, secondsIn(last)))),
  validity: parser('minutes, or 90m, 12h, 7d, 2w, never', ({ field, last }) =>
    constant(scalar(field, minutesIn(last))),
  ),
  addresses: parser('separated by spaces or commas; - for stdin, @file for a file', ({ texts }) => {
    return () => addressesIn(texts);
  }),
  /** Each file is read while it is sent. */
  files: parser({}, ({ texts }) => {
    return () => streamedFiles(texts);
  }),
  permission: parser(HOLDERS, permission),
  /** A plain value is the new value of `{ new, old }`. */
  'permission change': parser(HOLDERS, (typed) => {
    const change = permission(typed);
    return typed.last.trim().startsWith('{') ? change : async (lookups) => ({ new: await change(lookups) });
  }),
  'channel names': parser({ note: 'names or IDs', kinds: ['channel'] }, (typed) =>
    foundAll(typed, async (lookups, item) => {
      // The operation refuses unknown names.
      const channel = isText(item) ? await ifReadable(lookups.find('channel', item)) : undefined;
      return channel?.name ?? item;
    }),
  ),
  'new subscriptions': parser({ note: 'names or IDs, or JSON objects with a name', kinds: ['channel'] }, (typed) =>
    foundAll(typed, async (lookups, item) => {
      const given = (isText(item) ? { name: item } : item) as { name: string };
      const find = typed.options.create ? lookups.find : lookups.row;
      const channel = await find('channel', String(given.name), 'Add --create to create it.');
      return { ...given, name: channel?.name ?? given.name };
    }),
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
  moderation_request_channel_id: 'channel',
  scheduled_delivery_timestamp: 'moment',
};

/** Other options for parameters of several commands. One word for one thing. */
export const FLAGS: Readonly<Record<string, string>> = {
  user_ids: '--users <users>',
  principals: '--users <users>',
  subscribers: '--users <users>',
  content: '-m, --message <text>',
  scheduled_delivery_timestamp: '--at <time>',
};

/** Names of a parameter in other commands, in the API and in other programs. The help with `--full` lists them. */
export const OTHER_FLAGS: Readonly<Record<string, readonly string[]>> = {
  new_name: ['--name'],
  new_email: ['--email'],
  invite_only: ['--private', '--is-private'],
  is_private: ['--private', '--invite-only'],
  is_default_stream: ['--default'],
  stream_id: ['--channel', '--stream', '--channel-id'],
  stream_ids: ['--channels', '--streams', '--channel-ids'],
  to: ['--channel', '--stream'],
  topic: ['--topic-name', '--subject'],
  topic_name: ['--topic'],
  user_group_id: ['--group', '--group-id'],
  content: ['--text', '--body'],
  full_name: ['--name'],
};

/** The default parser of a parameter. `type` comes from `shapeOf`. */
export function parserFor(parameter: string, type: string): Parser | undefined {
  const isPermission = /^(can_.+_groups?|direct_message_.+_group|create_multiuse_invite_group)$/.test(parameter);
  if (isPermission) return type.startsWith('JSON') ? 'permission change' : 'permission';
  return PARSERS[parameter] ?? (/(_limit|_period|^ttl)_seconds$/.test(parameter) ? 'duration' : undefined);
}

export function parseField(field: Field, given: Raw, options: Typed['options'] = {}): Resolver {
  if (typeof given === 'boolean') return () => given;
  const typed = { field, texts: given, last: given.at(-1) ?? '', options };
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

function profileData({ field, texts, last: first }: Typed): Resolver {
  if (texts.length === 1 && first.trim().startsWith('[')) return constant(scalar(field, first));
  const assignments = texts.map((text) => splitAssignment(text));
  return async (lookups) => {
    const values = await Promise.all(assignments.map(({ name, value }) => fieldValue(name, value, lookups)));
    return values.map(({ id, value }) => ({ id, value }));
  };
}

/** `moderators`, `alice@example.com`, or several of these separated by commas. */
function permission({ field, texts, last }: Typed): Resolver {
  if (last.trim().startsWith('{')) return constant(scalar(field, last));
  if (texts.flatMap(partsOf).length === 0)
    throw new UsageError(`${field.flag} is empty.`, 'For no users, use the group "nobody".');
  return async (lookups) => {
    const holderOf = async (name: string) => {
      const kind = name.includes('@') ? 'user' : 'group';
      return { kind, id: await lookups.id(kind, name) };
    };
    const holders = (await Promise.all(texts.map((text) => eachOrWhole(text, partsOf(text), holderOf)))).flat();
    const [first, ...more] = holders;
    if (first?.kind === 'group' && more.length === 0) return first.id;
    const idsOf = (wanted: string) => holders.flatMap(({ kind, id }) => (kind === wanted ? id : []));
    return { direct_members: idsOf('user'), direct_subgroups: idsOf('group') };
  };
}

function foundAll<T>(typed: Typed, find: (lookups: Lookups, item: unknown) => Promise<T>): Resolver {
  const texts = typed.texts.filter(isFilled);
  if (texts.length === 0) throw emptyList(typed.field);
  const lists = texts.map((text) => elements({ ...typed, texts: [text] }, (part) => part));
  return async (lookups) => {
    const names = (item: unknown) => (typeof item === 'string' ? namesIn(item) : [item]);
    const all = lists.map(async (items, at) => {
      const parts = (await Promise.all(items.map(names))).flat();
      return eachOrWhole(present(texts[at]), parts, (part) => find(lookups, part));
    });
    return (await Promise.all(all)).flat();
  };
}

/** Finds each part of a list. If a part is unknown, the whole text may be one name with commas. */
async function eachOrWhole<P, T>(text: P, parts: readonly P[], find: (part: P) => Promise<T>): Promise<T[]> {
  try {
    return await Promise.all(parts.map(find));
  } catch (error) {
    const whole = parts.length > 1 ? await ifReadable(find(text)) : undefined;
    if (whole === undefined) throw error;
    return [whole];
  }
}

function plain(typed: Typed): Resolver {
  const { field, texts, last } = typed;
  const { kind, item } = field.shape;
  const isList = kind === 'list' || (item && (texts.length > 1 || /^[0-9]+(,[0-9]+)+$/.test(last)));
  if (!isList) return constant(scalar(field, last));
  const element = { ...field, schema: present(item) };
  return constant(elements(typed, (part) => scalar(element, part)));
}

const isFilled = (text: string) => /[^\s,]/.test(text);
const emptyList = ({ flag, shape }: Field) =>
  new UsageError(
    `${flag} is empty.`,
    shape.isOptional ? "Omit it, or use '[]' for an empty list." : 'Give at least one value.',
  );

/** The elements of a list. `read` is for those that are no JSON. An empty text is an error: a variable may be unset. */
function elements({ field, texts }: Typed, read: (part: string) => unknown): unknown[] {
  if (!texts.some(isFilled)) throw emptyList(field);
  return texts.flatMap((text): unknown[] => {
    const trimmed = text.trim();
    if (trimmed.startsWith('[')) {
      const list = scalar(field, trimmed);
      if (Array.isArray(list)) return list;
    }
    if (trimmed.startsWith('{')) return [scalar({ ...field, schema: field.shape.item ?? field.schema }, trimmed)];
    return partsOf(trimmed).map(read);
  });
}

/** Turns errors of the codec into usage errors: no request was sent. */
function scalar(field: Field, text: string, otherwise?: string): unknown {
  const { flag, schema, parser, shape } = field;
  try {
    return decodeText(flag, schema, text);
  } catch {
    if (otherwise) throw new UsageError(`${flag} ${otherwise}.`);
    const forms = (parser && DECLARED[parser].note) ?? shape.type.replaceAll('|', ', ');
    throw new UsageError(`${flag} cannot be ${JSON.stringify(cut(text, 60))}. Accepted: ${forms}.`);
  }
}

import type { Command, Option } from 'commander';
import type { Session } from '../lib/index.ts';
import type { Field } from './arguments/parsers.ts';
import { type ConnectionOptions, chooseConnection } from './connection.ts';
import { EXIT } from './failure.ts';
import { childNamed } from './names.ts';
import { openSession } from './open-session.ts';
import { fieldAt } from './operations/command.ts';
import { oneLine, ROLE_NAMES } from './output/text.ts';
import { profileNames, profilesFolder } from './profiles.ts';

/** Completions for the last word. `commands` if the last word is a command or an option. */
export async function completionOf(program: Command, words: readonly string[]): Promise<Completion | 'commands'> {
  const typed = words.at(-1) ?? '';
  const { command, position, pending, connection } = readWords(program, words.slice(0, -1));
  const spelled = /^(--[a-z][a-z-]*)=(.*)$/s.exec(typed);
  if (pending) return matching(await valuesOf(command, pending, connection), typed);
  if (spelled) {
    const [, flag = '', text = ''] = spelled;
    const found = matching(await valuesOf(command, flag, connection), text);
    return found === 'files' ? found : found.map(({ value, ...rest }) => ({ value: `${flag}=${value}`, ...rest }));
  }
  const field = fieldAt(command, position);
  if (typed.startsWith('-') || (!field && command.commands.length > 0)) return 'commands';
  if (field) {
    const below =
      position === 0 ? command.commands.map((child) => ({ value: child.name(), about: child.summary() })) : [];
    const found = await fieldValues(field, connection);
    return matching(found === 'files' ? found : [...below, ...found], typed);
  }
  const argument = command.registeredArguments[position] ?? command.registeredArguments.at(-1);
  const choices = argument?.argChoices?.map((value) => ({ value }));
  return choices ? matching(choices, typed) : argument ? 'files' : [];
}

/** Values that begin with the typed text. In a list, completes the part after the last comma. */
function matching(found: Completion, typed: string): Completion {
  if (found === 'files') return found;
  const whole = found.filter(({ value }) => value.startsWith(typed));
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  if (whole.length > 0 || before === '') return whole;
  return found
    .filter(({ value }) => value.startsWith(typed.slice(before.length)) && !value.includes(','))
    .map(({ value, ...rest }) => ({ value: before + value, ...rest }));
}

const optionOf = (command: Command, flag: string) => {
  for (let at: Command | null = command; at; at = at.parent) {
    const found = at.options.find(({ long, short }) => long === flag || short === flag);
    if (found) return found;
  }
  return undefined;
};

async function valuesOf(command: Command, flag: string, connection: ConnectionOptions): Promise<Completion> {
  const option = optionOf(command, flag);
  const field = option?.long ? fieldAt(command, option.long) : undefined;
  if (field) return fieldValues(field, connection);
  return option ? optionValues(option, connection) : [];
}

interface ParsedWords {
  command: Command;
  position: number;
  /** The option whose value comes next. */
  pending: string | undefined;
  connection: ConnectionOptions;
}

/** Reads the words before the one to complete. Ignores unknown options. */
function readWords(program: Command, words: readonly string[]): ParsedWords {
  const read: ParsedWords = { command: program, position: 0, pending: undefined, connection: {} };
  const set = (flag: string, value: string) => {
    const name = optionOf(read.command, flag)?.attributeName();
    if (name && CONNECTION.has(name)) Object.assign(read.connection, { [name]: value });
  };
  for (const word of words) {
    const spelled = /^(--[a-z-]+)=(.*)$/s.exec(word);
    if (read.pending) {
      set(read.pending, word);
      read.pending = undefined;
    } else if (spelled) set(spelled[1] as string, spelled[2] as string);
    else if (word.startsWith('-') && word !== '-') {
      if (optionOf(read.command, word)?.required) read.pending = word;
    } else {
      const child = read.position === 0 ? childNamed(read.command, word) : undefined;
      if (child) read.command = child;
      else read.position++;
    }
  }
  return read;
}

const CONNECTION = new Set(['db', 'schema', 'user', 'site', 'apiKey', 'configFile', 'profile']);

/** Possible values and their descriptions. `files`: the shell completes file names. */
export type Completion = 'files' | readonly { value: string; about?: string }[];

const PATIENCE_MS = 1_500;
/** With more values, shells ask before they list them. */
const MAX_VALUES = 500;

const FILES = new Set(['--db', '--config-file', '--input', '--results', '--csv', '--write-config', '--output']);

export async function optionValues(option: Option, connection: ConnectionOptions): Promise<Completion> {
  if (option.long !== undefined && FILES.has(option.long)) return 'files';
  if (option.argChoices) return option.argChoices.map((value) => ({ value }));
  if (option.long === '--role') return roles();
  if (option.long === '--user') return (await named(users, connection)).slice(0, MAX_VALUES);
  if (option.long === '--profile') return profileNames(profilesFolder()).map((value) => ({ value }));
  return /<(file|path)>/.test(option.flags) ? 'files' : [];
}

/** Values for an operation parameter: its choices, or names from the chat. Empty if these cannot be read. */
export async function fieldValues(field: Field, connection: ConnectionOptions): Promise<Completion> {
  const { parser, shape } = field;
  if (parser === 'role') return roles();
  if (parser === 'files' || shape.kind === 'file') return 'files';
  if (parser === 'propagate mode') return ['one', 'later', 'all'].map((value) => ({ value }));
  const list = LISTS[(parser ?? '').replace(/ change$/, '').replace(/s$/, '')];
  if (!list) return choicesIn(shape.type);
  return (await named(list, connection)).slice(0, MAX_VALUES);
}

const roles = () => Object.values(ROLE_NAMES).map((value) => ({ value }));

/** The choices in a type: `read|starred`, or `list of read|starred`. */
function choicesIn(type: string): Completion {
  const [, choices = ''] = /^(?:list of )?(\w+(?:\|\w+)+)$/.exec(type) ?? [];
  return choices.split('|').flatMap((value) => (value === '' ? [] : { value }));
}

type List = (session: Session) => Promise<{ value: string; about?: string }[]>;

const channels: List = async (session) =>
  (await session.channels.list()).streams.map(({ name, description }) => ({ value: name, about: description }));
const users: List = async (session) =>
  (await session.users.list()).members
    .filter(({ is_active }) => is_active)
    .map(({ email, delivery_email, full_name }) => ({ value: delivery_email ?? email, about: full_name }));
const groups: List = async (session) =>
  (await session.userGroups.list()).user_groups.map(({ name, description }) => ({ value: name, about: description }));

const LISTS: Readonly<Record<string, List>> = {
  channel: channels,
  'named object': channels,
  user: users,
  bot: users,
  group: groups,
  permission: groups,
  recipient: async (session) => [...(await channels(session)), ...(await users(session))],
  folder: async (session) => (await session.channelFolders.list()).channel_folders.map(({ name }) => ({ value: name })),
  'profile field': async (session) =>
    (await session.profileFields.list()).custom_fields.map(({ name }) => ({ value: name })),
};

/** Exits the process after `PATIENCE_MS`, so that the Tab key does not hang. */
async function named(list: List, options: ConnectionOptions) {
  const impatience = setTimeout(() => process.exit(EXIT.done), PATIENCE_MS).unref();
  try {
    const { session, close } = await openSession(chooseConnection({ ...options, wait: false }));
    try {
      return (await list(session)).map(({ value, about = '' }) => ({ value: oneLine(value), about: oneLine(about) }));
    } finally {
      await close();
    }
  } catch {
    return [];
  } finally {
    clearTimeout(impatience);
  }
}

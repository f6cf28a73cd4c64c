import type { Option } from 'commander';
import type { Session } from '../lib/index.ts';
import type { Field } from './arguments/parsers.ts';
import { type ConnectionOptions, chooseConnection } from './connection.ts';
import { EXIT } from './failure.ts';
import { openSession } from './open-session.ts';
import { oneLine } from './output/sanitize.ts';
import { ROLE_NAMES } from './output/table.ts';
import { profileNames, profilesFolder } from './profiles.ts';

/** Possible values and their descriptions. `files`: the shell completes file names. */
export type Completion = 'files' | readonly { value: string; about?: string }[];

/** Longest wait for a list of names. */
const PATIENCE_MS = 1_500;
/** With more values, shells ask before they list them. */
const MAX_VALUES = 500;

const FILES = new Set(['--db', '--config-file', '--input', '--results', '--csv', '--write-config', '--output']);

/** Values for an option that is not an operation parameter. */
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

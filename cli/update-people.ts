import type { Session } from '../lib/index.ts';
import type { ProfileValue } from './arguments/values.ts';
import type { Lookups } from './lookups.ts';
import type { Person } from './people-file.ts';

// `users import`: gives accounts the values of their lines.

/** Empty values of a line stay unchanged. Channels are added, never removed. */
export interface Wanted {
  line: number;
  user_id: number;
  person: Person;
  profile: readonly ProfileValue[];
}

/** The columns that changed, and why others were refused. */
export interface Change {
  changed: string[];
  reason?: string;
}

interface Update {
  session: Session;
  lookups: Lookups;
  isDryRun: boolean;
}

/** Sets only what differs, so that a second run changes nothing. @returns by line */
export async function updatePeople(update: Update, wanted: readonly Wanted[]): Promise<Map<number, Change>> {
  const changes = new Map(wanted.map(({ line }): [number, Change] => [line, { changed: [] }]));
  await editPeople(update, wanted, changes);
  const named = new Map(wanted.flatMap(({ person }) => person.channels ?? []).map((name) => [keyOf(name), name]));
  for (const [key, name] of named) {
    const joining = wanted.filter(({ person }) => person.channels?.some((one) => keyOf(one) === key));
    await subscribe(update, name, joining, changes);
  }
  return changes;
}

async function editPeople({ session, isDryRun }: Update, wanted: readonly Wanted[], changes: Map<number, Change>) {
  if (wanted.length === 0) return;
  const user_ids = wanted.map(({ user_id }) => user_id);
  const { members } = await session.users.list({ user_ids, include_custom_profile_fields: true });
  const present = new Map(members.map((user) => [user.user_id, user]));
  const edit = async ({ line, user_id, person, profile }: Wanted) => {
    const user = present.get(user_id);
    const { full_name, role = user?.role } = person;
    const now = (id: number) => textOf(user?.profile_data?.[id]?.value ?? '');
    const profile_data = profile.filter(({ id, value }) => now(id) !== textOf(value));
    const values = {
      ...(full_name !== user?.full_name && { full_name }),
      ...(role !== user?.role && { role }),
      ...(profile_data.length > 0 && { profile_data: profile_data.map(({ id, value }) => ({ id, value })) }),
    };
    const changed = Object.keys(values).filter((name) => name !== 'profile_data');
    const fields = profile_data.map(({ name }) => `profile:${name}`);
    if (changed.length + fields.length === 0) return;
    const target = isDryRun ? session.dryRun.users : session.users;
    const reason = await refusalOf(target.edit({ user_id, ...values } as Parameters<Session['users']['edit']>[0]));
    changes.set(line, reason === undefined ? { changed: [...changed, ...fields] } : { changed: [], reason });
  };
  await Promise.all(wanted.map(edit));
}

/** The API would create an unknown channel, so its name is looked up first. */
async function subscribe(
  { session, lookups, isDryRun }: Update,
  name: string,
  joining: readonly Wanted[],
  changes: Map<number, Change>,
): Promise<void> {
  const channel = await lookups.find('channel', name);
  const parameters = {
    subscriptions: [{ name: String(channel?.name) }],
    principals: joining.map(({ user_id }) => user_id),
    authorization_errors_fatal: true,
  };
  let subscribed: Readonly<Record<string, unknown>> = {};
  const add = async () => {
    const answer = isDryRun
      ? (await session.dryRun.subscriptions.add(parameters)).answer
      : await session.subscriptions.add(parameters);
    subscribed = answer.subscribed;
  };
  const isMissing = channel === undefined || channel.is_archived === true;
  const reason = isMissing ? `There is no active channel named "${name}".` : await refusalOf(add());
  for (const { line, user_id } of joining) {
    const change = changes.get(line);
    if (!change) continue;
    if (reason !== undefined) change.reason ??= reason;
    else if (Object.hasOwn(subscribed, user_id) && !change.changed.includes('channels'))
      change.changed.push('channels');
  }
}

/** The message of a refused request. Throws other errors. */
export async function refusalOf(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    const { ChatError } = await import('../lib/index.ts');
    if (!(error instanceof ChatError) || error.status >= 500 || [401, 429].includes(error.status)) throw error;
    return error.message;
  }
}

const keyOf = (name: string) => name.trim().toLowerCase();

/** Lists are stored as JSON. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).trim();

import { connect, type Session } from '../../lib/index.ts';

/** Calls of an account go through either process, as behind a load balancer. */
export interface Account {
  id: number;
  email: string;
  sessions: readonly [Session, Session];
}

export interface Population {
  owner: Account;
  members: readonly Account[];
  /** A user who is deactivated and reactivated. */
  spare: Account;
  /** All users are subscribed permanently. */
  open: number;
  /** The first half of the members, permanently. */
  closed: number;
  /** Users subscribe and unsubscribe. */
  changing: number;
}

/** Of the messages that were sent to all users. */
export function readersOf({ owner, members, spare }: Population, place: 'open' | 'closed'): number[] {
  return place === 'open' ? [owner, ...members, spare].map(({ id }) => id) : insiders(members).map(({ id }) => id);
}

export const insiders = (members: readonly Account[]) => members.slice(0, members.length / 2);

export async function populate(
  sites: readonly [string, string],
  { user_id, email, api_key }: { user_id: number; email: string; api_key: string },
  keyOf: (id: number) => Promise<string>,
): Promise<Population> {
  const account = (id: number, email: string, api_key: string): Account => ({
    id,
    email,
    sessions: [
      connect({ site: sites[0], email, api_key, client: 'Soak' }),
      connect({ site: sites[1], email, api_key, client: 'Soak' }),
    ],
  });
  const owner = account(user_id, email, api_key);
  const [session] = owner.sessions;
  // So that e-mails about missed messages do not fall due in the idle part.
  const soon = { email_notifications_batching_period_seconds: 1 };
  await session.userSettingsDefaults.edit(soon);
  await session.settings.edit(soon);
  const create = async (name: string) => {
    const address = `${name}@example.com`;
    const { user_id: id } = await session.users.create({ email: address, full_name: name });
    return account(id, address, await keyOf(id));
  };
  const members: Account[] = [];
  for (const name of ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal']) members.push(await create(name));
  const spare = await create('spare');
  const everybody = [owner, ...members, spare].map(({ id }) => id);
  const channel = async (name: string, subscribers: number[], invite_only = false) =>
    (await session.channels.create({ name, subscribers, invite_only })).id;
  return {
    owner,
    members,
    spare,
    open: await channel('open', everybody),
    closed: await channel(
      'closed',
      insiders(members).map(({ id }) => id),
      true,
    ),
    changing: await channel('changing', everybody),
  };
}

import { newAccount } from '../../../lib/domains/users/account-creation.ts';
import type { Chat, Storage } from '../../../lib/index.ts';
import { transportOf } from '../../../lib/internal.ts';
import { MEMBER } from '../../../lib/rules/roles.ts';

export interface Population {
  /** Accounts beside the owner. */
  people: number;
  /** How many accounts are subscribed to each channel. The owner is subscribed to all. */
  channels: readonly number[];
}

export interface Populated {
  owner: number;
  people: number[];
  channels: number[];
}

const GROUP = 500;

/** An organization of a given size. Accounts are inserted directly: operations need a transaction for each. */
export async function populate(chat: Chat, storage: Storage, { people, channels }: Population): Promise<Populated> {
  const { user_id: owner } = await chat.createOrganization({
    name: 'Lighthouse keepers',
    owner: { email: 'keeper@example.com', full_name: 'Head Keeper' },
  });
  const ids: number[] = [];
  for (let from = 0; from < people; from += GROUP) {
    await storage.write(async (tx) => {
      // A write may be repeated.
      ids.length = from;
      for (let n = from; n < Math.min(from + GROUP, people); n++) {
        const person = { email: `keeper${n}@example.com`, full_name: `Keeper ${n} of Skerry ${n % 97}` };
        ids.push(
          (await tx.users.create(newAccount({ ...person, role: MEMBER, now: transportOf(chat).engine.clock.now() })))
            .id,
        );
      }
    });
  }
  const made: number[] = [];
  for (const [at, size] of channels.entries()) {
    const { id } = await chat.as(owner).channels.create({
      name: `watch ${at}`,
      subscribers: [owner, ...ids.slice(0, size)],
    });
    made.push(id);
  }
  return { owner, people: ids, channels: made };
}

/** E-mail addresses and API keys of the first accounts. */
export async function keysOf(chat: Chat, { owner, people }: Populated, count: number) {
  const { members } = await chat.as(owner).users.list({ user_ids: people.slice(0, count), client_gravatar: false });
  const found: { email: string; key: string }[] = [];
  for (const { user_id, email } of members) found.push({ email, key: await chat.apiKeyOf(user_id) });
  return found;
}

import assert from 'node:assert/strict';
import { BadRequest } from '../../../../lib/internal.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

/** The key of an invitation that the set-up of a case keeps for its call. */
const kept = new WeakMap<World, string>();

export const keyOf = (world: World): string => {
  const key = kept.get(world);
  assert.ok(key, 'the set-up keeps a key');
  return key;
};

/** The key at the end of a link. */
export function keyIn(link: string | undefined): string {
  const key = /\/join\/([A-Za-z0-9]{25,})\/$/.exec(link ?? '')?.[1];
  assert.ok(key, `${link} is not the link of an invitation`);
  return key;
}

type Offer = Omit<Parameters<ReturnType<World['as']>['invites']['send']>[0], 'invitee_emails' | 'stream_ids'>;

export const HORATIO = 'Horatio@example.com';

/** Invites Horatio and returns the key. The owner gets the link from the list. */
export async function invite(
  world: World,
  as: UserName,
  offer: Offer & { stream_ids?: number[]; invitee_emails?: string } = {},
): Promise<string> {
  // Works also if `as` is another user in event truth tests.
  const owner = world.chat.as(world.users.owner);
  const before = new Set((await owner.invites.list()).invites.map(({ id }) => id));
  await world.as(as).invites.send({ invitee_emails: HORATIO, stream_ids: [], ...offer });
  const { invites } = await owner.invites.list({ include_links: true });
  const made = invites.find(({ id, is_multiuse }) => !is_multiuse && !before.has(id));
  if (!made?.link_url) throw new BadRequest('The owner, who hands out the link, is none any more.');
  const key = keyIn(made.link_url);
  kept.set(world, key);
  return key;
}

/** The ID of the latest invitation. */
export async function latestId(world: World): Promise<number> {
  const { invites } = await world.as('owner').invites.list();
  const id = invites.at(-1)?.id;
  assert.ok(id !== undefined, 'there is an invitation');
  return id;
}

/** Creates a reusable link and returns its key. */
export async function link(
  world: World,
  as: UserName,
  offer: Parameters<ReturnType<World['as']>['invites']['createMultiuse']>[0] = {},
): Promise<string> {
  const key = keyIn((await world.as(as).invites.createMultiuse(offer)).invite_link);
  kept.set(world, key);
  return key;
}

export function accept(
  world: World,
  key: string,
  given: { email?: string; full_name?: string; password?: string } = {},
) {
  return world.chat.anonymous().invites.accept({ key, full_name: 'Horatio', ...given });
}

/** Names of the channels to which a user is subscribed. */
export async function channelsOf(world: World, user_id: number): Promise<string[]> {
  const { subscriptions } = await world.chat.as(user_id).subscriptions.list();
  return subscriptions.map(({ name }) => name).sort();
}

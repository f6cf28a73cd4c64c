import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

/** A link that an administrator creates. */
export async function newLink({ as, users }: World, user: UserName): Promise<string> {
  return (await as('owner').users.createResetLink({ user_id: users[user] })).reset_link;
}

export const tokenOf = (link = '') => /\/accounts\/password\/reset\/([\w-]+)\/$/.exec(link)?.[1] ?? '';

const tokens = new WeakMap<World, string>();

/** Creates a link for a case. The call of the case has its token. */
export const givenLink = (user: UserName) => async (world: World) => {
  tokens.set(world, tokenOf(await newLink(world, user)));
};

export const givenToken = (world: World) => tokens.get(world) ?? '';

/** URLs in a text. */
export const linksIn = (text = '') => text.match(/https?:\/\/\S+/g) ?? [];

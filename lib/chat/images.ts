import { BadRequest } from '../base/errors.ts';
import { type CatalogueOperation, operationNamed } from '../catalogue.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import { GENERATED_AVATARS, identicon, mediumAvatarUrl, UNKNOWN_AVATAR } from '../views/avatars.ts';

const GENERATED = new RegExp(`^${GENERATED_AVATARS}/([0-9a-f]{32})(-medium)?\\.png$`);
const SMALL_PX = 100;
const MEDIUM_PX = 500;

export const emojiImage = ({ storage }: Engine, fileName: string) =>
  storage.read((tx) => tx.customEmoji.image(fileName));

/** The icon or a logo of the organization, by file name. */
export const organizationImage = ({ storage }: Engine, fileName: string) =>
  storage.read((tx) => tx.organizationPictures.image(fileName));

/** The PNG of an uploaded or generated avatar, by its path after `/user_avatars/`. */
export async function avatarImage({ storage }: Engine, path: string): Promise<Uint8Array | undefined> {
  const [, seed, medium] = GENERATED.exec(path) ?? [];
  if (seed !== undefined) return identicon(seed, medium ? MEDIUM_PX : SMALL_PX);
  return (await storage.read((tx) => tx.avatars.image(path)))?.bytes;
}

/** Avatar URL of an account, by ID or address. A placeholder if the caller cannot see the account. */
export async function avatarUrl(
  engine: Engine,
  caller: Caller,
  named: string,
  { isMedium }: { isMedium: boolean },
): Promise<string> {
  const url = await avatarOf(engine, caller, named);
  if (url === undefined) return new URL(engine.options.baseUrl).pathname.replace(/\/+$/, '') + UNKNOWN_AVATAR;
  return isMedium ? mediumAvatarUrl(url) : url;
}

interface AvatarOwner {
  avatar_url: string;
}

async function avatarOf(engine: Engine, caller: Caller, named: string): Promise<string | undefined> {
  const call = <A>(name: CatalogueOperation['name'], values: object) =>
    engine.call(operationNamed(name), caller, { ...values, client_gravatar: false }) as Promise<A>;
  const user_id = /^[0-9]{1,15}$/.test(named) ? Number(named) : undefined;
  if (caller.userId === null) {
    const user_ids = user_id === undefined ? [] : [user_id];
    const { members } = await call<{ members: AvatarOwner[] }>('users.list', { user_ids });
    return members[0]?.avatar_url;
  }
  try {
    const { user } = await (user_id === undefined
      ? call<{ user: AvatarOwner }>('users.getByEmail', { email: named })
      : call<{ user: AvatarOwner }>('users.get', { user_id }));
    return user.avatar_url;
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { codePoints } from '../../kernel/schemas.ts';
import { MAX_GROUP_NAME_LENGTH, unprintableAt } from '../../rules/names.ts';

/** Prefixes of mentions, links and system groups. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

/** Trims and validates the name of a group. Throws if it is empty, too long, reserved or unprintable. */
export function groupName(given: string): string {
  const name = given.trim();
  if (name === '') throw new BadRequest('A user group needs a name.');
  if (codePoints(name) > MAX_GROUP_NAME_LENGTH) {
    throw new BadRequest(`The name of a user group can have at most ${MAX_GROUP_NAME_LENGTH} characters.`);
  }
  const prefix = RESERVED.find((reserved) => name.startsWith(reserved));
  if (prefix) throw new BadRequest(`The name of a user group cannot begin with "${prefix}".`);
  const bad = unprintableAt(name);
  if (bad !== undefined) throw new BadRequest(`Character ${bad} of the group's name is not allowed.`);
  return name;
}

/**
 * Throws if another group has the name, even a deactivated group. Ignores case, as mentions of groups do.
 */
export async function checkGroupNameIsFree(
  { tx }: Pick<ReadContext, 'tx'>,
  name: string,
  holder?: number,
): Promise<void> {
  const other = (await tx.groups.headsByNames([name])).find((group) => group.id !== holder);
  if (!other) return;
  const which = other.deactivated ? 'A deactivated user group' : 'A user group';
  throw new BadRequest(`${which} named "${other.name}" already exists.`);
}

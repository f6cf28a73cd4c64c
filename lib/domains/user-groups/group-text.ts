import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { codePoints } from '../../kernel/schemas.ts';
import { MAX_GROUP_NAME_LENGTH, unprintableAt } from '../../rules/names.ts';

/** What mentions, links and the groups of the system begin with. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

/** A group's name as it is stored: trimmed. Throws where it is empty, too long, reserved or cannot be shown. */
export function groupName(given: string): string {
  const name = given.trim();
  if (name === '') throw new BadRequest('A user group needs a name.');
  if (codePoints(name) > MAX_GROUP_NAME_LENGTH) {
    throw new BadRequest(`The name of a user group has ${MAX_GROUP_NAME_LENGTH} characters at most.`);
  }
  const prefix = RESERVED.find((reserved) => name.startsWith(reserved));
  if (prefix) throw new BadRequest(`The name of a user group cannot begin with "${prefix}".`);
  const bad = unprintableAt(name);
  if (bad !== undefined) throw new BadRequest(`Character ${bad} of the group's name cannot be used.`);
  return name;
}

/**
 * Throws where another group has the name, be it a deactivated one or the same but for case: mentions
 * find groups without regard to case.
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

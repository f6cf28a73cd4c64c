import { emailToken, storeEmailChange } from '../../../../lib/domains/users/settings/email-change.ts';
import type { Organization } from '../../../../lib/model/organization.ts';
import type { User } from '../../../../lib/model/users.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

/** The token of a link that confirms the address. */
export function newToken({ storage, users, clock }: World, user: UserName, email: string): Promise<string> {
  return storage.write(async (tx) => {
    const organization = (await tx.organization.get()) as Organization;
    const account = (await tx.users.byId(users[user])) as User;
    return emailToken(organization, await storeEmailChange({ tx, organization, now: clock.now() }, account, email));
  });
}

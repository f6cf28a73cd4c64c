import { hash, randomBytes } from 'node:crypto';
import { deriveKey, sameKey } from '../../../access/api-keys.ts';
import type { ReadContext, Services } from '../../../kernel/context.ts';
import type { Invitation } from '../../../storage/interface/invitations.ts';
import type { Organization } from '../../../storage/interface/organization.ts';

/** 24 letters and digits: 142 bits. */
const SECRET_LENGTH = 24;

/** In bytes. */
const SEED_LENGTH = 16;

/** Input for the keys of invitations. Useless without the organization's secret. */
export const newSeed = () => randomBytes(SEED_LENGTH).toString('hex');

type Keyed = Pick<Invitation, 'id' | 'seed' | 'is_numbered'>;

/**
 * The key of an invitation: the ID in base 36, and a secret of fixed length. It is derived, so that the link can be
 * shown again although the database does not store it.
 */
export function invitationKey(organization: Organization, { id, seed, is_numbered }: Keyed): string {
  if (!is_numbered) return deriveKey(organization.secret, `invitation:${seed}`, SECRET_LENGTH);
  return id.toString(36) + deriveKey(organization.secret, `invitation:${seed}:${id}`, SECRET_LENGTH);
}

/** The invitation with a key, even if the invitation has ended. */
export async function findInvitation({ tx }: Pick<ReadContext, 'tx'>, key: string): Promise<Invitation | undefined> {
  const number = key.slice(0, -SECRET_LENGTH);
  if (number === '') return tx.invitations.byKeyHash(hashOfKey(key));
  const id = /^[1-9a-z][0-9a-z]*$/.test(number) ? Number.parseInt(number, 36) : 0;
  const invitation = Number.isSafeInteger(id) ? await tx.invitations.byId(id) : undefined;
  // In a dry run, the context has a random secret that matches no existing key. So read the stored organization.
  const organization = await tx.organization.get();
  if (!organization) return undefined;
  // Does the same work for unknown IDs, so that the response time does not reveal which IDs exist.
  const expected = invitationKey(organization, invitation ?? { id, seed: '', is_numbered: true });
  return sameKey(key, expected) && invitation?.is_numbered ? invitation : undefined;
}

export const hashOfKey = (key: string) => hash('sha256', key, 'hex');

export function invitationLink({ options }: Services, key: string): string {
  return `${options.baseUrl}/join/${key}/`;
}

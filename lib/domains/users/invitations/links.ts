import { hash, randomBytes } from 'node:crypto';
import { deriveKey, sameKey } from '../../../access/api-keys.ts';
import type { ReadContext, Services } from '../../../kernel/context.ts';
import type { Invitation } from '../../../storage/interface/invitations.ts';
import type { Organization } from '../../../storage/interface/organization.ts';

/** 24 letters and digits: 142 bits. */
const SECRET_LENGTH = 24;

/** Bytes. */
const SEED_LENGTH = 16;

/** What the keys of invitations are derived from; by itself it opens nothing. */
export const newSeed = () => randomBytes(SEED_LENGTH).toString('hex');

type Keyed = Pick<Invitation, 'id' | 'seed' | 'is_numbered'>;

/**
 * The key of an invitation, derived so that its link can be shown again and stands nowhere in the database: the id
 * in base 36, and a secret of fixed length.
 */
export function invitationKey(organization: Organization, { id, seed, is_numbered }: Keyed): string {
  if (!is_numbered) return deriveKey(organization.secret, `invitation:${seed}`, SECRET_LENGTH);
  return id.toString(36) + deriveKey(organization.secret, `invitation:${seed}:${id}`, SECRET_LENGTH);
}

/** The invitation with a key, whatever has become of it. */
export async function findInvitation({ tx }: Pick<ReadContext, 'tx'>, key: string): Promise<Invitation | undefined> {
  const number = key.slice(0, -SECRET_LENGTH);
  if (number === '') return tx.invitations.byKeyHash(hashOfKey(key));
  const id = /^[1-9a-z][0-9a-z]*$/.test(number) ? Number.parseInt(number, 36) : 0;
  const invitation = Number.isSafeInteger(id) ? await tx.invitations.byId(id) : undefined;
  // A dry run is given another secret, with which no key that is out would be right.
  const organization = await tx.organization.get();
  if (!organization) return undefined;
  // As much is done where there is none, so that nobody learns by the time which ids there are.
  const expected = invitationKey(organization, invitation ?? { id, seed: '', is_numbered: true });
  return sameKey(key, expected) && invitation?.is_numbered ? invitation : undefined;
}

export const hashOfKey = (key: string) => hash('sha256', key, 'hex');

export function invitationLink({ options }: Services, key: string): string {
  return `${options.baseUrl}/join/${key}/`;
}

import { hash, randomBytes } from 'node:crypto';
import { deriveKey } from '../../../access/api-keys.ts';
import type { Services } from '../../../kernel/context.ts';
import type { Organization } from '../../../storage/interface/organization.ts';

/** 24 letters and digits: 142 bits. */
const KEY_LENGTH = 24;

/** Bytes. */
const SEED_LENGTH = 16;

/** What the keys of invitations are derived from; by themselves they open nothing. */
export function newSeeds(count: number): string[] {
  const bytes = randomBytes(count * SEED_LENGTH);
  return Array.from({ length: count }, (_, at) => bytes.toString('hex', at * SEED_LENGTH, (at + 1) * SEED_LENGTH));
}

/** The key of an invitation, derived so that its link can be shown again and stands nowhere in the database. */
export function invitationKey(organization: Organization, seed: string): string {
  return deriveKey(organization.secret, `invitation:${seed}`, KEY_LENGTH);
}

export const hashOfKey = (key: string) => hash('sha256', key, 'hex');

export function invitationLink({ options }: Services, key: string): string {
  return `${options.baseUrl}/join/${key}/`;
}

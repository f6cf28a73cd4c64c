import { createHash, randomBytes } from 'node:crypto';
import { deriveKey } from '../../../access/api-keys.ts';
import type { Services } from '../../../kernel/context.ts';
import type { Organization } from '../../../storage/interface/organization.ts';

/** 24 letters and digits: 142 bits. */
const KEY_LENGTH = 24;

/** What the key of an invitation is derived from; by itself it opens nothing. */
export const newSeed = () => randomBytes(16).toString('hex');

/** The key of an invitation, derived so that its link can be shown again and stands nowhere in the database. */
export function invitationKey(organization: Organization, seed: string): string {
  return deriveKey(organization.secret, `invitation:${seed}`, KEY_LENGTH);
}

export const hashOfKey = (key: string) => createHash('sha256').update(key).digest('hex');

export function invitationLink({ options }: Services, key: string): string {
  return `${options.baseUrl}/join/${key}/`;
}

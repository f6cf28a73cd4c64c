import { hash } from 'node:crypto';
import type { Organization } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';

/** The ID of an account at relays: stable and unique. */
export function accountUuid({ id }: Pick<User, 'id'>, { uuid }: Pick<Organization, 'uuid'>): string {
  const digits = hash('sha256', `${uuid}:${id}`);
  // Version 8: custom format.
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

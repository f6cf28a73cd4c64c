import * as v from 'valibot';
import { describe } from '../kernel/schemas.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { User } from '../storage/interface/users.ts';

/** What somebody has in a custom profile field. */
export const profileValue = v.object({
  value: describe(v.string(), 'As text, also of a list of people: `[7,9]`.'),
  rendered_value: v.optional(describe(v.string(), 'HTML, of fields that are Markdown.')),
});

export type ProfileValue = v.InferOutput<typeof profileValue>;

/** By the id of the field. */
export type ProfileData = Record<string, ProfileValue>;

/** What the account has in the fields that the organization has. */
export function profileData(
  user: Pick<User, 'profile_data'>,
  { profile_fields }: Pick<Organization, 'profile_fields'>,
): ProfileData {
  if (user.profile_data === '{}' || profile_fields.length === 0) return {};
  return JSON.parse(user.profile_data) as ProfileData;
}

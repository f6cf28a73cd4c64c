import * as v from 'valibot';
import { describe } from '../kernel/schemas.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { User } from '../storage/interface/users.ts';

/** The value of a custom profile field. */
export const profileValue = v.object({
  value: describe(v.string(), 'A string; also for a list of users, such as `[7,9]`.'),
  rendered_value: v.optional(describe(v.string(), 'HTML. Only for fields with Markdown.')),
});

export type ProfileValue = v.InferOutput<typeof profileValue>;

/** By field ID. */
export type ProfileData = Record<string, ProfileValue>;

/** The account's values of the organization's fields. */
export function profileData(
  user: Pick<User, 'profile_data'>,
  { profile_fields }: Pick<Organization, 'profile_fields'>,
): ProfileData {
  if (user.profile_data === '{}' || profile_fields.length === 0) return {};
  return JSON.parse(user.profile_data) as ProfileData;
}

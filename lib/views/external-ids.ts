import * as v from 'valibot';
import { FieldLocked } from '../base/errors.ts';
import { falseByDefault, optional, text } from '../base/schemas.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { organizationSetting } from '../rules/organization-settings.ts';
import { isAdministrator } from '../rules/roles.ts';

export const externalId = v.pipe(text(255), v.minLength(1, 'must not be empty'));

/** Strict clients refuse fields that they do not know, so they get the ID only on request. */
export const externalIdParams = {
  include_external_ids: falseByDefault('Include `external_id`. Only administrators get it.'),
};

/** For the result of an operation that shows a record to administrators. Events and the initial state do not have it. */
export const externalIdEntries = {
  external_id: optional(
    v.string(),
    'ID in the embedding program (`chat.sync`). Only with `include_external_ids`, and absent if there is none.',
  ),
};

export function externalIdFor(
  viewer: Pick<User, 'role'> | undefined,
  { include_external_ids }: { include_external_ids: boolean },
  { external_id }: { external_id: string | null },
): { external_id?: string } {
  const isShown = include_external_ids && viewer !== undefined && isAdministrator(viewer);
  return isShown && external_id !== null ? { external_id } : {};
}

interface Mirrored {
  external_id: string | null;
}

/** A field of records with an external ID that can be locked. `name` also locks names of channels and groups. */
export type MirroredField = 'name' | 'email' | 'role' | 'is_active' | 'profile' | 'channels' | 'groups';

export const MIRRORED_FIELDS = [
  'name',
  'email',
  'role',
  'is_active',
  'profile',
  'channels',
  'groups',
] as const satisfies readonly MirroredField[];

/**
 * For memberships: `field` is locked for users of `members` in these places. `chat.sync` itself works without locks.
 * @throws FieldLocked if only `chat.sync` may change the field of one of the records
 */
export function checkUnlocked(
  { organization }: { organization: Organization },
  field: MirroredField,
  records: readonly Mirrored[],
  members?: readonly Mirrored[],
): void {
  const context = { organization };
  const isAnyLocked = (some: readonly Mirrored[]) => some.some((record) => isLocked(context, field, record));
  if (isAnyLocked(records) && (members === undefined || isAnyLocked(members))) throw new FieldLocked(field);
}

/** Whether only `chat.sync` may change the field of a record. */
export const isLocked = (
  { organization }: { organization: Organization },
  field: MirroredField,
  { external_id }: Mirrored,
): boolean => external_id !== null && organizationSetting(organization, 'mirror_locks').includes(field);

/** For the program itself: fields are locked for others only. */
export function withoutLocks<C extends { organization: Organization }>(context: C): C {
  const { organization } = context;
  return { ...context, organization: { ...organization, settings: { ...organization.settings, mirror_locks: [] } } };
}

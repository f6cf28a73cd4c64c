import * as v from 'valibot';
import { optional } from '../base/schemas.ts';
import type { User } from '../model/users.ts';
import { isAdministrator } from '../rules/roles.ts';

/** For the result of an operation that shows a record to administrators. Events and the initial state do not have it. */
export const externalIdEntries = {
  external_id: optional(
    v.nullable(v.string()),
    'ID in the embedding program (`chat.sync`). null: it has none. Only for administrators.',
  ),
};

export function externalIdFor(
  viewer: Pick<User, 'role'> | undefined,
  { external_id }: { external_id: string | null },
): { external_id?: string | null } {
  return viewer && isAdministrator(viewer) ? { external_id } : {};
}

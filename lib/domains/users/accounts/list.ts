import * as v from 'valibot';
import { ids, optional } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator, roomsOf } from '../../../rules/roles.ts';
import { externalIdEntries, externalIdParams } from '../../../views/external-ids.ts';
import { unknownUserView, userObject, userView, userViewParams } from '../../../views/user-view.ts';
import { secondFactorEntries, secondFactorParams, secondFactorsFor } from './second-factors.ts';

export const listUsers = defineOperation({
  name: 'users.list',
  http: 'GET /users',
  summary: 'List the accounts of the organization',
  description:
    'People and bots, active and deactivated. Restricted guests get placeholders for people they cannot see. Callers without an account get all accounts, but no profile fields.',
  access: 'spectator',
  forRooms: true,
  params: {
    client_gravatar: v.optional(userViewParams.client_gravatar.wrapped),
    include_custom_profile_fields: userViewParams.include_custom_profile_fields,
    ...externalIdParams,
    ...secondFactorParams,
    user_ids: optional(ids, 'Return only these accounts. Unknown IDs are skipped.'),
  },
  result: v.object({
    members: v.array(v.object({ ...userObject.entries, ...externalIdEntries, ...secondFactorEntries })),
  }),
  async run(context, { user_ids, include_external_ids, include_second_factor, ...given }) {
    const { tx, actor } = context;
    const options = {
      client_gravatar: given.client_gravatar ?? actor !== undefined,
      // Profile fields are only for users with an account.
      include_custom_profile_fields: given.include_custom_profile_fields && actor !== undefined,
    };
    const viewsOf = async (users: readonly User[]) => {
      const secondFactor = include_second_factor ? await secondFactorsFor(context, users) : undefined;
      return users.map((user) => ({
        ...userView(context, user, { ...options, include_external_ids }),
        ...secondFactor?.(user),
      }));
    };
    const visible = await context.viewer?.visibleUserIds();
    if (user_ids) {
      const users = (await tx.users.byIds(user_ids)).filter(
        (user) => !user.is_system_bot && (!visible || visible.has(user.id)),
      );
      return { members: await viewsOf(users) };
    }
    const accounts = await context.accounts();
    if (include_second_factor && actor && isAdministrator(actor))
      return { members: await viewsOf(accounts.all().filter((user) => !user.is_system_bot)) };
    if (!visible) return { members: accounts.json(actor, options, { externalIds: include_external_ids }) };
    // A token that is limited to rooms gets no placeholders: their number and IDs are not of its rooms.
    const isListed = ({ id }: User) => !(actor && roomsOf(actor)) || visible.has(id);
    const members = accounts.all().filter((user) => !user.is_system_bot && isListed(user));
    return {
      members: members.map((user) =>
        visible.has(user.id) ? userView(context, user, options) : unknownUserView(context, user, options),
      ),
    };
  },
});

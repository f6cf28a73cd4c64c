import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, list, text } from '../../../kernel/schemas.ts';
import { MEMBER, ROLES } from '../../../rules/roles.ts';
import type { Role } from '../../../storage/interface/users.ts';
import { createPeople } from '../account-import.ts';

/** All accounts are created in one transaction, and other writers wait for it. */
const MAX_PEOPLE = 2_000;
const MAX_CHANNELS_EACH = 100;
const MAX_NAME = 1_000;

export const createManyUsers = defineOperation({
  name: 'users.createMany',
  http: 'POST /users/many',
  summary: 'Create accounts for many people at once',
  description:
    'Administrators only. Each row is created, exists already or fails with its own reason. A failed row does not stop the others. Existing accounts are not changed. No passwords are set.',
  example: { people: [{ email: 'ben@example.com', full_name: 'Ben', channels: ['general'] }] },
  access: 'administrator',
  effect: 'write',
  params: v.object({
    people: describe(
      list(
        v.strictObject(
          {
            email: text(MAX_NAME),
            full_name: text(MAX_NAME),
            role: v.optional(choice(ROLES), MEMBER),
            channels: v.optional(list(text(MAX_NAME), MAX_CHANNELS_EACH)),
          },
          'must be an object with email and full_name, and optionally role and channels',
        ),
        MAX_PEOPLE,
      ),
      `At most ${MAX_PEOPLE} rows: e-mail address, name, role (default 400) and names of channels to join besides the default channels.`,
    ),
  }),
  result: v.object({
    people: describe(
      v.array(
        v.object({
          user_id: describe(v.nullable(v.number()), 'null if there is no account.'),
          outcome: describe(
            v.picklist(['created', 'exists', 'deactivated', 'failed']),
            'deactivated: the account exists but cannot sign in.',
          ),
          reason: describe(v.optional(v.string()), 'Why the row failed.'),
        }),
      ),
      'One result per row, in the order of the request.',
    ),
  }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { people }) {
    return { people: await createPeople(context, people as WithRole[]) };
  },
});

type WithRole = { email: string; full_name: string; role: Role; channels?: string[] };

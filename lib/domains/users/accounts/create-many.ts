import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, list, text } from '../../../kernel/schemas.ts';
import { MEMBER, ROLES } from '../../../rules/roles.ts';
import type { Role } from '../../../storage/interface/users.ts';
import { createPeople } from '../account-import.ts';

/** What one transaction creates while others wait for it. */
const MAX_PEOPLE = 2_000;
const MAX_CHANNELS_EACH = 100;
const MAX_NAME = 1_000;

export const createManyUsers = defineOperation({
  name: 'users.createMany',
  http: 'POST /users/many',
  summary: 'Create accounts for many people at once',
  description:
    'Administrators only. Each is created, or exists already and stays as they are, or fails for a reason of their own, which keeps none of the others. Nobody gets a password.',
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
      `At most ${MAX_PEOPLE}: address, name, role (default 400), and names of channels beside the default ones.`,
    ),
  }),
  result: v.object({
    people: describe(
      v.array(
        v.object({
          user_id: describe(v.nullable(v.number()), 'null: there is no account.'),
          outcome: describe(
            v.picklist(['created', 'exists', 'deactivated', 'failed']),
            'deactivated: exists, and cannot sign in.',
          ),
          reason: describe(v.optional(v.string()), 'Why it failed.'),
        }),
      ),
      'What became of each, in the order given.',
    ),
  }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { people }) {
    return { people: await createPeople(context, people as WithRole[]) };
  },
});

type WithRole = { email: string; full_name: string; role: Role; channels?: string[] };

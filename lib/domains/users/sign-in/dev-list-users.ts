import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator, isBot } from '../../../rules/roles.ts';

const account = v.object({ email: describe(v.string(), 'The real e-mail address.'), realm_url: v.string() });

export const devListUsers = defineOperation({
  name: 'devListUsers',
  http: 'GET /dev_list_users',
  summary: 'List the accounts of a development server for its login page',
  description: 'Works only if development mode is enabled. Clients offer these accounts for `devFetchApiKey`.',
  access: 'anyone',
  result: v.object({
    direct_admins: describe(v.array(account), 'Active owners and administrators, oldest account first.'),
    direct_users: describe(v.array(account), 'The other active people, oldest account first.'),
  }),
  extent: () => 'large',
  errors: [BadRequest],
  async run({ accounts, services }) {
    const { development, baseUrl } = services.options;
    if (!development) throw new BadRequest('This is not a development server. Sign in with a password instead.');
    const people = (await accounts()).all().filter((user) => user.is_active && !isBot(user));
    const viewOf = ({ delivery_email }: User) => ({ email: delivery_email, realm_url: baseUrl });
    return {
      direct_admins: people.filter(isAdministrator).map(viewOf),
      direct_users: people.filter((user) => !isAdministrator(user)).map(viewOf),
    };
  },
});

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Role } from '../../../lib/model/users.ts';
import { ADMINISTRATOR, OWNER } from '../../../lib/rules/roles.ts';
import { testOn } from '../../support/engines.ts';
import { bothEngines } from '../../world/copies.ts';
import { beforeTransaction, twoProcesses } from '../../world/processes.ts';

const osric = { email: 'osric@example.com', full_name: 'Osric' };

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`accounts whose caller changes between two transactions, on ${engine.name}`, () => {
    test('an owner who is demoted while a password is hashed creates no owner', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { administrator: user_id } = here.users;
      await there.as('owner').users.edit({ user_id, role: OWNER });
      const create = (role: Role) =>
        here.as('administrator').users.create({ ...osric, password: 'correct horse battery staple', role });
      beforeTransaction(here, 'write', () => there.as('owner').users.edit({ user_id, role: ADMINISTRATOR }));
      await assert.rejects(create(OWNER), { code: 'UNAUTHORIZED_PRINCIPAL' });
      assert.ok((await create(ADMINISTRATOR)).user_id > 0);
    });
  });
}

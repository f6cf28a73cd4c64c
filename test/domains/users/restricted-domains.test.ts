import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testOn } from '../../support/engines.ts';
import { featureEngines } from '../../world/copies.ts';
import { allow, restrict } from '../organization/allowed-domains/allowing.ts';
import { accept, link } from './invitations/keys.ts';

const refused = { code: 'BAD_REQUEST', message: /only addresses of its allowed domains/ };

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`addresses restricted to domains, on ${engine.name}`, () => {
    test('an address outside the allowed domains gets no account by any operation; existing accounts stay', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const key = await link(world, 'owner');
      await restrict(world);
      const owner = world.as('owner');
      const email = 'osric@example.com';
      const person = { email, full_name: 'Osric' };
      await assert.rejects(owner.users.create(person), refused);
      await assert.rejects(owner.users.ensure(person), refused);
      const { people } = await owner.users.createMany({
        people: [person, { ...person, email: 'osric@castle.example' }],
      });
      assert.deepEqual(
        people.map(({ outcome }) => outcome),
        ['failed', 'created'],
      );
      await assert.rejects(accept(world, key, { email }), refused);
      await assert.rejects(owner.invites.send({ invitee_emails: email, stream_ids: [] }), {
        code: 'INVITATION_FAILED',
      });
      await world.mayChangeAddresses('owner');
      const user_id = world.users.hamlet;
      await assert.rejects(owner.users.edit({ user_id, new_email: email }), refused);
      await owner.users.edit({ user_id, new_email: 'HAMLET@example.com' });
      assert.equal((await owner.users.ensure({ email: world.emails.cordelia, full_name: 'Cordelia' })).is_new, false);
      await accept(world, key, { email: 'Laertes@Castle.Example', full_name: 'Laertes' });
    });

    test('subdomains are allowed only with allow_subdomains, and addresses with a plus sign never', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      await restrict(world, 'castle.example');
      await allow(world, 'example.net', true);
      const owner = world.as('owner');
      const invite = (invitee_emails: string) => owner.invites.send({ invitee_emails, stream_ids: [] });
      for (const bad of ['a@sub.castle.example', 'a@notcastle.example', 'a@badexample.net', 'a+b@castle.example']) {
        await assert.rejects(invite(bad), { code: 'INVITATION_FAILED' }, bad);
      }
      await invite('a@castle.example, b@example.net, c@deep.sub.example.net');
    });

    test('the restriction cannot be turned on without an allowed domain', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const owner = world.as('owner');
      await assert.rejects(owner.organization.edit({ emails_restricted_to_domains: true }), {
        message: /list of allowed domains is empty/,
      });
      await allow(world);
      await owner.organization.edit({ emails_restricted_to_domains: true });
      await assert.rejects(world.as('administrator').organization.edit({ emails_restricted_to_domains: false }), {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    });
  });
}

import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

interface Finding {
  caller: string;
  text: string;
  is_unusual: boolean;
}

const unusual = ({ findings }: { findings: Finding[] }) =>
  findings.filter(({ is_unusual }) => is_unusual).map(({ text }) => text);

/** As `createOrganization` stores it. */
const asForCustomers = ({ storage }: World) =>
  storage.write(async (tx) => {
    const organization = await tx.organization.get();
    await tx.organization.update({ settings: { ...organization?.settings, audience: 'customers' } });
  });

export const auditOrganizationCases = cases('organization.audit', [
  {
    name: 'in the organization of a team, nothing is unusual',
    as: 'administrator',
    call: ['organization.audit'],
    returns: { audience: 'team' },
    state: async (_, answer) => {
      assert.deepEqual(unusual(answer), []);
      assert.ok(answer.findings.some(({ text }: Finding) => text === 'Guests see the names of all users.'));
      assert.ok(answer.findings.some(({ text }: Finding) => text === 'Callers without an account read no messages.'));
    },
  },
  {
    name: 'channels in which customers read each other are unusual',
    as: 'administrator',
    given: async (world) => {
      await asForCustomers(world);
      const { user_id } = await world.as('owner').users.create({ email: 'g@example.com', full_name: 'Gil', role: 600 });
      await world.as('owner').channels.archive({ stream_id: world.channels.default });
      await world
        .as('hamlet')
        .subscriptions.add({ subscriptions: [{ name: CHANNELS.webPublic }], principals: [user_id] });
    },
    call: ['organization.audit'],
    returns: { audience: 'customers' },
    state: async ({ settings, as, users }, answer) => {
      const found = unusual(answer);
      const shared = `Guests read the messages of other guests in "${CHANNELS.webPublic}". Topics have no permissions.`;
      assert.ok(found.includes(shared), found.join('\n'));
      assert.ok(found.includes('Guests write direct messages to each other.'));
      const people = systemGroupId('role:members');
      await settings({ can_access_all_users_group: people, direct_message_permission_group: people });
      await settings({ send_channel_events_messages: false });
      await as('owner').subscriptions.remove({ subscriptions: [CHANNELS.webPublic], principals: [users.guest] });
      const after = unusual(await as('owner').organization.audit());
      // The addresses of accounts that were created before.
      assert.deepEqual(after.length, 1, after.join('\n'));
      assert.match(after[0] ?? '', /^Guests see the e-mail addresses of \d+ accounts/);
    },
  },
  {
    name: 'what members may do follows the permissions, and bots and deactivated accounts show no addresses',
    as: 'owner',
    given: async ({ settings, storage, users }) => {
      await settings({
        can_create_public_channel_group: systemGroupId('role:nobody'),
        can_create_private_channel_group: systemGroupId('role:members'),
        can_invite_users_group: systemGroupId('role:members'),
        can_add_subscribers_group: systemGroupId('role:nobody'),
      });
      await storage.write(async (tx) => {
        for (const user of Object.values(users)) await tx.users.update(user, { email_visibility: 2 });
        for (const user of [users.deactivated, users.bot]) await tx.users.update(user, { email_visibility: 1 });
      });
    },
    call: ['organization.audit'],
    returns: { audience: 'team' },
    state: async (_, { findings }) => {
      const texts = findings.map(({ text }: Finding) => text);
      assert.ok(texts.includes('Members can create private channels, invite users.'), texts.join('\n'));
      assert.ok(!texts.some((text: string) => /^Guests see the e-mail addresses of [1-9]/.test(text)));
    },
  },
  {
    name: 'a moderator is refused',
    as: 'moderator',
    call: ['organization.audit'],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

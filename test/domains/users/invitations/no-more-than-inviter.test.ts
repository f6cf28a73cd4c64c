import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { openChat, sqlite } from '../../../../lib/index.ts';
import { testOn } from '../../../support/engines.ts';
import { featureEngines } from '../../../world/copies.ts';
import type { World } from '../../../world/world.ts';
import { accept, channelsOf, invite, keyIn, latestId, link } from './keys.ts';

const unusable = (reason: string) => ({ code: 'INVITATION_UNUSABLE', data: { reason } });

for (const engine of featureEngines) {
  const on = testOn(engine);
  /** A separate world in which members can create reusable links. */
  const test = (name: string, work: (world: World) => Promise<void>) =>
    on(name, async () => {
      const world = await engine.world();
      try {
        await world.settings({ create_multiuse_invite_group: 6 });
        await work(world);
        assert.deepEqual(world.failures, []);
      } finally {
        await world.close();
      }
    });

  const people = async ({ as }: World) =>
    (await as('owner').users.list()).members.filter(({ is_bot }) => !is_bot).length;

  const role = async ({ as }: World, user_id: number) => (await as('owner').users.get({ user_id })).user.role;

  describe(`limits of invitations by the permissions of their inviter, on ${engine.name}`, () => {
    test('invitations and links of a deactivated inviter are refused', async (world) => {
      const keys = [await invite(world, 'hamlet'), await link(world, 'hamlet')];
      await world.as('owner').users.deactivate({ user_id: world.users.hamlet });
      for (const key of keys) {
        await assert.rejects(accept(world, key, { email: 'horatio@example.com' }), unusable('revoked'));
        await assert.rejects(world.chat.anonymous().invites.preview({ key }), unusable('revoked'));
      }
    });

    test('an invitation is refused while its inviter may not invite', async (world) => {
      const key = await invite(world, 'hamlet');
      await world.settings({ can_invite_users_group: 4 });
      await assert.rejects(accept(world, key), unusable('revoked'));
      await world.settings({ can_invite_users_group: 6 });
      await accept(world, key);
    });

    test('a reusable link is refused when its inviter may no longer create links; e-mail invitations work', async (world) => {
      const key = await link(world, 'hamlet');
      const invited = await invite(world, 'hamlet');
      await world.settings({ create_multiuse_invite_group: 4 });
      await assert.rejects(accept(world, key, { email: 'osric@example.com' }), unusable('revoked'));
      await accept(world, invited);
    });

    test('an invitation of an inviter who became a guest is refused', async (world) => {
      const key = await invite(world, 'hamlet', { invite_as: 600 });
      await world.as('owner').users.edit({ user_id: world.users.hamlet, role: 600 });
      await assert.rejects(accept(world, key), unusable('revoked'));
    });

    test("an invitation to a role above the inviter's present role is refused", async (world) => {
      const administrator = await invite(world, 'administrator', { invite_as: 200 });
      const guest = await invite(world, 'administrator', { invitee_emails: 'osric@example.com', invite_as: 600 });
      const count = await people(world);
      await world.as('owner').users.edit({ user_id: world.users.administrator, role: 400 });
      await assert.rejects(accept(world, administrator), unusable('revoked'));
      assert.equal(await people(world), count);
      const { user_id } = await accept(world, guest);
      assert.equal(await role(world, user_id), 600);
    });

    test('an invitation keeps its role when its inviter becomes an owner', async (world) => {
      const key = await invite(world, 'hamlet');
      await world.as('owner').users.edit({ user_id: world.users.hamlet, role: 100 });
      assert.equal(await role(world, (await accept(world, key)).user_id), 400);
    });

    test('an invitation leaves out a channel that became private without the inviter', async (world) => {
      const { channels } = world;
      const key = await invite(world, 'moderator', { stream_ids: [channels.public, channels.quiet] });
      await world.as('owner').channels.edit({ stream_id: channels.public, is_private: true });
      const { channels: shown } = await world.chat.anonymous().invites.preview({ key });
      assert.deepEqual(shown, ['Norway']);
      assert.deepEqual(await channelsOf(world, (await accept(world, key)).user_id), ['Norway']);
    });

    test('an invitation leaves out a private channel the inviter left, in the preview too', async (world) => {
      const key = await invite(world, 'cordelia', { stream_ids: [world.channels.protected] });
      await world.as('cordelia').subscriptions.remove({ subscriptions: ['Vault'] });
      assert.deepEqual((await world.chat.anonymous().invites.preview({ key })).channels, []);
      assert.deepEqual(await channelsOf(world, (await accept(world, key)).user_id), []);
    });

    test('an invitation leaves out channels the inviter may no longer subscribe others to', async (world) => {
      const key = await invite(world, 'hamlet', {
        stream_ids: [world.channels.public],
        include_realm_default_subscriptions: true,
      });
      await world.settings({ can_add_subscribers_group: 2 });
      assert.deepEqual(await channelsOf(world, (await accept(world, key)).user_id), ['Square']);
    });

    test('an invitation leaves out an archived channel', async (world) => {
      const key = await link(world, 'owner', { stream_ids: [world.channels.public, world.channels.quiet] });
      await world.as('owner').channels.archive({ stream_id: world.channels.quiet });
      const { user_id } = await accept(world, key, { email: 'osric@example.com' });
      assert.deepEqual(await channelsOf(world, user_id), ['Denmark']);
    });

    test('an invitation leaves out deactivated groups and groups the inviter may no longer add members to', async (world) => {
      const { groups, users, as } = world;
      const can_add_members_group = { new: { direct_members: [users.hamlet], direct_subgroups: [] } };
      for (const user_group_id of [groups.kitchen, groups.hamletcharacters]) {
        await as('owner').userGroups.edit({ user_group_id, can_add_members_group });
      }
      const key = await invite(world, 'hamlet', {
        group_ids: [groups.kitchen, groups.hamletcharacters],
      });
      await as('owner').userGroups.edit({ user_group_id: groups.kitchen, can_add_members_group: { new: 1 } });
      await as('owner').userGroups.deactivate({ user_group_id: groups.hamletcharacters });
      assert.deepEqual((await world.chat.anonymous().invites.preview({ key })).groups, []);
      const { user_id } = await accept(world, key);
      const { members } = await as('owner').userGroups.members({ user_group_id: groups.kitchen });
      assert.ok(!members.includes(user_id));
    });

    test('a group of an invitation gives the new user access to its private channels', async (world) => {
      const { groups, channels, as } = world;
      await as('moderator').subscriptions.add({
        subscriptions: [{ name: 'Council' }],
        principals: [world.users.owner],
      });
      await as('owner').channels.edit({ stream_id: channels.shared, can_subscribe_group: { new: groups.kitchen } });
      const key = await invite(world, 'owner', { group_ids: [groups.kitchen] });
      const { user_id } = await accept(world, key);
      assert.deepEqual(await world.chat.as(user_id).channels.getId({ stream: 'Council' }), {
        stream_id: channels.shared,
      });
    });

    test('concurrent acceptances of one invitation create one account', async (world) => {
      const key = await invite(world, 'hamlet');
      const count = await people(world);
      const outcomes = await Promise.allSettled([accept(world, key), accept(world, key), accept(world, key)]);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'INVITATION_UNUSABLE');
      }
      assert.equal(await people(world), count + 1);
    });

    test('concurrent acceptances of two invitations to one address create one account', async (world) => {
      const keys = [await invite(world, 'hamlet'), await invite(world, 'cordelia')];
      const outcomes = await Promise.allSettled(keys.map((key) => accept(world, key)));
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    test('an invitation that expires while the password is hashed is refused', async (world) => {
      const key = await invite(world, 'hamlet', { invite_expires_in_minutes: 1 });
      const accepting = accept(world, key, { password: 'correct horse battery' });
      // Acceptance has read the invitation. Hashing takes longer than the remaining time.
      world.clock.advance({ seconds: 60 });
      await assert.rejects(accepting, unusable('expired'));
    });

    test('the invitation key of one organization is refused by another in the same process', async (world) => {
      const other = await openChat({ storage: sqlite(':memory:') });
      try {
        const owner = { email: 'owner@example.com', full_name: 'Owner' };
        const session = other.as(await other.createOrganization({ name: 'Other', owner }));
        const { invite_link } = await session.invites.createMultiuse();
        const key = await link(world, 'owner');
        const person = { full_name: 'Osric', email: 'osric@example.com' };
        await assert.rejects(other.anonymous().invites.accept({ key, ...person }), unusable('unknown'));
        await assert.rejects(accept(world, keyIn(invite_link), person), unusable('unknown'));
        await accept(world, key, person);
      } finally {
        await other.close();
      }
    });

    test("a revoked reusable link is refused, and the inviter's other links work", async (world) => {
      const first = await link(world, 'hamlet');
      const invite_id = await latestId(world);
      const second = await link(world, 'hamlet');
      await world.as('hamlet').invites.revokeMultiuse({ invite_id });
      await assert.rejects(accept(world, first, { email: 'osric@example.com' }), unusable('revoked'));
      await accept(world, second, { email: 'osric@example.com' });
    });

    test('a dry run of creating a reusable link returns a link that never works', async (world) => {
      const { answer } = await world.as('owner').dryRun.invites.createMultiuse();
      const key = /join\/(\w+)/.exec(answer.invite_link)?.[1] ?? '';
      await link(world, 'owner');
      await assert.rejects(accept(world, key, { email: 'osric@example.com' }), unusable('unknown'));
    });

    test('a dry run of accepting an invitation creates no account and leaves the invitation pending', async (world) => {
      const key = await invite(world, 'hamlet');
      const { answer } = await world.chat.anonymous().dryRun.invites.accept({ key, full_name: 'Horatio' });
      const { api_key, user_id } = await accept(world, key);
      assert.notEqual(answer.api_key, api_key);
      assert.equal(await world.chat.apiKeyOf(user_id), api_key);
    });
  });
}

import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { newToken } from './email-links.ts';

const tokens = new WeakMap<World, string>();
const asked =
  (email: string, then: (world: World) => Promise<unknown> = async () => undefined) =>
  async (world: World) => {
    tokens.set(world, await newToken(world, 'hamlet', email));
    await then(world);
  };
const call: Case['call'] = ['settings.confirmEmail', (world) => ({ token: tokens.get(world) ?? '' })];
const refused = (name: string, given: Case['given'], says: RegExp): Case => ({
  name,
  as: 'anonymous',
  given,
  call,
  refuses: { code: 'BAD_REQUEST', says },
});

export const confirmEmailCases = cases('settings.confirmEmail', [
  {
    name: 'the link changes the address of the account, and all who see the address get the event',
    as: 'anonymous',
    given: asked('prince@example.com'),
    call,
    returns: { email: 'prince@example.com' },
    events: ({ users }) => {
      const person = { user_id: users.hamlet, delivery_email: 'prince@example.com' };
      const renamed = {
        type: 'realm_user',
        op: 'update',
        person: { user_id: users.hamlet, new_email: 'prince@example.com' },
      };
      return {
        hamlet: [renamed, { type: 'realm_user', op: 'update', person }],
        cordelia: [renamed, { type: 'realm_user', op: 'update', person }],
      };
    },
    state: async (world) => {
      const user = await world.storage.read((tx) => tx.users.byEmail('prince@example.com'));
      assert.deepEqual([user?.id, user?.is_email_verified], [world.users.hamlet, false]);
      const again = world.chat.anonymous().settings.confirmEmail({ token: tokens.get(world) ?? '' });
      await assert.rejects(again, { code: 'BAD_REQUEST' });
    },
  },
  refused('an unknown token is refused', async () => undefined, /does not work/),
  refused(
    'a link is refused after 24 hours',
    asked('prince@example.com', async ({ clock }) => clock.advance({ seconds: 86_400 })),
    /does not work/,
  ),
  refused(
    'a link is refused after the account was deactivated and reactivated',
    asked('prince@example.com', async ({ as, users }) => {
      await as('owner').users.deactivate({ user_id: users.hamlet });
      await as('owner').users.reactivate({ user_id: users.hamlet });
    }),
    /does not work/,
  ),
  refused(
    'a link is refused after another one was requested',
    asked('prince@example.com', (world) =>
      world.storage.write((tx) => tx.passwordResets.endChanges(world.users.hamlet)),
    ),
    /does not work/,
  ),
  refused(
    'a link is refused when another account has got the address since',
    asked('prince@example.com', ({ storage, users }) =>
      storage.write((tx) => tx.users.update(users.cordelia, { delivery_email: 'prince@example.com' })),
    ),
    /in use/,
  ),
  refused(
    'a link is refused when members may no longer change addresses',
    asked('prince@example.com', (world) => world.settings({ email_changes_disabled: true })),
    /Only administrators/,
  ),
  refused(
    'a link is refused for a deactivated account',
    asked('prince@example.com', ({ as, users }) => as('owner').users.deactivate({ user_id: users.hamlet })),
    /does not work/,
  ),
]);

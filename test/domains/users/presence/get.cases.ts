import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { seconds } from './list.cases.ts';

const cordeliaIsActive = ({ as }: World) => as('cordelia').presence.report({ status: 'active' });

const refused = (name: string, of: (world: World) => string, says: RegExp, given?: Case['given']): Case => ({
  name,
  as: 'hamlet',
  ...(given ? { given } : {}),
  call: ['presence.get', (world) => ({ user_id_or_email: of(world) })],
  refuses: { code: 'BAD_REQUEST', says },
});

export const getPresenceCases = cases('presence.get', [
  {
    name: 'the presence of a user by ID has only status and timestamp',
    as: 'hamlet',
    given: cordeliaIsActive,
    call: ['presence.get', ({ users }) => ({ user_id_or_email: String(users.cordelia) })],
    returns: (world) => ({
      presence: {
        aggregated: { status: 'active', timestamp: seconds(world), client: ABSENT },
        website: { status: 'active', timestamp: seconds(world), client: ABSENT, pushable: ABSENT },
      },
    }),
  },
  {
    name: 'a user is found by address, whatever its case',
    as: 'bot',
    given: ({ as }) => as('hamlet').presence.report({ status: 'idle' }),
    call: ['presence.get', { user_id_or_email: 'hamlet@EXAMPLE.com' }],
    returns: { presence: { aggregated: { status: 'idle' }, website: { status: 'idle' } } },
  },
  {
    name: 'a user is offline 201 seconds after their last report',
    as: 'hamlet',
    given: async (world) => {
      await cordeliaIsActive(world);
      world.clock.advance({ seconds: 201 });
    },
    call: ['presence.get', ({ emails }) => ({ user_id_or_email: emails.cordelia })],
    returns: { presence: { aggregated: { status: 'offline' }, website: { status: 'active' } } },
  },
  {
    name: 'a user is still active 200 seconds after their last report',
    as: 'hamlet',
    given: async (world) => {
      await cordeliaIsActive(world);
      world.clock.advance({ seconds: 200 });
    },
    call: ['presence.get', ({ emails }) => ({ user_id_or_email: emails.cordelia })],
    returns: { presence: { aggregated: { status: 'active' } } },
  },
  refused('a user who never reported presence is refused', ({ emails }) => emails.cordelia, /No presence is known/),
  refused('an unknown user ID is refused', () => '999999', /no user with ID 999999/),
  refused('an unknown address is refused', () => 'x@example.com', /x@example\.com/),
  refused('a bot is refused as the user', ({ users }) => String(users.bot), /Bots/),
  refused('a deactivated user is refused', ({ users }) => String(users.deactivated), /deactivated/),
  refused('an address of more than 320 characters is refused', () => 'x'.repeat(321), /limit: 320/),
  refused(
    'any user is refused when the organization turned presence off',
    ({ emails }) => emails.cordelia,
    /No presence is known/,
    async (world) => {
      await cordeliaIsActive(world);
      await world.settings({ presence_disabled: true });
    },
  ),
  {
    name: 'a hidden user is refused as unknown to a restricted guest',
    as: 'guest',
    given: async (world) => {
      await world.as('moderator').presence.report({ status: 'active' });
      await world.settings({ can_access_all_users_group: systemGroupId('role:members') });
    },
    call: ['presence.get', ({ users }) => ({ user_id_or_email: String(users.moderator) })],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
]);

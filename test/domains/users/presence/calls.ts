import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'presence.list': () => ({}),
  'presence.report': () => ({ status: 'active' }),
  'presence.get': async ({ as, users }) => {
    await as('moderator').presence.report({ status: 'active' });
    return { user_id_or_email: String(users.moderator) };
  },
};

export const changes: Changes = {
  'presence.report': {
    'a user who is active': ({ as }) => as('hamlet').presence.report({ status: 'active' }),
    'a user who is idle and then active': async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'idle' });
      clock.advance({ seconds: 10 });
      await as('cordelia').presence.report({ status: 'active', ping_only: true });
    },
    'a user who returns after a while': async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'active' });
      clock.advance({ seconds: 201 });
      await as('hamlet').presence.report({ status: 'idle' });
    },
    'a guest who is active': ({ as }) => as('guest').presence.report({ status: 'active' }),
  },
};

export const statements: ScalingCalls = {
  'presence.list': ({ world }) => world.as('hamlet').presence.list(),
};

export const stored: Stored = (tx) => tx.presences.changedSince(0);

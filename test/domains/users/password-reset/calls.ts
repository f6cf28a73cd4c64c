import { type Changes, type PlainCalls, type ScalingCalls, type Stored, UNSEEN } from '../../../world/calls.ts';
import { newLink, tokenOf } from './links.ts';

export const matrix: PlainCalls = {
  'passwords.requestReset': () => ({ email: 'hamlet@example.com' }),
  'passwords.checkReset': async (world) => ({ token: tokenOf(await newLink(world, 'hamlet')) }),
  'passwords.reset': async (world) => ({
    token: tokenOf(await newLink(world, 'hamlet')),
    new_password: 'the play is the thing',
  }),
  'users.createResetLink': ({ users }) => ({ user_id: users.cordelia }),
};

export const changes: Changes = {
  'passwords.requestReset': UNSEEN,
  'passwords.reset': UNSEEN,
  'users.createResetLink': UNSEEN,
};

export const statements: ScalingCalls = {
  'users.createResetLink': ({ world }) => newLink(world, 'hamlet'),
  'passwords.checkReset': async ({ world }) =>
    world.chat.anonymous().passwords.checkReset({ token: tokenOf(await newLink(world, 'hamlet')) }),
  'passwords.reset': async ({ world }) =>
    world.chat.anonymous().passwords.reset({
      token: tokenOf(await newLink(world, 'hamlet')),
      new_password: 'the play is the thing',
    }),
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  const mailed = await Promise.all(users.map(({ id }) => tx.passwordResets.mailedSince(id, 0, { changes: false })));
  return [mailed, await tx.outbox.nextDue('password reset')];
};

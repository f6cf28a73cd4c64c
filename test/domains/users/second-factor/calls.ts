import { type Changes, type PlainCalls, type ScalingCalls, type Stored, UNSEEN } from '../../../world/calls.ts';
import { PASSWORD } from '../../../world/fixture.ts';
import { codeNow, givenFactor } from './factors.ts';

export const matrix: PlainCalls = {
  'secondFactor.get': () => ({}),
  'secondFactor.begin': () => ({ password: PASSWORD }),
  'secondFactor.confirm': async (world, caller) => {
    await givenFactor(world, caller === 'anonymous' ? 'hamlet' : caller, { isOn: false });
    return { code: codeNow(world) };
  },
  'secondFactor.renewCodes': async (world, caller) => {
    await givenFactor(world, caller === 'anonymous' ? 'hamlet' : caller);
    return { code: codeNow(world) };
  },
  'secondFactor.remove': async (world, caller) => {
    await givenFactor(world, caller === 'anonymous' ? 'hamlet' : caller);
    return { code: codeNow(world) };
  },
  'users.resetSecondFactor': async (world) => {
    await givenFactor(world, 'cordelia');
    return { user_id: world.users.cordelia };
  },
};

export const changes: Changes = {
  'secondFactor.begin': UNSEEN,
  'secondFactor.confirm': UNSEEN,
  'secondFactor.renewCodes': UNSEEN,
  'secondFactor.remove': UNSEEN,
  'users.resetSecondFactor': UNSEEN,
};

export const statements: ScalingCalls = {
  'secondFactor.get': ({ world }) => world.as('hamlet').secondFactor.get(),
  'secondFactor.begin': ({ world }) => world.as('owner').secondFactor.begin({ password: PASSWORD }),
  'secondFactor.confirm': async ({ world }) => {
    await givenFactor(world, 'hamlet', { isOn: false });
    await world.as('hamlet').secondFactor.confirm({ code: codeNow(world) });
  },
  'secondFactor.renewCodes': async ({ world }) => {
    await givenFactor(world, 'hamlet');
    await world.as('hamlet').secondFactor.renewCodes({ code: codeNow(world) });
  },
  'secondFactor.remove': async ({ world }) => {
    await givenFactor(world, 'hamlet');
    await world.as('hamlet').secondFactor.remove({ code: codeNow(world) });
  },
  'users.resetSecondFactor': async ({ world }) => {
    await givenFactor(world, 'hamlet');
    await world.as('owner').users.resetSecondFactor({ user_id: world.users.hamlet });
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.secondFactors.of(id)));
};

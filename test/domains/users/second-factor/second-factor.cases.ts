import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { PASSWORD, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { codeNow, givenFactor, wrongCode } from './factors.ts';

const withCode = (world: World) => ({ code: codeNow(world) });
const withWrongCode = (world: World) => ({ code: wrongCode(world) });
const on = (user: UserName) => (world: World) => givenFactor(world, user);
const begun = (user: UserName) => (world: World) => givenFactor(world, user, { isOn: false });
const factorOf = ({ storage, users }: World, user: UserName) => storage.read((tx) => tx.secondFactors.of(users[user]));

export const getSecondFactorCases = cases('secondFactor.get', [
  {
    name: 'a user without a second factor learns that none is on',
    as: 'hamlet',
    call: ['secondFactor.get'],
    returns: { is_on: false, is_required: false, recovery_codes_left: 0 },
  },
  {
    name: 'a begun set-up does not count as a second factor',
    as: 'hamlet',
    given: begun('hamlet'),
    call: ['secondFactor.get'],
    returns: { is_on: false },
  },
  {
    name: 'a member learns that the organization requires one of members',
    as: 'hamlet',
    given: async (world) => {
      await on('hamlet')(world);
      await world.settings({ second_factor_required_for: 'members' });
    },
    call: ['secondFactor.get'],
    returns: { is_on: true, is_required: true },
  },
  {
    name: 'a guest needs none where members need one',
    as: 'guest',
    given: (world) => world.settings({ second_factor_required_for: 'members' }),
    call: ['secondFactor.get'],
    returns: { is_required: false },
  },
]);

export const beginSecondFactorCases = cases('secondFactor.begin', [
  {
    name: 'the password gives a secret of 160 bits, and logins stay as they are',
    as: 'hamlet',
    call: ['secondFactor.begin', { password: PASSWORD }],
    returns: {
      secret: /^[A-Z2-7]{32}$/,
      url: /^otpauth:\/\/totp\/Elsinore:hamlet%40example\.com\?secret=[A-Z2-7]{32}&/i,
    },
    state: async ({ chat, emails }) =>
      void (await chat.anonymous().fetchApiKey({ username: emails.hamlet, password: PASSWORD })),
  },
  {
    name: 'a wrong password is refused',
    as: 'hamlet',
    call: ['secondFactor.begin', { password: 'wrong' }],
    refuses: { code: 'BAD_REQUEST', says: /password is wrong/ },
  },
  {
    name: 'an account without a password is refused',
    as: 'cordelia',
    call: ['secondFactor.begin', { password: PASSWORD }],
    refuses: { code: 'BAD_REQUEST', says: /no password/ },
  },
  {
    name: 'an account with a second factor is refused',
    as: 'hamlet',
    given: on('hamlet'),
    call: ['secondFactor.begin', { password: PASSWORD }],
    refuses: { code: 'BAD_REQUEST', says: /remove it first/ },
  },
]);

export const confirmSecondFactorCases = cases('secondFactor.confirm', [
  {
    name: 'the code of the app turns the second factor on, and the user gets ten recovery codes',
    as: 'hamlet',
    given: begun('hamlet'),
    call: ['secondFactor.confirm', withCode],
    state: async (world, { recovery_codes }) => {
      assert.equal(new Set(recovery_codes).size, 10);
      for (const code of recovery_codes) assert.match(code, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
      const factor = await factorOf(world, 'hamlet');
      assert.equal(factor?.is_on, true);
      // Only digests are stored.
      assert.ok(recovery_codes.every((code: string) => !JSON.stringify(factor).includes(code)));
    },
  },
  {
    name: 'a wrong code is refused and counted, and the second factor stays off',
    as: 'hamlet',
    given: begun('hamlet'),
    call: ['secondFactor.confirm', withWrongCode],
    refuses: { code: 'SECOND_FACTOR_NEEDED', status: 401, data: { reason: 'code_wrong' }, did: 'a part' },
    state: async (world) => {
      const { is_on, wrong_codes } = (await factorOf(world, 'hamlet')) ?? {};
      assert.deepEqual([is_on, wrong_codes], [false, 1]);
    },
  },
  {
    name: 'a code ten minutes after the beginning is refused',
    as: 'hamlet',
    given: async (world) => {
      await begun('hamlet')(world);
      world.clock.advance({ minutes: 10 });
    },
    call: ['secondFactor.confirm', withCode],
    refuses: { code: 'BAD_REQUEST', says: /within 10 minutes/ },
  },
  {
    name: 'a code without a begun set-up is refused',
    as: 'hamlet',
    call: ['secondFactor.confirm', { code: '123456' }],
    refuses: { code: 'BAD_REQUEST', says: /Begin first/ },
  },
  {
    name: 'a second factor that is on is refused',
    as: 'hamlet',
    given: on('hamlet'),
    call: ['secondFactor.confirm', withCode],
    refuses: { code: 'BAD_REQUEST', says: /on already/ },
  },
]);

export const renewCodesCases = cases('secondFactor.renewCodes', [
  {
    name: 'a code of the app replaces the recovery codes, and the second factor stays on',
    as: 'hamlet',
    given: on('hamlet'),
    call: ['secondFactor.renewCodes', withCode],
    state: async (world, { recovery_codes }) => {
      assert.equal(new Set(recovery_codes).size, 10);
      const { is_on, recovery_digests } = (await factorOf(world, 'hamlet')) ?? {};
      assert.deepEqual([is_on, recovery_digests?.length], [true, 10]);
    },
  },
  {
    name: 'a wrong code is refused and counted',
    as: 'hamlet',
    given: on('hamlet'),
    call: ['secondFactor.renewCodes', withWrongCode],
    refuses: { code: 'SECOND_FACTOR_NEEDED', status: 401, data: { reason: 'code_wrong' }, did: 'a part' },
    state: async (world) => assert.equal((await factorOf(world, 'hamlet'))?.wrong_codes, 1),
  },
  {
    name: 'a user without a second factor is refused',
    as: 'hamlet',
    given: begun('hamlet'),
    call: ['secondFactor.renewCodes', withCode],
    refuses: { code: 'BAD_REQUEST', says: /no second factor/ },
  },
]);

export const removeSecondFactorCases = cases('secondFactor.remove', [
  {
    name: 'a code turns the second factor off',
    as: 'hamlet',
    given: on('hamlet'),
    call: ['secondFactor.remove', withCode],
    state: async (world) => assert.equal(await factorOf(world, 'hamlet'), undefined),
  },
  {
    name: 'a wrong code is refused and counted',
    as: 'hamlet',
    given: on('hamlet'),
    call: ['secondFactor.remove', withWrongCode],
    refuses: { code: 'SECOND_FACTOR_NEEDED', status: 401, data: { reason: 'code_wrong' }, did: 'a part' },
    state: async (world) => assert.equal((await factorOf(world, 'hamlet'))?.wrong_codes, 1),
  },
  {
    name: 'a user without a second factor is refused',
    as: 'hamlet',
    call: ['secondFactor.remove', { code: '123456' }],
    refuses: { code: 'BAD_REQUEST', says: /no second factor/ },
  },
]);

const resetting =
  (user: UserName) =>
  ({ users }: World) => ({ user_id: users[user] });
const refused = (name: string, as: UserName, user: UserName, code: string): Case => ({
  name,
  as,
  given: on(user),
  call: ['users.resetSecondFactor', resetting(user)],
  refuses: { code },
});

export const resetSecondFactorCases = cases('users.resetSecondFactor', [
  {
    name: 'an administrator removes the second factor of a member, whose password logs in again',
    as: 'administrator',
    given: on('hamlet'),
    call: ['users.resetSecondFactor', resetting('hamlet')],
    state: async ({ chat, emails }) =>
      void (await chat.anonymous().fetchApiKey({ username: emails.hamlet, password: PASSWORD })),
  },
  {
    name: 'a user without a second factor is refused',
    as: 'administrator',
    call: ['users.resetSecondFactor', resetting('hamlet')],
    refuses: { code: 'BAD_REQUEST', says: /no second factor/ },
  },
  {
    ...refused(
      'an administrator is refused for the own second factor',
      'administrator',
      'administrator',
      'BAD_REQUEST',
    ),
    state: async (world) => assert.equal((await factorOf(world, 'administrator'))?.is_on, true),
  },
  refused('an administrator is refused for an owner', 'administrator', 'owner', 'UNAUTHORIZED_PRINCIPAL'),
  refused('a member is refused', 'hamlet', 'cordelia', 'UNAUTHORIZED_PRINCIPAL'),
]);

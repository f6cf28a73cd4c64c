import { secretOf } from '../../../../lib/domains/users/second-factor/factor.ts';
import type { Organization } from '../../../../lib/model/organization.ts';
import { base32, otpauthUrl } from '../../../../lib/rules/totp.ts';
import { codeOf } from '../../../support/authenticator.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const apps = new WeakMap<World, string>();

/** Stores a second factor of a user, who may have no password. @param isOn false: the set-up is not confirmed */
export async function givenFactor(world: World, user: UserName, { isOn = true } = {}): Promise<void> {
  const salt = 'a salt';
  const organization = (await world.storage.read((tx) => tx.organization.get())) as Organization;
  apps.set(world, otpauthUrl(base32(secretOf(organization, { salt })), { issuer: 'Elsinore', account: user }));
  const begun_ms = world.clock.now();
  const row = { salt, is_on: isOn, begun_ms, last_step: 0, recovery_digests: [], wrong_codes: 0, wrong_ms: 0 };
  await world.storage.write((tx) => tx.secondFactors.put({ user_id: world.users[user], ...row }));
}

/** The code that the app of the last stored factor shows now. */
export const codeNow = (world: World): string => codeOf(apps.get(world) ?? '', world.clock.now());

/** A code that the app does not show within a minute. */
export function wrongCode(world: World): string {
  const url = apps.get(world) ?? '';
  const right = [-60, -30, 0, 30, 60].map((seconds) => codeOf(url, world.clock.now() + seconds * 1000));
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !right.includes(code)) ?? '';
}

/** Sets up a second factor as a user with a password does. */
export async function setUp(world: World, user: UserName, password: string) {
  const { secondFactor } = world.as(user);
  const { url } = await secondFactor.begin({ password });
  const { recovery_codes } = await secondFactor.confirm({ code: codeOf(url, world.clock.now()) });
  return { url, recoveryCodes: recovery_codes, code: () => codeOf(url, world.clock.now()) };
}

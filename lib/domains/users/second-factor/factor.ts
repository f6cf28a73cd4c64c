import { createHash, createHmac, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type ChatError, RateLimitHit, SecondFactorNeeded } from '../../../base/errors.ts';
import { describe, nonEmptyText, optional, secret, text } from '../../../base/schemas.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import type { Confirm } from '../../../operation/feature.ts';
import { base32, stepOfCode } from '../../../rules/totp.ts';
import type { SecondFactor } from '../../../storage/interface/second-factors.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { NO_FACTOR, needsFactor } from '../../../viewer/confirmation.ts';
import type { ManualContext } from '../../../viewer/context.ts';

const MAX_CODE_LENGTH = 100;
const RECOVERY_CODES = 10;
/** 80 random bits: no one guesses a recovery code, so wrong codes do not block it. */
const RECOVERY_CODE_BYTES = 10;
const SECRET_BYTES = 20;

/** Wrong codes in a row before the account waits. The wait doubles with each further one. */
const MAX_WRONG_CODES = 5;
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** A set-up takes no longer. Afterwards, a person who finds the app open could finish it. */
const SET_UP_MS = 10 * 60_000;

export const codeText = nonEmptyText(MAX_CODE_LENGTH);
export const codeParam = optional(
  text(MAX_CODE_LENGTH),
  'Code of the authenticator app, or a recovery code. Required if the account has a second factor.',
);

export const recoveryCodes = v.object({
  recovery_codes: describe(
    v.array(secret(v.string(), 'Replaces a code of the app once.')),
    'Each replaces a code of the app once.',
  ),
});

type Facts = { tx: Transaction; organization: Organization; now: number };

/** Not stored, like API keys. A reader of the database has both parts, and the API keys of all users too. */
export const secretOf = ({ secret }: Organization, { salt }: Pick<SecondFactor, 'salt'>): Buffer =>
  createHmac('sha256', secret).update(`second-factor:${salt}`).digest().subarray(0, SECRET_BYTES);

export const newSalt = () => randomBytes(16).toString('base64url');

/** Codes as users type them: in any case, with spaces and hyphens. */
const plainCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();

const digestOf = (code: string) => createHash('sha256').update(plainCode(code)).digest('base64url');

/** Recovery codes, and their digests for the database. */
export function newRecoveryCodes(): { codes: string[]; digests: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_CODE_BYTES)).replace(/(.{4})(?=.)/g, '$1-'),
  );
  return { codes, digests: codes.map(digestOf) };
}

/** Whether a set-up has begun that a code can still confirm. */
export const isBeingSetUp = (factor: SecondFactor | undefined, now: number): factor is SecondFactor =>
  factor?.is_on === false && now < factor.begun_ms + SET_UP_MS;

/** The step of a code that the authenticator app shows now, and that was not used before. undefined: it is wrong. */
function unusedStep({ organization, now }: Omit<Facts, 'tx'>, factor: SecondFactor, code: string) {
  const step = stepOfCode(secretOf(organization, factor), plainCode(code), now);
  return step !== undefined && step > factor.last_step ? step : undefined;
}

/** What a login still needs after the right password, or with a reset link. */
export async function loginNeeds(
  { tx, organization }: Omit<Facts, 'now'>,
  user: User,
): Promise<'code' | 'set-up' | undefined> {
  const factor = await tx.secondFactors.of(user.id);
  if (factor?.is_on) return 'code';
  return needsFactor(organization, user.role) ? 'set-up' : undefined;
}

/**
 * Uses up a code of an account, if it has a second factor. Returns a refusal: the caller commits the count of wrong codes
 * first, and throws it then. Needs an exclusive write, or two logins could use the same code.
 */
export async function useCode(facts: Facts, userId: number, code?: string): Promise<ChatError | undefined> {
  if (!code) return new SecondFactorNeeded('code_missing');
  const { tx } = facts;
  const factor = await tx.secondFactors.of(userId);
  if (!factor?.is_on) return undefined;
  const digest = digestOf(code);
  if (factor.recovery_digests.includes(digest)) {
    const recovery_digests = factor.recovery_digests.filter((one) => one !== digest);
    await tx.secondFactors.put({ ...factor, recovery_digests, wrong_codes: 0 });
    return undefined;
  }
  return useAppCode(facts, factor, code);
}

/**
 * Uses up a code of the authenticator app, or counts a wrong one. Returns a refusal, as `useCode` does.
 * @param change to store with a right code
 */
export async function useAppCode(
  facts: Facts,
  factor: SecondFactor,
  code: string,
  change: Partial<SecondFactor> = {},
): Promise<ChatError | undefined> {
  const { tx, now } = facts;
  const wait = factor.wrong_ms + waitMs(factor.wrong_codes) - now;
  if (wait > 0) return new RateLimitHit(Math.ceil(wait / 1000));
  const step = unusedStep(facts, factor, code);
  await tx.secondFactors.put(
    step === undefined
      ? { ...factor, wrong_codes: factor.wrong_codes + 1, wrong_ms: now }
      : { ...factor, last_step: step, wrong_codes: 0, ...change },
  );
  return step === undefined ? new SecondFactorNeeded('code_wrong') : undefined;
}

/** The code of a caller, for operations that may need one (`mayNeedCode`). */
export const confirm: Confirm = async ({ asSystem }, userId, code) => {
  // Commits, also after a refusal: the count of wrong codes must not roll back with the call.
  const refusal = await asSystem('write', async (context) => {
    const factor = await context.tx.secondFactors.of(userId);
    return factor?.is_on ? useCode(context, userId, code) : new SecondFactorNeeded('not_set_up', NO_FACTOR);
  });
  if (refusal) throw refusal;
};

const waitMs = (wrongCodes: number) =>
  wrongCodes < MAX_WRONG_CODES ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (wrongCodes - MAX_WRONG_CODES), LONGEST_WAIT_MS);

/**
 * Checks the second factor of a login with the right password.
 * @param given `isOfDirectory`: the password is one of the directory
 * @throws SecondFactorNeeded, RateLimitHit
 */
export async function passSecondFactor(
  { transact }: Pick<ManualContext<'anyone'>, 'transact'>,
  user: User,
  { code, isOfDirectory }: { code: string | undefined; isOfDirectory: boolean },
): Promise<void> {
  const need = await transact('read', (context) => loginNeeds(context, user));
  // The set-up asks for the password of the chat, which the user may not have. The directory has rules of its own.
  if (need === 'set-up' && isOfDirectory) return;
  if (need === 'set-up') throw new SecondFactorNeeded('not_set_up');
  if (need === undefined) return;
  if (!code) throw new SecondFactorNeeded('code_missing');
  const refusal = await transact('write', (context) => useCode(context, user.id, code));
  if (refusal) throw refusal;
}

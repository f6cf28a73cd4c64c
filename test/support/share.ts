import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** `npm test` plays one of so many shares of the repetitions of cases; as many commits in a row play them all. */
export const SHARES = 8;

/** Which eighth is played, from 0; undefined plays everything. */
export const share =
  process.env.PARLANCE_TEST_SHARE === undefined ? undefined : Number(process.env.PARLANCE_TEST_SHARE);

/** Whether this run plays everything. */
export const isWholeRun = share === undefined;

/** Whether this run plays the test that `key` names. */
export function inShare(key: string): boolean {
  if (share === undefined) return true;
  return createHash('md5').update(key).digest().readUInt32LE(0) % SHARES === share % SHARES;
}

/** Tells the runner how many tests this file leaves out. */
export function reportLeftOut(what: string, count: number): void {
  const list = process.env.PARLANCE_TEST_LEFT_OUT;
  if (list && count > 0) appendFileSync(list, `${JSON.stringify({ what, count })}\n`);
}

const HOUR_MS = 3_600_000;

/** E-mails to one address that strangers may cause, so that nobody fills a mailbox by asking for them. */
const LIMITS = [
  { max: 2, milliseconds: HOUR_MS },
  { max: 5, milliseconds: 24 * HOUR_MS },
];

/** For so long an e-mail counts. */
export const COUNTED_MS = Math.max(...LIMITS.map(({ milliseconds }) => milliseconds));

/** Whether an address gets no other one now. @param sent when it got those that count */
export const isMailedTooOften = (sent: readonly number[], now: number) =>
  LIMITS.some(({ max, milliseconds }) => sent.filter((at) => at > now - milliseconds).length >= max);

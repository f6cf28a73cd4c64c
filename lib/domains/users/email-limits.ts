const HOUR_MS = 3_600_000;

/** Limits per address for e-mails that a caller without an account can trigger. They prevent flooding a mailbox. */
const LIMITS = [
  { max: 2, milliseconds: HOUR_MS },
  { max: 5, milliseconds: 24 * HOUR_MS },
];

/** How long a sent e-mail counts. */
export const COUNTED_MS = Math.max(...LIMITS.map(({ milliseconds }) => milliseconds));

/** Whether no further e-mail may be sent to an address now. @param sent times of the e-mails already sent to it */
export const isMailedTooOften = (sent: readonly number[], now: number) =>
  LIMITS.some(({ max, milliseconds }) => sent.filter((at) => at > now - milliseconds).length >= max);

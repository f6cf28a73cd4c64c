import { BadRequest } from '../../kernel/errors.ts';

/** The last second of the year 9999. */
const LAST_TIMESTAMP = 253_402_300_799;

/** Throws unless the UNIX time in seconds is a valid delivery time. */
export function checkDeliveryTime({ now }: { now: number }, timestamp: number): void {
  if (timestamp * 1000 <= now) throw new BadRequest('The time of delivery must be in the future.');
  if (timestamp > LAST_TIMESTAMP) throw new BadRequest('The time of delivery must be before the year 10000.');
}

/** Clients show this time in the time zone of the user. */
export function timeMarkup(timestamp: number): string {
  return `<time:${new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')}>`;
}

import { BadRequest } from '../../kernel/errors.ts';

/** The last second that has a date of four digits for its year. */
const LAST_TIMESTAMP = 253_402_300_799;

/** Throws unless something can be sent at this time, seconds. */
export function checkDeliveryTime({ now }: { now: number }, timestamp: number): void {
  if (timestamp * 1000 <= now) throw new BadRequest('The time of delivery must be in the future.');
  if (timestamp > LAST_TIMESTAMP) throw new BadRequest('The time of delivery must be before the year 10000.');
}

/** A moment that each reader is shown in their own time zone. */
export function timeMarkup(timestamp: number): string {
  return `<time:${new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')}>`;
}

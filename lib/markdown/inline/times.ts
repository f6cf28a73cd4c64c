import { escapeText } from '../html.ts';
import { replacing } from './rule.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MAX_SECONDS = 253_402_300_799;
/** Minutes east of Greenwich, with abbreviations. Of abbreviations with several meanings, the most used. */
const ZONES: readonly (readonly [offset: number, names: string])[] = [
  [0, 'z utc gmt wet'],
  [60, 'west bst cet'],
  [120, 'cest eet'],
  [180, 'eest msk'],
  [330, 'ist'],
  [480, 'sgt hkt awst'],
  [540, 'jst kst'],
  [600, 'aest'],
  [660, 'aedt'],
  [720, 'nzst'],
  [780, 'nzdt'],
  [-600, 'hst'],
  [-540, 'akst'],
  [-480, 'akdt pst'],
  [-420, 'pdt mst'],
  [-360, 'mdt cst'],
  [-300, 'cdt est'],
  [-240, 'edt'],
];

/** `<time:…>`: clients show the moment in the reader's zone. */
export const times = replacing('<time:', /<time:([^>\n]{0,200})>/g, (_context, _whole, written = '') => {
  const time = readTime(written);
  const shown = escapeText(written);
  if (time === undefined) return `<span class="timestamp-error">Invalid time format: ${shown}</span>`;
  return `<time datetime="${time}">${shown}</time>`;
});

/**
 * Reads a time: ISO 8601, seconds since the epoch, or a date with the month's name. Without a zone it is UTC. Returns
 * ISO 8601 in UTC, or undefined for other texts. `Date.parse` cannot be used: its result depends on the engine and on
 * the time zone of the machine.
 */
function readTime(text: string): string | undefined {
  const written = text.trim();
  if (written.length > 60) return undefined;
  if (/^-?\d{9,}(?:\.\d+)?$/.test(written)) return fromSeconds(Number(written));
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(.+))?$/i.exec(written);
  if (iso) return fromParts(Number(iso[1]), Number(iso[2]), Number(iso[3]), readClock(iso[4]));
  return readNamedDate(written);
}

function fromSeconds(seconds: number): string | undefined {
  if (Math.abs(seconds) > MAX_SECONDS) return undefined;
  return new Date(seconds * 1000).toISOString().replace(/\.000Z$/, 'Z');
}

/** `5 June 2017`, `Jun 5th 2017, 10:30PM`, a day of the week before either. */
function readNamedDate(written: string): string | undefined {
  const text = written.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]? +/i, '');
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})(?:[, ]+(.+))?$/i.exec(text);
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:[, ]+(.+))?$/i.exec(text);
  const match = dayFirst ?? monthFirst;
  if (!match) return undefined;
  const [day, name = ''] = dayFirst ? [match[1], match[2]] : [match[2], match[1]];
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return fromParts(Number(match[3]), month, Number(day), readClock(match[4]));
}

type Clock = ReturnType<typeof readClock>;

/** Midnight when there is nothing to read; undefined when it is no time of day. */
function readClock(text: string | undefined) {
  if (text === undefined) return { hour: 0, minute: 0, second: 0, fraction: '', offset: 0 };
  const match =
    /^(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,6})\d*)?)?)? *(am|pm)? *([a-z]{1,4}|[+-]\d{2}(?::?\d{2})?)?$/i.exec(
      text,
    );
  if (!match) return undefined;
  const [, hours, minutes = '0', seconds = '0', fraction = '', half, zone] = match;
  const offset = offsetOf(zone);
  const hour = onTwentyFourHours(Number(hours), half);
  if (offset === undefined || hour === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return { hour, minute: Number(minutes), second: Number(seconds), fraction, offset };
}

function onTwentyFourHours(hour: number, half: string | undefined): number | undefined {
  if (!half) return hour <= 23 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return 0;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return ZONES.find(([, names]) => names.split(' ').includes(zone.toLowerCase()))?.[0];
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? '0');
  if (minutes >= 1440) return undefined;
  return match[1] === '-' ? -minutes : minutes;
}

function fromParts(year: number, month: number, day: number, clock: Clock): string | undefined {
  if (!clock || month < 1 || year < 1) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(clock.hour, clock.minute - clock.offset, clock.second);
  const fraction = /[1-9]/.test(clock.fraction) ? `.${clock.fraction.padEnd(6, '0')}` : '';
  const shown = date.toISOString();
  return shown.startsWith('+') || shown.startsWith('-') ? undefined : `${shown.slice(0, 19)}${fraction}Z`;
}

import { Temporal } from 'temporal-polyfill';
import { UsageError } from '../failure.ts';
import { DATE_FORMATS, secondsIn } from './durations.ts';

// Loaded only by commands that need it, because of the time that Temporal takes to load.

/** A time as the user writes it, before the time zone is known. */
type ParsedDate =
  | { kind: 'instant'; seconds: number }
  /** A time of day. Without a date, the next such time. */
  | { kind: 'local'; date: DateFrom | undefined; time: Temporal.PlainTime };

type DateFrom = (today: Temporal.PlainDate) => Temporal.PlainDate;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const LEAP_YEAR = 2028;
/** No time is longer. */
const MAX_LENGTH = 60;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})$/i;
const TIME = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)? ?(am|pm)?$/i;

/** `forms` are the accepted formats, for the error. */
export function parseDate(flag: string, text: string, nowMs: number, forms = DATE_FORMATS): ParsedDate {
  // `in 2 hours` is `+2h`, and `next monday` is `monday`.
  const written = text
    .trim()
    .slice(0, MAX_LENGTH)
    .replace(
      /^in (\d+) ?(second|minute|hour|day|week)s?$/i,
      (_, count: string, unit: string) => `+${count}${unit.charAt(0).toLowerCase()}`,
    )
    .replace(/^(next|on) (?=[a-z])/i, '');
  if (/^-?\d{5,}$/.test(written)) return { kind: 'instant', seconds: Number(written) };
  if (/^\+(\d+[smhdw])+$/.test(written)) {
    const parts = written.match(/\d+[smhdw]/g) ?? [];
    const seconds = parts.reduce((sum, part) => sum + Number(secondsIn(part)), 0);
    return { kind: 'instant', seconds: Math.floor(nowMs / 1000) + seconds };
  }
  if (WITH_OFFSET.test(written)) {
    const ms = Date.parse(written.replace(' ', 'T'));
    if (!Number.isNaN(ms)) return { kind: 'instant', seconds: Math.floor(ms / 1000) };
  }
  const local = readLocal(written);
  if (local) return local;
  throw new UsageError(`${flag} is not a valid time: ${JSON.stringify(text)}.`, `Write it like ${forms}.`);
}

function readLocal(written: string): ParsedDate | undefined {
  const only = readTime(written);
  if (only) return { kind: 'local', date: undefined, time: only };
  const [, day = '', rest = ''] = /^(.*?\S)[T ]+(?:at )?(\d[\d:]* ?(?:am|pm)?)$/i.exec(written) ?? [];
  const time = readTime(rest);
  const date = readDate(day.toLowerCase());
  return time && date ? { kind: 'local', date, time } : undefined;
}

function readDate(day: string): DateFrom | undefined {
  if (day === 'today') return (today) => today;
  if (day === 'tomorrow') return (today) => today.add({ days: 1 });
  const weekday = WEEKDAYS.findIndex((name) => day === name || day === name.slice(0, 3)) + 1;
  if (weekday > 0) return (today) => today.add({ days: ((weekday - today.dayOfWeek + 6) % 7) + 1 });
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (isoYear !== undefined) return dateOf(Number(isoMonth), Number(isoDay), Number(isoYear));
  const [, name = '', date = ''] =
    /^([a-z]{3,9}) (\d{1,2}(?:,? \d{4})?)$/.exec(day.replace(/^(\d{1,2}) ([a-z]+)/, '$2 $1')) ?? [];
  const month = MONTHS.findIndex((full) => name !== '' && full.startsWith(name)) + 1;
  const [dayOfMonth, year] = date.split(/,? /).map(Number);
  return dateOf(month, Number(dayOfMonth), year);
}

/** The date in this year, or without a year the next such date. */
function dateOf(month: number, day: number, year?: number): DateFrom | undefined {
  const inYear = (year: number) => {
    try {
      return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
    } catch {
      return undefined;
    }
  };
  const date = inYear(year ?? LEAP_YEAR);
  if (!date || year !== undefined) return date && (() => date);
  return (today) => {
    let found: Temporal.PlainDate | undefined;
    for (let next = today.year; !found || Temporal.PlainDate.compare(found, today) < 0; next++) found = inYear(next);
    return found;
  };
}

function readTime(text: string): Temporal.PlainTime | undefined {
  const match = TIME.exec(text);
  // A number without minutes, am or pm is not a time of day.
  if (!match || (match[2] === undefined && match[4] === undefined)) return undefined;
  const [, hours, minutes = '0', seconds = '0', half] = match;
  let hour = Number(hours);
  if (half) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return new Temporal.PlainTime(hour, Number(minutes), Number(seconds));
}

/** UNIX seconds of the time. If the clocks go back and the time occurs twice, the first counts. */
export function timestampIn(written: ParsedDate, zone: string, nowMs: number): number {
  if (written.kind === 'instant') return written.seconds;
  const { date, time } = written;
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  const soon = today.toZonedDateTime({ timeZone: zone, plainTime: time });
  if (!date && soon.epochMilliseconds > nowMs) return soon.epochMilliseconds / 1000;
  const wanted = (date?.(today) ?? today.add({ days: 1 })).toPlainDateTime(time);
  const found = wanted.toZonedDateTime(zone);
  if (found.toPlainDateTime().equals(wanted)) return found.epochMilliseconds / 1000;
  throw new UsageError(
    `${time.toString().slice(0, 5)} on ${wanted.toPlainDate()} does not exist in ${zone}: the clocks go forward and skip it.`,
    'Use an earlier or a later time.',
  );
}

/** UTC offset of the zone in milliseconds. */
export const offsetAt = (zone: string, ms: number): number =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;

/** `2030-01-31 09:00 (Europe/Paris)`, with seconds if they are not zero, or always `inColumn`. */
export function formatTimestamp(seconds: number, zone: string, { inColumn = false } = {}): string {
  const shown = new Date(seconds * 1000 + offsetAt(zone, seconds * 1000)).toISOString();
  const ofMinute = seconds % 60 === 0 && !inColumn ? '' : shown.slice(16, 19);
  return `${shown.slice(0, 10)} ${shown.slice(11, 16)}${ofMinute} (${zone})`;
}

export function checkZone(flag: string, zone: string): void {
  try {
    offsetAt(zone, 0);
  } catch {
    throw new UsageError(
      `${flag}: there is no time zone named ${JSON.stringify(zone)}.`,
      'Write it like Europe/Paris or UTC.',
    );
  }
}

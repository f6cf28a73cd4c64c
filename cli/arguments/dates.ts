import { UsageError } from '../failure.ts';

/** A time as the user writes it, before the time zone is known. */
export type ParsedDate =
  | { kind: 'instant'; seconds: number }
  /** A date and a time of day. `days` counts from today. */
  | { kind: 'local'; date: CalendarDate | { days: number } | { weekday: number } | 'next'; time: TimeOfDay };

interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

interface TimeOfDay {
  hour: number;
  minute: number;
  second: number;
}

export const DATE_FORMATS =
  'tomorrow 9:00, friday 17:30, 9:00, 2030-01-31 09:00, +2h, 2030-01-31T09:00Z or UNIX seconds';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})$/i;
const TIME = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)? ?(am|pm)?$/i;

/**
 * @param forms the accepted formats, for the error
 * @throws UsageError for an invalid time
 */
export function parseDate(flag: string, text: string, nowMs: number, forms = DATE_FORMATS): ParsedDate {
  const written = text.trim();
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
  if (only) return { kind: 'local', date: 'next', time: only };
  const [, day = '', rest = ''] = /^(\S+?)[T ]+(.+)$/.exec(written) ?? [];
  const time = readTime(rest);
  const date = readDate(day);
  return time && date ? { kind: 'local', date, time } : undefined;
}

function readDate(day: string) {
  const word = day.toLowerCase();
  if (word === 'today' || word === 'tomorrow') return { days: word === 'today' ? 0 : 1 };
  const weekday = WEEKDAYS.findIndex((name) => word === name || word === name.slice(0, 3));
  if (weekday >= 0) return { weekday };
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return undefined;
  const date = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
  const real = new Date(wallOf(date, MIDNIGHT));
  return real.getUTCMonth() === date.month - 1 && real.getUTCDate() === date.day ? date : undefined;
}

function readTime(text: string): TimeOfDay | undefined {
  const match = TIME.exec(text);
  // A number without minutes, am or pm is not a time of day.
  if (!match || (match[2] === undefined && match[4] === undefined)) return undefined;
  const [, hours, minutes = '0', seconds = '0', half] = match;
  let hour = Number(hours);
  if (half) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  }
  const time = { hour, minute: Number(minutes), second: Number(seconds) };
  return time.hour < 24 && time.minute < 60 && time.second < 60 ? time : undefined;
}

/**
 * UNIX seconds of the time. If the clocks go back and the time occurs twice, the first counts.
 * @throws UsageError if the clocks go forward and skip the time
 */
export function timestampIn(written: ParsedDate, zone: string, nowMs: number): number {
  if (written.kind === 'instant') return written.seconds;
  const today = calendarDate(nowMs + offsetAt(zone, nowMs));
  const { date, time } = written;
  if (date !== 'next') return secondsOf(dateOf(date, today), time, zone);
  const soon = secondsOf(today, time, zone, 'later');
  return soon * 1000 > nowMs ? soon : secondsOf(after(today, 1), time, zone);
}

function dateOf(date: CalendarDate | { days: number } | { weekday: number }, today: CalendarDate): CalendarDate {
  if ('year' in date) return date;
  if ('days' in date) return after(today, date.days);
  const now = new Date(wallOf(today, MIDNIGHT)).getUTCDay();
  return after(today, ((date.weekday - now + 6) % 7) + 1);
}

const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0 };

/** Milliseconds of a local time, as if it were UTC. */
function wallOf({ year, month, day }: CalendarDate, { hour, minute, second }: TimeOfDay): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

function calendarDate(wall: number): CalendarDate {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const after = (date: CalendarDate, days: number) => calendarDate(wallOf(date, MIDNIGHT) + days * DAY_MS);

function secondsOf(
  date: CalendarDate,
  time: TimeOfDay,
  zone: string,
  leftOut: 'refused' | 'later' = 'refused',
): number {
  const wall = wallOf(date, time);
  // Before or after a clock change, one of these two offsets applies.
  const [before, later] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  const found = [wall - before, wall - later].filter((ms) => ms + offsetAt(zone, ms) === wall);
  if (found.length > 0) return Math.min(...found) / 1000;
  if (leftOut === 'later') return (wall - before) / 1000;
  const shown = new Date(wall).toISOString();
  throw new UsageError(
    `${shown.slice(11, 16)} on ${shown.slice(0, 10)} does not exist in ${zone}: the clocks go forward and skip it.`,
    'Use an earlier or a later time.',
  );
}

/** UTC offset of the zone in milliseconds. */
export function offsetAt(zone: string, ms: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const date = { year: part('year'), month: part('month'), day: part('day') };
  const time = { hour: part('hour'), minute: part('minute'), second: part('second') };
  return wallOf(date, time) - Math.floor(ms / 1000) * 1000;
}

/**
 * Local time in the zone: `2030-01-31 09:00 (Europe/Paris)`. Adds seconds if they are not zero, or always `inColumn`.
 */
export function formatTimestamp(seconds: number, zone: string, inColumn = false): string {
  const shown = new Date(seconds * 1000 + offsetAt(zone, seconds * 1000)).toISOString();
  const ofMinute = seconds % 60 === 0 && !inColumn ? '' : shown.slice(16, 19);
  return `${shown.slice(0, 10)} ${shown.slice(11, 16)}${ofMinute} (${zone})`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = 'numeric' as const;
    format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** @throws UsageError for an unknown zone */
export function checkZone(flag: string, zone: string): string {
  try {
    formatOf(zone);
    return zone;
  } catch {
    throw new UsageError(
      `${flag}: there is no time zone named ${JSON.stringify(zone)}.`,
      'Write it like Europe/Paris or UTC.',
    );
  }
}

/** The time zone of this machine. */
export const machineZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** UNIX seconds of an ISO date. @throws UsageError that names the flag */
export function secondsOfDay(flag: string, text: string): number {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) {
    throw new UsageError(`${flag} must be UNIX seconds or a date such as 2030-01-31T09:00Z.`);
  }
  return Math.floor(milliseconds / 1000);
}

const UNITS = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** `15m` in seconds. A text without a unit is returned as it is. */
export function secondsIn(text: string): string {
  const [, count, unit] = /^([0-9]+)([smhdw])$/.exec(text.trim()) ?? [];
  const seconds = UNITS.find(([name]) => name === unit)?.[1];
  return seconds === undefined ? text : String(Number(count) * seconds);
}

/** `7d` in minutes, and `never` as null. A text without a unit is returned as it is. */
export function minutesIn(text: string): string {
  if (/^(never|forever)$/i.test(text.trim())) return 'null';
  const seconds = secondsIn(text);
  return seconds === text ? text : String(Math.ceil(Number(seconds) / 60));
}

/** The inverse of `secondsIn`, in the largest unit that divides the seconds. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

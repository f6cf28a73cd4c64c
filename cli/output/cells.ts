import { oneLine } from './sanitize.ts';

export const ROLE_NAMES: Readonly<Record<number, string>> = {
  100: 'owner',
  200: 'administrator',
  300: 'moderator',
  400: 'member',
  600: 'guest',
};

/** Local time, `2030-01-31 09:00`. */
export function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : `${dateOf(date)} ${clockOf(date)}`;
}

/** Likewise of a time written as text. */
function momentOf(text: string): string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? oneLine(text) : moment(milliseconds / 1000);
}

/** `Thu 2030-01-31`, by local time. */
export function day(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : `${WEEKDAYS[date.getDay()]} ${dateOf(date)}`;
}

/** `09:00`, local time. */
export function timeOfDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : clockOf(date);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const two = (part: number) => String(part).padStart(2, '0');
const dateOf = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const clockOf = (date: Date) => `${two(date.getHours())}:${two(date.getMinutes())}`;

const TIMES =
  /^(timestamp|scheduled_delivery_timestamp|date_created|invited|expiry_date|server_timestamp|last_edit_timestamp)$/;

/** One field's value on one line, as a person reads it. */
export function cell(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (name === 'role' || name === 'invited_as') return ROLE_NAMES[value] ?? String(value);
    return TIMES.test(name) ? moment(value) : String(value);
  }
  if (typeof value === 'string') return name === 'date_joined' ? momentOf(value) : oneLine(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.map((each) => cell(name, each)).join(', ');
  }
  return oneLine(JSON.stringify(value));
}

/** Times to send a message, in the time zone of the browser. All are milliseconds since the epoch. */

const MINUTE_MS = 60_000;
const MORNING_HOUR = 9;
const EVENING_HOUR = 18;
const MONDAY = 1;

export type PresetName = 'hour' | 'evening' | 'tomorrow' | 'monday';

export interface Preset {
  readonly name: PresetName;
  readonly at: number;
}

/** Times that a button offers, in ascending order. `evening` only before 17:00; `monday` only if it is not tomorrow. */
export function presetTimes(now: number): readonly Preset[] {
  // The field has whole minutes.
  const inOneHour = Math.ceil(now / MINUTE_MS) * MINUTE_MS + 60 * MINUTE_MS;
  const evening = atHour(now, 0, EVENING_HOUR);
  const daysToMonday = (MONDAY + 7 - new Date(now).getDay()) % 7 || 7;
  const presets: readonly (Preset | false)[] = [
    { name: 'hour', at: inOneHour },
    evening > inOneHour && { name: 'evening', at: evening },
    { name: 'tomorrow', at: atHour(now, 1, MORNING_HOUR) },
    daysToMonday > 1 && { name: 'monday', at: atHour(now, daysToMonday, MORNING_HOUR) },
  ];
  return presets.filter((preset) => preset !== false);
}

/** Not all days have 24 hours. */
function atHour(now: number, days: number, hour: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  return date.setHours(hour, 0, 0, 0);
}

/** The value of a field for date and time: `2026-11-29T09:00`. */
export function fieldValue(at: number): string {
  const date = new Date(at);
  const [month, day, hour, minute] = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()].map(
    (number) => String(number).padStart(2, '0'),
  );
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/** The time of a value of the field. NaN if the field is empty. */
export const timeOf = (value: string) => new Date(value).getTime();

export const DATE_FORMATS =
  'tomorrow 9:00, next friday 17:30, Dec 24 18:00, 9:00, in 2 hours, +1h30m, 2030-01-31 09:00, 2030-01-31T09:00Z or UNIX seconds';

export const machineZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

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

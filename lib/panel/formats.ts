/** Dates, times and numbers in the language of the panel. */
export interface Formats {
  /** Language tag: `en`, `de-CH`. */
  readonly lang: string;
  readonly direction: 'ltr' | 'rtl';
  /** `14:05`. Takes milliseconds since the epoch, as all here. */
  time(at: number): string;
  /** `Today`, `Yesterday`, `Monday`, `Monday, 3 March` and, in another year, with the year. */
  day(at: number): string;
  /** `3 March 2026 at 14:05`. */
  full(at: number): string;
  /** The day in the time zone of the browser, to compare: `2026-03-03`. */
  dayKey(at: number): string;
  number(count: number): string;
  /** `Ada, Ben and Cleo`. */
  list(names: readonly string[]): string;
  /** `in 5 seconds`, `2 hours ago`. */
  relative(seconds: number): string;
}

/** Not `Intl`, which is ten times slower: a list compares the days of all its messages after each change. */
function dayKey(at: number): string {
  const date = new Date(at);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((number) => `${number}`.padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

/**
 * @param lang a language tag; undefined or unknown: the language of the browser
 * @param has24Hours the user's setting; undefined: as usual in the language of the browser
 */
export function formatsOf(lang: string | undefined, has24Hours = browserHas24Hours()): Formats {
  const tag = tagOf(lang);
  const dated = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options);
  const clock = { hour12: !has24Hours };
  const time = dated({ hour: 'numeric', minute: '2-digit', ...clock });
  const full = dated({ dateStyle: 'long', timeStyle: 'short', ...clock });
  const sameYear = dated({ weekday: 'long', day: 'numeric', month: 'long' });
  const otherYear = dated({ day: 'numeric', month: 'long', year: 'numeric' });
  const numbers = new Intl.NumberFormat(tag);
  const lists = new Intl.ListFormat(tag, { type: 'conjunction' });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  return {
    lang: tag,
    direction: directionOf(tag),
    time: (at) => time.format(at),
    day: (at) => {
      const now = Date.now();
      if (dayKey(at) === dayKey(now)) return capitalized(relative.format(0, 'day'), tag);
      // Not all days have 24 hours.
      const yesterday = new Date(now).setDate(new Date(now).getDate() - 1);
      if (dayKey(at) === dayKey(yesterday)) return capitalized(relative.format(-1, 'day'), tag);
      const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
      return (isThisYear ? sameYear : otherYear).format(at);
    },
    full: (at) => full.format(at),
    dayKey,
    number: (count) => numbers.format(count),
    list: (names) => lists.format(names),
    relative: (seconds) => {
      for (const [unit, length] of UNITS)
        if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
      return relative.format(Math.round(seconds), 'second');
    },
  };
}

/** Whether the language of the browser writes 14:05. A page can be in English for a reader in Germany. */
export const browserHas24Hours = () =>
  new Intl.DateTimeFormat(tagOf(undefined), { hour: 'numeric' }).resolvedOptions().hour12 === false;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

function tagOf(lang: string | undefined): string {
  try {
    return new Intl.Locale(lang || navigator.language).baseName;
  } catch {
    return 'en';
  }
}

function directionOf(tag: string): 'ltr' | 'rtl' {
  const { language, script } = new Intl.Locale(tag).maximize();
  return RIGHT_TO_LEFT.has(script ?? language) ? 'rtl' : 'ltr';
}

/** Not every browser has `Intl.Locale.getTextInfo`. */
const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand']);

const capitalized = (text: string, tag: string) => text.charAt(0).toLocaleUpperCase(tag) + text.slice(1);

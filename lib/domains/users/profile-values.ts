/** In code points. */
export const MAX_SHORT_TEXT = 50;
export const MAX_LONG_TEXT = 500;
export const MAX_LINK = 1_000;
export const MAX_PEOPLE = 200;

/** Whether the text is an absolute http or https URL. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text);
}

/** Whether the text is a valid date in the format `2030-01-31`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse reads February 30 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

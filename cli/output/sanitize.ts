/**
 * Makes text from other users harmless. Control characters could move the cursor, change colours or the window title.
 * Direction overrides could disguise a line.
 */
export function sanitize(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replaceAll('\t', '    ');
}

export function oneLine(text: string): string {
  return sanitize(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .trim();
}

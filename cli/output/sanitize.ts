/**
 * Text of other people, made harmless: control characters could move the cursor, recolour the
 * terminal or retitle it, and direction overrides could disguise what a line says.
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

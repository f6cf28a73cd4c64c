/** The e-mail address of an Authorization header, read with the least work. */
export function basicEmail(header: string | undefined): string {
  const text = Buffer.from(header?.slice('Basic '.length) ?? '', 'base64').toString();
  return text.slice(0, text.indexOf(':'));
}

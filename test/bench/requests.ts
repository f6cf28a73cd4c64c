/** The text of a request on the wire. */
export function requestText(
  method: string,
  path: string,
  options: { auth?: string; accepts?: string; form?: Record<string, string> } = {},
): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'User-Agent: Bench/1'];
  if (options.auth) lines.push(`Authorization: Basic ${options.auth}`);
  if (options.accepts) lines.push(`Accept-Encoding: ${options.accepts}`);
  let body = '';
  if (options.form) {
    body = new URLSearchParams(options.form).toString();
    lines.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function basicAuth({ email, key }: { email: string; key: string }): string {
  return Buffer.from(`${email}:${key}`).toString('base64');
}

/** The length and markup of a typical message. */
export const MESSAGE_TEXT =
  'The lamp was lit at **dusk** and the horn tested twice. Oil is low in the second tank, see `stores/oil.txt`; ' +
  'the boat with the new wick comes on Thursday, weather permitting. Who takes the dog watch?';

/** In the text of a message, precedes its number of nine digits. */
export const MARK = 'number-';

/** Bytes of the headers of a part. The form parser accepts no more. */
const MAX_HEADERS = 16 * 1024;

const DISPOSITION = /^content-disposition:[^\r\n]*/im;
const PARAMETER = /;[ \t]*([\w*-]+)=("(?:[^"\\\r\n]|\\.)*"|[^;\r\n]*)/g;
/** A value with charset and language (RFC 8187). */
const EXTENDED = /^[\w!#$%&+^`{}~-]+'[^']*'(?:%[0-9a-f]{2}|[\w!#$&+.^`|~-])+$/i;

/**
 * Repairs `filename*` in the headers of the parts of a multipart form: the form parser ignores a part with a malformed
 * one, such as the quoted ones of Postman. File contents are passed on as they are.
 */
export async function* withReadableNames(
  body: AsyncIterable<Uint8Array>,
  contentType = '',
): AsyncGenerator<Uint8Array> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const delimiter = Buffer.from(`\r\n--${quoted ?? plain ?? ''}\r\n`, 'latin1');
  let rest = Buffer.alloc(0);
  // The first delimiter has no line before it.
  let isInHeaders = true;
  for await (const piece of body) {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      const mark = isInHeaders ? '\r\n\r\n' : delimiter;
      const at = rest.indexOf(mark);
      if (at === -1) break;
      const end = at + mark.length;
      yield isInHeaders && at <= MAX_HEADERS ? repaired(rest.subarray(0, end)) : rest.subarray(0, end);
      rest = rest.subarray(end);
      isInHeaders = !isInHeaders;
    }
    if (rest.length > MAX_HEADERS) isInHeaders = false;
    const passed = isInHeaders ? 0 : Math.max(0, rest.length - delimiter.length + 1);
    if (passed > 0) yield rest.subarray(0, passed);
    rest = rest.subarray(passed);
  }
  if (rest.length > 0) yield rest;
}

/** Removes a malformed `filename*` beside a `filename`, and quotes around one that stands alone. */
function repaired(headers: Buffer): Buffer {
  const text = headers.toString('latin1').replace(DISPOSITION, (line) => {
    const hasName = [...line.matchAll(PARAMETER)].some(([, name = '']) => name.toLowerCase() === 'filename');
    return line.replace(PARAMETER, (parameter, name: string, value: string) => {
      if (name.toLowerCase() !== 'filename*' || EXTENDED.test(value.trim())) return parameter;
      return hasName ? '' : `; ${name}=${value.replace(/^"(.*)"$/, '$1')}`;
    });
  });
  return Buffer.from(text, 'latin1');
}

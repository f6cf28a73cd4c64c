import { BadRequest, decodeText, encodeText, type Operation, readParameter, repeatable } from '../lib/internal.ts';

/**
 * The header `Idempotency-Key`, as the parameter of the same name: a quoted string (IETF draft), or the plain text.
 * Without effect on operations without this parameter.
 * @throws BadRequest if it is malformed, or the parameter has another value
 */
export function takeIdempotencyKey(
  header: string | string[] | undefined,
  { params: { idempotency_key: schema } }: Pick<Operation, 'params'>,
  values: Record<string, unknown>,
): void {
  if (header === undefined || !schema) return;
  const key = encodeText(schema, keyIn(String(header)));
  const given = values.idempotency_key;
  if (given !== undefined && given !== key)
    throw new BadRequest('The header Idempotency-Key and the parameter idempotency_key differ. Send only one of them.');
  values.idempotency_key = key;
}

/**
 * The key of a request that is no call of an operation.
 * @param given the parameter, if the request has it
 */
export function idempotencyKeyOf(header: string | string[] | undefined, given: string | undefined): string | undefined {
  const { idempotency_key: schema } = repeatable;
  const values: Record<string, unknown> = given === undefined ? {} : { idempotency_key: encodeText(schema, given) };
  takeIdempotencyKey(header, { params: repeatable }, values);
  return readParameter('idempotency_key', schema, values.idempotency_key, decodeText);
}

function keyIn(header: string): string {
  // Several headers arrive as one, joined with commas.
  if (!/^"|,/.test(header)) return header;
  if (!/^"(?:[^"\\]|\\["\\])*"$/.test(header))
    throw new BadRequest('The header Idempotency-Key must be a text in quotation marks, for example "8e03978e".');
  return header.slice(1, -1).replace(/\\(.)/g, '$1');
}

import { isUtf8 } from 'node:buffer';
import { BadRequest } from '../lib/internal.ts';
import { type Form, MAX_FIELD_NAME, MAX_FIELDS, nameTooLong, noFields, tooManyFields } from './form.ts';

/**
 * Reads a JSON object as a form: each member is a parameter.
 * @param content the raw body, or the object parsed by the host's web framework
 * @throws BadRequest
 */
export function jsonForm(content: unknown): Form {
  const body = content instanceof Uint8Array || typeof content === 'string' ? parse(content) : content;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
  const members = Object.entries(body);
  if (members.length > MAX_FIELDS) throw tooManyFields();
  const fields = noFields();
  const typed: Record<string, unknown> = Object.create(null);
  for (const [name, value] of members) {
    if (name.length > MAX_FIELD_NAME) throw nameTooLong();
    if (typeof value === 'string') fields[name] = value;
    else if (value !== undefined) typed[name] = value;
  }
  return { fields, typed };
}

function parse(content: Uint8Array | string): unknown {
  if (typeof content !== 'string' && !isUtf8(content)) throw notAnObject();
  const text =
    typeof content === 'string'
      ? content
      : Buffer.from(content.buffer, content.byteOffset, content.length).toString('utf8');
  // Same as no body.
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw notAnObject();
  }
}

function notAnObject(): BadRequest {
  return new BadRequest('The body must be a form, or a JSON object with a member for each parameter.');
}

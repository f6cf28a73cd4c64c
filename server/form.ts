import { isUtf8 } from 'node:buffer';
import type { StreamedFile } from '../lib/index.ts';
import { BadRequest } from '../lib/internal.ts';

/** The parameters of a request. Without a prototype, so that names like `constructor` are not special. */
export type Fields = Record<string, string>;

/** The body of a request. */
export interface Form {
  fields: Fields;
  file?: File | StreamedFile;
  /** Parameters of a JSON body that are not text. */
  typed?: Record<string, unknown>;
}

export const MAX_FIELDS = 1_000;
/** Characters. */
export const MAX_FIELD_NAME = 200;

export function noFields(): Fields {
  return Object.create(null);
}

/** Adds the fields of an urlencoded text. The last value of a repeated name counts. */
export function readFields(text: string, fields: Fields): Fields {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_FIELDS) throw tooManyFields();
  for (const pair of pairs) {
    const mark = pair.indexOf('=');
    const name = decode(mark === -1 ? pair : pair.slice(0, mark));
    const value = mark === -1 ? '' : decode(pair.slice(mark + 1));
    if (name.length > MAX_FIELD_NAME) throw nameTooLong();
    fields[name] = value;
  }
  return fields;
}

/** Decodes urlencoded bytes, which must be UTF-8. */
export function formText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8();
  return bytes.toString('utf8');
}

/** Decodes the query. Node passes non-ASCII bytes as latin1. */
export function queryText(query: string): string {
  return /[\u0080-\u00ff]/.test(query) ? formText(Buffer.from(query, 'latin1')) : query;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw notUtf8();
  }
}

/** 413. The connection closes after the response. */
export class BodyTooLarge extends BadRequest {
  constructor(limit: number) {
    super(`The request body is too large (limit: ${limit} bytes).`, undefined, 413);
  }
}

/** A file above the limit is a 400 like other errors. 413 is for the form itself. */
export class FileTooLarge extends BadRequest {
  constructor(maxBytes: number) {
    super(`The file is too large (limit: ${maxBytes / 1024 / 1024} MiB).`);
  }
}

export const notUtf8 = () => new BadRequest('The parameters are not valid UTF-8, or contain a broken percent escape.');
export const tooManyFields = () => new BadRequest(`There are too many parameters (limit: ${MAX_FIELDS}).`);
export const nameTooLong = () => new BadRequest(`The name of a parameter is too long (limit: ${MAX_FIELD_NAME}).`);

/**
 * Reads a JSON object as a form: each member is a parameter.
 * @param content the raw body, or the object parsed by the host's web framework
 * @throws BadRequest
 */
export function jsonForm(content: unknown): Form {
  const members = Object.entries(objectIn(content));
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

function objectIn(content: unknown): object {
  const body = content instanceof Uint8Array || typeof content === 'string' ? parse(content) : content;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
  return body;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(content: Uint8Array | string): unknown {
  try {
    const text = typeof content === 'string' ? content : UTF8.decode(content);
    // Same as no body.
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw notAnObject();
  }
}

const notAnObject = () => new BadRequest('The body must be a form, or a JSON object with a member for each parameter.');

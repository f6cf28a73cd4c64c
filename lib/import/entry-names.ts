import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadExport, withoutMarks } from './source.ts';

/** Entries of an archive. An export of a million messages has some hundred thousand. */
const MAX_ENTRIES = 2_000_000;
/** Bytes of a JSON file: it is in memory as a whole. */
export const MAX_JSON_BYTES = 256 * 1024 * 1024;

/**
 * The path of an entry in an archive.
 * @throws BadExport for a name that is not UTF-8, or that may lead out of the archive
 */
export function checkedEntryName(raw: Uint8Array): string {
  let name: string;
  try {
    name = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw new BadExport(`The name of the entry "${shown(Buffer.from(raw).toString('latin1'))}" is not UTF-8.`);
  }
  const isOutside = /^[/\\]|^[A-Za-z]:|\\|\0/.test(name) || name.split('/').includes('..');
  if (isOutside) throw new BadExport(`The entry "${shown(name)}" has a path outside of the archive.`);
  return name.replace(/^(?:\.\/)+/, '');
}

export function checkEntryCount(count: number): void {
  if (count > MAX_ENTRIES) throw new BadExport(`The archive has too many entries (limit: ${MAX_ENTRIES}).`);
}

export const linkRefused = (name: string) =>
  new BadExport(`The entry "${shown(name)}" is a link. Links are not followed.`);

export const tooLarge = (name: string, max: number) =>
  new BadExport(`The entry "${shown(name)}" is too large (limit: ${Math.floor(max / 1024 / 1024)} MiB).`);

/**
 * The file at a path in an unpacked export. Undefined if there is none, or if a link leads to it: archives may contain
 * links to files of the operator.
 */
export function fileIn(folder: string, path: string): string | undefined {
  try {
    const file = join(realpathSync(folder), path);
    return realpathSync(file) === file && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param options `keepsMarks`: the texts are not content for the importer, so they may contain the marks of references
 * @throws BadExport unless the bytes are UTF-8 and JSON
 */
export function parsedJson(name: string, bytes: Uint8Array, { keepsMarks = false } = {}): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadExport(`The entry "${shown(name)}" is not UTF-8.`);
  }
  try {
    // Texts of the export must not contain references.
    return !keepsMarks && /[\ue001\ue002]|\\ue00[12]/i.test(text) ? JSON.parse(text, withoutMarksIn) : JSON.parse(text);
  } catch {
    throw new BadExport(`The entry "${shown(name)}" is not JSON.`);
  }
}

const withoutMarksIn = (_key: string, value: unknown) => (typeof value === 'string' ? withoutMarks(value) : value);

/** For messages at a terminal. */
export const shown = (name: string) => name.replace(/[\p{C}]/gu, '?').slice(0, 200);

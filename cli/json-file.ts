import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { codeOf } from '../lib/internal.ts';
import { UsageError } from './failure.ts';

/** The content of a JSON file with settings. @param what names the file in errors, such as "mapping file" @throws UsageError */
export function readJsonFile<S extends v.GenericSchema>(file: string, schema: S, what: string): v.InferOutput<S> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Reading the ${what} ${file} failed (${codeOf(error)}).`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`The ${what} ${file} is not JSON.`);
  }
  const read = v.safeParse(schema, json);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new UsageError(`The ${what} ${file} is not valid: ${v.getDotPath(issue) ?? 'the file'}: ${reasonOf(issue)}.`);
}

/** The library's messages for wrong types quote the value, which may be a secret. */
function reasonOf({ kind, expected, received, message }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema') return message;
  if (received === 'undefined') return 'is missing';
  return expected === 'never' ? 'is not a known field' : `must be ${expected}`;
}

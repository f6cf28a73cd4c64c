import { inspect } from 'node:util';
import { present } from '../base/present.ts';
import { encodeText, textKind } from '../base/text-codec.ts';
import type { Operation } from '../operation/operation.ts';
import { CHATCTL_SAMPLES } from './chatctl-samples.ts';

/** An element of the OpenAPI extension `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Code samples of an operation for each interface, from the example in its declaration. */
export function samplesOf(operation: Operation, method: string, path: string): CodeSample[] {
  const command = CHATCTL_SAMPLES[operation.name];
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(operation, method, path) },
    ...(command === undefined ? [] : [{ lang: 'Shell', label: 'chatctl', source: command }]),
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(operation) },
  ];
}

/** The call of a session method, on one line if it is short. */
export function typescriptSample(operation: Operation): string {
  const given = operation.example ?? {};
  const file = fileOf(operation);
  const text = Object.keys(given).length === 0 ? '' : inspect(given, { breakLength: 100, depth: 9 });
  if (file === undefined) return `await session.${operation.name}(${text});`;
  const others = text === '' ? '' : `${text.slice(2, -2)}, `;
  return `const file = new File([await readFile('cat.png')], 'cat.png');
await session.${operation.name}({ ${others}${file === 'file' ? file : `${file}: file`} });`;
}

/** Address and credentials come from the environment variables that `chatctl` reads. */
function curlSample(operation: Operation, method: string, path: string): string {
  const { params, example = {}, access } = operation;
  const given = new Map(Object.entries(example as Record<string, unknown>));
  const address = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (!given.has(name)) return whole;
    const text = encodeText(present(params[name]), given.get(name));
    given.delete(name);
    return encodeURIComponent(text);
  });
  const file = fileOf(operation);
  const fields = [...given].map(([name, value]) => {
    const field = shellWord(`${name}=${encodeText(present(params[name]), value)}`);
    return file === undefined ? `--data-urlencode ${field}` : `--form-string ${field}`;
  });
  if (file !== undefined) fields.push(`--form ${file}=@cat.png`);
  const isBodyless = fields.length === 0;
  const verb =
    method === 'GET' ? (isBodyless ? '' : ' --get') : method === 'POST' && !isBodyless ? '' : ` -X ${method}`;
  const credentials = access === 'anyone' ? '' : ' -u "$ZULIP_EMAIL:$ZULIP_API_KEY"';
  return [`curl "$ZULIP_SITE/api/v1${address}"${verb}${credentials}`, ...fields].join(' \\\n  ');
}

function fileOf({ params }: Operation): string | undefined {
  return Object.entries(params).find(([, schema]) => textKind(schema) === 'file')?.[0];
}

/** Quotes a text for a shell, so that suggested commands can be copied. */
export const shellWord = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

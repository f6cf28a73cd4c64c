import { commandPath } from '../../cli/names.ts';
import { argumentsOf, fieldsOf } from '../../cli/operations/command.ts';
import { metadata } from '../../cli/program.ts';
import { catalogue, encodeText, type Operation } from '../../lib/internal.ts';
import { shellWord } from '../../lib/openapi/samples.ts';

export const CHATCTL_SAMPLES_FILE = 'lib/openapi/chatctl-samples.ts';

/** The text of that file: how each operation is called on the command line. */
export function chatctlSamples(): string {
  const lines = (catalogue as readonly Operation[]).map((operation) => {
    const { name } = operation;
    const line = `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(sampleOf(operation))},`;
    // As the formatter of the project breaks lines.
    return `${[...line].length > 120 ? line.replace(': ', ':\n    ') : line}\n`;
  });
  return `// Written by \`npm run documents\` from the commands and the examples of operations; a test compares.

/** A line for a shell, by the name of the operation. */
export const CHATCTL_SAMPLES: Readonly<Record<string, string>> = {
${lines.join('')}};
`;
}

/** The first example of its help; where there is none, the example of its declaration. */
function sampleOf(operation: Operation): string {
  const known = metadata.get(operation.name) ?? {};
  const [first] = known.examples ?? [];
  if (first !== undefined) return `chatctl ${first}`;
  const given = new Map(Object.entries((operation.example ?? {}) as Record<string, unknown>));
  const fields = fieldsOf(operation, known);
  const words: string[] = [];
  for (const { field } of argumentsOf(fields, known)) {
    if (!given.has(field.name)) break;
    words.push(shellWord(textOf(field, given.get(field.name))));
    given.delete(field.name);
  }
  for (const field of fields) {
    const value = given.get(field.name);
    if (value === undefined) continue;
    if (typeof value === 'boolean' && field.shape.kind === 'boolean')
      words.push(value ? field.flag : field.flag.replace('--', '--no-'));
    else words.push(field.flag, shellWord(textOf(field, value)));
  }
  return ['chatctl', ...commandPath(operation.name), ...words].join(' ');
}

function textOf({ schema }: ReturnType<typeof fieldsOf>[number], value: unknown): string {
  const isPlainList = Array.isArray(value) && value.every((one) => /^[\w@.-]+$/.test(String(one)));
  return isPlainList ? value.join(',') : encodeText(schema, value);
}

/** As the formatter of the project writes it. */
function literal(text: string): string {
  const count = (sign: string) => text.split(sign).length;
  const quote = count("'") > count('"') ? '"' : "'";
  const inside = text.replaceAll('\\', '\\\\');
  return quote === "'" ? `'${inside.replaceAll("'", "\\'")}'` : `"${inside.replaceAll('"', '\\"')}"`;
}

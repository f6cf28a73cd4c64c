import { exampleLine } from '../../cli/help.ts';
import { commandPath } from '../../cli/names.ts';
import { argumentsOf, fieldsOf } from '../../cli/operations/command.ts';
import { metadata } from '../../cli/program.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';

export const CHATCTL_SAMPLES_FILE = 'lib/openapi/chatctl-samples.ts';

/** The text of that file: the chatctl call of each operation. */
export function chatctlSamples(): string {
  const lines = (catalogue as readonly Operation[]).map((operation) => {
    const { name } = operation;
    const line = `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(sampleOf(operation))},`;
    // Breaks lines like the project's formatter.
    return `${[...line].length > 120 ? line.replace(': ', ':\n    ') : line}\n`;
  });
  return `// Written by \`npm run documents\` from the commands and the examples of operations; a test compares.

/** A line for a shell, by the name of the operation. */
export const CHATCTL_SAMPLES: Readonly<Record<string, string>> = {
${lines.join('')}};
`;
}

/** The first example of its help. */
function sampleOf(operation: Operation): string {
  const known = metadata.get(operation.name) ?? {};
  const fields = fieldsOf(operation, known);
  const byPosition = argumentsOf(fields, known).map(({ field }) => field);
  return `chatctl ${known.examples?.[0] ?? exampleLine(operation, fields, commandPath(operation.name), byPosition)}`;
}

/** Formats like the project's formatter. */
function literal(text: string): string {
  const count = (sign: string) => text.split(sign).length;
  const quote = count("'") > count('"') ? '"' : "'";
  const inside = text.replaceAll('\\', '\\\\');
  return quote === "'" ? `'${inside.replaceAll("'", "\\'")}'` : `"${inside.replaceAll('"', '\\"')}"`;
}

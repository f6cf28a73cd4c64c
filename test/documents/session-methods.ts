/** The methods of a session, each with the documentation that an editor shows. */
import { catalogue, isOptional, type Operation, typescriptSample } from '../../lib/internal.ts';
import { schemaDescription } from './field-descriptions.ts';
import { GLOSSARY } from './field-glossary.ts';

/**
 * The members of an interface.
 *
 * @param typeOf writes the type of a method, after the start of its line
 */
export function sessionMethods(typeOf: (operation: Operation, before: string) => string): string {
  const lines: string[] = [];
  let group: string | undefined;
  for (const operation of [...(catalogue as readonly Operation[])].sort(byGroup)) {
    const [first, action] = operation.name.split('.') as [string, string?];
    const own = action === undefined ? undefined : first;
    if (group !== undefined && group !== own) lines.push('  };');
    if (own !== undefined && group !== own) lines.push(`  ${own}: {`);
    group = own;
    const indent = own === undefined ? '  ' : '    ';
    lines.push(...documentation(operation).map((line) => indent + line));
    const before = `${indent}${action ?? first}: `;
    lines.push(`${before}${typeOf(operation, before)};`);
  }
  if (group !== undefined) lines.push('  };');
  return lines.join('\n');
}

/** Groups stay in the order in which their first operation is listed. */
function byGroup(one: Operation, other: Operation): number {
  return placeOf(one) - placeOf(other);
}

function placeOf({ name }: Operation): number {
  const [group] = name.split('.');
  return (catalogue as readonly Operation[]).findIndex((operation) => operation.name.split('.')[0] === group);
}

function documentation(operation: Operation): string[] {
  const { summary, description, params, errors, example } = operation;
  const lines = [`${summary}.`];
  if (description) lines.push('', description);
  const entries = Object.entries(params);
  if (entries.length > 0) lines.push('', '@param parameters');
  for (const [parameter, schema] of entries) {
    const said = schemaDescription(schema) ?? GLOSSARY[parameter];
    lines.push(`- \`${parameter}\`${isOptional(schema) ? ' (optional)' : ''}${said ? `: ${said}` : ''}`);
  }
  if (errors.length > 0) lines.push('', `@throws ${errors.map((error) => error.name).join(', ')}`);
  if (example !== undefined) lines.push('', '@example', ...typescriptSample(operation).split('\n'));
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  return ['/**', ...safe.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

/** The methods of a session with their documentation, as an editor shows it: written from the declarations. */
import { inspect } from 'node:util';
import * as v from 'valibot';
import { catalogue, isOptional, type Operation } from '../../lib/internal.ts';

export const OPERATIONS_FILE = new URL('../../lib/kernel/generated/operations.ts', import.meta.url);

const HEAD = `// Written by \`npm run documents\` from the declarations of operations; a test compares.
import type { ListEvents, Method, Register } from '../methods.ts';

/** Every operation, by group and action. Parameter and result names are the wire's own. */
export interface Operations {
`;

/** Whose types say more than schemas can. */
const TYPES: Readonly<Record<string, string>> = { register: 'Register', 'events.list': 'ListEvents' };

export function operationsInterface(): string {
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
    lines.push(`${indent}${action ?? first}: ${TYPES[operation.name] ?? `Method<'${operation.name}'>`};`);
  }
  if (group !== undefined) lines.push('  };');
  return `${HEAD}${lines.join('\n')}\n}\n`;
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
  const { summary, description, params, errors, name, example } = operation;
  const lines = [`${summary}.`];
  if (description) lines.push('', description);
  const entries = Object.entries(params.entries as Record<string, v.GenericSchema>);
  if (entries.length > 0) lines.push('', '@param parameters');
  for (const [parameter, schema] of entries) {
    const said = descriptionOf(schema);
    lines.push(`- \`${parameter}\`${isOptional(schema) ? ' (optional)' : ''}${said ? `: ${said}` : ''}`);
  }
  if (errors.length > 0) lines.push('', `@throws ${errors.map((error) => error.name).join(', ')}`);
  if (example !== undefined) {
    const given = Object.keys(example as object).length === 0 ? '' : inspect(example, { breakLength: 100, depth: 9 });
    lines.push('', '@example', ...`await session.${name}(${given});`.split('\n'));
  }
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  return ['/**', ...safe.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

/** What may be left out is described inside. */
function descriptionOf(schema: v.GenericSchema): string | undefined {
  const inner = (schema as { wrapped?: v.GenericSchema }).wrapped;
  return v.getDescription(schema as never) ?? (inner && descriptionOf(inner));
}

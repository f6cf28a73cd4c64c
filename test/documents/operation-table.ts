/** `npm run documents`: writes the table of operations into the README, the types of a session and lists of files. */
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { catalogue, type Operation, routesOf } from '../../lib/internal.ts';
import { GENERATED_TYPES, generatedTypes } from './generated-types.ts';
import { registries } from './registries.ts';

const README = new URL('../../README.md', import.meta.url);
const MARKED = /(<!-- operations -->\n)[\s\S]*?(<!-- \/operations -->)/;

function operationTable(): string {
  const rows = (catalogue as readonly Operation[]).map((operation) => {
    const [route] = routesOf(operation);
    return `| \`${operation.name}\` | \`${route?.method} ${route?.path.replace('*}', '}')}\` | ${operation.summary} |`;
  });
  return ['| Function | Route | |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

export const readReadme = () => readFile(README, 'utf8');

export function withOperationTable(readme: string): string {
  // A function, since `$` means something in a replacement text.
  return readme.replace(MARKED, (_, start: string, end: string) => start + operationTable() + end);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(README, withOperationTable(await readReadme()));
  for (const [path, text] of [...registries(), [GENERATED_TYPES, generatedTypes()] as const])
    await writeFile(new URL(`../../${path}`, import.meta.url), text);
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  from: string;
  /** A file of the project, or the name of a package. */
  to: string;
  /** Gone at run time. */
  isType: boolean;
}

/** Everything the product's files import, paths from the root of the project. */
export function importsOfProduct(): Import[] {
  return ['lib', 'server', 'cli'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name.replaceAll('\\', '/')))
      .filter((name) => name.endsWith('.ts'))
      .flatMap(importsOf),
  );
}

function importsOf(from: string): Import[] {
  const text = readFileSync(join(ROOT, from), 'utf8');
  const statements = text.matchAll(/^(?:import|export)(?: (type))? (?:[^;'"]*? from )?'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\('([^']+)'\)()/g);
  return [
    ...[...statements].map(([whole, type, target = '']) => ({ target, isType: !!type || onlyTypes(whole) })),
    ...[...calls].map(([, target = '']) => ({ target, isType: false })),
  ].map(({ target, isType }) => ({ from, to: target.startsWith('.') ? join(dirname(from), target) : target, isType }));
}

/** `import { type A, type B } from` */
function onlyTypes(statement: string): boolean {
  const names = /\{([\s\S]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return !!names && names.every((name) => name === '' || name.startsWith('type '));
}

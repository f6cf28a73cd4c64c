import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The folders and files of lib/ in order. Each imports only itself and earlier ones. */
export const FOLDERS: readonly string[] = [
  'base',
  'model',
  'rules',
  'storage',
  'adapters',
  'markdown',
  'events',
  'views',
  'access',
  'viewer',
  'operation',
  'jobs',
  'engine',
  'domains',
  'catalogue.ts',
  'chat',
  'client',
  'panel',
  'openapi',
  'maintenance',
  'import',
  'index.ts',
  'internal.ts',
  'testing',
];

/** The folder of lib/ that a file is in, or its name if it is in none. */
export const folderOf = (path: string) => /^lib\/([^/]+)/.exec(path)?.[1];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  from: string;
  /** A file of the project, or the name of a package. */
  to: string;
  /** Type imports, which are removed at run time. */
  isType: boolean;
  /** `import(…)`, which runs when both files are loaded. */
  isLazy: boolean;
}

export interface SourceFile {
  /** From the root of the project. */
  path: string;
  text: string;
  imports: Import[];
}

/** The files of the product with all their imports, types included. */
export function filesOfProduct(): SourceFile[] {
  return ['lib', 'server', 'cli'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name.replaceAll('\\', '/')))
      .filter((path) => /\.tsx?$/.test(path))
      .sort()
      .map((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8');
        return { path, text, imports: importsOf(path, text) };
      }),
  );
}

function importsOf(from: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean, isLazy = false) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const { text: target } = specifier;
    found.push({ from, to: target.startsWith('.') ? join(dirname(from), target) : target, isType, isLazy });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypes(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(from, text, ts.ScriptTarget.Latest));
  return found;
}

/** `import type { A } from`, `import { type A, type B } from` */
function importsTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  return !clause.name && !!names && ts.isNamedImports(names) && names.elements.every((name) => name.isTypeOnly);
}

/** Import cycles of any length: Tarjan's strongly connected components. */
export function circles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    order.set(file, order.size);
    let low = order.get(file) as number;
    open.push(file);
    for (const to of next.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (open.includes(to)) low = Math.min(low, lowest.get(to) ?? (order.get(to) as number));
    }
    lowest.set(file, low);
    if (low === order.get(file)) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1 || next.get(file)?.includes(file)) found.push(group.sort());
    }
    return low;
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return found;
}

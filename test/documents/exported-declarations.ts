/** The exports of the package, read from its sources. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Declaration =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableStatement;

export interface Exported {
  name: string;
  /** Several for a function with overloads. */
  declarations: Declaration[];
}

/** The entry points: the import path and the file behind it. */
export function entryPoints(): { name: string; path: string }[] {
  const { name, exports, tsup } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entries: Record<string, string> = Object.assign({}, ...tsup.map(({ entry }: { entry: object }) => entry));
  const code = Object.keys(exports).filter((key) => !/\.(json|css|js)$/.test(key));
  return code.map((key) => {
    const path = entries[key === '.' ? 'index' : key.slice(2)];
    if (path === undefined) throw new Error(`No file is built for ${key}.`);
    // The panel is bundled separately, so only its declarations are an entry.
    const source = path.replace(/^\.cache\/types\/(.*)\.d\.ts$/, '$1.tsx');
    return { name: key === '.' ? name : `${name}/${key.slice(2)}`, path: source };
  });
}

/** The exports of a file in alphabetical order, wherever they are declared. */
export function exportedBy(path: string): Exported[] {
  const names = new Map<string, Declaration[]>();
  for (const statement of parsed(join(ROOT, path)).statements) {
    if (ts.isExportDeclaration(statement)) for (const name of reexported(statement)) names.set(name, []);
    else if (isExported(statement)) for (const name of namesOf(statement)) names.set(name, []);
  }
  return [...names.keys()]
    .sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
    .map((name) => ({ name, declarations: declarationsOf(join(ROOT, path), name) }));
}

/** Types in the declarations of an entry point, and the declarations that name them. */
export function typesNamedBy(path: string): { type: string; by: string }[] {
  return exportedBy(path).flatMap(({ name, declarations }) =>
    declarations.flatMap((declaration) => [...typesIn(declaration)].map((type) => ({ type, by: name }))),
  );
}

/** Without private members, function bodies, and a declaration's own type parameters. */
function typesIn(declaration: Declaration): Set<string> {
  const named = new Set<string>();
  const own = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || isHidden(node)) return;
    if (ts.isTypeParameterDeclaration(node)) own.add(node.name.text);
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) named.add(node.typeName.text);
    if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) named.add(node.expression.text);
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  for (const name of own) named.delete(name);
  return named;
}

function isHidden(node: ts.Node): boolean {
  if (!ts.isClassElement(node) && !ts.isTypeElement(node)) return false;
  const isPrivate = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isPrivateWord);
  return (
    isPrivate ||
    (node.name !== undefined && (ts.isPrivateIdentifier(node.name) || ts.isComputedPropertyName(node.name)))
  );
}

const isPrivateWord = ({ kind }: ts.Node) => kind === ts.SyntaxKind.PrivateKeyword;

/** Whether it is declared in a project file, and not by the language, Node or another package. */
export function isOurs(type: string): boolean {
  const pattern = new RegExp(`^export (declare )?(abstract )?(interface|type|class) ${type}\\b`, 'm');
  const local = new RegExp(`^(interface|type|class) ${type}\\b`, 'm');
  return [...files.values()].some(({ text }) => pattern.test(text) || local.test(text));
}

const files = new Map<string, ts.SourceFile>();

function parsed(path: string): ts.SourceFile {
  const known = files.get(path) ?? ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  files.set(path, known);
  return known;
}

function reexported({ exportClause, moduleSpecifier }: ts.ExportDeclaration): string[] {
  if (exportClause && ts.isNamedExports(exportClause)) return exportClause.elements.map(({ name }) => name.text);
  throw new Error(`An entry point must name its exports, also those of ${moduleSpecifier?.getText()}.`);
}

/** The file that declares an exported name: this file, or one that it re-exports from. */
function declarationsOf(path: string, name: string): Declaration[] {
  const file = parsed(path);
  const own = file.statements.filter(isDeclaration).filter((statement) => namesOf(statement).includes(name));
  if (own.length > 0) return own;
  for (const statement of file.statements) {
    const source = sourceOf(path, statement);
    if (source === undefined) continue;
    const bindings = bindingsOf(statement);
    const binding = bindings?.find((each) => each.name.text === name);
    const known = bindings ? binding && (binding.propertyName ?? binding.name).text : name;
    const found = known === undefined ? [] : declarationsOf(source, known);
    if (found.length > 0) return found;
  }
  return [];
}

/** The project file that a statement imports or exports from. */
function sourceOf(path: string, statement: ts.Statement): string | undefined {
  if (!ts.isExportDeclaration(statement) && !ts.isImportDeclaration(statement)) return undefined;
  const { moduleSpecifier } = statement;
  const isOurs = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text.startsWith('.');
  return isOurs ? join(dirname(path), moduleSpecifier.text) : undefined;
}

/** The names in braces. Undefined for `*`. */
function bindingsOf(statement: ts.Statement): readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] | undefined {
  if (ts.isExportDeclaration(statement))
    return statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements
      : undefined;
  const names = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
  return names && ts.isNamedImports(names) ? names.elements : [];
}

const isExported = (node: ts.Node): node is Declaration =>
  isDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function isDeclaration(node: ts.Node): node is Declaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableStatement(node)
  );
}

function namesOf(node: Declaration): string[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
  return node.name ? [node.name.text] : [];
}

import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import type { SourceFile } from './imports.ts';

/** A function or value at the top level of a file, and the names in it. */
interface Unit {
  names: Set<string>;
  /** Created by `defineEvent` and similar functions: its functions run elsewhere. */
  isDeclaration: boolean;
}

/** Files in domains, access and rules with functions and values that an operation uses at run time. */
export function reached(from: string, files: ReadonlyMap<string, SourceFile>): number {
  const seen = new Map<string, Set<string>>([[from, new Set()]]);
  const follow = (path: string, names: Iterable<string>): void => {
    const { units, imported } = read(path);
    for (const name of names) {
      const [file, found] = imported.get(name) ?? [path, name];
      const uses = units.has(name) || imported.has(name);
      if (!uses || !files.has(file) || !/^lib\/(domains|access|rules)\//.test(file)) continue;
      const known = seen.get(file) ?? new Set();
      if (known.has(found)) continue;
      seen.set(file, known.add(found));
      const unit = read(file).units.get(found);
      if (unit && !unit.isDeclaration) follow(file, unit.names);
    }
  };
  follow(from, runOf(parsed(from)));
  return seen.size;

  function parsed(path: string): ts.SourceFile {
    return ts.createSourceFile(path, files.get(path)?.text ?? '', ts.ScriptTarget.Latest, true);
  }

  function read(path: string) {
    const units = new Map<string, Unit>();
    const imported = new Map<string, [file: string, name: string]>();
    for (const statement of parsed(path).statements) {
      if (ts.isImportDeclaration(statement)) {
        const bindings = statement.importClause?.namedBindings;
        const file = join(dirname(path), (statement.moduleSpecifier as ts.StringLiteral).text);
        if (!bindings || !ts.isNamedImports(bindings) || statement.importClause?.isTypeOnly) continue;
        for (const { name, propertyName } of bindings.elements) {
          imported.set(name.text, [file, (propertyName ?? name).text]);
        }
      } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
        if (statement.name) units.set(statement.name.text, { names: namesIn(statement), isDeclaration: false });
      } else if (ts.isVariableStatement(statement)) {
        for (const { name, initializer } of statement.declarationList.declarations) {
          if (!initializer) continue;
          const isDeclaration = /^define\w+\(/.test(initializer.getText());
          units.set(name.getText(), { names: namesIn(initializer), isDeclaration });
        }
      }
    }
    return { units, imported };
  }
}

/** The names in `run` and `propose` of an operation. */
function runOf(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isFound = ts.isMethodDeclaration(node) || ts.isPropertyAssignment(node);
    if (isFound && /^(run|propose)$/.test(node.name.getText())) for (const name of namesIn(node)) names.add(name);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Without types and names of properties. */
function namesIn(node: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (child: ts.Node): void => {
    if (ts.isTypeNode(child)) return;
    if (ts.isIdentifier(child)) names.add(child.text);
    else if (ts.isPropertyAccessExpression(child)) visit(child.expression);
    else if (ts.isPropertyAssignment(child)) visit(child.initializer);
    else ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return names;
}

import ts from 'typescript';
import type { SourceFile } from './imports.ts';

/** A function with a body, measured without the functions in it. */
export interface MeasuredFunction {
  /** File, line and name, as `server/form.ts:108 readMultipart`. */
  readonly place: string;
  /** Cyclomatic complexity: 1, and 1 for each branch. A default (`??`) and `?.` are none. */
  readonly complexity: number;
  /** Lines, with those of the functions in it. */
  readonly lines: number;
}

/** All functions of some files, those in other functions too. */
export function functionsOf(files: readonly SourceFile[]): MeasuredFunction[] {
  return files.flatMap(({ path, text }) => {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
    const found: MeasuredFunction[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body) {
        const first = lineOf(node.getStart(source));
        found.push({
          place: `${path}:${first + 1} ${nameOf(node)}`,
          complexity: 1 + branchesIn(node),
          lines: lineOf(node.getEnd()) - first + 1,
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** The name of a function, or of the variable or property that holds it. */
function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  const holder = name ?? (parent as { name?: ts.Node }).name;
  return holder?.getText() ?? 'an unnamed function';
}

const BRANCHES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
]);

/** Without those of the functions in it. */
function branchesIn(node: ts.Node): number {
  let count = 0;
  const visit = (child: ts.Node): void => {
    if (BRANCHES.has(child.kind)) count++;
    if (!ts.isFunctionLike(child)) ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return count;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FOLDERS = ['lib/domains', 'lib/rules', 'lib/events', 'lib/storage/sql', 'server'];
const SWAPS: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '&&': '||', '||': '&&', '+': '-', '-': '+', '??': '&&' },
};

/** A change of the code between two offsets of a file. */
export interface Mutant {
  id: number;
  file: string;
  start: number;
  end: number;
  line: number;
  kind: string;
  text: string;
  replacement: string;
}

export function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(ending))
    .sort();
}

function isInFunction({ parent }: ts.Node): boolean {
  return parent !== undefined && (ts.isFunctionLike(parent) || isInFunction(parent));
}

/** All changes that can be made in a file: other operators, negated conditions, dropped statements. */
function placesIn(file: string): Mutant[] {
  const code = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, kind: string, replacement: string) => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ id: 0, file, start, end: node.end, line, kind, text: node.getText(source), replacement });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (isInFunction(node)) {
      if (ts.isBinaryExpression(node)) {
        const operator = node.operatorToken.getText(source);
        const other = SWAPS[operator];
        const isText = operator === '+' && /['"`]/.test(node.getText(source));
        const [left, right] = [node.left.getText(source), node.right.getText(source)];
        if (other && !isText)
          add(node, `${operator} to ${other}`, operator === '??' ? right : `(${left}) ${other} (${right})`);
      }
      const condition = ts.isIfStatement(node)
        ? node.expression
        : ts.isConditionalExpression(node)
          ? node.condition
          : null;
      if (condition) add(condition, 'negated condition', `!(${condition.getText(source)})`);
      if (ts.isExpressionStatement(node) && !/^super\(/.test(node.getText(source))) add(node, 'dropped statement', '');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Numbers from 0 to 1 by seed (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), 1 | state);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return ((n ^ (n >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function draw(seed: number, count: number): Mutant[] {
  const all = FOLDERS.flatMap((folder) => filesIn(folder, '.ts')).flatMap(placesIn);
  const random = randomBy(seed);
  const drawn: Mutant[] = [];
  while (drawn.length < count && all.length > 0) drawn.push(...all.splice(Math.floor(random() * all.length), 1));
  return drawn.map((mutant, index) => ({ ...mutant, id: index + 1 }));
}

/** In each changed file. `MUTANT` chooses one change, `MUTANTS_REACHED` names a file for the numbers of executed ones. */
const CHOICE = `
function __mutant(id: number): boolean {
  const page = globalThis as any;
  const env = page.process?.env ?? {};
  const seen: Set<number> = (page.__mutantsSeen ??= new Set());
  if (env.MUTANTS_REACHED && !seen.has(id)) {
    seen.add(id);
    page.process.getBuiltinModule('node:fs').appendFileSync(env.MUTANTS_REACHED, id + ' ');
  }
  return (',' + env.MUTANT + ',').includes(',' + id + ',');
}
`;

/** The code of a file with all its mutants, each beside the original. */
export function withMutants(code: string, mutants: readonly Mutant[]): string {
  const contains = (a: Mutant, b: Mutant) =>
    a !== b && a.start <= b.start && a.end >= b.end && (a.end - a.start > b.end - b.start || a.id < b.id);
  const write = (start: number, end: number, inside: readonly Mutant[]): string => {
    const outer = inside.filter((one) => !inside.some((other) => contains(other, one)));
    let text = '';
    let at = start;
    for (const mutant of outer.toSorted((a, b) => a.start - b.start)) {
      const original = write(
        mutant.start,
        mutant.end,
        inside.filter((one) => contains(mutant, one)),
      );
      const { id, kind, replacement } = mutant;
      text += code.slice(at, mutant.start);
      text +=
        kind === 'dropped statement'
          ? `{ if (!__mutant(${id})) { ${original} } }`
          : `(__mutant(${id}) ? (${replacement}) : (${original}))`;
      at = mutant.end;
    }
    return text + code.slice(at, end);
  };
  return write(0, code.length, mutants) + CHOICE;
}

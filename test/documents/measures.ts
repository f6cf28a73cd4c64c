/**
 * `npm run measures`: the size of the project, and how much of it one operation reaches. `npm run measures -- --list`
 * also names the functions that are too complex or too long.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path/posix';
import ts from 'typescript';
import { filesRun } from './files-run.ts';
import { functionsOf, type MeasuredFunction } from './functions.ts';
import { FOLDERS, filesOfProduct, folderOf, type SourceFile } from './imports.ts';
import { reached } from './reach.ts';

/** Tables of names, and released migrations. */
const DATA = /^lib\/(markdown\/data\/|storage\/migrations\/)/;
/** The start of a generated file. */
const GENERATED = /^\/\/ .*`npm run documents`.*/;
/** A shorter file with a single importer should be merged into it. */
const FRAGMENT_LINES = 60;
const MAX_COMPLEXITY = 15;
const MAX_FUNCTION_LINES = 60;
const OPERATIONS = {
  reaction: 'lib/domains/messages/reactions/add-reaction.ts',
  edit: 'lib/domains/messages/editing/edit.ts',
  send: 'lib/domains/messages/posting/send.ts',
};
const files = filesOfProduct();
const byPath = new Map(files.map((file) => [file.path, file]));
const linesOf = (some: readonly SourceFile[]) => some.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
const isCode = ({ path, text }: SourceFile) => !DATA.test(path) && !GENERATED.test(text);
const under = (folder: string) => files.filter((file) => file.path.startsWith(folder) && isCode(file));

const isOperation = (path: string) => byPath.get(path)?.text.includes('defineOperation(') ?? false;

function betweenFolders() {
  const pairs = new Set<string>();
  const upward = new Set<string>();
  for (const { from, to } of files.flatMap((file) => file.imports)) {
    const [here, there] = [folderOf(from), folderOf(to)];
    if (!here || !there || here === there) continue;
    pairs.add(`${here} ${there}`);
    if (FOLDERS.indexOf(there) > FOLDERS.indexOf(here)) upward.add(`${from} ${to}`);
  }
  const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' ').reverse().join(' '))).length / 2;
  return { mutual, upward: upward.size };
}

function fragments(): number {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of files.flatMap((file) => file.imports)) {
    importers.set(to, (importers.get(to) ?? new Set()).add(from));
  }
  const mayBeSmall = ({ path, text }: SourceFile) =>
    isOperation(path) ||
    basename(path) === 'index.ts' ||
    DATA.test(path) ||
    /^cli\/commands\/|\/storage\/interface\//.test(path) ||
    /Store\b/.test(text);
  return files.filter(
    (file) =>
      file.text.split('\n').length <= FRAGMENT_LINES && importers.get(file.path)?.size === 1 && !mayBeSmall(file),
  ).length;
}

function syntax() {
  const counts = { positionalBooleans: 0, any: 0, nonNull: 0, casts: 0 };
  for (const { path, text } of files) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const isBoolean = ({ kind }: ts.Node) =>
          kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword;
        counts.positionalBooleans += (node.arguments ?? []).filter(isBoolean).length;
      }
      if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any++;
      if (ts.isNonNullExpression(node)) counts.nonNull++;
      if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) counts.casts++;
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  }
  return counts;
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name)).length;
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'ARCHITECTURE.md'];
const wordsOf = (path: string) => readFileSync(path, 'utf8').split(/\s+/).filter(Boolean).length;
const { mutual, upward } = betweenFolders();
const { positionalBooleans, any, nonNull, casts } = syntax();
const functions = functionsOf(files.filter(isCode));
const complex = functions.filter(({ complexity }) => complexity > MAX_COMPLEXITY);
const long = functions.filter(({ lines }) => lines > MAX_FUNCTION_LINES);
const isFrame = ({ path }: SourceFile) => !/^lib\/(panel|client\/store)\//.test(path);

console.table({
  'lines of lib, server and cli': linesOf(files.filter(isCode)),
  'the same without panel and client store': linesOf(files.filter((file) => isCode(file) && isFrame(file))),
  'lines of server': linesOf(under('server/')),
  'lines of cli': linesOf(under('cli/')),
  'lines of panel': linesOf(under('lib/panel/')),
  'lines of storage': linesOf(under('lib/storage/')),
  'files of lib, server and cli': files.length,
  'files of test': filesBelow('test'),
  ...Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, path]) => [`files that ${name} reaches`, reached(path, byPath)]),
  ),
  ...Object.fromEntries(Object.entries(await filesRun()).map(([name, count]) => [`files that ${name} runs`, count])),
  'pairs of folders that import each other': mutual,
  'imports of a higher folder': upward,
  fragments: fragments(),
  [`functions above a complexity of ${MAX_COMPLEXITY}`]: complex.length,
  [`functions above ${MAX_FUNCTION_LINES} lines`]: long.length,
  'positional booleans': positionalBooleans,
  any,
  'non-null assertions (!)': nonNull,
  'casts (as)': casts,
  ...Object.fromEntries(documents.map((path) => [`words of ${path}`, wordsOf(path)])),
});

if (process.argv.includes('--list')) {
  list('complexity', complex);
  list('lines', long);
}

function list(measure: 'complexity' | 'lines', some: readonly MeasuredFunction[]): void {
  for (const each of [...some].sort((a, b) => b[measure] - a[measure]))
    console.log(`${String(each[measure]).padStart(4)} ${measure} ${each.place}`);
}

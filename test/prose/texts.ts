import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import MarkdownIt from 'markdown-it';
import ts from 'typescript';

/** A comment, a printed sentence or a paragraph, with the line it begins in. */
export interface Prose {
  path: string;
  line: number;
  text: string;
}

const FOLDERS = ['lib', 'cli', 'server', 'examples', 'docs'];
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
/** Tables of names, released migrations, and generated files. */
const SKIPPED = /\/data\/|\/migrations\/|generated\.ts$|docs\/reference\.md$|node_modules/;
/** Shorter strings are values and names. */
const MIN_WORDS = 4;
const SQL = /\b(SELECT|INSERT|UPDATE|DELETE|WHERE|CREATE|ALTER|VALUES|UNION|EXISTS|COALESCE|ORDER BY|SET LOCAL)\b/;

/** All text that users and developers read, in files below the working directory. */
export function* proseOfProject(): Generator<Prose> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  for (const path of [...DOCUMENTS, ...files].sort()) {
    if (SKIPPED.test(path)) continue;
    if (path.endsWith('.md')) yield* paragraphsOf(path, readFileSync(path, 'utf8'));
    if (/\.tsx?$/.test(path)) yield* sentencesOf(path, readFileSync(path, 'utf8'));
  }
}

const markdown = new MarkdownIt();

function* paragraphsOf(path: string, source: string): Generator<Prose> {
  let line = 0;
  for (const token of markdown.parse(source, {})) {
    line = token.map ? token.map[0] + 1 : line;
    if (token.type !== 'inline') continue;
    const parts = (token.children ?? []).map(({ type, content }) =>
      type === 'code_inline' ? 'code' : type === 'softbreak' || type === 'hardbreak' ? ' ' : content,
    );
    yield { path, line, text: parts.join('') };
  }
}

function* sentencesOf(path: string, source: string): Generator<Prose> {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: { position: number; text: string }[] = [];
  const comments = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) {
      if (!comments.has(pos)) found.push({ position: pos, text: withoutMarks(source.slice(pos, end)) });
      comments.add(pos);
    }
    const text = stringOf(node);
    if (text !== undefined && isSentence(text) && !isSplit(node)) found.push({ position: node.getStart(), text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { position, text } of joinLines(found, source)) {
    yield { path, line: file.getLineAndCharacterOfPosition(position).line + 1, text };
  }
}

/** Consecutive lines of `//` are one text. */
function joinLines(found: { position: number; text: string }[], source: string): { position: number; text: string }[] {
  const joined: { position: number; text: string; end: number }[] = [];
  for (const { position, text } of found.sort((a, b) => a.position - b.position)) {
    const last = joined.at(-1);
    const end = source.indexOf('\n', position);
    const isNext =
      last && last.end >= 0 && source.startsWith('//', position) && source.slice(last.end, position).trim() === '';
    if (isNext) Object.assign(last, { text: `${last.text} ${text}`, end });
    else joined.push({ position, text, end: source.startsWith('//', position) ? end : -1 });
  }
  return joined;
}

function stringOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `code${literal.text}`).join('');
}

/** Whether the string is a list of words: `('one two' + 'three').split(' ')`. */
function isSplit(node: ts.Node): boolean {
  let parent = node.parent;
  while (ts.isBinaryExpression(parent) || ts.isParenthesizedExpression(parent)) parent = parent.parent;
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'split';
}

/** Pages and scripts for shells are templates of many lines. */
const isSentence = (text: string) =>
  text.trim().split(/\s+/).length >= MIN_WORDS &&
  text.split('\n').length < 4 &&
  !SQL.test(text) &&
  !/[{};]\s*$/.test(text);

/** The words of a comment: no asterisks, no code, no tags, no links. An item of a list is a paragraph. */
function withoutMarks(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/^- /gm, '\n')
    .replace(/```[\s\S]*?```/g, '')
    .replace(/@example[\s\S]*/g, '')
    .replace(/@(param \S+|throws|returns|deprecated|see|template \S+)/g, '.\n\n')
    .replace(/\{@link ([^}]*)\}/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .trim();
}

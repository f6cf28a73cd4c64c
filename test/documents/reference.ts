import ts from 'typescript';
import { type Declaration, type Exported, entryPoints, exportedBy } from './exported-declarations.ts';

const PAGES = [
  {
    path: 'docs/reference.md',
    title: 'What the package exports',
    about: 'Exports for browsers are on [a page of their own](reference-browser.md).',
    isHere: (name: string) => !isForBrowsers(name),
  },
  {
    path: 'docs/reference-browser.md',
    title: 'What the package exports for browsers',
    about: 'Exports for servers are in [the other part](reference.md).',
    isHere: isForBrowsers,
  },
];

function isForBrowsers(name: string): boolean {
  return /\/(client|panel)$/.test(name);
}

/** The pages that list the exports of the package by import path. */
export function references(): [path: string, text: string][] {
  const described = new Set<Declaration | undefined>();
  return PAGES.map(({ path, title, about, isHere }) => {
    const parts = entryPoints()
      .filter(({ name }) => isHere(name))
      .map((one) => part(one, described));
    return [
      path,
      `# ${title}

Written by \`npm run documents\` from the sources, without members that only this package calls. ${about} The functions of a session are in [Every operation](api.md); their parameters, answers and refusals are shown by your editor, and by a server at \`/api/docs\`.

${parts.join('\n')}`,
    ];
  });
}

/** The exports of an import path. Those that another path exports too are described there. */
function part({ name, path }: { name: string; path: string }, described: Set<Declaration | undefined>): string {
  const all = exportedBy(path);
  const known = all.filter(({ declarations: [first] }) => described.has(first));
  const entries = all.filter((one) => !known.includes(one));
  for (const { declarations } of all) described.add(declarations[0]);
  const names = known.map((one) => `\`${one.name}\``).join(', ');
  const before = names === '' ? [] : [`Exported here too, and described with the other import path: ${names}.\n`];
  return [`## ${name}\n`, ...before, ...entries.map(entry)].join('\n');
}

/** Exports without a docstring, as \`name\` or \`name.member\`. */
export function undocumented(): string[] {
  return entryPoints().flatMap(({ path }) =>
    exportedBy(path).flatMap(({ name, declarations }) => {
      const [first] = declarations;
      if (!first) return [name];
      return [...(commentOf(first) === undefined ? [name] : []), ...silentMembers(name, first)];
    }),
  );
}

/** Fields and functions without a docstring. A class that implements an interface uses the docstrings there. */
function silentMembers(name: string, declaration: Declaration): string[] {
  const members: readonly ts.Node[] = ts.isInterfaceDeclaration(declaration)
    ? declaration.members
    : ts.isClassDeclaration(declaration) && !implementsSomething(declaration)
      ? declaration.members.filter((member) => !ts.isConstructorDeclaration(member) && classMember(member).length > 0)
      : [];
  return members.flatMap((member) => {
    const { name: own } = member as ts.TypeElement | ts.ClassElement;
    const isSilent = commentOf(member) === undefined && own && !ts.isComputedPropertyName(own);
    return isSilent ? [`${name}.${own.getText()}`] : [];
  });
}

const implementsSomething = ({ heritageClauses }: ts.ClassDeclaration) =>
  heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ImplementsKeyword);

function entry({ name, declarations }: Exported): string {
  const [first] = declarations;
  if (!first) throw new Error(`${name} is declared nowhere.`);
  const { said, parameters, throws, example } = partsOf(commentOf(first) ?? '');
  const lines = [`### ${name}`, '', ...(said === '' ? [] : [said, ''])];
  lines.push('```typescript', ...declarations.filter(isVisible).map(signature), '```', '');
  if (parameters.length > 0) lines.push(...parameters.map((text) => `- ${text}`), '');
  if (throws.length > 0) lines.push(`Throws ${throws.join('; ')}`, '');
  if (example !== undefined) lines.push('```typescript', example, '```', '');
  return lines.join('\n');
}

/** The implementation of a function with overloads is not documented. */
const isVisible = (node: Declaration, _: number, all: readonly Declaration[]) =>
  all.length === 1 || !ts.isFunctionDeclaration(node) || node.body === undefined;

/** A declaration without its implementation. */
function signature(node: Declaration): string {
  const text = (from: number, to: number) =>
    node
      .getSourceFile()
      .text.slice(from, to)
      .replace(/^export /, '')
      .trim();
  if (ts.isFunctionDeclaration(node)) return text(node.getStart(), node.body?.getStart() ?? node.end);
  if (ts.isClassDeclaration(node)) {
    const [head] = text(node.getStart(), node.members.pos).split(/\{\s*$/) as [string];
    // An interface describes its members.
    const isDescribed = implementsSomething(node);
    const members = node.members.filter((member) => !isDescribed || commentOf(member) !== undefined);
    return [`${head.trim()} {`, ...members.flatMap(classMember), '}'].join('\n');
  }
  return ts.isInterfaceDeclaration(node) ? withoutInternals(node) : text(node.getStart(), node.end);
}

/** Members marked with `@internal`, or with a unique symbol as name, are not for users. */
function withoutInternals(node: ts.InterfaceDeclaration): string {
  const { text } = node.getSourceFile();
  const hidden = node.members.filter(
    (member) => (member.name && ts.isComputedPropertyName(member.name)) || /@internal\b/.test(commentOf(member) ?? ''),
  );
  let from = node.getStart();
  const kept = hidden.map((member) => {
    const part = text.slice(from, member.pos);
    from = member.end;
    return part;
  });
  return [...kept, text.slice(from, node.end)].join('').replace(/^export /, '');
}

function classMember(member: ts.ClassElement): string[] {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  const isHidden = modifiers.some(
    ({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.OverrideKeyword,
  );
  if (isHidden || (member.name && ts.isPrivateIdentifier(member.name))) return [];
  const { text } = member.getSourceFile();
  const body = (member as { body?: ts.Block }).body;
  const initializer = (member as { initializer?: ts.Expression }).initializer;
  const end = body?.getStart() ?? (initializer ? initializer.getFullStart() - 1 : member.end);
  const comment = commentOf(member);
  const declared = text
    .slice(member.getStart(), end)
    .trim()
    .replace(/[;=]\s*$/, '')
    .trim();
  return [...(comment === undefined ? [] : [`  ${rawCommentOf(member)}`]), `  ${declared};`];
}

const rawCommentOf = (node: ts.Node) => {
  const { text } = node.getSourceFile();
  const range = ts.getLeadingCommentRanges(text, node.getFullStart())?.at(-1);
  const raw = range && text.slice(range.pos, range.end);
  return raw?.startsWith('/**') ? raw : undefined;
};

/** The docstring before a declaration, without comment marks. */
function commentOf(node: ts.Node): string | undefined {
  return rawCommentOf(node)
    ?.replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trim();
}

function partsOf(comment: string): {
  said: string;
  parameters: string[];
  throws: string[];
  example: string | undefined;
} {
  const [said = '', ...tags] = comment.split(/^@/m).map((part) => part.trim());
  const tagged = (tag: string) =>
    tags
      .filter((part) => part.startsWith(`${tag} `) || part.startsWith(`${tag}\n`))
      .map((part) => part.slice(tag.length).trim());
  const oneLine = (text: string) => text.replace(/\s+/g, ' ');
  return {
    said,
    parameters: tagged('param').map((text) => oneLine(text).replace(/^(\S+)( -)? /, '`$1`: ')),
    throws: tagged('throws').map(oneLine),
    example: tagged('example')[0],
  };
}

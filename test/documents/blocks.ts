import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface Block {
  /** `README.md:12`, where the block starts. */
  place: string;
  /** First word after the fence, such as `ts`. */
  language: string;
  /** The other words after it. */
  marks: string[];
  text: string;
}

/** The files below a folder with these endings, including the folder in the path. */
const filesBelow = (folder: string, end: string) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`)
    .sort();

/** The documents of the project, the guides, and the pages of folders that have one. */
export const DOCUMENTS: readonly string[] = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'test/README.md'],
  ...filesBelow('docs', '.md'),
  ...filesBelow('lib', 'README.md'),
];

export const readDocument = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

/** The fenced blocks of a document, also those in lists. */
export async function blocksOf(name: string): Promise<Block[]> {
  const text = await readDocument(name);
  return [...text.matchAll(/^( *)```(\S+)(.*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: marks = '', 4: body = '' }) => ({
      place: `${name}:${text.slice(0, index).split('\n').length}`,
      language,
      marks: marks.split(' ').filter((mark) => mark !== ''),
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** Before `npm publish`: exits with 1 unless the manifest has the project's addresses. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

export interface Manifest {
  repository?: unknown;
  homepage?: unknown;
  bugs?: unknown;
}

/** Reasons against publishing the package, as sentences. */
export function objectionsTo(manifest: Manifest): string[] {
  const objections: string[] = [];
  for (const field of ['repository', 'homepage', 'bugs'] as const) {
    const value = manifest[field];
    const address = typeof value === 'object' && value !== null ? (value as { url?: unknown }).url : value;
    if (typeof address !== 'string' || !/^(git\+)?https:\/\/[^/]+\/./.test(address))
      objections.push(`package.json has no address in "${field}".`);
  }
  return objections;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const objections = objectionsTo(JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')));
  for (const objection of objections) console.error(objection);
  if (objections.length > 0) {
    console.error('CONTRIBUTING.md, "Releasing", says what is to be done first.');
    process.exitCode = 1;
  }
}

import assert from 'node:assert/strict';
import { openApiDocument } from '../../lib/internal.ts';

/** Paths that differ only in the name of a parameter are one path in the description. */
const shapeOf = (path: string) => path.replace(/\{\w+\*?\}/g, '{}');

/** Built by the first question: it takes longer than loading the library. */
const description = once(() => {
  // biome-ignore lint/suspicious/noExplicitAny: the document has no type
  const { paths, components } = openApiDocument() as any;
  return { components, byShape: new Map(Object.entries(paths).map(([path, methods]) => [shapeOf(path), methods])) };
});

function once<T>(build: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= build());
}

/** The entry of a route in the description of the API. */
export function describedRoute({ method, path }: { method: string; path: string }) {
  // biome-ignore lint/suspicious/noExplicitAny: the document has no type
  return (description().byShape.get(shapeOf(path)) as any)?.[method.toLowerCase()];
}

/** Throws unless the description of the API has a response with this status and code. */
export function assertDescribed(
  { method, path }: { method: string; path: string },
  status: number,
  code: string | null | undefined,
): void {
  const place = `${method} ${path}`;
  const response = describedRoute({ method, path })?.responses[status];
  assert.ok(response, `${place} responds with ${status}, which its description does not have`);
  if (status === 200) return;
  const name = /^#\/components\/responses\/(\w+)$/.exec(response.$ref ?? '')?.[1];
  const { 'x-error-codes': codes } = name === undefined ? response : description().components.responses[name];
  assert.ok(codes.includes(code), `${place} responds with ${status} ${code}, which its description does not have`);
}

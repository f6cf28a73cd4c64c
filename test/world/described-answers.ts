import assert from 'node:assert/strict';
import { openApiDocument } from '../../lib/internal.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at freely
const document = openApiDocument() as any;

/** Throws unless the description of the API says that there may be an answer of this status and with this code. */
export function assertDescribed(
  { method, path }: { method: string; path: string },
  status: number,
  code: string | null | undefined,
): void {
  const place = `${method} ${path}`;
  const response = document.paths[path.replace('*}', '}')]?.[method.toLowerCase()]?.responses[status];
  assert.ok(response, `${place} answers ${status}, which its description does not have`);
  const name = /^#\/components\/responses\/(\w+)$/.exec(response.$ref ?? '')?.[1];
  const { content } = name === undefined ? response : document.components.responses[name];
  const described = content['application/json'].schema.properties.code;
  if (status === 200) return;
  if (code === undefined || code === null) assert.equal(described, undefined, `${place} answers ${status} with a code`);
  else
    assert.ok(
      described?.enum.includes(code),
      `${place} answers ${status} ${code}, which its description does not have`,
    );
}

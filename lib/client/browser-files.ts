import type { DownloadedFile, DownloadOptions } from '../kernel/download.ts';
import { readAnswer } from './answer.ts';
import { Unreachable } from './unreachable.ts';

/** A form with a file. The browser streams a `Blob`. Other content is read into memory first. */
export async function fileForm(fields: URLSearchParams, file: unknown): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  if (file instanceof Blob) {
    form.append('file', file, (file as { name?: string }).name || 'uploaded-file');
    return form;
  }
  const { name, type, content } = file as { name?: string; type?: string; content: unknown };
  const pieces: (Blob | Uint8Array)[] = [];
  if (content instanceof Blob || content instanceof Uint8Array) pieces.push(content);
  else for await (const piece of content as AsyncIterable<Uint8Array>) pieces.push(piece);
  form.append('file', new Blob(pieces as BlobPart[], type === undefined ? {} : { type }), name || 'uploaded-file');
  return form;
}

/** Downloads a file from an address that needs no login. */
export async function downloadByFetch(site: string, url: string, { range }: DownloadOptions): Promise<DownloadedFile> {
  const address = new URL(url, site);
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
  const answer = await fetch(address, { headers, credentials: 'omit' }).catch((error: unknown) => {
    throw new Unreachable(site, error);
  });
  if (answer.status !== (range ? 206 : 200)) readAnswer(site, answer.status, await answer.text());
  return {
    name:
      nameIn(answer.headers.get('content-disposition') ?? '') ??
      decodeURIComponent(address.pathname.split('/').at(-1) ?? ''),
    type: (answer.headers.get('content-type') ?? 'application/octet-stream').replace(/;.*$/s, ''),
    size: Number(answer.headers.get('content-length') ?? Number.NaN),
    content: piecesOf(answer.body),
  };
}

/** Servers write names with non-ASCII characters as `filename*=UTF-8''…`, and others in quotes. */
function nameIn(disposition: string): string | undefined {
  const encoded = /;\s*filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const quoted = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1];
  return quoted?.replace(/\\(.)/g, '$1') ?? /;\s*filename=([^;"\s]+)/i.exec(disposition)?.[1];
}

/** Not every browser supports iteration of a `ReadableStream`. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

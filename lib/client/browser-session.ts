/** A session over `fetch`. In a separate file, so that the panel does not bundle the other exports of the browser build. */
import { BadRequest, RequestVariableMissing } from '../base/errors.ts';
import type { StreamedFile } from '../base/schemas.ts';
import type { Session } from '../chat/session.ts';
import { siteOf, withoutApiPath } from '../rules/site-address.ts';
import { textOf, Unreachable } from './answer.ts';
import type { ConnectOptions } from './client.ts';
import type { DescribedOperation } from './described-operation.ts';
import type { Platform, ResumableFile } from './platform.ts';
import { remoteSession } from './remote-session.ts';

/**
 * Opens a session over HTTP. With `email` and `api_key`, or with `token`, it authenticates with them. Without, it sends
 * the cookies of the browser. Sends nothing before the first call. Calls reject with `ChatError` or `Unreachable`.
 * @throws TypeError if `site` is not a valid site address
 * @example const session = connect({ site: 'https://chat.example.com', email, api_key });
 */
export function connect(options: ConnectOptions): Session & { close(): Promise<void> } {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const site = withoutApiPath(siteOf('site', options.site, page));
  const { timeoutMs = 15_000, patienceMs = Number.POSITIVE_INFINITY } = options;
  const unreachable = (error: unknown) => {
    throw new Unreachable(site, error);
  };
  const platform: Platform = {
    readParameter,
    // Without schemas: the server refuses other texts where it expects JSON.
    isQuoted: ({ kinds }, name) => kinds[name] === 'text or json',
    resumable,
    seesSent: false,
    async request(url, { method, headers = {}, form, file, piece, signal = null, isPublic }) {
      const body = (piece?.() as Blob | undefined) ?? (form && file ? await fileForm(form, file) : (form ?? null));
      const credentials = isPublic || headers.authorization ? 'omit' : 'include';
      const keepalive = body === form && method !== 'GET' && mayOutliveThePage(form);
      const answer = await fetch(url, { method, headers, body, signal, credentials, keepalive }).catch(
        async (error) => {
          // Fails if the file on the disk is another one now: this is not an error of the server.
          if (body instanceof Blob) await body.slice(0, 1).arrayBuffer();
          return unreachable(error);
        },
      );
      const content = piecesOf(answer.body);
      return {
        status: answer.status,
        header: (name) => answer.headers.get(name),
        text: (heard) => textOf(content, heard).catch(unreachable),
        content,
      };
    },
  };
  return remoteSession(platform, { ...options, site, timeoutMs, patienceMs });
}

/** Browsers allow 64 KiB for all requests that outlive their page. */
const MAX_KEEPALIVE_BYTES = 15_000;

/** For a request of a hidden page, which may close before the response arrives. */
function mayOutliveThePage(form: URLSearchParams | undefined): boolean {
  const { document } = globalThis as { document?: { visibilityState: string } };
  return document?.visibilityState === 'hidden' && String(form).length <= MAX_KEEPALIVE_BYTES;
}

/** A path parameter. Only its type is checked here. */
function readParameter({ kinds }: DescribedOperation, name: string, value: unknown): unknown {
  if (value === undefined) throw new RequestVariableMissing(name);
  if (kinds[name] === 'integer in path' && !Number.isSafeInteger(value))
    throw new BadRequest(`${name} must be an integer.`);
  return value;
}

/** Files above this size, in bytes, go in pieces. */
const RESUMABLE_BYTES = 1024 * 1024;

function resumable(file: Blob | StreamedFile): ResumableFile | undefined {
  const content = file instanceof Blob ? file : file.content;
  if (!(content instanceof Blob) || content.size <= RESUMABLE_BYTES) return undefined;
  const { name = '', type } = file as { name?: string; type?: string };
  return { name, type, size: content.size, read: (from, to) => content.slice(from, to), inPieces: true };
}

/** A form with a file. The browser streams a `Blob`. Reads other content into memory first. */
async function fileForm(fields: URLSearchParams, file: unknown): Promise<FormData> {
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

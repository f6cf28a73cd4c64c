import { parse as parseDisposition } from 'content-disposition';
import type { Dispatcher } from 'undici';
import type { DownloadedFile, DownloadOptions } from '../kernel/download.ts';
import { readAnswer } from './answer.ts';
import { Unreachable } from './unreachable.ts';

type Get = (
  address: URL,
  options: { headers: Record<string, string>; bodyTimeout: number },
) => Promise<Dispatcher.ResponseData>;

/** Timeout between two pieces of a file, in milliseconds. */
const STALLED_MS = 60_000;

/**
 * Downloads a file from an address that needs no login.
 * @param url a path on the host of the site, or a full URL
 */
export async function downloadFrom(
  site: string,
  url: string,
  { range }: DownloadOptions,
  get: Get,
): Promise<DownloadedFile> {
  const address = new URL(url, site);
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
  const answer = await get(address, { headers, bodyTimeout: STALLED_MS }).catch((error: unknown) => {
    throw new Unreachable(site, error);
  });
  const { statusCode, body, headers: told } = answer;
  if (statusCode !== (range ? 206 : 200)) readAnswer(site, statusCode, await body.text());
  return {
    name:
      nameIn(String(told['content-disposition'] ?? '')) ?? decodeURIComponent(address.pathname.split('/').at(-1) ?? ''),
    type: String(told['content-type'] ?? 'application/octet-stream').replace(/;.*$/s, ''),
    size: Number(told['content-length'] ?? Number.NaN),
    content: body,
  };
}

function nameIn(disposition: string): string | undefined {
  try {
    return parseDisposition(disposition).parameters.filename;
  } catch {
    return undefined;
  }
}

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { codeOf } from '../base/caught.ts';
import { checkEntryCount, checkedEntryName, linkRefused, shown } from './entry-names.ts';
import { BadExport } from './source.ts';

/** Limit of the unpacked size, as a multiple of the file. Text compresses to a twentieth; more is an attack on the disk. */
const MAX_RATIO = 200;
/** Bytes that every archive may unpack to. */
const ALWAYS_ALLOWED = 256 * 1024 * 1024;

/**
 * Unpacks a compressed tar file to a temporary folder: its entries are in no order. The caller removes the folder.
 * @throws BadExport for a damaged file, and for entries with unsafe names, links, and too many bytes
 */
export async function unpackedTar(path: string): Promise<string> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new BadExport(`Cannot read ${path} (${error.code}).`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'parlance-import-'));
  try {
    await unpack(path, folder, Math.max(ALWAYS_ALLOWED, MAX_RATIO * size));
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (error instanceof BadExport) throw error;
    if (codeOf(error) === 'ENOSPC') throw new BadExport(`There is no space in ${tmpdir()} to unpack ${path}.`);
    throw new BadExport(`${path} is not a complete tar.gz file.`);
  }
}

async function unpack(path: string, folder: string, allowed: number): Promise<void> {
  const { createTarDecoder } = await import('modern-tar');
  const unzipped = createReadStream(path).pipe(createGunzip());
  // An error of the first stream does not end the second one.
  const bytes = Readable.toWeb(unzipped) as ReadableStream<Uint8Array>;
  let count = 0;
  let left = allowed;
  for await (const { header, body } of bytes.pipeThrough(createTarDecoder()) as unknown as AsyncIterable<TarEntry>) {
    checkEntryCount(++count);
    // The decoder replaces what is not UTF-8.
    if (header.name.includes('\ufffd'))
      throw new BadExport(`The name of the entry "${shown(header.name)}" is not UTF-8.`);
    const name = checkedEntryName(Buffer.from(header.name));
    if (header.type === 'symlink' || header.type === 'link') throw linkRefused(name);
    if (header.type !== 'file') {
      await body.cancel();
      continue;
    }
    left -= header.size;
    if (left < 0)
      throw new BadExport(`The entry "${shown(name)}" makes the archive too large (limit: ${allowed} bytes).`);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await pipeline(Readable.fromWeb(body as never), createWriteStream(join(folder, name)));
  }
}

interface TarEntry {
  header: { name: string; type: string; size: number };
  body: ReadableStream<Uint8Array>;
}

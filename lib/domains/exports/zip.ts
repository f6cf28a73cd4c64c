import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ExportTarget, Written } from './write-export.ts';

/** A ZIP file that grows while its reader reads it. Add one entry at a time. */
export interface ZipArchive extends ExportTarget {
  readonly content: Readable;
  /** No more entries. */
  end(): void;
}

export async function zipArchive(): Promise<ZipArchive> {
  // Loaded when used: most processes write no archive.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const content = zip.outputStream as Readable;
  // The reader of the content gets the error.
  zip.on('error', (error: Error) => content.destroy(error));
  const stopped = new Promise<never>((_, reject) =>
    content.once('close', () => reject(new Error('The reader of the archive has stopped.'))),
  );
  stopped.catch(() => undefined);
  return {
    content,
    add(name, pieces) {
      const hash = createHash('sha256');
      let size = 0;
      async function* measured() {
        for await (const piece of pieces) {
          hash.update(piece);
          size += piece.length;
          yield piece;
        }
      }
      const stream = Readable.from(measured(), { objectMode: false });
      const written = new Promise<Written>((resolve, reject) => {
        stream.once('error', reject);
        stream.once('end', () => resolve({ size, sha256: hash.digest('hex') }));
      });
      zip.addReadStream(stream, name, { mode: 0o100600 });
      return Promise.race([written, stopped]);
    },
    end: () => zip.end(),
  };
}

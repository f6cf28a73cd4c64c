import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../failure.ts';

/** The file at a path, or what comes on stdin for `-`. */
export async function fileAt(path: string): Promise<File> {
  if (path === '-') {
    const pieces: Buffer<ArrayBuffer>[] = [];
    for await (const piece of process.stdin) pieces.push(piece as Buffer<ArrayBuffer>);
    return new File(pieces, 'stdin');
  }
  try {
    return new File([await readFile(path)], basename(path));
  } catch (error) {
    throw new UsageError(
      `Cannot read ${path}: ${(error as Error).message}`,
      'Give the path of a file, or - for stdin.',
    );
  }
}

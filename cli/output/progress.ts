import type { RereadableContent, StreamedFile } from '../../lib/index.ts';
import { oneLine } from './sanitize.ts';
import { fileSize } from './sizes.ts';
import type { Terminal } from './terminal.ts';

const EVERY_MS = 100;
const BAR_WIDTH = 24;

/** The file, with a progress bar on stderr while it is sent. No bar if stderr is not a terminal. */
export function transferProgress(file: StreamedFile, terminal: Terminal, isQuiet: boolean): StreamedFile {
  if (isQuiet || !terminal.errIsTerminal) return file;
  const { name, size } = file;
  const content = file.content as AsyncIterable<Uint8Array> & Partial<RereadableContent>;
  const shown = (pieces: AsyncIterable<Uint8Array>, begin?: number) => withBar(pieces, name, size, begin);
  const { from } = content;
  if (!from) return { ...file, content: shown(content) };
  const rereadable: RereadableContent = {
    ...content,
    // Bytes that were sent earlier count as done.
    from: (offset) => shown(from(offset), offset),
    [Symbol.asyncIterator]: () => shown(content),
  };
  return { ...file, content: rereadable };
}

/** Passes the pieces on and shows a progress bar, which is cleared at the end. */
export async function* withBar(
  content: AsyncIterable<Uint8Array>,
  name: string,
  size: number | undefined,
  begin = 0,
): AsyncGenerator<Uint8Array> {
  let done = begin;
  let shownMs = Number.NEGATIVE_INFINITY;
  try {
    for await (const piece of content) {
      done += piece.length;
      if (performance.now() - shownMs >= EVERY_MS) {
        shownMs = performance.now();
        process.stderr.write(`\r${bar(oneLine(name), done, size)}\x1b[K`);
      }
      yield piece;
    }
  } finally {
    process.stderr.write('\r\x1b[K');
  }
}

function bar(name: string, done: number, size: number | undefined): string {
  const short = name.length > 30 ? `${name.slice(0, 29)}…` : name;
  if (!size) return `${short}  ${fileSize(done)}`;
  const share = Math.min(1, done / size);
  const filled = Math.round(share * BAR_WIDTH);
  const drawn = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
  return `${short}  ${drawn} ${Math.floor(share * 100)} % of ${fileSize(size)}`;
}

import type { KeepingStep, MigrationStep, RereadableContent, StreamedFile } from '../../lib/index.ts';
import { withoutPassword } from '../database.ts';
import type { Terminal } from './terminal.ts';
import { cut, oneLine } from './text.ts';

const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 2_000;
const BAR_WIDTH = 24;

/** The file, with a progress bar on stderr while it is sent. No bar if stderr is not a terminal. */
export function transferProgress(file: StreamedFile, terminal: Terminal, { isQuiet }: { isQuiet: boolean }) {
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
export async function* withBar(content: AsyncIterable<Uint8Array>, name: string, size: number | undefined, begin = 0) {
  let done = begin;
  let shownMs = Number.NEGATIVE_INFINITY;
  try {
    for await (const piece of content) {
      done += piece.length;
      if (performance.now() - shownMs >= BAR_EVERY_MS) {
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

/**
 * Works through items in parts. Shows `4,000 of 10,000 people` on one line of stderr, which the next output overwrites.
 * `goOn` says how to continue after Ctrl-C or an error.
 */
export async function inParts<T>(
  items: readonly T[],
  { size, what, goOn, terminal }: { size: number; what: string; goOn: string; terminal: Terminal },
  work: (part: T[]) => Promise<void>,
): Promise<void> {
  const write = (text: string) => void (terminal.errIsTerminal && process.stderr.write(`\r${text}\x1b[K\r`));
  const stop = () => {
    write('');
    terminal.err(goOn);
  };
  // Before the listener that exits.
  process.prependListener('SIGINT', stop);
  let done = 0;
  try {
    while (done < items.length) {
      await work(items.slice(done, done + size));
      done = Math.min(done + size, items.length);
      const [before, all] = [done, items.length].map((count) => count.toLocaleString('en'));
      write(cut(`${before} of ${all} ${what}`, (process.stderr.columns || 80) - 1));
    }
    write('');
  } catch (error) {
    if (done > 0) stop();
    throw error;
  } finally {
    process.off('SIGINT', stop);
  }
}

/** Prints progress to stderr every 2 s. A fast task prints nothing. */
export function keepingProgress(doing: string, terminal: Terminal): (step: KeepingStep) => void {
  let saidMs = performance.now();
  return ({ what, done, total }) => {
    const now = performance.now();
    if (now - saidMs < LINE_EVERY_MS) return;
    saidMs = now;
    const sizes = what === 'files' ? [done, total ?? 0].map(fileSize) : [done, total];
    terminal.err(`${doing}: ${what.replaceAll('_', ' ')}${total ? `, ${sizes[0]} of ${sizes[1]}` : ''}.`);
  };
}

/** Reports the progress and the result of a migration. Reports nothing for a new database. */
export function migrationNews(location: string, announce: Announce): { step(step: MigrationStep): void; end(): void } {
  const place = withoutPassword(location);
  let saidMs = Number.NEGATIVE_INFINITY;
  let reached: { from: number; to: number } | undefined;
  return {
    step({ version, name, isNew, filled }) {
      if (isNew) return;
      // A database with an unfinished fill already has the schema of this migration.
      reached = { from: reached?.from ?? (filled ? version : version - 1), to: version };
      const now = performance.now();
      if (!filled) announce(`Migrating ${place}: ${version}, ${name}.`, { version });
      else if (filled.done < filled.total && now - saidMs > LINE_EVERY_MS) {
        saidMs = now;
        const percent = Math.floor((100 * filled.done) / filled.total);
        announce(`Migrating ${place}: ${version}, ${name}, ${percent} % of the rows.`, { version, percent });
      }
    },
    end() {
      if (reached) announce(`Migrated ${place} from schema ${reached.from} to ${reached.to}.`, reached);
    },
  };
}

/** Reports a server event: as a sentence at a terminal, as a log line otherwise. */
export type Announce = (sentence: string, facts?: object) => void;

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function fileSize(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${unit === 0 ? bytes : (bytes / 1024 ** unit).toFixed(1)} ${UNITS[unit]}`;
}

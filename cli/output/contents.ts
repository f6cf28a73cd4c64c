import { fileSize } from './progress.ts';
import { counted } from './text.ts';

/** What backups and exports say about their contents. */
interface Manifest {
  readonly tables: readonly { name: string; rows: number }[];
  readonly files: { count: number; bytes: number };
}

export function countsOf({ tables }: Manifest) {
  const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
  return { accounts: rowsOf('users'), channels: rowsOf('channels'), messages: rowsOf('messages') };
}

export function contentsOf(manifest: Manifest): string {
  const { accounts, channels, messages } = countsOf(manifest);
  const { count, bytes } = manifest.files;
  return [
    counted(accounts, 'account'),
    counted(channels, 'channel'),
    counted(messages, 'message'),
    `${counted(count, 'uploaded file')}${count === 0 ? '' : ` (${fileSize(bytes)})`}`,
  ].join(', ');
}

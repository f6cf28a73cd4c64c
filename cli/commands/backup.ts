import { existsSync, statSync } from 'node:fs';
import type { Manifest } from '../../lib/index.ts';
import { chooseUploads, existingDatabase, filesFor, withoutPassword, withStorage } from '../database.ts';
import { Failure, UsageError } from '../failure.ts';
import { checkCanWrite } from '../files.ts';
import { fileSize, keepingProgress } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import { databaseCommand, type LocalCall } from './local-command.ts';

export const backupCommand = databaseCommand('backup', {
  summary: 'Back up an organization to one file',
  description:
    'Back up an organization and its uploaded files to one file that only you can read. Servers can keep running. ' +
    'The file contains secrets. Restore it with `chatctl restore`.',
  args: [['<file>', 'the backup file to create']],
  options: [
    [
      '--uploads <place>',
      'folder of uploaded files (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads); files in s3:// are not backed up',
    ],
    ['--force', 'replace an existing backup'],
  ],
  examples: ['backup /backups/chat-2026-11-23.backup --db chat.db'],
  run: backUpTo,
});

type Flags = { uploads?: string; force?: boolean };

async function backUpTo({ args, options, terminal, print }: LocalCall<Flags>): Promise<void> {
  const [file = ''] = args;
  const { json, uploads, force } = options;
  const location = existingDatabase(options);
  if (!force && existsSync(file))
    throw new UsageError(`${file} already exists.`, 'Choose another file, or use --force to replace it.');
  checkCanWrite(file);
  const { backUp, StorageError } = await import('../../lib/index.ts');
  const place = withoutPassword(location);
  await withStorage(location, async (storage) => {
    const choices = {
      ...(isBucket(uploads) ? {} : await filesFor(location, uploads)),
      replace: force === true,
      onStep: json ? undefined : keepingProgress(`Backing up ${place}`, terminal),
    };
    const manifest = await backUp(storage, file, choices).catch((error: unknown) => {
      // A problem with the backup file needs other advice than a problem with the database.
      const isOfFile = error instanceof StorageError && error.reason === 'foreign-application';
      if (!isOfFile || !error.message.startsWith(`${file} `)) throw error;
      throw new Failure(error.message, 'Choose another file.');
    });
    const size = statSync(file).size;
    const sentence = `Backed up "${manifest.organization}" from ${place} to ${file} (${fileSize(size)}, verified).`;
    print({ file, size, ...summaryOf(manifest) }, `${sentence}\nContents: ${contentsOf(manifest)}.`);
    const missing = json ? '' : missingIn(manifest, uploads);
    if (missing !== '') terminal.err(`NOT included: ${missing}`);
  });
}

export const isBucket = (uploads?: string) => chooseUploads(uploads)?.value.startsWith('s3://') === true;

const rowsOf = ({ tables }: Manifest, name: string) => tables.find((table) => table.name === name)?.rows ?? 0;

export function contentsOf(manifest: Manifest): string {
  const { count, bytes } = manifest.files;
  return [
    counted(rowsOf(manifest, 'users'), 'account'),
    counted(rowsOf(manifest, 'channels'), 'channel'),
    counted(rowsOf(manifest, 'messages'), 'message'),
    `${counted(count, 'uploaded file')}${count === 0 ? '' : ` (${fileSize(bytes)})`}`,
  ].join(', ');
}

export function summaryOf(manifest: Manifest) {
  const { organization, made_ms, version, files } = manifest;
  const [accounts, channels, messages] = ['users', 'channels', 'messages'].map((name) => rowsOf(manifest, name));
  return {
    organization,
    made: new Date(made_ms).toISOString(),
    version,
    accounts,
    channels,
    messages,
    files: { included: files.included, count: files.count, bytes: files.bytes, missing: files.missing.length },
  };
}

function missingIn({ files }: Manifest, uploads: string | undefined): string {
  if (!files.included) {
    const where = isBucket(uploads)
      ? `they stay in ${chooseUploads(uploads)?.value}. Back up the bucket separately`
      : 'give their folder with --uploads';
    return `uploaded files; ${where}.`;
  }
  const [first = '', ...more] = files.missing;
  if (first === '') return '';
  return `${more.length + 1} uploaded files, missing from their folder (just removed, or lost): ${first}${more.length > 0 ? ', …' : ''}.`;
}

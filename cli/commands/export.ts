import type { ExportManifest, ExportOptions } from '../../lib/index.ts';
import { shellWord } from '../../lib/internal.ts';
import { chooseDatabase, existingDatabase, filesFor, noOrganization, openChatAt, withStorage } from '../database.ts';
import { EXIT, Failure } from '../failure.ts';
import { checkCanWrite } from '../files.ts';
import { contentsOf, countsOf } from '../output/contents.ts';
import { keepingProgress } from '../output/progress.ts';
import { counted, oneLine } from '../output/text.ts';
import { databaseCommand, type LocalCall } from './local-command.ts';

type Flags = { uploads?: string; allowMissingFiles?: boolean };

const UPLOADS = [
  '--uploads <place>',
  'folder or s3:// address of uploaded files (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads)',
] as const;
const MISSING = [
  '--allow-missing-files',
  'export although uploaded files are missing (default: fail, exit code 1)',
] as const;

export const exportCommand = databaseCommand<Flags>('export', {
  summary: 'Export an organization to a folder',
  description:
    'Export an organization to a folder that only you can read: JSON Lines files, uploaded files and their digests. Contains the private data of all users, but no passwords and keys. Works on the database, not on a server. Servers can keep running. Run it again to continue an interrupted export.',
  args: [['<folder>', 'a new or empty folder, or one with an unfinished export']],
  options: [[...UPLOADS], [...MISSING]],
  examples: ['export /exports/2026-11-29 --db chat.db'],
  run: async (call) => {
    const [folder = ''] = call.args;
    const manifest = await exporting(call, `Exporting to ${folder}`, ({ exportChat }, chat, options) =>
      exportChat(chat, folder, options),
    );
    call.print(
      { folder, ...summaryOf(manifest) },
      `Exported "${oneLine(manifest.organization.name)}" to ${folder}: ${contentsOf(manifest)}.`,
    );
    noteMissing(call, manifest);
  },
});

export const exportPerson = databaseCommand<Flags>('export', {
  summary: 'Export the data of one person to a ZIP file',
  description:
    'Export the data of one person to a ZIP file that only you can read. It contains profile, settings, own messages, direct conversations, files, reactions, sessions and audit entries. Start with index.html in it. Works on the database, not on a server. Servers can keep running.',
  args: [
    ['<user>', 'e-mail address or user ID'],
    ['<file>', 'the ZIP file to create'],
  ],
  options: [[...UPLOADS], [...MISSING]],
  examples: ['users export ben@example.com ben.zip --db chat.db'],
  run: async (call) => {
    const [user = '', file = ''] = call.args;
    checkCanWrite(file);
    const manifest = await exporting(call, `Exporting to ${file}`, ({ exportUser }, chat, options) =>
      exportUser(chat, /^\d{1,15}$/.test(user) ? Number(user) : user, file, options),
    );
    call.print(
      { file, user_id: manifest.user_id, ...summaryOf(manifest) },
      `Exported the data of user ${manifest.user_id} to ${file}: ${contentsOf(manifest)}.`,
    );
    noteMissing(call, manifest);
  },
});

type Library = typeof import('../../lib/index.ts');
type Chat = Parameters<Library['exportChat']>[0];

async function exporting(
  { options, terminal }: LocalCall<Flags>,
  doing: string,
  work: (library: Library, chat: Chat, options: ExportOptions) => Promise<ExportManifest>,
): Promise<ExportManifest> {
  const { json, uploads, allowMissingFiles } = options;
  const { location } = existingDatabase(options);
  const library = await import('../../lib/index.ts');
  const { chat } = await openChatAt(location, { migrate: false, ...(await filesFor(location, uploads)) });
  try {
    if (!(await chat.hasOrganization())) throw noOrganization(location);
    const onStep = json ? undefined : keepingProgress(doing, terminal);
    return await work(library, chat, { allowMissingFiles, onStep }).catch((error: unknown) => {
      if (!(error instanceof library.StorageError)) throw error;
      if (error.reason === 'files-missing')
        throw new Failure(error.message, 'Give the right place with --uploads, or add --allow-missing-files.');
      if (error.reason === 'foreign-application' || error.reason === 'busy') throw new Failure(error.message);
      throw error;
    });
  } finally {
    await chat.close();
  }
}

/** Everything of the export, with the same IDs. */
export async function importIntoEmpty({ args, options, terminal, print }: LocalCall<Flags>): Promise<void> {
  const [folder = ''] = args;
  const { location, place } = chooseDatabase(options);
  const { BadExport, importOrganization, StorageError } = await import('../../lib/index.ts');
  const { files } = await filesFor(location, options.uploads);
  await withStorage(location, async (storage) => {
    const onStep = options.json ? undefined : keepingProgress(`Importing ${folder}`, terminal);
    const manifest = await importOrganization(folder, storage, { files, onStep }).catch((error: unknown) => {
      if (error instanceof BadExport) throw new Failure(error.message, undefined, EXIT.usage);
      if (!(error instanceof StorageError)) throw error;
      if (error.reason === 'foreign-application')
        throw new Failure(
          error.message,
          'Choose another database with --db, or add to this organization with --merge.',
        );
      if (error.reason === 'files-missing') throw new Failure(error.message, 'Give a place for them with --uploads.');
      throw error;
    });
    await storage.open();
    const again = `chatctl users create-reset-link EMAIL --db ${shellWord(place)}`;
    print(
      { db: place, ...summaryOf(manifest) },
      `Imported "${oneLine(manifest.organization.name)}" into ${place}: ${contentsOf(manifest)}.\nPasswords and API keys are new. Make a link for the first owner: ${again}`,
    );
  });
}

function summaryOf(manifest: ExportManifest) {
  const { organization, scope, schema, files } = manifest;
  const { count, bytes, missing } = files;
  return {
    organization: organization.name,
    scope,
    schema,
    ...countsOf(manifest),
    files: { count, bytes, missing },
  };
}

function noteMissing({ options, terminal }: LocalCall<Flags>, { files }: ExportManifest): void {
  if (files.missing > 0 && !options.json) terminal.err(`NOT included: ${counted(files.missing, 'missing file')}.`);
}

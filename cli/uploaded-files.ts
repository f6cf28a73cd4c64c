import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { DownloadedFile, Session } from '../lib/index.ts';
import { chooseConnection } from './connection.ts';
import { EXIT, Failure, UsageError } from './failure.ts';
import { addGlobalOptions, globalOptions } from './global-options.ts';
import { addExamples } from './help.ts';
import { openSession } from './open-session.ts';
import { fileSize, withBar } from './output/progress.ts';
import { showJson } from './output/result.ts';
import { oneLine } from './output/sanitize.ts';
import type { Terminal } from './output/terminal.ts';

/** All files of the user, newest first, from all pages. */
export async function allUploads(session: Session, before?: number) {
  let answer = await session.uploads.list(before === undefined ? {} : { before_id: before });
  const attachments = [...answer.attachments];
  // Other servers send all files in one response.
  while (answer.found_oldest === false) {
    const last = answer.attachments.at(-1);
    if (!last) break;
    answer = await session.uploads.list({ before_id: last.id });
    attachments.push(...answer.attachments);
  }
  return { attachments, upload_space_used: answer.upload_space_used };
}

/** `uploads get`: downloads a file. */
export function downloadCommand(terminal: Terminal): Command {
  const command = new Command('get')
    .summary('Download a file')
    .description('Download a file: your own by ID, or any file by address if a message that you can read links to it.')
    .argument('<address>', 'the address in the message, /user_uploads/…, or the ID of your own file')
    .option(
      '-o, --output <file>',
      'path to write to; - for stdout (default: the name of the file, in the current folder)',
    );
  addExamples(command, [
    'uploads get /user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png',
    'uploads get 4 -o - | less',
  ]);
  addGlobalOptions(command);
  return command.action(async (address: string) => {
    const options = globalOptions(command);
    const connection = chooseConnection(options);
    const { output } = command.opts<{ output?: string }>();
    const { session, close } = await openSession(connection, 'user');
    try {
      const file = await session.download(
        /^[0-9]+$/.test(address) ? await addressOf(session, Number(address)) : address,
      );
      const path = output ?? nameFor(file);
      if (path === '-') return await pipeline(file.content, process.stdout, { end: false });
      await save(file, path, terminal, options.json === true);
      if (options.json) showJson({ file: path, name: file.name, type: file.type, size: file.size }, terminal);
      else terminal.out(`Saved ${oneLine(path)}, ${fileSize(file.size)}.`);
    } finally {
      await close();
    }
  });
}

async function addressOf(session: Session, id: number): Promise<string> {
  const found = (await allUploads(session, id + 1)).attachments[0];
  if (found?.id !== id) throw new Failure(`You have uploaded no file with ID ${id}.`, EXIT.refused);
  return found.path_id;
}

/** The name comes from another user: it must not choose a folder or hide the file. */
function nameFor({ name }: DownloadedFile): string {
  const bare = basename(name.replaceAll('\\', '/'))
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(/^[.-]+/, '');
  return bare || 'uploaded-file';
}

async function save(file: DownloadedFile, path: string, terminal: Terminal, isQuiet: boolean): Promise<void> {
  const isShown = !isQuiet && terminal.errIsTerminal;
  const content = isShown ? withBar(file.content, file.name, file.size) : file.content;
  try {
    await pipeline(content, createWriteStream(path, { flags: 'wx' }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${path} already exists.`, 'Choose another path with --output.');
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR' || code === 'ENOTDIR') {
      throw new UsageError(`Cannot write ${path}: ${message}`);
    }
    await rm(path, { force: true });
    throw error;
  }
}

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DownloadedFile, Session, StreamedFile } from '../../lib/index.ts';
import { codeOf, errorOf, present } from '../../lib/internal.ts';
import { Failure, UsageError } from '../failure.ts';
import { problemOf } from '../files.ts';
import { commands } from '../operations/metadata.ts';
import { fileSize, transferProgress, withBar } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { moment, oneLine, tableOf } from '../output/text.ts';
import { connectedCommand, withSession } from './local-command.ts';

const download = connectedCommand<{ output?: string }>('get', {
  summary: 'Download a file',
  description: 'Download a file: your own by ID, or any file by address if a message that you can read links to it.',
  args: [['<address>', 'the address in the message, /user_uploads/…, or the ID of your own file']],
  options: [
    ['-o, --output <file>', 'path to write to; - for stdout (default: the name of the file, in the current folder)'],
  ],
  examples: ['uploads get /user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png', 'uploads get 4 -o - | less'],
  run: ({ args: [address = ''], options, terminal, print }) =>
    withSession(options, async (session) => {
      const isId = /^[0-9]+$/.test(address);
      const file = await session.download(isId ? await addressOf(session, Number(address)) : address);
      const path = options.output ?? nameFor(file);
      if (path === '-') return await pipeline(file.content, process.stdout, { end: false });
      await save(file, path, terminal, { isQuiet: options.json === true });
      const { name, type, size } = file;
      print({ file: path, name, type, size }, `Saved ${oneLine(path)}, ${fileSize(size)}.`);
    }),
});

export const uploads = commands(
  'uploads',
  'Uploaded files',
  {
    send: {
      args: ['file'],
      parsers: { file: 'files' },
      perform: {
        async run({ session, parameters, terminal, isJson }) {
          // The parser `files` makes a list, although the operation takes one file.
          const files = [parameters.file].flat() as StreamedFile[];
          const answers: object[] = [];
          try {
            for (const file of files) {
              const answer = await session.uploads.send({
                file: transferProgress(file, terminal, { isQuiet: isJson }),
              });
              answers.push(answer);
              if (!isJson) terminal.out(markdownLink(answer));
            }
          } finally {
            // If an upload fails, prints the ones before it.
            if (isJson && answers.length > 0)
              showJson(files.length === 1 ? present(answers[0]) : { uploads: answers }, terminal);
          }
        },
      },
      done: ({ answer }) => markdownLink(answer),
      examples: ['uploads send cat.png', 'uploads send report.pdf figures/*.png'],
    },
    list: {
      perform: {
        async run({ session, parameters, terminal, isJson }) {
          const { before_id } = parameters;
          if (before_id !== undefined && isJson) return showJson(await session.uploads.list({ before_id }), terminal);
          const { attachments, upload_space_used } = await allUploads(session, before_id);
          if (isJson) return showJson({ attachments, upload_space_used, found_oldest: true }, terminal);
          const text = tableOf(attachments, terminal, {
            ID: 'id',
            NAME: ({ name }) => name,
            SIZE: ({ size }) => fileSize(size),
            UPLOADED: ({ create_time }) => moment(create_time / 1000),
            MESSAGES: ({ messages }) => messages.length,
            PATH: ({ path_id }) => `/user_uploads/${path_id}`,
          });
          terminal.out(text || 'You have no uploaded files.');
        },
      },
    },
    remove: {
      args: [{ parameter: 'attachment_id', label: 'ID' }],
      confirm: 'Remove this file permanently? Links to it in messages will break.',
      done: 'Removed the file with ID {attachment_id}.',
    },
    getTemporaryUrl: { args: [{ parameter: 'realm_id_str', label: 'REALM' }, 'filename'], done: '{url}' },
  },
  download,
);

const markdownLink = ({ filename, url }: { filename: string; url: string }): string =>
  `[${oneLine(filename).replace(/[[\]]/g, '')}](${url})`;

async function allUploads(session: Session, before?: number) {
  let answer = await session.uploads.list({ before_id: before });
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

async function addressOf(session: Session, id: number): Promise<string> {
  const found = (await allUploads(session, id + 1)).attachments[0];
  if (found?.id !== id) throw new Failure(`You have uploaded no file with ID ${id}.`);
  return found.path_id;
}

/** The name comes from another user: it must not choose a folder or hide the file. */
function nameFor({ name }: DownloadedFile): string {
  const bare = basename(name.replaceAll('\\', '/'))
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(/^[.-]+/, '');
  return bare || 'uploaded-file';
}

async function save(file: DownloadedFile, path: string, terminal: Terminal, { isQuiet }: { isQuiet: boolean }) {
  const content = !isQuiet && terminal.errIsTerminal ? withBar(file.content, file.name, file.size) : file.content;
  try {
    await pipeline(content, createWriteStream(path, { flags: 'wx' }));
  } catch (error) {
    const code = codeOf(error) ?? '';
    const advice = 'Choose another path with --output.';
    if (code === 'EEXIST') throw new UsageError(`${path} already exists.`, advice);
    const isOpened = !/^(ENOENT|EACCES|EISDIR|ENOTDIR)$/.test(code);
    if (isOpened) await rm(path, { force: true });
    if (isOpened && !/^(ENOSPC|EDQUOT)$/.test(code)) throw error;
    throw new UsageError(`Cannot write ${path}: ${problemOf(errorOf(error))}`, advice);
  }
}

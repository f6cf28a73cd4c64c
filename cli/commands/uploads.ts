import type { StreamedFile } from '../../lib/index.ts';
import { commands } from '../operations/metadata.ts';
import { fileSize, transferProgress } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import { moment, table } from '../output/table.ts';
import { allUploads, downloadCommand } from '../uploaded-files.ts';

export const uploads = commands(
  'uploads',
  'Uploaded files',
  {
    send: {
      args: [{ parameter: 'file', label: 'FILE' }],
      parsers: { file: 'files' },
      perform: {
        options: [],
        async run({ session, parameters, terminal, isJson }) {
          // The parser `files` makes a list, although the operation takes one file.
          const files = [parameters.file].flat() as StreamedFile[];
          const answers: object[] = [];
          try {
            for (const file of files) {
              const answer = await session.uploads.send({ file: transferProgress(file, terminal, isJson) });
              answers.push(answer);
              if (!isJson) terminal.out(markdownLink(answer));
            }
          } finally {
            // If an upload fails, prints the ones before it.
            if (isJson && answers.length > 0)
              showJson(files.length === 1 ? (answers[0] as object) : { uploads: answers }, terminal);
          }
        },
      },
      done: ({ answer }) => markdownLink(answer),
      examples: ['uploads send cat.png', 'uploads send report.pdf figures/*.png'],
    },
    list: {
      perform: {
        options: [],
        async run({ session, parameters, terminal, isJson }) {
          const { before_id } = parameters;
          if (before_id !== undefined && isJson) return showJson(await session.uploads.list({ before_id }), terminal);
          const { attachments, upload_space_used } = await allUploads(session, before_id);
          if (isJson) return showJson({ attachments, upload_space_used, found_oldest: true }, terminal);
          if (attachments.length === 0) return terminal.out('You have no uploaded files.');
          const rows = attachments.map(({ id, name, size, create_time, messages, path_id }) => [
            String(id),
            oneLine(name),
            fileSize(size),
            moment(create_time / 1000),
            String(messages.length),
            `/user_uploads/${oneLine(path_id)}`,
          ]);
          terminal.out(table(['ID', 'NAME', 'SIZE', 'UPLOADED', 'MESSAGES', 'PATH'], rows, terminal));
        },
      },
    },
    remove: {
      args: [{ parameter: 'attachment_id', label: 'ID' }],
      confirm: 'Remove this file permanently? Links to it in messages will break.',
      done: ({ parameters }) => `Removed the file with ID ${parameters.attachment_id}.`,
      examples: ['uploads remove 4'],
    },
    getTemporaryUrl: {
      args: [{ parameter: 'realm_id_str', label: 'REALM' }, 'filename'],
      done: ({ answer }) => answer.url,
      examples: ['uploads get-temporary-url 1 4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png'],
    },
  },
  downloadCommand,
);

/** The Markdown link for a message. */
function markdownLink({ filename, url }: { filename: string; url: string }): string {
  return `[${oneLine(filename).replace(/[[\]]/g, '')}](${url})`;
}

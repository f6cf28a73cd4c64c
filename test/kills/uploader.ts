import { ChatError, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';

/**
 * A process that uploads and removes files until it is killed. It writes `= url size` after the acknowledgement of an
 * upload, and `- url` before the request to remove a file.
 */
export interface UploaderOptions {
  database: string;
  schema?: string;
  folder: string;
  user: number;
}

const { database, schema, folder, user } = JSON.parse(process.argv[2] as string) as UploaderOptions;
const storage = schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 });
const logger = { debug() {}, info() {}, warn() {}, error: (data: object) => say(`! ${JSON.stringify(data)}`) };
const chat = await openChat({ storage, files: localFiles(folder), logger });
chat.start();
const { uploads } = chat.as(user);

for (;;) await Promise.all([uploadOne(), uploadOne(), uploadOne(), removeOne()]);

async function uploadOne(): Promise<void> {
  const size = Math.floor(Math.random() * 4_000_000);
  const content = (async function* () {
    for (let left = size; left > 0; left -= 60_000) {
      yield Buffer.alloc(Math.min(left, 60_000), 'kill');
      await new Promise(setImmediate);
    }
  })();
  const { url } = await uploads.send({ file: { name: 'a.txt', content } });
  say(`= ${url} ${size}`);
}

async function removeOne(): Promise<void> {
  const { attachments } = await uploads.list();
  const oldest = attachments.at(-1);
  if (!oldest || attachments.length < 5) return;
  say(`- /user_uploads/${oldest.path_id}`);
  await uploads.remove({ attachment_id: oldest.id }).catch((error: unknown) => {
    // Another process may have been faster.
    if (!(error instanceof ChatError)) throw error;
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

import * as v from 'valibot';
import type { ManualContext } from '../../../access/context.ts';
import { BadRequest, RealmUploadQuota } from '../../../base/errors.ts';
import { describe, namedFile, piecesOf, type StreamedFile, streamedFile } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { uploadUrl } from '../../../rules/uploads.ts';
import { pictureFacts } from '../pictures.ts';
import { storeContent } from '../store-content.ts';
import {
  type ArrivingFile,
  arrivingFile,
  completeFile,
  discardFile,
  fileStore,
  MEBIBYTE,
  storedAt,
} from '../stored-file.ts';

export const sendUpload = defineOperation({
  name: 'uploads.send',
  http: 'POST /user_uploads',
  summary: 'Upload a file',
  description:
    'Other users can read it once a message contains its URL: `[name](url)`. Files that no message links to are removed after five weeks.',
  access: 'user',
  effect: 'manual',
  params: { file: describe(streamedFile(), 'The file. `register` returns the maximum size.') },
  result: v.object({
    url: describe(v.string(), 'Path of the file below the URL of the organization.'),
    uri: describe(v.string(), 'Same as `url`; deprecated.'),
    filename: describe(v.string(), 'Original file name.'),
  }),
  errors: [RealmUploadQuota],
  async run(context, { file }) {
    const { services, actor, now } = context;
    // Throws before a row is written if the server has no file store.
    fileStore(services);
    const given = namedFile(file);
    const upload = arrivingFile(given, now);
    // A dry run stores nothing and needs only one transaction.
    const pending = context.isTrial ? undefined : await begin(context, upload);
    const content = new Measured(given, services.options.maxUploadMebibytes);
    try {
      if (pending) await storeContent(services, actor.id, storedAt(upload), content);
      else for await (const _ of content);
      const owned = { ...upload, owner_id: actor.id };
      const facts = { size: content.size, ...(await pictureFacts(services, owned, content.size)) };
      const done = await context.transact('append', (writing) => completeFile(writing, pending ?? upload, facts));
      const url = uploadUrl(done, context.organization.site_path);
      return { url, uri: url, filename: done.name };
    } catch (error) {
      // If this fails too, the worker removes the file later.
      if (pending) await discardFile(services, pending).catch(() => undefined);
      throw error;
    }
  },
});

/** Runs before a byte is stored, so that the worker can remove the file after a crash. */
function begin(context: ManualContext<'user'>, upload: ArrivingFile): Promise<ArrivingFile & { id: number }> {
  return context.transact('append', async ({ tx, actor }) => ({
    ...upload,
    id: await tx.uploads.create({ ...upload, owner_id: actor.id }),
  }));
}

/** Counts the bytes of a file while they are read. Throws beyond the limit. */
class Measured implements AsyncIterable<Uint8Array> {
  size = 0;

  constructor(
    private readonly file: StreamedFile,
    private readonly maxMebibytes: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of piecesOf(this.file.content)) {
      this.size += piece.length;
      if (this.size > this.maxMebibytes * MEBIBYTE) {
        throw new BadRequest(`The file is too large (limit: ${this.maxMebibytes} MiB).`);
      }
      yield piece;
    }
  }
}

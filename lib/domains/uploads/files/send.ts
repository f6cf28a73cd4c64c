import * as v from 'valibot';
import type { ManualContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { RealmUploadQuota } from '../../../kernel/file-errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, namedFile, piecesOf, type StreamedFile, streamedFile } from '../../../kernel/schemas.ts';
import { uploadUrl } from '../../../rules/uploads.ts';
import { type ArrivingFile, arrivingFile, completeFile, discardFile, MEBIBYTE } from '../arriving-file.ts';
import { pictureFacts } from '../pictures.ts';
import { storeContent } from '../store-content.ts';
import { fileStore, storedAt } from '../stored-file.ts';

export const sendUpload = defineOperation({
  name: 'uploads.send',
  http: 'POST /user_uploads',
  summary: 'Upload a file',
  description:
    'Nobody else has it before a message links to its address: `[name](url)`. What no message links to is removed after five weeks.',
  access: 'user',
  effect: 'manual',
  params: v.object({ file: describe(streamedFile(), 'The file, of the size that `register` tells at most.') }),
  result: v.object({
    url: describe(v.string(), 'Its address, below that of the organization.'),
    uri: describe(v.string(), 'The same; deprecated.'),
    filename: describe(v.string(), 'As it was called where it came from.'),
  }),
  errors: [BadRequest, RealmUploadQuota],
  async run(context, { file }) {
    const { services, actor, now } = context;
    // Refused before a row is written.
    fileStore(services);
    const given = namedFile(file);
    const upload = arrivingFile(given, now);
    // Nothing is stored by a trial, so that it has one transaction alone.
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
      // Where this fails too, it is collected.
      if (pending) await discardFile(services, pending).catch(() => undefined);
      throw error;
    }
  },
});

/** Before a byte is stored, so that whatever ends the process leaves nothing that is not collected. */
function begin(context: ManualContext<'user'>, upload: ArrivingFile): Promise<ArrivingFile & { id: number }> {
  return context.transact('append', async ({ tx, actor }) => ({
    ...upload,
    id: await tx.uploads.create({ ...upload, owner_id: actor.id }),
  }));
}

/** The pieces of a file, counted while they are read; none beyond the limit. */
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

import mime from 'mime-types';
import * as v from 'valibot';
import type { ManualContext, TransactionContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { RealmUploadQuota } from '../../../kernel/file-errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, namedFile, piecesOf, type StreamedFile, streamedFile } from '../../../kernel/schemas.ts';
import { displayName, fileName, uploadUrl } from '../../../rules/uploads.ts';
import type { NewUpload, Upload, UploadFacts } from '../../../storage/interface/uploads.ts';
import { COLLECT_PENDING_MS, COLLECT_UNCLAIMED_MS } from '../collection-times.ts';
import { emitAdded } from '../events.ts';
import { pictureFacts } from '../pictures.ts';
import { fileStore, newFileKey, storedAt } from '../stored-file.ts';

const MEBIBYTE = 1024 * 1024;

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
    const { services, now } = context;
    const store = fileStore(services);
    const given = namedFile(file);
    const name = displayName(given.name);
    const upload = {
      file_key: newFileKey(),
      file_name: fileName(name),
      name,
      content_type: contentType(given, name),
      created_ms: now,
      collect_ms: now + COLLECT_PENDING_MS,
    };
    // Nothing is stored by a trial, so that it has one transaction alone.
    const pending = context.isTrial ? undefined : await begin(context, upload);
    const content = new Measured(given, services.options.maxUploadMebibytes);
    try {
      if (pending) await store.write(storedAt(upload), content);
      else for await (const _ of content);
      const facts = { size: content.size, ...(await pictureFacts(services, pending ?? upload, content.size)) };
      const done = await context.transact('append', (writing) => complete(writing, pending ?? upload, facts));
      const url = uploadUrl(done, context.organization.site_path);
      return { url, uri: url, filename: done.name };
    } catch (error) {
      // Where this fails too, it is collected.
      if (pending) await abandon(context, pending).catch(() => undefined);
      throw error;
    }
  },
});

type Beginning = Omit<NewUpload, 'owner_id'>;

/** Before a byte is stored, so that whatever ends the process leaves nothing that is not collected. */
function begin(context: ManualContext<'user'>, upload: Beginning): Promise<Beginning & { id: number }> {
  return context.transact('append', async ({ tx, actor }) => ({
    ...upload,
    id: await tx.uploads.create({ ...upload, owner_id: actor.id }),
  }));
}

async function complete(
  context: TransactionContext<'user'>,
  upload: Beginning & { id?: number },
  facts: Omit<UploadFacts, 'collect_ms'>,
): Promise<Upload> {
  const { tx, actor, now, services } = context;
  const id = upload.id ?? (await tx.uploads.create({ ...upload, owner_id: actor.id }));
  const collect_ms = now + COLLECT_UNCLAIMED_MS;
  if (!(await tx.uploads.complete(id, { ...facts, collect_ms }))) {
    throw new BadRequest('The file took too long to arrive; send it again.');
  }
  const quota = services.options.uploadQuotaMebibytes;
  if (quota !== null && (await tx.uploads.spaceUsed()) > quota * MEBIBYTE) throw new RealmUploadQuota();
  const done = { ...upload, ...facts, id, owner_id: actor.id, is_complete: true, collect_ms };
  await emitAdded(context, done);
  return done;
}

/** Leaves nothing of a file that did not arrive, or may not stay. */
async function abandon({ services }: ManualContext<'user'>, pending: Beginning & { id: number }): Promise<void> {
  await fileStore(services).remove(storedAt(pending));
  await services.append(({ tx }) => tx.uploads.remove([pending.id]));
}

/** What says nothing about a file counts as nothing; the parser of forms says `text/plain` where nothing was said. */
const VAGUE: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain']);

function contentType({ type = '' }: StreamedFile, name: string): string {
  const given = type.trim().toLowerCase();
  const isUsable =
    !VAGUE.has(given) && /^[\w.+-]+\/[\w.+-]+$/.test(given.split(';', 1)[0] ?? '') && given.length <= 100;
  return (isUsable && (given.split(';', 1)[0] as string)) || mime.lookup(name) || 'application/octet-stream';
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

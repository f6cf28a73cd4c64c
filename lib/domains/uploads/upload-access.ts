import { createHmac } from 'node:crypto';
import { FileForbidden, NoSuchFile } from '../../base/errors.ts';
import type { User } from '../../model/users.ts';
import { sameKey } from '../../rules/credentials.ts';
import { isAdministrator, isSystem, roomsOf } from '../../rules/roles.ts';
import { pathIdOf, readPathId } from '../../rules/uploads.ts';
import type { Upload } from '../../storage/interface/uploads.ts';
import { type ReadContext, TOKEN_LOGIN, type TransactionContext } from '../../viewer/context.ts';
import { viewerOf } from '../../viewer/viewer.ts';
import { exportAsUpload } from './export-files.ts';

/** To check access to a file, at most this many of the newest messages that link to it are read. */
const MAX_LINKING_MESSAGES = 10_000;
/** The same limit per file when a message with several files is checked. */
const MAX_LINKING_MESSAGES_PER_FILE = 100;

/**
 * The file with this path, for its owner and for users who can read a message that links to it.
 * @param user undefined: a caller without an account, who can read files linked in web-public channels
 * @throws NoSuchFile, also if the user may not read it
 */
export async function accessUpload(
  context: ReadContext & Pick<TransactionContext, 'loginId'>,
  user: User | undefined,
  pathId: string,
): Promise<Upload> {
  const upload = await findUpload(context, pathId);
  if (!upload) return accessExport(context, user, pathId);
  const isAllowed = user
    ? (await readableUploads(context, user, [upload], MAX_LINKING_MESSAGES)).length > 0
    : await context.tx.uploads.isWebPublic(upload.id);
  if (!isAllowed) throw new NoSuchFile();
  return upload;
}

/** Like accessUpload(), for a caller with a temporary URL. */
export async function accessUploadByToken(context: ReadContext, pathId: string, token: string): Promise<Upload> {
  if (!isValidToken(context.organization.secret, pathId, token, context.now)) throw new FileForbidden();
  const found = (await findUpload(context, pathId)) ?? (await findExport(context, pathId));
  if (!found) throw new NoSuchFile();
  return found;
}

async function findUpload({ tx }: ReadContext, pathId: string): Promise<Upload | undefined> {
  const address = readPathId(pathId);
  const upload = address && (await tx.uploads.byKey(address.file_key));
  return upload?.is_complete && pathIdOf(upload) === pathId ? upload : undefined;
}

/** The ZIP file of an export of the organization. Only administrators can read it, and no tokens. */
async function accessExport(
  context: ReadContext & Pick<TransactionContext, 'loginId'>,
  user: User | undefined,
  pathId: string,
): Promise<Upload> {
  const isAllowed = user && isAdministrator(user) && context.loginId !== TOKEN_LOGIN;
  const found = isAllowed ? await findExport(context, pathId) : undefined;
  if (!found) throw new NoSuchFile();
  return found;
}

async function findExport({ tx }: ReadContext, pathId: string): Promise<Upload | undefined> {
  const address = readPathId(pathId);
  const found = address && (await tx.dataExports.byFileKey(address.file_key));
  const upload = found && exportAsUpload(found, address.file_key);
  return upload && pathIdOf(upload) === pathId ? upload : undefined;
}

export async function readableUploads(
  context: ReadContext,
  user: User,
  uploads: readonly Upload[],
  maxMessages = MAX_LINKING_MESSAGES_PER_FILE,
): Promise<Upload[]> {
  const isLimited = roomsOf(user) !== undefined;
  const doubtful = uploads.filter(({ owner_id }) => owner_id !== user.id || isLimited).map(({ id }) => id);
  if (doubtful.length === 0 || isSystem(user)) return [...uploads];
  const claiming = await context.tx.uploads.claimingMessages(doubtful, user.id, maxMessages);
  const readable = await viewerOf(context, user).readableMessages(claiming);
  const ids = new Set(readable.map(({ upload_id }) => upload_id));
  // With a token that is limited to rooms, an own file is readable in these rooms, and before a message links to it.
  const elsewhere = new Set(isLimited ? claiming.map(({ upload_id }) => upload_id) : []);
  return uploads.filter(({ id, owner_id }) => ids.has(id) || (owner_id === user.id && !elsewhere.has(id)));
}

/** A token for reading a file without login. @param expires seconds since the epoch */
export function temporaryToken(secret: string, pathId: string, expires: number): string {
  return `${expires}-${createHmac('sha256', secret).update(`upload:${expires}:${pathId}`).digest('hex')}`;
}

/** Whether the token belongs to this file and has not expired. @param nowMs milliseconds since the epoch */
function isValidToken(secret: string, pathId: string, token: string, nowMs: number): boolean {
  const expires = Number(/^([0-9]{1,12})-/.exec(token)?.[1] ?? 0);
  return expires * 1000 > nowMs && sameKey(token, temporaryToken(secret, pathId, expires));
}

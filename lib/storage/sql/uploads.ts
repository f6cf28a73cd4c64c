import type {
  Claim,
  ClaimingMessage,
  LeaseState,
  NewUpload,
  ResumableUploadStore,
  Upload,
  UploadFacts,
  UploadStore,
} from '../interface/uploads.ts';
import { SqlStore } from './connection.ts';
import { RECEIVED } from './read-rule.ts';
import { record } from './record.ts';

const UPLOAD = record<Upload>({
  id: 'integer',
  owner_id: 'integer',
  file_key: 'text',
  file_name: 'text',
  name: 'text',
  content_type: 'text',
  size: 'integer',
  width: 'integer',
  height: 'integer',
  frames: 'integer',
  is_complete: 'boolean',
  created_ms: 'integer',
  collect_ms: 'integer',
});
const CLAIM = record<Claim>({ upload_id: 'integer', message_id: 'integer', timestamp: 'integer' });
const CLAIMING_MESSAGE = record<ClaimingMessage>({ upload_id: 'integer', id: 'integer', channel_id: 'integer' });

const NEW = UPLOAD.without('id', 'width', 'height', 'frames');
const INSERT = `INSERT INTO uploads (${NEW.columns}) VALUES (${NEW.places}) RETURNING id`;
const COMPLETE = `
  UPDATE uploads SET is_complete = 1, size = ?, width = ?, height = ?, frames = ?, collect_ms = ?
  WHERE id = ? AND is_complete = 0`;
const SELECT = `SELECT ${UPLOAD.columns} FROM uploads`;
const BY_ID = `${SELECT} WHERE id = ?`;
const BY_KEY = `${SELECT} WHERE file_key = ?`;
const BY_KEYS = `${SELECT} WHERE file_key IN_TEXTS(?) AND is_complete = 1 ORDER BY id`;
const OF_OWNER = `${SELECT} WHERE owner_id = ? AND id < ? AND is_complete = 1 ORDER BY id DESC LIMIT ?`;
const ADD_SPACE = 'UPDATE upload_space SET used = used + ?';
const FREE_SPACE = `
  UPDATE upload_space SET used = used - (
    SELECT COALESCE(SUM(size), 0) FROM uploads WHERE is_complete = 1 AND id IN_IDS(?))`;

const ADD_CLAIMS = `
  INSERT INTO message_attachments (upload_id, message_id) SELECT p.a, p.b FROM PAIRS(?) AS p WHERE true
  ON CONFLICT DO NOTHING`;
const CLAIMED_BY = `
  ${SELECT} WHERE id IN (SELECT upload_id FROM message_attachments WHERE message_id IN_IDS(?)) ORDER BY id`;
const RELEASE = `
  DELETE FROM message_attachments WHERE message_id IN_IDS(?) AND NOT (upload_id IN_IDS(?)) RETURNING upload_id`;
const UNCLAIMED = `
  UPDATE uploads SET collect_ms = ? WHERE id IN_IDS(?)
    AND NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.upload_id = uploads.id)`;
const CLAIMED = 'UPDATE uploads SET collect_ms = NULL WHERE id IN_IDS(?) AND collect_ms IS NOT NULL';

/** Takes a number: of each file `u`, only so many of the newest messages that link to it. */
const AMONG_NEWEST = `a.message_id > COALESCE((
  SELECT b.message_id FROM message_attachments b WHERE b.upload_id = u.id ORDER BY b.message_id DESC LIMIT 1 OFFSET ?), 0)`;
const NEWEST_CLAIMS = `
  SELECT a.upload_id, a.message_id, m.timestamp
  FROM uploads u JOIN message_attachments a ON a.upload_id = u.id JOIN messages m ON m.id = a.message_id
  WHERE u.id IN_IDS(?) AND ${AMONG_NEWEST}
  ORDER BY a.upload_id, a.message_id DESC`;
const claiming = (condition: string) => `
  SELECT a.upload_id, MAX(m.id) AS id, c.channel_id
  FROM uploads u JOIN message_attachments a ON a.upload_id = u.id JOIN messages m ON m.id = a.message_id
  JOIN conversations c ON c.id = m.conversation_id
  WHERE u.id IN_IDS(?) AND ${AMONG_NEWEST} AND ${condition}
  GROUP BY a.upload_id, c.channel_id`;
// Only users who received a direct message can read it.
const CLAIMING = `${claiming('c.channel_id IS NOT NULL')} UNION ${claiming(RECEIVED)}`;
const IN_WEB_PUBLIC_CHANNEL = `
  SELECT 1 AS found FROM message_attachments a JOIN messages m ON m.id = a.message_id
  JOIN conversations c ON c.id = m.conversation_id JOIN channels h ON h.id = c.channel_id
  WHERE a.upload_id = ? AND h.is_web_public = 1 AND h.is_archived = 0 LIMIT 1`;

const NEXT_COLLECTION = 'SELECT MIN(collect_ms) AS at FROM uploads WHERE collect_ms IS NOT NULL';
const namedIn = (table: string, owner: string) => `EXISTS (
  SELECT 1 FROM ${table} t WHERE t.${owner} = u.owner_id AND FIND(t.content, u.file_key) > 0)`;
const TO_COLLECT = `${SELECT} WHERE collect_ms <= ? ORDER BY collect_ms, id LIMIT ?`;
const WANTED = `
  SELECT u.id FROM uploads u WHERE u.id IN_IDS(?) AND (
    EXISTS (SELECT 1 FROM message_attachments a WHERE a.upload_id = u.id)
    OR ${namedIn('drafts', 'user_id')} OR ${namedIn('scheduled_messages', 'sender_id')})`;
const POSTPONE = `
  UPDATE uploads SET collect_ms = CASE
    WHEN EXISTS (SELECT 1 FROM message_attachments a WHERE a.upload_id = uploads.id) THEN NULL
    ELSE CAST(? AS BIGINT) END
  WHERE id IN_IDS(?)`;

export class SqlUploads extends SqlStore implements UploadStore {
  readonly byId = this.statement.one(UPLOAD, BY_ID);
  readonly byKey = this.statement.one(UPLOAD, BY_KEY);
  readonly byKeys = this.statement.manyOf(UPLOAD, BY_KEYS);
  readonly ofOwner = this.statement.many(UPLOAD, OF_OWNER);
  readonly spaceUsed = this.statement.count('SELECT used FROM upload_space');
  readonly claimedBy = this.statement.manyOf(UPLOAD, CLAIMED_BY);
  readonly nextCollection = this.statement.value(NEXT_COLLECTION);
  readonly toCollect = this.statement.many(UPLOAD, TO_COLLECT);

  async create(upload: NewUpload): Promise<number> {
    this.connection.concurrency?.announceDueWork();
    return this.connection.insert(INSERT, NEW.values({ ...upload, size: 0, is_complete: false }));
  }

  async complete(id: number, { size, width, height, frames, collect_ms }: UploadFacts): Promise<boolean> {
    const done = await this.connection.run(COMPLETE, [size, width, height, frames, collect_ms, id]);
    if (done > 0) await this.connection.run(ADD_SPACE, [size]);
    return done > 0;
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const list = JSON.stringify(ids);
    await this.connection.run('DELETE FROM message_attachments WHERE upload_id IN_IDS(?)', [list]);
    await this.connection.run(FREE_SPACE, [list]);
    await this.connection.run('DELETE FROM uploads WHERE id IN_IDS(?)', [list]);
  }

  async claim(claims: readonly { message_id: number; upload_id: number }[]): Promise<void> {
    if (claims.length === 0) return;
    const pairs = claims.map(({ message_id, upload_id }) => [upload_id, message_id]);
    await this.connection.run(ADD_CLAIMS, [JSON.stringify(pairs)]);
    await this.connection.run(CLAIMED, [JSON.stringify(pairs.map(([upload]) => upload))]);
  }

  async release(messageIds: readonly number[], collectMs: number, kept: readonly number[] = []): Promise<void> {
    if (messageIds.length === 0) return;
    const params = [JSON.stringify(messageIds), JSON.stringify(kept)];
    const released = await this.connection.column(RELEASE, params);
    if (released.length === 0) return;
    const ids = JSON.stringify([...new Set(released)]);
    this.connection.concurrency?.announceDueWork();
    await this.connection.run(UNCLAIMED, [collectMs, ids]);
  }

  async newestClaims(ids: readonly number[], limitOfEach: number): Promise<Claim[]> {
    if (ids.length === 0) return [];
    return this.connection.many(CLAIM, NEWEST_CLAIMS, [JSON.stringify(ids), limitOfEach]);
  }

  async claimingMessages(ids: readonly number[], userId: number, lookedAt: number): Promise<ClaimingMessage[]> {
    if (ids.length === 0) return [];
    const list = JSON.stringify(ids);
    return this.connection.many(CLAIMING_MESSAGE, CLAIMING, [list, lookedAt, list, lookedAt, userId, userId]);
  }

  async isWebPublic(id: number): Promise<boolean> {
    return (await this.connection.get(IN_WEB_PUBLIC_CHANNEL, [id])) !== undefined;
  }

  async wanted(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    return this.connection.column(WANTED, [JSON.stringify(ids)]);
  }

  async postpone(ids: readonly number[], collectMs: number): Promise<void> {
    if (ids.length > 0) await this.connection.run(POSTPONE, [collectMs, JSON.stringify(ids)]);
  }
}

const BEGIN_UPLOAD = `
  INSERT INTO resumable_uploads (upload_id, owner_id, size, lease, lease_until_ms, is_asked_for)
  VALUES (?, ?, ?, NULL, 0, 0)`;
const SIZE_OF_UPLOAD = 'SELECT size FROM resumable_uploads WHERE upload_id = ?';
const COUNT_OF_OWNER = `
  SELECT COUNT(*) AS count FROM (SELECT 1 FROM resumable_uploads WHERE owner_id = ? LIMIT CAST(? AS BIGINT)) found`;
const TAKE_LEASE = `
  UPDATE resumable_uploads SET lease = ?, lease_until_ms = ?, is_asked_for = 0
  WHERE upload_id = ? AND (lease IS NULL OR lease_until_ms <= ?)`;
const ASK_FOR_LEASE = 'UPDATE resumable_uploads SET is_asked_for = 1 WHERE upload_id = ? AND is_asked_for = 0';
const RENEW_LEASE = `
  UPDATE resumable_uploads SET lease_until_ms = ? WHERE upload_id = ? AND lease = ? RETURNING is_asked_for`;
const RELEASE_LEASE = `
  UPDATE resumable_uploads SET lease = NULL, lease_until_ms = 0, is_asked_for = 0 WHERE upload_id = ? AND lease = ?`;

export class SqlResumableUploads extends SqlStore implements ResumableUploadStore {
  readonly create = this.statement.run(BEGIN_UPLOAD);
  readonly sizeOf = this.statement.value(SIZE_OF_UPLOAD);
  readonly countOf = this.statement.count(COUNT_OF_OWNER);
  readonly release = this.statement.changes(RELEASE_LEASE);
  readonly remove = this.statement.run('DELETE FROM resumable_uploads WHERE upload_id = ?');

  async take(uploadId: number, holder: string, nowMs: number, untilMs: number): Promise<boolean> {
    if ((await this.connection.run(TAKE_LEASE, [holder, untilMs, uploadId, nowMs])) > 0) return true;
    await this.connection.run(ASK_FOR_LEASE, [uploadId]);
    return false;
  }

  async renew(uploadId: number, holder: string, untilMs: number): Promise<LeaseState> {
    const isAskedFor = await this.connection.value(RENEW_LEASE, [untilMs, uploadId, holder]);
    if (isAskedFor === undefined) return 'lost';
    return isAskedFor === 1 ? 'asked-for' : 'held';
  }
}

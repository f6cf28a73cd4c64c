import type {
  Claim,
  ClaimingMessage,
  LeaseState,
  ResumableUploadStore,
  Upload,
  UploadStore,
} from '../interface/uploads.ts';
import { RECEIVED } from './read-rule.ts';
import { record } from './record.ts';
import { after, announcing, changes, count, exists, ids, type Queries, run, value } from './store.ts';

export const UPLOAD = record<Upload>({
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
const insert = announcing(NEW.insert('uploads'));
const COMPLETE = `
  UPDATE uploads SET is_complete = 1, size = ?, width = ?, height = ?, frames = ?, collect_ms = ?
  WHERE id = ? AND is_complete = 0`;
const SELECT = `SELECT ${UPLOAD.columns} FROM uploads`;
const addSpace = run('UPDATE upload_space SET used = used + ?');
const freeSpace = run(`
  UPDATE upload_space SET used = used - (
    SELECT COALESCE(SUM(size), 0) FROM uploads WHERE is_complete = 1 AND id IN_IDS(?))`);
const removeFiles = run('DELETE FROM uploads WHERE id IN_IDS(?)');
const removeLinks = run('DELETE FROM message_attachments WHERE upload_id IN_IDS(?)');

const addClaims = run(`
  INSERT INTO message_attachments (upload_id, message_id) SELECT p.a, p.b FROM PAIRS(?) AS p WHERE true
  ON CONFLICT DO NOTHING`);
const RELEASE = `
  DELETE FROM message_attachments WHERE message_id IN_IDS(?) AND NOT (upload_id IN_IDS(?)) RETURNING upload_id`;
const collectUnclaimed = announcing(
  run(`
    UPDATE uploads SET collect_ms = ? WHERE id IN_IDS(?)
      AND NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.upload_id = uploads.id)`),
);
const cancelCollection = run('UPDATE uploads SET collect_ms = NULL WHERE id IN_IDS(?) AND collect_ms IS NOT NULL');

/** Of each file `u`, only this number of the newest messages that link to it. */
const amongNewest = (number: string) => `a.message_id > COALESCE((
  SELECT b.message_id FROM message_attachments b WHERE b.upload_id = u.id ORDER BY b.message_id DESC LIMIT 1 OFFSET ${number}), 0)`;
const claiming = (condition: string) => `
  SELECT a.upload_id, MAX(m.id) AS id, c.channel_id
  FROM uploads u JOIN message_attachments a ON a.upload_id = u.id JOIN messages m ON m.id = a.message_id
  JOIN conversations c ON c.id = m.conversation_id
  WHERE u.id IN_IDS(?1) AND ${amongNewest('?3')} AND ${condition}
  GROUP BY a.upload_id, c.channel_id`;
const namedIn = (table: string, owner: string) => `EXISTS (
  SELECT 1 FROM ${table} t WHERE t.${owner} = u.owner_id AND FIND(t.content, u.file_key) > 0)`;

export const uploads: Queries<UploadStore> = {
  newest: UPLOAD.one(`${SELECT} WHERE is_complete = 1 ORDER BY id DESC LIMIT 1`),
  byId: UPLOAD.one(`${SELECT} WHERE id = ?`),
  byKey: UPLOAD.one(`${SELECT} WHERE file_key = ?`),
  byKeys: UPLOAD.many(`${SELECT} WHERE file_key IN_TEXTS(?) AND is_complete = 1 ORDER BY id`),
  ofOwner: UPLOAD.many(`${SELECT} WHERE owner_id = ? AND id < ? AND is_complete = 1 ORDER BY id DESC LIMIT ?`),
  spaceUsed: count('SELECT used FROM upload_space'),
  claimedBy: UPLOAD.many(
    `${SELECT} WHERE id IN (SELECT upload_id FROM message_attachments WHERE message_id IN_IDS(?)) ORDER BY id`,
  ),
  newestClaims: CLAIM.many(`
    SELECT a.upload_id, a.message_id, m.timestamp
    FROM uploads u JOIN message_attachments a ON a.upload_id = u.id JOIN messages m ON m.id = a.message_id
    WHERE u.id IN_IDS(?1) AND ${amongNewest('?2')}
    ORDER BY a.upload_id, a.message_id DESC`),
  // Only users who received a direct message can read it.
  claimingMessages: CLAIMING_MESSAGE.many(
    `${claiming('c.channel_id IS NOT NULL')} UNION ${claiming(RECEIVED.replaceAll('?', '?2'))}`,
  ),
  isWebPublic: exists(`
    SELECT 1 AS found FROM message_attachments a JOIN messages m ON m.id = a.message_id
    JOIN conversations c ON c.id = m.conversation_id JOIN channels h ON h.id = c.channel_id
    WHERE a.upload_id = ? AND h.is_web_public = 1 AND h.is_archived = 0 LIMIT 1`),
  nextCollection: value('SELECT MIN(collect_ms) AS at FROM uploads WHERE collect_ms IS NOT NULL'),
  toCollect: UPLOAD.many(`${SELECT} WHERE collect_ms <= ? ORDER BY collect_ms, id LIMIT ?`),
  wanted: ids(`
    SELECT u.id FROM uploads u WHERE u.id IN_IDS(?) AND (
      EXISTS (SELECT 1 FROM message_attachments a WHERE a.upload_id = u.id)
      OR ${namedIn('drafts', 'user_id')} OR ${namedIn('scheduled_messages', 'sender_id')})`),
  postpone: run(`
    UPDATE uploads SET collect_ms = CASE
      WHEN EXISTS (SELECT 1 FROM message_attachments a WHERE a.upload_id = uploads.id) THEN NULL
      ELSE CAST(?2 AS BIGINT) END
    WHERE id IN_IDS(?1)`),
  create: (connection, upload) => insert(connection, { ...upload, size: 0, is_complete: false }),

  // No message links to an incomplete file.
  discard: run('DELETE FROM uploads WHERE id = ? AND is_complete = 0'),

  async complete(connection, id, { size, width, height, frames, collect_ms }) {
    const done = await connection.run(COMPLETE, [size, width, height, frames, collect_ms, id]);
    if (done > 0) await addSpace(connection, size);
    return done > 0;
  },

  async remove(connection, ids) {
    await removeLinks(connection, ids);
    await freeSpace(connection, ids);
    await removeFiles(connection, ids);
  },

  async claim(connection, claims) {
    const pairs = claims.map(({ message_id, upload_id }) => [upload_id, message_id]);
    await addClaims(connection, pairs);
    await cancelCollection(
      connection,
      pairs.map(([upload]) => upload),
    );
  },

  async release(connection, messageIds, collectMs, kept = []) {
    if (messageIds.length === 0) return;
    const released = await connection.column(RELEASE, [JSON.stringify(messageIds), JSON.stringify(kept)]);
    if (released.length > 0) await collectUnclaimed(connection, collectMs, [...new Set(released)]);
  },
};

const takeLease = changes(`
  UPDATE resumable_uploads SET lease = ?2, lease_until_ms = ?4, is_asked_for = 0
  WHERE upload_id = ?1 AND (lease IS NULL OR lease_until_ms <= ?3)`);
const askForLease = run('UPDATE resumable_uploads SET is_asked_for = 1 WHERE upload_id = ? AND is_asked_for = 0');
const renewLease = value(`
  UPDATE resumable_uploads SET lease_until_ms = ?3 WHERE upload_id = ?1 AND lease = ?2 RETURNING is_asked_for`);

export const resumableUploads: Queries<ResumableUploadStore> = {
  create: run(`
    INSERT INTO resumable_uploads (upload_id, owner_id, size, lease, lease_until_ms, is_asked_for)
    VALUES (?, ?, ?, NULL, 0, 0)`),
  space: count('SELECT COALESCE(SUM(size), 0) AS bytes FROM resumable_uploads'),
  sizeOf: value('SELECT size FROM resumable_uploads WHERE upload_id = ?'),
  countOf: count(`
    SELECT COUNT(*) AS count FROM (SELECT 1 FROM resumable_uploads WHERE owner_id = ? LIMIT CAST(? AS BIGINT)) found`),
  renew: after(renewLease, (isAskedFor): LeaseState => {
    if (isAskedFor === undefined) return 'lost';
    return isAskedFor === 1 ? 'asked-for' : 'held';
  }),
  release: changes(`
    UPDATE resumable_uploads SET lease = NULL, lease_until_ms = 0, is_asked_for = 0 WHERE upload_id = ? AND lease = ?`),
  remove: run('DELETE FROM resumable_uploads WHERE upload_id = ?'),

  async acquire(connection, uploadId, holder, nowMs, untilMs) {
    if (await takeLease(connection, uploadId, holder, nowMs, untilMs)) return true;
    await askForLease(connection, uploadId);
    return false;
  },
};

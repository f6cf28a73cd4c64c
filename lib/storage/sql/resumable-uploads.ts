import type { LeaseState, ResumableUploadStore } from '../interface/resumable-uploads.ts';
import { SqlStore } from './connection.ts';

const INSERT = `
  INSERT INTO resumable_uploads (upload_id, owner_id, size, lease, lease_until_ms, is_asked_for)
  VALUES (?, ?, ?, NULL, 0, 0)`;
const SIZE = 'SELECT size FROM resumable_uploads WHERE upload_id = ?';
const COUNT = `
  SELECT COUNT(*) AS count FROM (SELECT 1 FROM resumable_uploads WHERE owner_id = ? LIMIT CAST(? AS BIGINT)) found`;
const TAKE = `
  UPDATE resumable_uploads SET lease = ?, lease_until_ms = ?, is_asked_for = 0
  WHERE upload_id = ? AND (lease IS NULL OR lease_until_ms <= ?)`;
const ASK = 'UPDATE resumable_uploads SET is_asked_for = 1 WHERE upload_id = ? AND is_asked_for = 0';
const RENEW = `
  UPDATE resumable_uploads SET lease_until_ms = ? WHERE upload_id = ? AND lease = ? RETURNING is_asked_for`;
const RELEASE = `
  UPDATE resumable_uploads SET lease = NULL, lease_until_ms = 0, is_asked_for = 0 WHERE upload_id = ? AND lease = ?`;

export class SqlResumableUploads extends SqlStore implements ResumableUploadStore {
  async create(uploadId: number, ownerId: number, size: number): Promise<void> {
    await this.connection.run(INSERT, [uploadId, ownerId, size]);
  }

  async sizeOf(uploadId: number): Promise<number | undefined> {
    return this.connection.value(SIZE, [uploadId]);
  }

  async countOf(ownerId: number, limit: number): Promise<number> {
    return (await this.connection.value(COUNT, [ownerId, limit])) ?? 0;
  }

  async take(uploadId: number, holder: string, nowMs: number, untilMs: number): Promise<boolean> {
    if ((await this.connection.run(TAKE, [holder, untilMs, uploadId, nowMs])) > 0) return true;
    await this.connection.run(ASK, [uploadId]);
    return false;
  }

  async renew(uploadId: number, holder: string, untilMs: number): Promise<LeaseState> {
    const row = await this.connection.get<{ is_asked_for: number }>(RENEW, [untilMs, uploadId, holder]);
    if (!row) return 'lost';
    return row.is_asked_for === 1 ? 'asked-for' : 'held';
  }

  async release(uploadId: number, holder: string): Promise<boolean> {
    return (await this.connection.run(RELEASE, [uploadId, holder])) > 0;
  }

  async remove(uploadId: number): Promise<void> {
    await this.connection.run('DELETE FROM resumable_uploads WHERE upload_id = ?', [uploadId]);
  }
}

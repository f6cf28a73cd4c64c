import type { LinkPreview } from '../../model/link-preview.ts';
import type { LinkPreviewStore, StoredPreview } from '../interface/link-previews.ts';
import { record } from './record.ts';
import { after, changed, column, locking, type Queries, row, run, value } from './store.ts';

const STORED = record<StoredPreview>({
  key: 'text',
  is_fetched: { column: 'fetched_ms', read: (value) => value !== null },
  preview: 'json',
});

// A claim of the same key by another process waits for this one, and then finds it.
const claim = column<string>(`
  INSERT INTO link_previews (key, account_id, claimed_ms, expires_ms)
  SELECT TEXT(0), CAST(?1 AS BIGINT), CAST(?2 AS BIGINT), CAST(?3 AS BIGINT) FROM ROWS(?4) WHERE true ORDER BY TEXT(0)
  ON CONFLICT (key) DO UPDATE
    SET account_id = excluded.account_id, claimed_ms = excluded.claimed_ms, expires_ms = excluded.expires_ms,
      fetched_ms = NULL, preview = NULL
    WHERE link_previews.expires_ms <= excluded.claimed_ms
  RETURNING key`);

const store = run('UPDATE link_previews SET preview = ?, fetched_ms = ?, expires_ms = ? WHERE key = ?');

export const linkPreviews: Queries<LinkPreviewStore> = {
  byKeys: STORED.many(`SELECT ${STORED.columns} FROM link_previews WHERE key IN_TEXTS(?) AND expires_ms > ?`),
  claimedSince: after(
    locking(
      row<{ own: number; all: number }>(`
      SELECT COUNT(CASE WHEN account_id = ?1 THEN 1 END) AS own, COUNT(*) AS "all" FROM link_previews
      WHERE claimed_ms >= ?2`),
    ),
    (found) => found ?? { own: 0, all: 0 },
  ),
  claim: (connection, keys, { account_id, now, untilMs }) =>
    claim(
      connection,
      account_id,
      now,
      untilMs,
      keys.map((key) => [key]),
    ),
  store: (connection, { key, preview, now, expires_ms }) =>
    store(connection, preview && JSON.stringify(preview satisfies LinkPreview), now, expires_ms, key),
  nextExpiry: value('SELECT MIN(expires_ms) AS at FROM link_previews'),
  removeExpired: changed(`
    DELETE FROM link_previews WHERE key IN (
      SELECT key FROM link_previews WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ? SKIP_LOCKED)`),
};

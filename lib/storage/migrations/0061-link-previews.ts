/**
 * What linked pages say about themselves, until `expires_ms`. `key` is a digest of the address, so the table does not
 * list where users link to. Without `fetched_ms`, a process is fetching the page. `preview` is NULL if there is none.
 */
export const linkPreviews = `
CREATE TABLE link_previews (
  key TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL,
  claimed_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  fetched_ms INTEGER,
  preview TEXT
) STRICT_PAIRS;
CREATE INDEX link_previews_by_claim ON link_previews (claimed_ms, account_id);
CREATE INDEX link_previews_by_expiry ON link_previews (expires_ms);
`;

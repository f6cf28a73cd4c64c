/** Links by which people show that an address is theirs, before they join by an invitation that is for many. */
export const addressProofs = `
-- The key of a link is known to whoever got it by e-mail alone. A row stays while it counts among the e-mails that an
-- address got, also when the link has been used or its invitation is gone.
CREATE TABLE address_proofs (
  key_hash TEXT NOT NULL PRIMARY KEY,
  invitation_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  is_mailed INTEGER NOT NULL,
  is_used INTEGER NOT NULL
) STRICT_PAIRS;
CREATE INDEX address_proofs_by_address ON address_proofs (email_key, created_ms);
CREATE INDEX address_proofs_by_age ON address_proofs (created_ms);
`;

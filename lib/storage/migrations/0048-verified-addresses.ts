/**
 * Whether the address of an account is verified. Of earlier accounts, those are that the audit log shows to have joined
 * without an invitation, and those of the host. Accounts from before the log may be anyone's.
 */
export const verifiedAddresses = `
ALTER TABLE users ADD COLUMN is_email_verified INTEGER NOT NULL DEFAULT 0;
UPDATE users SET is_email_verified = 1
WHERE bot_type IS NOT NULL OR external_id IS NOT NULL
  OR joined_ms = (SELECT created_ms FROM organization)
  OR (joined_ms >= (SELECT MIN(at_ms) - 1000 FROM audit_log WHERE is_refusal = 0)
    AND id NOT IN (
      SELECT CAST(substr(found.rest, 1, length(found.rest) - length(ltrim(found.rest, '0123456789'))) AS INTEGER) FROM (
        SELECT substr(details, 12) AS rest FROM audit_log
        WHERE action = 'invites.accept' AND is_refusal = 0 AND substr(details, 1, 11) = '{"user_id":') AS found
      WHERE substr(found.rest, 1, 1) BETWEEN '1' AND '9'));
`;

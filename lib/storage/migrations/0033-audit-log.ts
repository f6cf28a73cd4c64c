/** What was done and refused that those who answer for the organization may want to know later. */
export const auditLog = `
-- Refusals are apart, so that strangers who cause them push nothing out of it that was done.
CREATE TABLE audit_log (
  id LOG_ID,
  at_ms INTEGER NOT NULL,
  action TEXT NOT NULL,
  user_id INTEGER,
  status INTEGER NOT NULL,
  code TEXT,
  details TEXT NOT NULL,
  client TEXT NOT NULL,
  network TEXT,
  request TEXT,
  times INTEGER NOT NULL,
  is_refusal INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_by_user ON audit_log (user_id, id);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
CREATE INDEX audit_log_by_refusal ON audit_log (is_refusal, id);
`;

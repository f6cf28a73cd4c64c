/**
 * Second factors of accounts. The secret of the codes follows from `salt` and the secret of the organization.
 * `is_on` is 0 until the first code confirms the set-up. `recovery_digests` is a JSON list of the recovery codes that
 * are left.
 */
export const secondFactors = `
CREATE TABLE second_factors (
  user_id INTEGER NOT NULL PRIMARY KEY REFERENCES users (id),
  salt TEXT NOT NULL,
  is_on INTEGER NOT NULL,
  last_step INTEGER NOT NULL,
  recovery_digests TEXT NOT NULL,
  wrong_codes INTEGER NOT NULL,
  wrong_ms INTEGER NOT NULL
) STRICT;
`;

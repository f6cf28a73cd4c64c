/** Patterns that become links in messages and topics. */
export const linkifiers = `
CREATE TABLE linkifiers (
  id ID,
  pattern TEXT NOT NULL UNIQUE,
  url_template TEXT NOT NULL,
  position INTEGER NOT NULL
) STRICT;
`;

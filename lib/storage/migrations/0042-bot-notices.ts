/** When the owner of a bot was last told that its messages reach no user. */
export const botNotices = `
CREATE TABLE bot_notices (
  bot_id INTEGER NOT NULL PRIMARY KEY,
  sent_ms INTEGER NOT NULL
) STRICT_PAIRS;
`;

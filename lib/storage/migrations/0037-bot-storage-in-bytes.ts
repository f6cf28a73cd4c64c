/** The quota counts what an answer has. A text from before that is full of escapes is counted as less than it is. */
export const botStorageInBytes = `
ALTER TABLE bot_storage ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE bot_storage SET bytes = octet_length(key) + octet_length(value) + 4;
ALTER TABLE bot_storage_sizes RENAME COLUMN characters TO bytes;
UPDATE bot_storage_sizes SET bytes =
  (SELECT COALESCE(SUM(s.bytes), 0) FROM bot_storage s WHERE s.user_id = bot_storage_sizes.user_id);
`;
export const isBreaking = true;

/**
 * Records that came from another chat. `key` is a digest of the kind of the record and its ID there: IDs of some chats
 * contain names of people. `record_id` may be that of a record that has been deleted since.
 */
export const importedRecords = `
CREATE TABLE imported_records (
  key TEXT NOT NULL PRIMARY KEY,
  record_id INTEGER NOT NULL
) STRICT_PAIRS;
`;

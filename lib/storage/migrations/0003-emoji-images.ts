/** Pictures of custom emoji: a few kilobytes each, so they are kept, copied and committed with the rest. */
export const emojiImages = `
CREATE TABLE emoji_images (
  file_name TEXT PRIMARY KEY,
  content_type TEXT NOT NULL,
  bytes BYTES NOT NULL
) STRICT;
`;

/** The icon and the logos of the organization. Its settings have the names of the files. */
export const organizationPictures = `
CREATE TABLE organization_pictures (
  file_name TEXT NOT NULL PRIMARY KEY,
  content_type TEXT NOT NULL,
  bytes BYTES NOT NULL
) STRICT;
`;

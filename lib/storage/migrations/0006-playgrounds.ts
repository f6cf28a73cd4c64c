/** Where code of a language can be tried out. */
export const playgrounds = `
CREATE TABLE playgrounds (
  id ID,
  name TEXT NOT NULL,
  pygments_language TEXT NOT NULL,
  url_template TEXT NOT NULL,
  UNIQUE (pygments_language, name)
) STRICT;
`;

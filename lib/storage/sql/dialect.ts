/**
 * The differences between the SQL of the engines. Shared texts contain words in capitals, which are replaced before a
 * text is prepared:
 *
 * - `IN_IDS(?)`, `IN_TEXTS(?)`: membership in a list given as one JSON parameter, which PostgreSQL gets as an array
 * - `IN_FEW(?)`: the same for numbers of which some may be in nearly all rows, so that a planner that uses frequencies
 *   sees the values
 * - `IDS(?)`: rows (id), each once, out of such a list of numbers
 * - `LOOK_UP(table t, x)`: joins the row `t` with the ID `x`. PostgreSQL would rather go through the whole table for
 *   each ID while its statistics say that the table is empty. They do for a minute after a first import.
 * - `PAIRS(?)`: rows (a, b, c) out of a JSON list of `[integer, integer, text?]`
 * - `ROWS(?)`: rows out of a JSON list of lists, with their order in `key`; `NUMBER(0)` and `TEXT(1)` are their values
 * - `ID_LIST(x)`: ids of a group as one JSON text
 * - `FIND(text, part)`: where the part begins, counted from 1, or 0; exact to the letter; in migrations too
 * - `JSON_WITHOUT(x, ?)`: a JSON object in a text column without a member, whose name is digits
 * - `JSON_MEMBER(x, ?, 'part')`: a text of such a member, which is an object
 * - `ASCII_LOWER(x)`: lower case of the 26 letters and nothing else; in migrations too
 * - `SKIP_LOCKED`: at the end of a subselect, leaves out rows another process is working on
 * - in migrations `ID`, `LOG_ID`, `INTEGER`, `BYTES`, `STRICT`, `STRICT_PAIRS`
 * - in migrations `WORD_INDEX name;` and, where beginnings of words must be looked up, `WORD_LIST name;`: what
 *   `word-index.ts` keeps
 * - in migrations `VACUUMED_EARLY name;`: a table that mostly grows, and whose newest rows are read from an index
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** A query's text in the engine's own words. */
  query(text: string): string;
  /** A migration's text in the engine's own words. */
  schema(text: string): string;
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  query: (text) =>
    text
      .replaceAll('IN_IDS(?)', 'IN (SELECT value FROM json_each(?))')
      .replaceAll('IN_TEXTS(?)', 'IN (SELECT value FROM json_each(?))')
      .replaceAll('IN_FEW(?)', 'IN (SELECT value FROM json_each(?))')
      .replaceAll(' IDS(?)', ' (SELECT DISTINCT value AS id FROM json_each(?))')
      .replaceAll('SKIP_LOCKED', '')
      .replace(/\bLOOK_UP\((\w+) (\w+), ([\w.]+)\)/g, 'CROSS JOIN $1 $2 ON $2.id = $3')
      .replaceAll('ROWS(?)', 'json_each(?)')
      .replace(/\b(?:NUMBER|TEXT)\((\d+)\)/g, "json_extract(value, '$[$1]')")
      .replace(/\bID_LIST\(([\w.]+)\)/g, 'json_group_array($1)')
      .replaceAll('FIND(', 'instr(')
      .replaceAll('ASCII_LOWER(', 'lower(')
      .replace(/\bJSON_WITHOUT\((\w+), \?\)/g, `json_remove($1, '$."' || ? || '"')`)
      .replace(/\bJSON_MEMBER\((\w+), \?, '(\w+)'\)/g, `json_extract($1, '$."' || ? || '".$2')`)
      .replaceAll(
        'PAIRS(?)',
        "(SELECT json_extract(value, '$[0]') AS a, json_extract(value, '$[1]') AS b, json_extract(value, '$[2]') AS c FROM json_each(?))",
      ),
  schema: (text) =>
    text
      .replaceAll('ASCII_LOWER(', 'lower(')
      .replaceAll('FIND(', 'instr(')
      .replace(/\bLOG_ID\b/g, 'INTEGER PRIMARY KEY AUTOINCREMENT')
      .replace(/\bID\b/g, 'INTEGER PRIMARY KEY')
      .replace(/\bBYTES\b/g, 'BLOB')
      .replace(/\bSTRICT_PAIRS\b/g, 'STRICT, WITHOUT ROWID')
      .replace(
        /\bWORD_INDEX (\w+);/g,
        // The text is a list of words with blanks between them, and only the presence of a word counts. `prefix` is for
        // beginnings of three letters. Longer beginnings are looked up in the table of known words. With the
        // default settings, an insert or a removal would sometimes stop to merge large parts of the index.
        `CREATE VIRTUAL TABLE $1 USING fts5 (words, content = '', contentless_delete = 1, detail = none,
          tokenize = 'ascii', prefix = '4');
        INSERT INTO $1 ($1, rank) VALUES ('automerge', 8), ('crisismerge', 64), ('deletemerge', 50);`,
      )
      .replace(/\bWORD_LIST (\w+);/g, 'CREATE TABLE $1 (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;')
      .replace(/\bVACUUMED_EARLY \w+;/g, ''),
};

export const postgresDialect: Dialect = {
  name: 'postgres',
  query: (text) => {
    const words = text
      // Arrays, whose length the planner looks at or takes for ten. What comes out of JSON it takes for a hundred rows,
      // and would rather read a table of thousands from end to end than look up so many.
      .replaceAll('IN_IDS(?)', 'IN (SELECT unnest(CAST(? AS bigint[])))')
      .replaceAll('IN_FEW(?)', '= ANY (CAST(? AS bigint[]))')
      .replaceAll(' IDS(?)', ' (SELECT DISTINCT unnest(CAST(? AS bigint[])) AS id)')
      .replaceAll('IN_TEXTS(?)', 'IN (SELECT unnest(CAST(? AS text[])))')
      .replaceAll('SKIP_LOCKED', 'FOR UPDATE SKIP LOCKED')
      .replace(
        /\bLOOK_UP\((\w+) (\w+), ([\w.]+)\)/g,
        'CROSS JOIN LATERAL (SELECT * FROM $1 WHERE $1.id = $3 OFFSET 0) AS $2',
      )
      .replaceAll('ROWS(?)', 'json_array_elements(CAST(? AS json)) WITH ORDINALITY AS given (value, key)')
      .replace(/\bNUMBER\((\d+)\)/g, 'CAST(value->>$1 AS bigint)')
      .replace(/\bTEXT\((\d+)\)/g, 'value->>$1')
      .replace(/\bID_LIST\(([\w.]+)\)/g, 'CAST(json_agg($1) AS text)')
      .replaceAll('FIND(', 'strpos(')
      .replace(/\bASCII_LOWER\(([\w.]+)\)/g, 'lower($1 COLLATE "C")')
      .replace(/\bJSON_WITHOUT\((\w+), \?\)/g, 'CAST(CAST($1 AS jsonb) - CAST(? AS text) AS text)')
      .replace(/\bJSON_MEMBER\((\w+), \?, '(\w+)'\)/g, "CAST($1 AS jsonb) -> CAST(? AS text) ->> '$2'")
      .replaceAll(
        'PAIRS(?)',
        '(SELECT CAST(value->>0 AS bigint) AS a, CAST(value->>1 AS bigint) AS b, value->>2 AS c FROM unnest(ARRAY(SELECT json_array_elements(CAST(? AS json)))) AS value)',
      );
    let n = 0;
    return words.replace(/\?/g, () => `$${++n}`);
  },
  schema: (text) =>
    text
      .replace(/\bASCII_LOWER\(([\w.]+)\)/g, 'lower($1 COLLATE "C")')
      .replaceAll('FIND(', 'strpos(')
      .replace(/\bINTEGER\b/g, 'bigint')
      .replace(/\bBYTES\b/g, 'bytea')
      .replace(/\b(LOG_)?ID\b/g, 'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY')
      .replace(/ STRICT(_PAIRS)?\b/g, '')
      .replace(
        /\bWORD_INDEX (\w+);/g,
        // A short list of what is still to be sorted in, so that no sender has to sort in much at once.
        `CREATE TABLE $1 (id bigint PRIMARY KEY, words tsvector NOT NULL);
        CREATE INDEX $1_by_word ON $1 USING gin (words) WITH (gin_pending_list_limit = 256);`,
      )
      .replace(/\bWORD_LIST \w+;/g, '')
      .replace(/\bVACUUMED_EARLY (\w+);/g, 'ALTER TABLE $1 SET (autovacuum_vacuum_insert_scale_factor = 0.02);'),
};

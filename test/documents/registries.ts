/**
 * Lists of files that a bundler must see as imports, generated from their names, the operation list for browsers, and the
 * program of reader threads.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import * as groups from '../../cli/commands/index.ts';
import { describe, linesOf } from '../../lib/client/described-operation.ts';
import { catalogue, groupBy, type Operation } from '../../lib/internal.ts';

const HEAD = '// Written by `npm run documents` from the names of the files; a test compares.\n';

const filesOf = (folder: string) => readdirSync(new URL(`../../${folder}/`, import.meta.url)).sort();
const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Path from the root, and text, of each list. */
export function registries(): Map<string, string> {
  return new Map([
    ['lib/storage/migrations/index.ts', migrationList()],
    ['cli/commands/index.ts', commandList()],
    ['lib/client/operation-list.ts', operationList()],
    ['lib/openapi/components.ts', componentList()],
    [
      'lib/storage/sqlite/reader-program-text.ts',
      threadProgram('lib/storage/sqlite/reader-program.ts', 'READER_PROGRAM'),
    ],
    [
      'lib/chat/mail/mail-reader-program-text.ts',
      threadProgram('lib/chat/mail/mail-reader-program.ts', 'MAIL_READER_PROGRAM'),
    ],
  ]);
}

/** A thread starts from a text, since a bundler would lose a file. */
function threadProgram(path: string, name: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`../../${path}`, import.meta.url))],
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    bundle: true,
    platform: 'node',
    format: 'iife',
    target: 'node20',
    write: false,
  });
  const text = outputFiles[0]?.text.replace(/[\\`]|\$\{/g, '\\$&');
  return [
    `// Written by \`npm run documents\` from ${path.replace(/^.*\//, '')}; a test compares.\n\n`,
    '/** The compiled program of a reader thread. */\n',
    `export const ${name} = \`\\\n${text}\`;\n`,
  ].join('');
}

/** So that a page need not load the declarations with their code. */
function operationList(): string {
  const lines = linesOf((catalogue as readonly Operation[]).map(describe)).map((line) => `${line}\n`);
  return [
    '// Written by `npm run documents` from the declarations; a test compares.\n',
    "import { readLines } from './described-operation.ts';\n\n",
    '/** Every operation, for clients that connect over HTTP. */\n',
    `export const OPERATIONS = readLines(\n  \`\\\n${lines.join('')}\``,
    '\n    .trimEnd()\n' + "    .split('\\n'),\n);\n",
  ].join('');
}

/** `0047-baseline.ts` exports `baseline`, and `fillBaseline` if it fills rows. A breaking one exports `isBreaking`. */
function migrationList(): string {
  const migrations = filesOf('lib/storage/migrations')
    .filter((file) => /^\d{4}-/.test(file))
    .map((file) => {
      const [, number, slug] = /^(\d{4})-([a-z-]+)\.ts$/.exec(file) as unknown as [string, string, string];
      const sql = camelCase(slug);
      const fill = `fill${sql.charAt(0).toUpperCase()}${sql.slice(1)}`;
      const text = textOf(`lib/storage/migrations/${file}`);
      const fields = [
        ...[`version: ${Number(number)}`, `name: '${slug.replaceAll('-', ' ')}'`, `sql: ${sql}`],
        ...(text.includes(`export const ${fill}:`) ? [`fill: ${fill}`] : []),
        ...(text.includes('export const isBreaking = true;') ? ['isBreaking: true'] : []),
      ];
      return { file, version: Number(number), fields, names: (fields.length > 3 ? [sql, fill] : [sql]).sort() };
    });
  migrations.forEach(({ file, version }, at) => {
    const expected = (migrations[0]?.version ?? 0) + at;
    if (version !== expected) throw new Error(`${file}: the migration in this place has the number ${expected}.`);
  });
  const imports = migrations.map(
    ({ file, fields, names }) =>
      `import { ${names.filter((name) => fields.some((field) => field.endsWith(` ${name}`))).join(', ')} } from './${file}';\n`,
  );
  const entries = migrations.map(({ fields }) => `  { ${fields.join(', ')} },\n`);
  return `${HEAD}${imports.join('')}import type { Migration } from './migration.ts';

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = [
${entries.join('')}];
`;
}

/** Command groups with a description in addition to their operations. */
function commandList(): string {
  const lines = filesOf('cli/commands').flatMap((file) => {
    const found = textOf(`cli/commands/${file}`).matchAll(/^export const (\w+) = commands(?:ByThemselves)?\(/gm);
    const names = [...found].map(([, name]) => name).sort();
    if (names.length === 0) return [];
    const line = `export { ${names.join(', ')} } from './${file}';\n`;
    return line.length <= 120 ? [line] : [`export {\n  ${names.join(',\n  ')},\n} from './${file}';\n`];
  });
  return HEAD + lines.join('');
}

const camelCase = (slug: string) => slug.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Components whose name differs from the name of the schema. They never change, because clients' code uses them. */
const COMPONENT_NAMES: Readonly<Record<string, string>> = {
  domainObject: 'AllowedDomain',
  groupObject: 'UserGroup',
  groupSetting: 'GroupSetting',
  groupSettingUpdate: 'GroupSettingUpdate',
  narrowTerm: 'NarrowTerm',
  principalList: 'Principals',
  sharedMessageObject: 'WebhookMessage',
  slackReply: 'SlackWebhookReply',
  slackRequest: 'SlackWebhookRequest',
  snippetObject: 'SavedSnippet',
  statusObject: 'UserStatus',
  zulipReply: 'ZulipWebhookReply',
  zulipRequest: 'ZulipWebhookRequest',
};

/** Every exported schema of a record, `userObject` as `User`, and the titles of the groups of `chatctl`. */
function componentList(): string {
  const schemas = readdirSync(new URL('../../lib/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
    .sort()
    .flatMap((file) =>
      [...textOf(`lib/${file}`).matchAll(/^export const (\w+)\b/gm)].map(([, schema = '']) => ({ file, schema })),
    )
    .filter(({ schema }) => schema.endsWith('Object') || schema in COMPONENT_NAMES)
    .map(({ file, schema }) => {
      const plain = schema.replace(/Object$/, '');
      return { file, schema, name: COMPONENT_NAMES[schema] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}` };
    });
  const imports = [...groupBy(schemas, ({ file }) => file)].map(([file, those]) => {
    const names = those.map(({ schema }) => schema).sort();
    const line = `import { ${names.join(', ')} } from '../${file}';\n`;
    // Breaks lines like the project's formatter.
    return line.length > 121 ? line.replace('{ ', '{\n  ').replaceAll(', ', ',\n  ').replace(' }', ',\n}') : line;
  });
  const entries = schemas
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, schema }) => `  ${name}: ${schema},\n`);
  const titles = Object.values(groups)
    .filter(({ name }) => name !== '')
    .map(({ name, title }) => `  ${name}: '${title}',\n`)
    .sort();
  return `// Written by \`npm run documents\` from the schemas and the commands; a test compares.
import type * as v from 'valibot';
${imports.join('')}
/** Schemas that operations share, by their names in the OpenAPI description. */
export const SHARED: Readonly<Record<string, v.GenericSchema>> = {
${entries.join('')}};

/** The subject of each group of operations. */
export const GROUP_TITLES: Readonly<Record<string, string>> = {
  general: 'Sign in and register for events',
${titles.join('')}};
`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { catalogue, type Operation, routesOf } from '../../lib/internal.ts';
import { STATES } from '../../lib/openapi/state-schemas.ts';
import { errorTable } from './error-table.ts';
import { exportedTableText } from './exported-tables.ts';

const DOCS = new URL('../../docs/', import.meta.url);

/** Generated sections of documents, between `<!-- name -->` and `<!-- /name -->`. */
const SECTIONS: readonly { path: string; name: string; text: () => string }[] = [
  { path: 'docs/api.md', name: 'operations', text: operationTable },
  { path: 'docs/bots.md', name: 'refused-for-bots', text: refusedForBots },
  { path: 'docs/errors.md', name: 'errors', text: errorTable },
  { path: 'docs/exporting.md', name: 'tables', text: exportedTableText },
  { path: 'docs/initial-state.md', name: 'state', text: stateTable },
  { path: 'docs/README.md', name: 'pages', text: pageList },
];

/** The up-to-date documents with generated sections, by path. */
export function markedDocuments(): [path: string, text: string][] {
  return SECTIONS.map(({ path, name, text }) => {
    const document = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!marked.test(document)) throw new Error(`${path} has no section ${name}.`);
    // A function, since `$` is special in a replacement text.
    return [path, document.replace(marked, (_, start: string, end: string) => start + text() + end)];
  });
}

function operationTable(): string {
  const rows = (catalogue as readonly Operation[]).map((operation) => {
    const [route] = routesOf(operation);
    return `| \`${operation.name}\` | \`${route?.method} ${route?.path.replace('*}', '}')}\` | ${operation.summary} |`;
  });
  return ['| Function | Route | |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

function refusedForBots(): string {
  const names = (catalogue as readonly Operation[]).filter(({ access }) => access.startsWith('human'));
  return `${names.map(({ name }) => `\`${name}\``).join(', ')}\n`;
}

function stateTable(): string {
  const rows = Object.entries(STATES).map(([type, { entries }]) => {
    const fields = Object.keys(entries).map((name) => `\`${name}\``);
    return `| \`${type}\` | ${fields.join(', ')} |`;
  });
  return ['| Fetch type | Fields |', '| --- | --- |', ...rows, ''].join('\n');
}

/** The pages of the folder by their first headings, in the order in which readers need them. */
function pageList(): string {
  const first = [
    'customers',
    'embedding',
    'panel',
    'theming',
    'store',
    'accounts',
    'events',
    'initial-state',
    'bots',
    'errors',
    'clients',
    'storage',
    'several-processes',
    'tenants',
    'serverless',
    'scaling',
    'upgrading',
    'api',
    'reference',
    'reference-browser',
  ];
  const place = (name: string) => (first.indexOf(name.replace('.md', '')) + first.length + 1) % (first.length + 1);
  const names = readdirSync(DOCS).filter((name) => name.endsWith('.md') && name !== 'README.md');
  names.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  const lines = names.map((name) => {
    const [, heading] = /^# (.+)$/m.exec(readFileSync(new URL(name, DOCS), 'utf8')) ?? [];
    if (heading === undefined) throw new Error(`docs/${name} has no heading.`);
    return `- [${heading}](${name})`;
  });
  return `${lines.join('\n')}\n`;
}

import { type ExportManifest, fileNameIn } from '../domains/exports/format.ts';
import { type ExportTarget, textOf } from '../domains/exports/write-export.ts';
import { escapeQuotedText } from '../markdown/html.ts';
import type { ExportRow, ExportSource, ExportTable } from '../storage/interface/export.ts';

/** Rows of a page, so that a browser shows it at once. */
const ROWS_PER_PAGE = 1_000;

/** No scripts, and nothing that a browser would load. Texts of users are only text. */
const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: .2rem .5rem; text-align: left; vertical-align: top }
.text { white-space: pre-wrap; overflow-wrap: anywhere } article { border-top: 1px solid #ccc; padding: .5rem 0 }
header { color: #555 }
</style>`;

const page = (title: string, body: string) =>
  `${HEAD}<title>${escapeQuotedText(title)}</title></head><body><h1>${escapeQuotedText(title)}</h1>\n${body}</body></html>\n`;

const cell = (value: unknown) => escapeQuotedText(typeof value === 'object' ? JSON.stringify(value) : String(value));
const timeOf = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace('T', ' ');

/** The pages of the export of one person. They use names that `note` has collected. */
export class PersonPages {
  readonly #names = new Map<unknown, string>();
  readonly #channels = new Map<unknown, string>();
  readonly #conversations = new Map<unknown, ExportRow>();
  readonly #participants = new Map<unknown, unknown[]>();
  #profile: ExportRow = {};

  constructor(private readonly userId: number) {}

  /** Call it with all rows, in the order of the tables. */
  note(table: string, rows: readonly ExportRow[]): void {
    for (const row of rows) {
      if (table === 'users') this.#names.set(row.id, String(row.full_name));
      if (table === 'users' && row.id === this.userId) this.#profile = row;
      if (table === 'channels') this.#channels.set(row.id, String(row.name));
      if (table === 'conversations') this.#conversations.set(row.id, row);
      if (table === 'conversation_participants')
        this.#participants.set(row.conversation_id, [
          ...(this.#participants.get(row.conversation_id) ?? []),
          row.user_id,
        ]);
    }
  }

  async write({ tables, organization }: ExportSource, target: ExportTarget, manifest: ExportManifest): Promise<void> {
    const lists: string[] = [];
    for (const table of tables) {
      const rows = manifest.tables.find(({ name }) => name === table.name)?.rows ?? 0;
      if (rows === 0) continue;
      const links: string[] = [];
      for await (const part of pagesOf(table)) {
        const name = `${table.name}-${links.length + 1}.html`;
        links.push(`<a href="pages/${name}">${links.length + 1}</a>`);
        const body = `<p><a href="../index.html">Contents</a></p>\n${this.#rows(table, part)}`;
        await target.add(`pages/${name}`, textOf(page(titleOf(table), body)));
      }
      lists.push(
        `<tr><td>${titleOf(table)}</td><td>${rows}</td><td>${links.join(' ')}</td><td><a href="${table.name}.jsonl">JSON Lines</a></td><td>${escapeQuotedText(table.is)}</td></tr>`,
      );
    }
    const { full_name } = this.#profile;
    const contents = `<h2>Contents</h2>
<table><tr><th></th><th>Rows</th><th>Pages</th><th>For programs</th><th></th></tr>
${lists.join('\n')}</table>`;
    const files = `<p>Uploaded files: ${manifest.files.count}, in the folder <code>files</code>.</p>`;
    const body = `<p>Data of this person in ${escapeQuotedText(organization.name)}.</p>\n${fields(this.#profile)}\n${contents}\n${files}\n`;
    await target.add('index.html', textOf(page(String(full_name), body)));
  }

  #rows(table: ExportTable, rows: readonly ExportRow[]): string {
    if (table.name === 'messages') return rows.map((row) => this.#message(row)).join('\n');
    const columns = Object.keys(rows[0] ?? {});
    const head = columns.map((column) => `<th>${column}</th>`).join('');
    const body = rows.map((row) => {
      const cells = columns.map((column) => `<td class="text">${cell(row[column] ?? '')}</td>`).join('');
      return `<tr>${cells}${table.name === 'uploads' ? `<td>${fileLink(row)}</td>` : ''}</tr>`;
    });
    return `<table><tr>${head}</tr>\n${body.join('\n')}</table>`;
  }

  #message({ conversation_id, sender_id, timestamp, content }: ExportRow): string {
    const head = [`${timeOf(timestamp)} UTC`, this.#name(sender_id), this.#place(conversation_id)];
    return `<article><header>${head.map((text) => `<bdi>${escapeQuotedText(text)}</bdi>`).join(' · ')}</header>
<div class="text" dir="auto">${cell(content)}</div></article>`;
  }

  #name(id: unknown): string {
    return this.#names.get(id) ?? `User ${id}`;
  }

  #place(id: unknown): string {
    const conversation = this.#conversations.get(id);
    if (!conversation) return 'a channel that this person has left';
    const { channel_id, topic } = conversation;
    if (channel_id !== null) return `#${this.#channels.get(channel_id) ?? channel_id} > ${topic}`;
    const names = (this.#participants.get(id) ?? []).map((user) => this.#name(user));
    return `Direct: ${names.join(', ')}`;
  }
}

const titleOf = ({ name }: ExportTable) => `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

function fields(row: ExportRow): string {
  const rows = Object.entries(row).filter(([, value]) => value !== null);
  return `<table>${rows.map(([name, value]) => `<tr><th>${name}</th><td class="text">${cell(value)}</td></tr>`).join('\n')}</table>`;
}

function fileLink(row: ExportRow): string {
  const path = fileNameIn(row as unknown as Parameters<typeof fileNameIn>[0]);
  return `<a href="${encodeURI(path).replace(/^/, '../')}">file</a>`;
}

async function* pagesOf(table: ExportTable): AsyncGenerator<readonly ExportRow[]> {
  let waiting: ExportRow[] = [];
  for await (const rows of table.slices()) {
    waiting.push(...rows);
    for (; waiting.length >= ROWS_PER_PAGE; waiting = waiting.slice(ROWS_PER_PAGE))
      yield waiting.slice(0, ROWS_PER_PAGE);
  }
  if (waiting.length > 0) yield waiting;
}

import { isExternal } from './addresses.ts';
import type { Block, Cell, ListItem } from './blocks/block.ts';
import { codeBlock } from './code-block.ts';
import { displayedFormulas } from './inline/formulas.ts';
import { type InlineHtml, renderInline, type TextLink } from './inline/render.ts';
import { mediaPreview } from './media.ts';
import type { RenderState } from './render-state.ts';

/** Messages with more different addresses than this get no previews at all. */
const MAX_PREVIEWED_ADDRESSES = 24;

type Part = string | (() => string);

/** Renders blocks to HTML in order. Previews of links follow their text. */
export class HtmlRenderer {
  private readonly parts: Part[] = [];
  private readonly addresses = new Set<string>();
  private readonly previewed = new Set<string>();
  /** Addresses of links that a preview of their page can follow. */
  readonly previewable = new Set<string>();
  /** Previews of links inside emphasis, headings and tables stand at the end. */
  private atEnd = '';
  /** Links in a quote have no preview. */
  private isQuoted = false;
  /** Previews of pages stand outside of the spoiler, so that they would reveal its content. */
  private readonly hidden = new Set<string>();
  private isHidden = false;

  constructor(private readonly state: RenderState) {}

  add(blocks: readonly Block[]): void {
    for (const block of blocks) this.addBlock(block);
  }

  html(): string {
    const html = this.parts.map((part) => (typeof part === 'string' ? part : part())).join('');
    return (html + this.atEnd).trimEnd();
  }

  private addBlock(block: Block): void {
    switch (block.type) {
      case 'paragraph':
        this.addParagraph(this.read(block.text));
        break;
      case 'heading':
        this.parts.push(`<h${block.level}>`, this.aside(block.text), `</h${block.level}>\n`);
        break;
      case 'rule':
        this.parts.push('<hr>\n');
        break;
      case 'code':
        this.parts.push(codeBlock(block.text, block.language, this.state), '\n');
        break;
      case 'formula':
        this.parts.push(`<p>${displayedFormulas(block.text, this.state)}</p>\n`);
        break;
      case 'quote':
        this.parts.push('<blockquote>\n');
        this.addQuoted(block.blocks);
        this.parts.push('</blockquote>\n');
        break;
      case 'spoiler':
        this.parts.push('<div class="spoiler-block"><div class="spoiler-header">\n');
        this.add(block.header);
        this.parts.push('</div><div class="spoiler-content" aria-hidden="true">\n');
        this.addHidden(block.blocks);
        this.parts.push('</div></div>\n');
        break;
      case 'list':
        this.addList(block.start, block.items);
        break;
      case 'table':
        this.addTable(block.header, block.rows);
        break;
    }
  }

  private addQuoted(blocks: readonly Block[]): void {
    const before = this.isQuoted;
    this.isQuoted = true;
    this.add(blocks);
    this.isQuoted = before;
  }

  private addHidden(blocks: readonly Block[]): void {
    const before = this.isHidden;
    this.isHidden = true;
    this.add(blocks);
    this.isHidden = before;
  }

  private addParagraph(text: InlineHtml): void {
    const html = `<p>${text.html}</p>\n`;
    if (this.isQuoted || text.links.length === 0) {
      this.parts.push(html);
      return;
    }
    this.parts.push(() => {
      const { previews, replaced } = this.previews(text.links);
      return (replaced ? '' : html) + previews;
    });
  }

  private addList(start: number | undefined, items: readonly ListItem[]): void {
    const tag = start === undefined ? 'ul' : 'ol';
    this.parts.push(start === undefined || start === 1 ? `<${tag}>\n` : `<ol start="${start}">\n`);
    for (const item of items) {
      this.parts.push('<li>');
      if (item.isLoose) {
        this.parts.push('\n');
        this.add(item.blocks);
      } else this.addTightItem(item.blocks);
      this.parts.push('</li>\n');
    }
    this.parts.push(`</${tag}>\n`);
  }

  /** Text stands in the item without a paragraph of its own; previews come after everything else. */
  private addTightItem(blocks: readonly Block[]): void {
    const links: TextLink[] = [];
    let found: ReturnType<HtmlRenderer['previews']> | undefined;
    blocks.forEach((block, index) => {
      if (block.type !== 'paragraph') {
        if (index === 0) this.parts.push('\n');
        this.addBlock(block);
        return;
      }
      const text = this.read(block.text);
      if (!this.isQuoted) links.push(...text.links);
      const html = (index === 0 ? '' : '\n') + text.html;
      this.parts.push(() => {
        found ??= this.previews(links);
        return found.replaced && text.links.length > 0 ? '' : html;
      });
    });
    this.parts.push(() => found?.previews ?? '');
  }

  private addTable(header: readonly Cell[], rows: readonly Cell[][]): void {
    this.parts.push('<table>\n<thead>\n');
    this.addRow('th', header);
    this.parts.push('</thead>\n<tbody>\n');
    for (const row of rows) this.addRow('td', row);
    this.parts.push('</tbody>\n</table>\n');
  }

  private addRow(tag: 'th' | 'td', cells: readonly Cell[]): void {
    this.parts.push('<tr>\n');
    for (const cell of cells) {
      const style = cell.align ? ` style="text-align: ${cell.align};"` : '';
      this.parts.push(`<${tag}${style}>`, this.aside(cell.text), `</${tag}>\n`);
    }
    this.parts.push('</tr>\n');
  }

  /** Text in which a preview would not fit. */
  private aside(text: string): Part {
    const { html, links } = this.read(text);
    if (this.isQuoted || links.length === 0) return html;
    return () => {
      this.atEnd += this.previews(links).previews;
      return html;
    };
  }

  private read(text: string): InlineHtml {
    const inline = renderInline(text, this.state, { isQuoted: this.isQuoted });
    if (!this.isQuoted) for (const link of inline.links) this.addresses.add(link.url);
    if (this.isHidden) for (const link of inline.links) this.hidden.add(link.url);
    return inline;
  }

  private previews(links: readonly TextLink[]): { previews: string; replaced: boolean } {
    let previews = '';
    let replaced = false;
    if (this.addresses.size > MAX_PREVIEWED_ADDRESSES) return { previews, replaced };
    for (const link of links) {
      if (this.previewed.has(link.url)) continue;
      this.previewed.add(link.url);
      const isNamed = link.text !== link.url;
      const preview = mediaPreview(link.url, isNamed ? link.text : undefined, this.state);
      if (!preview?.replacesLink && isExternal(link.url) && !this.hidden.has(link.url)) this.previewable.add(link.url);
      if (!preview) continue;
      if (link.at === -1) this.atEnd += preview.html;
      else previews += preview.html;
      if (preview.replacesLink && link.isAlone && !isNamed) replaced = true;
    }
    return { previews, replaced };
  }
}

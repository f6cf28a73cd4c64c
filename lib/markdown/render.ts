import { uploadPath } from './addresses.ts';
import { normalizeSource } from './blocks/block.ts';
import { parseDocument } from './blocks/parse.ts';
import type { Linkifier, RenderData, RenderedMessage } from './data.ts';
import { escapeText } from './html.ts';
import { HtmlRenderer } from './html-renderer.ts';
import { RenderState } from './render-state.ts';

/** Most UTF-16 code units of HTML: a page contains a hundred messages. Longer ones are shown as plain source. */
const MAX_HTML = 100_000;

/**
 * Renders a message to HTML and collects mentions and links. Looks nothing up: pass the objects that `parseMessage`
 * finds in `data`. Missing objects stay text.
 */
export function renderMessage(content: string, data: RenderData = {}): RenderedMessage {
  const state = new RenderState(data);
  const source = normalizeSource(content);
  const renderer = new HtmlRenderer(state);
  renderer.add(parseDocument(source, state.options.defaultCodeBlockLanguage || undefined));
  const html = renderer.html();
  const isTooLong = html.length > MAX_HTML;
  return {
    html: isTooLong ? `<p>${escapeText(content).replaceAll('\n', '<br>\n')}</p>` : html,
    previewable: isTooLong ? [] : [...renderer.previewable],
    mentionedUsers: ascending(state.mentionedUsers),
    mentionedGroups: ascending(state.mentionedGroups),
    wildcards: state.wildcards,
    links: state.links,
    attachmentPaths: attachmentPaths(state),
    isMe: content.startsWith('/me '),
  };
}

/** HTML of Markdown without mentions, for descriptions. */
export function renderMarkdown(content: string, linkifiers: readonly Linkifier[] = []): string {
  return renderMessage(content, { linkifiers, options: { inlineImagePreview: false } }).html;
}

function ascending(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}

function attachmentPaths(state: RenderState): string[] {
  const paths = new Set<string>();
  for (const url of [...state.links.map((link) => link.url), ...state.played]) {
    const path = uploadPath(url, state.options);
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

import MarkdownIt from 'markdown-it';

/** Links lead to the web, to mail, or within the organization; nothing else becomes a link. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i;

const engine = new MarkdownIt('default', { html: false, linkify: true, breaks: true, typographer: false });
engine.disable(['image']);
engine.validateLink = (url) => SAFE_LINK.test(url.trim());
engine.linkify.set({ fuzzyLink: false, fuzzyEmail: true });

/** HTML of a message's Markdown: a fixed set of tags, no raw HTML. */
export function renderMarkdown(content: string): string {
  return engine.render(content).trimEnd();
}

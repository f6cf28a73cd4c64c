import type { LinkPreview } from '../model/link-preview.ts';
import { escapeAttribute, escapeText } from './html.ts';
import { youtubeStill } from './media.ts';

/* Previews of links stand at the end of a message. No text of a message contains their tags. */

const START = '\n<div class="message_embed">';

/** The HTML of a message with these previews and no others. Keeps those that it has if there is no newer one. */
export function withLinkPreviews(
  html: string,
  urls: readonly string[],
  found: (url: string) => LinkPreview | undefined = () => undefined,
): string {
  const [text = '', ...stored] = html.split(START);
  const kept = new Map(stored.map((preview) => [/ href="([^"]*)"/.exec(preview)?.[1], START + preview]));
  let rest = text;
  let previews = '';
  for (const url of urls) {
    const preview = found(url);
    const added = preview ? linkPreview(url, preview) : kept.get(escapeAttribute(url));
    if (added === undefined) continue;
    previews += added;
    // The preview shows the same picture.
    const still = youtubeStill(url);
    if (still !== undefined) rest = rest.replace(still, '');
  }
  return rest.trimEnd() + previews;
}

/** The previews of another version of the message that belong to these links. */
export function keepLinkPreviews(html: string, before: string, urls: readonly string[]): string {
  const at = before.indexOf(START);
  return at === -1 || urls.length === 0 ? html : withLinkPreviews(html + before.slice(at), urls);
}

/** The form that clients of the API draw. All of them need the picture. */
function linkPreview(url: string, { title, description, image }: LinkPreview): string {
  const href = escapeAttribute(url);
  const style = escapeAttribute(`background-image: url("${image}")`);
  const named = title
    ? `<div class="message_embed_title"><a href="${href}" title="${escapeAttribute(title)}">${escapeText(title)}</a></div>`
    : '';
  const described = description ? `<div class="message_embed_description">${escapeText(description)}</div>` : '';
  const picture = `<a class="message_embed_image" href="${href}" style="${style}"></a>`;
  return `${START}${picture}<div class="data-container">${named}${described}</div></div>`;
}

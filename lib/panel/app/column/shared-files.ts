/** The uploaded files in the content of a message. */
import type { Message } from '../../../client/store/types.ts';
import { trustedHtml } from '../../content/safe-html.ts';

export interface SharedFile {
  /** Path on the server. */
  readonly path: string;
  readonly name: string;
  /** HTML of the thumbnail of an image, as in the message. */
  readonly thumbnail: string | undefined;
  readonly message: Message;
}

const UPLOADS = '[href*="/user_uploads/"], [src*="/user_uploads/"]';

/** In a template, whose document loads nothing. */
function parsed(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = trustedHtml(html);
  return template.content;
}

/** @param site the address of the chat, without a slash at the end */
export function filesIn(message: Message, site: string): readonly SharedFile[] {
  const files = new Map<string, SharedFile>();
  for (const element of parsed(message.content).querySelectorAll<HTMLElement>(UPLOADS)) {
    const path = (element.getAttribute('href') ?? element.getAttribute('src') ?? '').replace(/[?#].*$/s, '');
    const isOwn = URL.canParse(path, site) && new URL(path, site).href.startsWith(`${site}/user_uploads/`);
    // Pictures are in a link to the file.
    if (!isOwn || element.matches('a [src]')) continue;
    const before = files.get(path);
    const image = element.querySelector('img');
    files.set(path, {
      path,
      name: before?.name || element.textContent?.trim() || element.title || nameIn(path),
      thumbnail: before?.thumbnail ?? (image ? element.outerHTML : undefined),
      message,
    });
  }
  return [...files.values()];
}

/** The newest first, each once: the same file can be in several messages. */
export function filesOf(messages: readonly Message[], site: string): readonly SharedFile[] {
  const files = new Map<string, SharedFile>();
  for (const message of [...messages].reverse())
    for (const file of filesIn(message, site)) if (!files.has(file.path)) files.set(file.path, file);
  return [...files.values()];
}

function nameIn(path: string): string {
  const last = path.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** HTML of a link with the name of the file. */
export function linkTo({ path, name }: SharedFile): string {
  const link = document.createElement('a');
  link.href = path;
  link.textContent = name;
  return link.outerHTML;
}

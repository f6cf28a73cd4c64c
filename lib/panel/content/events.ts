/** What the buttons and links in messages do. One listener for all messages. */

import type { Session } from '../../chat/session.ts';
import type { ConversationWords } from '../words/conversation-words.ts';
import { loadExternal } from './media.ts';

export interface ContentActions {
  readonly session: Session;
  /** The address of the chat, absolute, without a slash at the end. */
  readonly site: string;
  readonly words: ConversationWords;
  /** Shows the messages that a link within the chat leads to: `#narrow/channel/4-general/topic/lunch`. */
  openPlace(fragment: string): void;
  openUser(userId: number): void;
  openGroup(groupId: number): void;
  announce(text: string): void;
}

/** How long a copy button says that it has copied, in milliseconds. */
const COPIED_NOTICE_MS = 2000;

/** Lets buttons and links of `MessageContent` within this element work. Returns a function that ends it. */
export function listenToContent(root: HTMLElement | ShadowRoot, actions: ContentActions): () => void {
  const onClick = (event: Event) => {
    const target = event.composedPath()[0];
    if (!(target instanceof Element)) return;
    const sender = target.closest('.avatar, .sender')?.closest<HTMLElement>('article')?.dataset.sender;
    if (sender !== undefined) return actions.openUser(Number(sender));
    const element = target.closest<HTMLElement>('button, a[href]');
    if (element?.closest('.rendered_markdown')) click(element, event as MouseEvent, actions);
  };
  const onError = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement || target instanceof HTMLMediaElement)) return;
    if (target.closest('.rendered_markdown')) void loadAgain(target, actions.session, actions.site);
  };
  root.addEventListener('click', onClick);
  // Errors of loading do not bubble.
  root.addEventListener('error', onError, { capture: true });
  return () => {
    root.removeEventListener('click', onClick);
    root.removeEventListener('error', onError, { capture: true });
  };
}

function click(element: HTMLElement, event: MouseEvent, actions: ContentActions): void {
  if (element instanceof HTMLAnchorElement) return follow(element, event, actions);
  if (element.matches('.copy-code')) void copyCode(element, actions);
  else if (element.matches('.load-media')) loadExternal(element as HTMLButtonElement, actions.words);
  else if (element.dataset.userGroupId) actions.openGroup(Number(element.dataset.userGroupId));
  else if (Number(element.dataset.userId) > 0) actions.openUser(Number(element.dataset.userId));
}

function follow(link: HTMLAnchorElement, event: MouseEvent, actions: ContentActions): void {
  // With these keys the browser opens a new tab or window.
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { site, session, words } = actions;
  if (link.href.startsWith(`${site}/#narrow/`)) {
    event.preventDefault();
    actions.openPlace(link.hash);
  } else if (new URL(site).origin !== location.origin && link.href.startsWith(`${site}/`) && uploadIn(link.href)) {
    event.preventDefault();
    openFile(session, site, link.href).catch((error: Error) => actions.announce(words.fileFailed(error.message)));
  }
}

async function copyCode(button: HTMLElement, { words, announce }: ContentActions): Promise<void> {
  const code = button.closest('.codehilite')?.querySelector('pre');
  if (!code) return;
  const text = (code.textContent ?? '').replace(/\n$/, '');
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not allowed, or a page without HTTPS: the reader copies the selection.
    getSelection()?.selectAllChildren(code);
    return;
  }
  button.textContent = words.copied;
  announce(words.copied);
  setTimeout(() => {
    button.textContent = words.copy;
  }, COPIED_NOTICE_MS);
}

// Files of the chat in a page of another site. A browser sends neither tokens nor cookies of the chat with images and
// links there, so that they need temporary addresses.

const UPLOAD = /\/user_uploads\/(?:thumbnail\/|download\/)?(\d+)\/([\w-]+\/[\w-]+\/[^/?#]+)(\/[\w.-]+)?/;
/** A temporary address works for a minute. What fails earlier fails for another reason. */
const RENEW_AFTER_MS = 50_000;

interface UploadPath {
  readonly realm_id_str: string;
  readonly filename: string;
  /** `/840x560.webp`, or empty for the file itself. */
  readonly thumbnail: string;
}

/** The path of an uploaded file in its address. */
function uploadIn(address: string): UploadPath | undefined {
  const [, realm_id_str = '', rest = '', thumbnail = ''] = UPLOAD.exec(address) ?? [];
  if (rest === '') return undefined;
  try {
    return { realm_id_str, filename: decodeURIComponent(rest), thumbnail };
  } catch {
    return undefined;
  }
}

/** An address that works without login for one minute. @throws ChatError */
async function temporaryAddress(session: Session, site: string, address: string): Promise<string> {
  const upload = uploadIn(address);
  if (!upload) return address;
  const { thumbnail, ...path } = upload;
  const { url } = await session.uploads.getTemporaryUrl(path);
  return new URL(url + thumbnail, site).href;
}

async function loadAgain(media: HTMLImageElement | HTMLMediaElement, session: Session, site: string) {
  const { source, renewedAt } = media.dataset;
  if (!source || !uploadIn(source) || Date.now() - Number(renewedAt ?? 0) < RENEW_AFTER_MS) return;
  media.dataset.renewedAt = String(Date.now());
  const position = media instanceof HTMLMediaElement ? media.currentTime : 0;
  try {
    media.src = await temporaryAddress(session, site, source);
    if (position > 0 && media instanceof HTMLMediaElement) media.currentTime = position;
  } catch {
    // The browser shows the name of the file.
  }
}

/** Opens a file in a new window, which browsers allow only during the click. */
async function openFile(session: Session, site: string, address: string): Promise<void> {
  const opened = window.open('', '_blank');
  if (opened) opened.opener = null;
  try {
    const url = await temporaryAddress(session, site, address);
    if (opened) opened.location.replace(url);
  } catch (error) {
    opened?.close();
    throw error;
  }
}

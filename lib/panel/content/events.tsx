/** What the buttons and links in messages do. One listener for all messages. */

import type { RefObject, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import { OWN_LINKS, type Panel, usePanel } from '../context.ts';
import { replayEarly } from '../early.ts';
import { lazy } from '../lazy.tsx';
import { reasonOf } from '../reasons.ts';
import type { ConversationWords } from '../words/conversation-words.ts';

export interface ContentActions {
  readonly session: Session;
  /** The address of the chat, absolute, without a slash at the end. */
  readonly site: string;
  readonly words: ConversationWords;
  /** Shows the messages that a link within the chat leads to: `#narrow/channel/4-general/topic/lunch`. */
  openPlace(fragment: string): void;
  openUser(userId: number): void;
  openGroup(groupId: number): void;
  /** Shows an image of a message at its full size. */
  openImage(link: HTMLAnchorElement): void;
  announce(text: string): void;
}

export interface ContentEventsProps {
  /** Around the messages. */
  frame: RefObject<HTMLElement | null>;
}

const ImageViewer = lazy(async () => (await import('./image-viewer.tsx')).ImageViewer);

/** What waits for a click until this part has loaded. The browser opens other links itself. */
const HELD = `.avatar, .sender, .rendered_markdown button, ${OWN_LINKS}`;

/** Listens to the messages of the panel. It shows nothing itself but the image that the reader opens. */
export function ContentEvents({ frame }: ContentEventsProps): VNode | null {
  const panel = usePanel();
  const [image, openImage] = useState<HTMLAnchorElement>();
  useEffect(() => {
    if (!frame.current) return;
    const end = listenToContent(frame.current, {
      ...{ session: panel.store.session, site: panel.site, words: panel.words, announce: panel.announce },
      openPlace: (fragment) => void openPlace(fragment, panel),
      openUser: (id) => panel.navigate({ page: 'person', id }),
      openGroup: (id) => panel.navigate({ page: 'group', id }),
      openImage,
    });
    replayEarly(panel.early, 'click', (_, target) => target.closest(HELD));
    return end;
  }, [panel]);
  return image ? <ImageViewer link={image} onClose={() => openImage(undefined)} /> : null;
}

/** Opens a link to messages. If the panel has no view for it, the browser opens the web app. */
async function openPlace(fragment: string, { store, site, words, announce, navigate }: Panel): Promise<void> {
  try {
    const { destinationOf } = await import('../app/routes.ts');
    const destination = destinationOf(fragment, store.me.get()?.user_id);
    if (destination) navigate(destination);
    else location.assign(`${site}/${fragment}`);
  } catch {
    announce(words.partFailed);
  }
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
    if (target.closest('.rendered_markdown')) loadAgain(target, actions);
  };
  // They may have failed before.
  for (const media of root.querySelectorAll<HTMLImageElement | HTMLMediaElement>('[data-source]'))
    if ('error' in media ? media.error : media.complete && media.naturalWidth === 0) loadAgain(media, actions);
  root.addEventListener('click', onClick);
  // Errors of loading do not bubble.
  root.addEventListener('error', onError, { capture: true });
  return () => {
    root.removeEventListener('click', onClick);
    root.removeEventListener('error', onError, { capture: true });
  };
}

// Files of the chat in a page of another site. A browser sends neither tokens nor cookies of the chat with images and
// links there, so that they need temporary addresses.

const UPLOAD = /\/user_uploads\//;
const uploadedFiles = () => import('./uploaded-files.ts');

function loadAgain(media: HTMLImageElement | HTMLMediaElement, { session, site }: ContentActions): void {
  if (!UPLOAD.test(media.dataset.source ?? '')) return;
  // Without it, the browser shows the name of the file.
  uploadedFiles().then(
    (files) => files.loadAgain(media, session, site),
    () => {},
  );
}

function click(element: HTMLElement, event: MouseEvent, actions: ContentActions): void {
  if (element instanceof HTMLAnchorElement) return follow(element, event, actions);
  if (element.matches('.copy-code')) void copyCode(element, actions);
  else if (element.matches('.load-media')) loadFile(element as HTMLButtonElement, actions);
  else if (element.dataset.userGroupId) actions.openGroup(Number(element.dataset.userGroupId));
  else if (Number(element.dataset.userId) > 0) actions.openUser(Number(element.dataset.userId));
}

function loadFile(button: HTMLButtonElement, { words, announce }: ContentActions): void {
  uploadedFiles().then(
    (files) => files.loadExternal(button, words),
    () => announce(words.partFailed),
  );
}

function follow(link: HTMLAnchorElement, event: MouseEvent, actions: ContentActions): void {
  // With these keys the browser opens a new tab or window.
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { site, session, words } = actions;
  if (link.href.startsWith(`${site}/#narrow/`)) {
    event.preventDefault();
    actions.openPlace(link.hash);
  } else if (link.querySelector('img[data-source]')) {
    event.preventDefault();
    actions.openImage(link);
  } else if (new URL(site).origin !== location.origin && link.href.startsWith(`${site}/`) && UPLOAD.test(link.href)) {
    event.preventDefault();
    // Browsers allow a new window only during the click.
    const opened = window.open('', '_blank');
    uploadedFiles()
      .then(({ openFile }) => openFile(opened, session, site, link.href))
      .catch((error: unknown) => {
        opened?.close();
        actions.announce(words.fileFailed(reasonOf(error, words)));
      });
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

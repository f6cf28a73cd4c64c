/** Images, videos and audio in messages. Loads files of other sites only after a click, because they see the IP address. */

import type { ConversationWords } from '../words/conversation-words.ts';

/** What the nodes of a message depend on, apart from its HTML. */
export interface ContentView {
  /** The address of the chat, absolute, without a slash at the end. */
  readonly site: string;
  readonly words: ConversationWords;
  readonly formats: { full(at: number): string };
  /** The reader's user ID. */
  readonly me: number | undefined;
  /** The message mentions the reader. */
  readonly isMentioned: boolean;
  /** Files of other sites have a button that loads them. False in the web app, whose policy forbids it: links alone. */
  readonly loadsExternal: boolean;
}

/** The largest size of a thumbnail, in CSS pixels. */
const MAX_WIDTH = 360;
const MAX_HEIGHT = 270;

type Media = HTMLImageElement | HTMLMediaElement;

export function addMedia(media: Media, view: ContentView): void {
  const source = absolute(media.getAttribute('src') ?? '', view.site);
  const frame = media.closest('.message_inline_image');
  media.removeAttribute('src');
  if (source === undefined) {
    media.remove();
    return;
  }
  const isOwn = source.origin === new URL(view.site).origin;
  if (media.classList.contains('emoji')) showEmoji(media as HTMLImageElement, isOwn ? source : undefined);
  else if (frame?.classList.contains('youtube-video')) frame.remove();
  else if (isOwn) show(media, source, frame);
  else if (view.loadsExternal) replaceByButton(media, source, frame, view);
  else replaceByLink(media, source, frame);
}

function absolute(address: string, site: string): URL | undefined {
  const url = address && URL.canParse(address, site) ? new URL(address, site) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function showEmoji(image: HTMLImageElement, source: URL | undefined): void {
  if (!source) {
    image.replaceWith(image.alt);
    return;
  }
  image.width = 20;
  image.height = 20;
  image.src = source.href;
}

function show(media: Media, source: URL, frame: Element | null): void {
  const link = media.closest('a');
  const name = link?.title || media.title || fileName(link?.href || source.href);
  if (media.localName === 'img') {
    const image = media as HTMLImageElement;
    image.alt = name;
    image.loading = 'lazy';
    image.decoding = 'async';
    reserve(image);
    // The server is still making the thumbnail. Another event brings its address.
    if (image.classList.contains('image-loading-placeholder')) return;
  } else {
    (media as HTMLMediaElement).controls = true;
    media.setAttribute('aria-label', name);
    // Controls inside a link cannot be used.
    link?.replaceWith(media);
    frame?.classList.add('player');
  }
  // Known for a second attempt with a temporary address, see `events.ts`.
  media.dataset.source = source.href;
  media.src = source.href;
}

/** Space for the image before it is loaded, so that nothing moves. */
function reserve(image: HTMLImageElement): void {
  const [width = 0, height = 0] = (image.dataset.originalDimensions ?? '').split('x').map(Number);
  if (!(width > 0 && height > 0)) return;
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  image.width = Math.max(1, Math.round(width * scale));
  image.height = Math.max(1, Math.round(height * scale));
}

function replaceByLink(media: Media, source: URL, frame: Element | null): void {
  const around = media.closest('a');
  const link = around ?? document.createElement('a');
  link.href ||= source.href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  const name = around?.title || media.title || source.href;
  if (around) media.replaceWith(name);
  else {
    link.append(name);
    media.replaceWith(link);
  }
  frame?.classList.add('external');
}

function replaceByButton(media: Media, source: URL, frame: Element | null, { words }: ContentView): void {
  const button = created('button', { type: 'button', className: 'load-media' });
  button.dataset.kind = media.localName;
  button.dataset.source = source.href;
  const text = { img: words.loadImage, video: words.loadVideo, audio: words.loadAudio }[media.localName];
  button.textContent = text?.(source.host) ?? '';
  const link = media.closest('a');
  const name = link?.title || media.title || fileName(source.href);
  button.dataset.name = name;
  if (!link || !frame) {
    media.replaceWith(button);
    return;
  }
  link.replaceChildren(name);
  frame.prepend(button);
  frame.classList.add('external');
}

/** A new element with these properties. */
export function created<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<HTMLElementTagNameMap[T]>,
): HTMLElementTagNameMap[T] {
  return Object.assign(document.createElement(tag), properties);
}

function fileName(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || address;
  } catch {
    return last;
  }
}

/** The character of a Unicode emoji: of `1f389` it is 🎉. Codes are code points in hexadecimal, joined by `-`. */
export function emojiCharacter(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (points.length > 12 || points.some((point) => !(point > 0x1f && point <= 0x10ffff))) return '';
  return points
    .map((point, index) => {
      const character = String.fromCodePoint(point);
      const isTextByDefault = /^(?=\p{Emoji})\P{Emoji_Presentation}$/u.test(character);
      const isFollowedByColor = /^\p{Emoji_Modifier}$/u.test(String.fromCodePoint(points[index + 1] ?? 0x20));
      // The variation selector asks for the picture. Codes leave it out.
      return isTextByDefault && !isFollowedByColor ? `${character}\ufe0f` : character;
    })
    .join('');
}

import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../context.ts';
import { addMedia, type ContentView, created, emojiCharacter } from './media.ts';
import { trustedHtml } from './safe-html.ts';

/**
 * The content of a message. Its buttons and links work if `listenToContent` was called for an element around it.
 * `isMentioned`: the message mentions the reader, also through a group or everyone.
 */
export function MessageContent({ html, isMentioned = false }: { html: string; isMentioned?: boolean }): VNode {
  const { site, words, formats, store, loadsExternal } = usePanel();
  const element = useRef<HTMLDivElement>(null);
  const me = store.me.get()?.user_id;
  useLayoutEffect(() => {
    const content = contentOf(html, { site, words, formats, me, isMentioned, loadsExternal });
    element.current?.classList.toggle('only-emoji', isOnlyEmoji(content));
    element.current?.replaceChildren(content);
  }, [html, site, words, formats, me, isMentioned, loadsExternal]);
  return <div ref={element} class="rendered_markdown" dir="auto" />;
}

/** More emoji than this are as small as in a text. */
const MAX_LARGE_EMOJI = 20;

/** One paragraph of emoji. Those with a skin tone are text. */
function isOnlyEmoji({ childElementCount, firstElementChild: only }: DocumentFragment): boolean {
  if (childElementCount !== 1 || only?.localName !== 'p' || only.childElementCount > MAX_LARGE_EMOJI) return false;
  const texts = [...only.childNodes].filter((node) => !(node instanceof Element && node.classList.contains('emoji')));
  return texts.every(({ nodeType, textContent }) => nodeType === 3 && EMOJI_TEXT.test(textContent ?? ''));
}

const EMOJI_TEXT = /^(?:\s|\p{Emoji_Presentation}|\p{Emoji_Modifier}|\ufe0f|\u200d){0,40}$/u;

// Makes the DOM of a message from its HTML.

const ENHANCED = 'a[href], audio, div[class], h1, h2, h3, h4, h5, h6, img, pre, span[class], table, time, video';

/** The content of a message as nodes. Their first document loads nothing. */
export function contentOf(html: string, view: ContentView): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = trustedHtml(html);
  const { content } = template;
  // In the order of the document: an element comes before those inside it.
  for (const element of content.querySelectorAll<HTMLElement>(ENHANCED)) enhance(element, view);
  return content;
}

function enhance(element: HTMLElement, view: ContentView): void {
  switch (element.localName) {
    case 'a':
      return enhanceLink(element as HTMLAnchorElement, view);
    case 'span':
      return enhanceSpan(element, view);
    case 'div':
      return enhanceBlock(element, view);
    case 'img':
    case 'audio':
    case 'video':
      return addMedia(element as HTMLImageElement | HTMLMediaElement, view);
    case 'time':
      return enhanceTime(element as HTMLTimeElement, view);
    case 'table':
      return wrapTable(element, view);
    case 'pre':
      element.tabIndex = 0;
      return;
    default:
      // A heading of a message is none of the page.
      element.setAttribute('role', 'none');
  }
}

/** Links within the chat lead to its site, even if the panel is in a page of another site. */
function enhanceLink(link: HTMLAnchorElement, { site }: ContentView): void {
  const href = link.getAttribute('href') ?? '';
  const fragment = /^\/?(#.*)$/s.exec(href)?.[1];
  const url = fragment === undefined ? href : `${site}/${fragment}`;
  if (!URL.canParse(url, site)) return link.removeAttribute('href');
  link.href = new URL(url, site).href;
  if (fragment !== undefined || /^mailto:/i.test(href)) return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
}

function enhanceSpan(span: HTMLElement, view: ContentView): void {
  const code = /^emoji emoji-(.+)$/.exec(span.className)?.[1];
  if (code !== undefined) {
    span.textContent = emojiCharacter(code) || span.textContent;
    return;
  }
  const change = /^highlight_text_(inserted|deleted)$/.exec(span.className)?.[1];
  if (change) span.setAttribute('role', change === 'inserted' ? 'insertion' : 'deletion');
  if (!/mention/.test(span.className)) return;
  const userId = Number(span.dataset.userId);
  const isSilent = span.classList.contains('silent');
  const isOwn = userId > 0 ? userId === view.me : view.isMentioned;
  if (isOwn && !isSilent) span.classList.add('own');
  if (!(userId > 0) && !span.dataset.userGroupId) return;
  // Buttons in links cannot be used, and Chromium crashes with hundreds of buttons in each other.
  if (span.closest('a, button, summary')) return;
  const button = created('button', { type: 'button', className: span.className });
  Object.assign(button.dataset, span.dataset);
  button.append(...span.childNodes);
  span.replaceWith(button);
}

function enhanceBlock(block: HTMLElement, { words }: ContentView): void {
  if (block.className === 'codehilite') addCodeTools(block, words);
  if (block.className !== 'spoiler-block') return;
  const [header, content] = block.children;
  if (header?.className !== 'spoiler-header' || content?.className !== 'spoiler-content') return;
  const details = created('details', { className: 'spoiler-block' });
  const summary = created('summary', { className: 'spoiler-header' });
  summary.append(...(header.textContent?.trim() || header.querySelector('img') ? header.childNodes : [words.spoiler]));
  content.removeAttribute('aria-hidden');
  details.append(summary, content);
  block.replaceWith(details);
}

function addCodeTools(block: HTMLElement, words: ContentView['words']): void {
  const textContent = block.dataset.codeLanguage ?? '';
  const language = created('span', { className: 'code-language', textContent });
  const text = { textContent: words.copy, ariaLabel: words.copyCode };
  const button = created('button', { type: 'button', className: 'copy-code', ...text });
  const tools = created('div', { className: 'code-tools' });
  tools.append(language, button);
  block.prepend(tools);
}

function enhanceTime(time: HTMLTimeElement, { formats }: ContentView): void {
  const at = Date.parse(time.dateTime);
  if (Number.isNaN(at)) return;
  time.title = time.textContent ?? '';
  time.textContent = formats.full(at);
}

/** Wide tables scroll; the keyboard reaches them. */
function wrapTable(table: HTMLElement, { words }: ContentView): void {
  const frame = created('div', { className: 'table-frame', tabIndex: 0, role: 'group', ariaLabel: words.table });
  table.replaceWith(frame);
  frame.append(table);
}

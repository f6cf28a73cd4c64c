import { emojiCharacter } from './media.ts';
import { trustedHtml } from './safe-html.ts';

/** Characters. */
const MAX_TEXT_LENGTH = 300;

/** The text of a message, without what a spoiler hides. */
export function textOf(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = trustedHtml(html);
  const { content } = template;
  for (const hidden of content.querySelectorAll('.spoiler-content, annotation')) hidden.remove();
  for (const emoji of content.querySelectorAll<HTMLElement>('span.emoji')) {
    const code = /\bemoji-([\da-f-]+)/.exec(emoji.className)?.[1] ?? '';
    emoji.textContent = emojiCharacter(code) || emoji.textContent;
  }
  for (const image of content.querySelectorAll('img')) image.replaceWith(image.alt);
  const text = (content.textContent ?? '').replace(/\s+/g, ' ').trim();
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

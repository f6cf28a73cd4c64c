/** The text of a field, and changes of it. */

/** A text with listeners: a draft of the store, or a text of its own. */
export interface EditedText {
  get(): string;
  set(text: string): void;
  listen(run: (text: string) => void): () => void;
}

/** A text of its own, for a message that the user edits. */
export function textOf(initial: string): EditedText {
  let text = initial;
  const listeners = new Set<(text: string) => void>();
  return {
    get: () => text,
    set(changed) {
      text = changed;
      for (const run of [...listeners]) run(text);
    },
    listen(run) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
  };
}

/** Replaces a part of the field as if the user had typed it: it can be undone, and `input` is dispatched. */
export function typeText(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  if (from === to && text === '') return;
  field.focus();
  field.setSelectionRange(from, to);
  // The only way that keeps the history for undo. Not every browser has it.
  if (text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, from, to, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Replaces the selection. */
export function insertText(field: HTMLTextAreaElement | null, text: string): void {
  if (field) typeText(field, field.selectionStart, field.selectionEnd, text);
}

/** Shows a text that was changed elsewhere. The caret stays where it is in the text. */
export function showText(field: HTMLTextAreaElement, text: string): void {
  const before = field.value;
  if (before === text) return;
  const shortest = Math.min(before.length, text.length);
  let start = 0;
  while (start < shortest && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  field.setRangeText(text.slice(start, text.length - end), start, before.length - end, 'preserve');
}

/** How many more characters (code points) a message can have. Negative: too many. Undefined while there are plenty. */
export function charactersLeft(text: string, limit: number): number | undefined {
  // A code point has one or two units, so that most texts need no counting.
  if (text.length < limit * 0.9) return undefined;
  const left = limit - codePoints(text);
  return left > limit * 0.1 ? undefined : left;
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1)
    if (isSurrogate(text, at, 0xd800) && isSurrogate(text, at + 1, 0xdc00)) count -= 1;
  return count;
}

const isSurrogate = (text: string, at: number, first: number) => (text.charCodeAt(at) & 0xfc00) === first;

/** Whether the device has a touch screen and no mouse. The Enter key then makes a new line, as in other programs there. */
export const isTouch = () => matchMedia('(pointer: coarse) and (hover: none)').matches;

/** Not every browser grows a text field with its text. */
const growsByItself = () => CSS.supports('field-sizing', 'content');

/** Makes the field as high as its text. The style sheet limits it. */
export function growField(field: HTMLTextAreaElement | null): void {
  if (!field || growsByItself()) return;
  field.style.blockSize = 'auto';
  field.style.blockSize = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

/** For `pointerdown` on buttons: the field keeps the focus, so that the keyboard of a phone stays. */
export const keepFocus = (event: Event) => event.preventDefault();

/** File managers offer the name of a file as a text. Office programs offer a picture of a text with its layout. */
export const offersFiles = ({ files, types }: DataTransfer): boolean =>
  files.length > 0 && !(types.includes('text/plain') && (types.includes('text/html') || types.includes('text/rtf')));

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

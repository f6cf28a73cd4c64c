/** The icon of the page, with the number of unread messages. */

/** Pixels. */
const SIZE = 64;
const MAX_SHOWN = 99;
/** Milliseconds. A message in view is unread for a moment. */
const DELAY_MS = 250;

/** Draws the icon. @returns draws another number */
export function pageIcon(document: Document): (count: number) => void {
  let shown = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (text: string) => {
    if (text === shown) return;
    const image = drawn(document, text);
    if (image === undefined) return;
    shown = text;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]') ?? document.createElement('link');
    link.rel = 'icon';
    link.href = image;
    document.head.append(link);
  };
  return (count) => {
    clearTimeout(timer);
    timer = setTimeout(() => show(count === 0 ? ' ' : count > MAX_SHOWN ? `${MAX_SHOWN}+` : `${count}`), DELAY_MS);
  };
}

/** A speech bubble, with the text in a circle, as a `data:` URL, which the content security policy allows. */
function drawn(document: Document, text: string): string | undefined {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SIZE, SIZE];
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = '#0b6b61';
  context.fill(
    new Path2D('M14,6H50a10,10,0,0,1,10,10V40a10,10,0,0,1-10,10H30L16,60V50H14A10,10,0,0,1,4,40V16A10,10,0,0,1,14,6Z'),
  );
  if (text.trim() === '') return canvas.toDataURL();
  const size = text.length > 2 ? 24 : 30;
  context.fillStyle = '#c4341f';
  context.fill(new Path2D('M42,20a22,22,0,1,0,.1,0Z'));
  context.fillStyle = '#ffffff';
  context.font = `bold ${size}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, 42, 43);
  return canvas.toDataURL();
}

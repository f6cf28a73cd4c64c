/** The icon of the page, with the number of unread messages. */

/** Pixels. */
const SIZE = 64;
const MAX_SHOWN = 99;
/** Milliseconds. A message in view is unread for a moment. */
const DELAY_MS = 250;

const BUBBLE = 'M14,6H50a10,10,0,0,1,10,10V40a10,10,0,0,1-10,10H30L16,60V50H14A10,10,0,0,1,4,40V16A10,10,0,0,1,14,6Z';

/** Draws the icon. @returns draws another number, on the picture at a URL or on a speech bubble */
export function pageIcon(document: Document): (count: number, url?: string) => void {
  let shown = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = async (text: string, url: string | undefined) => {
    const wanted = `${text} ${url}`;
    if (wanted === shown) return;
    shown = wanted;
    const picture = url === undefined ? undefined : await loaded(url).catch(() => undefined);
    const image = drawn(document, text, picture);
    // Another number may have come while the picture was loading.
    if (image === undefined || shown !== wanted) return;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]') ?? document.createElement('link');
    link.rel = 'icon';
    link.href = image;
    document.head.append(link);
  };
  return (count, url) => {
    clearTimeout(timer);
    timer = setTimeout(() => show(count === 0 ? ' ' : count > MAX_SHOWN ? `${MAX_SHOWN}+` : `${count}`, url), DELAY_MS);
  };
}

async function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  // Without it, the page cannot read what it has drawn with a picture of another origin.
  image.crossOrigin = 'anonymous';
  image.src = url;
  await image.decode();
  return image;
}

/** The picture, or a speech bubble, with the text in a circle, as a `data:` URL, which the content security policy allows. */
function drawn(document: Document, text: string, picture: HTMLImageElement | undefined): string | undefined {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SIZE, SIZE];
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = '#0b6b61';
  if (picture) context.drawImage(picture, 0, 0, SIZE, SIZE);
  else context.fill(new Path2D(BUBBLE));
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

import { isExternal, uploadKey, uploadPath } from './addresses.ts';
import type { UploadedImage } from './data.ts';
import { escapeAttribute } from './html.ts';
import type { RenderState } from './render-state.ts';

const IMAGE = /\.(?:bmp|gif|jpe|jpe?g|png|webp)$/i;
const VIDEO = /\.(?:mp4|webm)$/i;
const AUDIO = /\.(?:aac|flac|mp3|wav)$/i;
const YOUTUBE =
  /^https?:\/\/(?:m\.|www\.)?youtube(?:-nocookie)?\.com\/(?:(?:embed|shorts|v)\/|watch(?:_popup)?\?(?:[^#]*&)?v=)(.*)$/s;
const YOUTUBE_SHORT = /^https?:\/\/youtu\.be\/(.*)$/s;
const SPINNER = '/static/images/loading/loader-black.svg';

interface Preview {
  html: string;
  /** A link that stands alone gives way to the preview. */
  replacesLink: boolean;
}

/** What is shown of an image or video linked to; undefined for other addresses. */
export function mediaPreview(url: string, title: string | undefined, state: RenderState): Preview | undefined {
  if (state.options.inlineImagePreview === false) return undefined;
  const isLoadable = isExternal(url) || url.startsWith('/');
  if (isLoadable && VIDEO.test(url)) return { html: video(url, title), replacesLink: true };
  if (isImage(url, state)) return { html: image(url, title, state), replacesLink: true };
  const still = youtubeStill(url);
  return still === undefined ? undefined : { html: still, replacesLink: false };
}

/** The picture of a video on YouTube. */
export function youtubeStill(url: string): string | undefined {
  const youtube = youtubeId(url);
  if (youtube === undefined) return undefined;
  const still = `https://i.ytimg.com/vi/${youtube}/default.jpg`;
  const inner = `<a data-id="${youtube}" href="${escapeAttribute(url)}"><img src="${still}"></a>`;
  return `<div class="youtube-video message_inline_image">${inner}</div>`;
}

/** A player for `![title](address)`, when the address is one of sound. */
export function audioPlayer(url: string, title: string): string | undefined {
  if (!AUDIO.test(pathOf(url)) || !(isExternal(url) || url.startsWith('/'))) return undefined;
  return `<audio controls preload="metadata" src="${escapeAttribute(url)}" title="${escapeAttribute(title)}"></audio>`;
}

function image(url: string, title: string | undefined, state: RenderState): string {
  const path = uploadPath(url, state.options);
  const upload = path === undefined ? undefined : state.data.uploads?.get(uploadKey(path));
  const img = upload ? uploadedImage(upload) : `<img src="${escapeAttribute(imageSource(url))}">`;
  return `<div class="message_inline_image">${anchor(url, title, img)}</div>`;
}

function uploadedImage(upload: UploadedImage): string {
  const pending = upload.thumbnail === undefined ? 'class="image-loading-placeholder" ' : '';
  const { dimensions, isAnimated } = upload;
  const moving = isAnimated ? 'data-animated="true" ' : '';
  const measured = dimensions ? ` data-original-dimensions="${dimensions.width}x${dimensions.height}"` : '';
  const facts = `data-original-content-type="${escapeAttribute(upload.content_type)}"${measured}`;
  return `<img ${pending}${moving}${facts} src="${escapeAttribute(upload.thumbnail ?? SPINNER)}">`;
}

function video(url: string, title: string | undefined): string {
  const player = `<video preload="metadata" src="${escapeAttribute(url)}"></video>`;
  return `<div class="message_inline_image message_inline_video">${anchor(url, title, player)}</div>`;
}

function anchor(url: string, title: string | undefined, inner: string): string {
  const titled = title === undefined ? '' : ` title="${escapeAttribute(title)}"`;
  return `<a href="${escapeAttribute(url)}"${titled}>${inner}</a>`;
}

function isImage(url: string, state: RenderState): boolean {
  const path = uploadPath(url, state.options);
  if (path !== undefined && state.data.uploads) return state.data.uploads.has(uploadKey(path));
  return (path !== undefined || isExternal(url)) && IMAGE.test(pathOf(url));
}

/** The page of an image on GitHub is not the image. */
function imageSource(url: string): string {
  const page = /^https?:\/\/(?:[\w-]+\.)?github\.com\/([^/]+\/[^/]+)\/blob\/(.+)$/.exec(url);
  return page ? `https://raw.githubusercontent.com/${page[1]}/${page[2]}` : url;
}

function youtubeId(url: string): string | undefined {
  const video = YOUTUBE.exec(url)?.[1] ?? YOUTUBE_SHORT.exec(url)?.[1];
  return video === undefined ? undefined : /^([\w-]+)(?:[/?&#]|$)/.exec(video)?.[1];
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

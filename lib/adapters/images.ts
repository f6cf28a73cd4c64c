import type { Sharp, SharpConstructor } from 'sharp';
import { BadImage, BadRequest } from '../base/errors.ts';

/** An emoji image of 64 by 64 pixels, without metadata. */
export interface EmojiPicture {
  /** PNG, or WebP for an animation. */
  content_type: 'image/png' | 'image/webp';
  /** The image file. */
  bytes: Uint8Array;
  /** First frame of an animation, as PNG. */
  still?: Uint8Array;
}

/** An avatar: square PNG images without metadata. */
export interface AvatarPicture {
  /** 100 by 100 pixels. */
  small: Uint8Array;
  /** 500 by 500 pixels. */
  medium: Uint8Array;
}

/** Dimensions of a picture, read from its header. */
export interface PictureFacts {
  /** Displayed width in pixels. */
  width: number;
  /** Displayed height in pixels. */
  height: number;
  /** Number of frames. More than 1: an animation. */
  frames: number;
}

/** Size limit of a thumbnail. A picture is never enlarged. */
export interface ThumbnailSize {
  /** Largest width in pixels. */
  width: number;
  /** Largest height in pixels. */
  height: number;
  /** Whether to keep the frames of an animation, as many as limits allow. With false, only the first frame. */
  isAnimated: boolean;
}

/**
 * Decodes and resizes uploaded pictures. By default, `openChat` uses the package sharp. All functions throw `BadImage`
 * for files that are not supported or too large. Users see the message of that error.
 */
export interface Images {
  /** Creates an emoji image. */
  emoji(file: Uint8Array): Promise<EmojiPicture>;
  /** Creates an avatar from the center of a picture; from the first frame of an animation. */
  avatar(file: Uint8Array): Promise<AvatarPicture>;
  /** Reads the dimensions and the number of frames. */
  measure(file: Uint8Array): Promise<PictureFacts>;
  /** Creates a WebP image without metadata that fits into the size. */
  thumbnail(file: Uint8Array, size: ThumbnailSize): Promise<Uint8Array>;
}

/** Side length in pixels. */
const EMOJI_SIZE = 64;
const AVATAR_SIZES = { small: 100, medium: 500 };
/** All frames together. */
const MAX_PIXELS = 50_000_000;
const MAX_FRAMES = 500;
const TIMEOUT_SECONDS = 20;
/** All frames of an animated thumbnail together. */
const MAX_THUMBNAIL_PIXELS = 30_000_000;
/** Largest animated emoji, in bytes. */
const MAX_EMOJI = 1024 * 1024;

/**
 * Uses the optional dependency sharp. Checks the first bytes of a file before any decoder reads it. Keeps only the
 * pixels, no metadata.
 */
export function sharpImages(): Images {
  let last: Promise<unknown> = Promise.resolve();
  // One at a time: decoding blocks libuv threads. Node has four, and password hashing needs them too.
  const making =
    <P, A extends unknown[]>(make: (open: Open, ...rest: A) => Promise<P>) =>
    (file: Uint8Array, ...rest: A): Promise<P> => {
      const made = last.then(() => makePicture(file, (open) => make(open, ...rest)));
      last = made.catch(() => undefined);
      return made;
    };
  return {
    emoji: making(makeEmoji),
    avatar: making(makeAvatar),
    measure: making(measure),
    thumbnail: making(makeThumbnail),
  };
}

/** Opens the picture with all frames (true), with a number of frames, or with the first frame only (false). */
type Open = (frames?: { animated: true } | { pages: number }) => Sharp;

async function makePicture<P>(file: Uint8Array, make: (open: Open) => Promise<P>): Promise<P> {
  if (!isPicture(file)) throw new BadImage('The file is not a PNG, JPEG, GIF, WebP or AVIF picture.');
  const sharp = await loadSharp();
  try {
    return await make((frames) => sharp(file, { ...frames, limitInputPixels: MAX_PIXELS, failOn: 'error' }));
  } catch (error) {
    if (error instanceof BadImage) throw error;
    throw new BadImage('The picture is damaged or too large.');
  }
}

async function makeEmoji(open: Open): Promise<EmojiPicture> {
  const { pages = 1 } = await open({ animated: true }).metadata();
  if (pages > MAX_FRAMES) throw new BadImage(`The animation has more than ${MAX_FRAMES} frames. Use a shorter one.`);
  const still = await fitted(open().autoOrient()).png().toBuffer();
  if (pages === 1) return { content_type: 'image/png', bytes: still };
  const moving = await fitted(open({ animated: true }))
    .webp()
    .toBuffer();
  if (moving.length > MAX_EMOJI)
    throw new BadImage('The animation is too large for an emoji: as WebP it exceeds 1 MiB. Use a shorter one.');
  return { content_type: 'image/webp', bytes: moving, still };
}

async function makeAvatar(open: Open): Promise<AvatarPicture> {
  const square = (size: number) =>
    open().autoOrient().resize(size, size, { fit: 'cover' }).timeout({ seconds: TIMEOUT_SECONDS }).png().toBuffer();
  return { small: await square(AVATAR_SIZES.small), medium: await square(AVATAR_SIZES.medium) };
}

async function measure(open: Open): Promise<PictureFacts> {
  const { width, height, pages = 1, orientation = 1 } = await open().metadata();
  if (width * height > MAX_PIXELS)
    throw new BadImage(`The picture has more than ${MAX_PIXELS / 1e6} megapixels. Use a smaller one.`);
  // Four of the eight EXIF orientations are rotated by 90 degrees.
  return orientation > 4 ? { width: height, height: width, frames: pages } : { width, height, frames: pages };
}

async function makeThumbnail(open: Open, { width, height, isAnimated }: ThumbnailSize): Promise<Uint8Array> {
  const { pages = 1, ...original } = await open().metadata();
  const room = Math.max(1, Math.floor(MAX_THUMBNAIL_PIXELS / (original.width * original.height)));
  const frames = isAnimated ? Math.min(pages, room, MAX_FRAMES) : 1;
  const picture = frames > 1 ? open({ pages: frames }) : open().autoOrient();
  const fitted = picture.resize(width, height, { fit: 'inside', withoutEnlargement: true });
  return fitted.timeout({ seconds: TIMEOUT_SECONDS }).webp().toBuffer();
}

/** The whole picture in a square, with a transparent background. */
function fitted(picture: Sharp): Sharp {
  return picture
    .resize(EMOJI_SIZE, EMOJI_SIZE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .timeout({ seconds: TIMEOUT_SECONDS });
}

/** Loaded with the first picture: loading costs tens of milliseconds and megabytes. */
async function loadSharp(): Promise<SharpConstructor> {
  try {
    const { default: sharp } = await import('sharp');
    return sharp;
  } catch {
    throw new BadRequest('This server cannot process pictures. Its administrator must install the package sharp.');
  }
}

function isPicture(file: Uint8Array): boolean {
  const start = Buffer.from(file.subarray(0, 16)).toString('latin1');
  return (
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    start.startsWith('\xff\xd8\xff') ||
    /^GIF8[79]a/.test(start) ||
    /^RIFF.{4}WEBP/s.test(start) ||
    /^.{4}ftypavi[fs]/s.test(start)
  );
}

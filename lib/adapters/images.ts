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

/** A picture made ready to be shown as an emoji: 64 by 64 pixels, without metadata. */
export interface EmojiPicture {
  /** PNG, or WebP when it moves. */
  content_type: 'image/png' | 'image/webp';
  /** The file itself. */
  bytes: Uint8Array;
  /** Its first frame as PNG, when it moves. */
  still?: Uint8Array;
}

/** A picture made ready to be shown as that of an account: square PNGs without metadata. */
export interface AvatarPicture {
  /** 100 by 100 pixels. */
  small: Uint8Array;
  /** 500 by 500 pixels. */
  medium: Uint8Array;
}

/** What is known of a picture from its head. */
export interface PictureFacts {
  /** Pixels, as it is shown. */
  width: number;
  /** Pixels. */
  height: number;
  /** More than one: it moves. */
  frames: number;
}

/** A size that a picture is made to fit into; it is never made larger. */
export interface ThumbnailSize {
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** All of its frames that there is room for, or the first alone. */
  isAnimated: boolean;
}

/** Reads pictures that people send; `sharpImages()` is the real one. */
export interface Images {
  /** @throws BadImage for what is no picture, or one too large to be worked on. */
  emoji(file: Uint8Array): Promise<EmojiPicture>;
  /** Its middle; of an animation the first frame. Throws likewise. */
  avatar(file: Uint8Array): Promise<AvatarPicture>;
  /** Throws likewise. */
  measure(file: Uint8Array): Promise<PictureFacts>;
  /** A WebP without metadata. Throws likewise. */
  thumbnail(file: Uint8Array, size: ThumbnailSize): Promise<Uint8Array>;
}

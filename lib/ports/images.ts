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
  /** Width as it is shown, pixels. */
  width: number;
  /** Height as it is shown, pixels. */
  height: number;
  /** How many frames it has; with more than one it moves. */
  frames: number;
}

/** A size that a picture is made to fit into; it is never made larger. */
export interface ThumbnailSize {
  /** Width at most, pixels. */
  width: number;
  /** Height at most, pixels. */
  height: number;
  /** Whether it keeps all of its frames that there is room for, or the first alone. */
  isAnimated: boolean;
}

/**
 * Reads pictures that people send. Without one of yours, `openChat` uses sharp. For what is no picture, or one too large
 * to be worked on, each function throws a `BadImage`, whose message its sender is told.
 */
export interface Images {
  /**
   * Makes an emoji of a picture.
   * @throws BadImage for what is no picture, or one too large to be worked on
   */
  emoji(file: Uint8Array): Promise<EmojiPicture>;
  /**
   * Makes the picture of an account of the middle of one; of an animation, of its first frame.
   * @throws BadImage for what is no picture, or one too large to be worked on
   */
  avatar(file: Uint8Array): Promise<AvatarPicture>;
  /**
   * Reads how large a picture is, and whether it moves.
   * @throws BadImage for what is no picture, or one too large to be worked on
   */
  measure(file: Uint8Array): Promise<PictureFacts>;
  /**
   * Makes a WebP without metadata that fits into the size.
   * @throws BadImage for what is no picture, or one too large to be worked on
   */
  thumbnail(file: Uint8Array, size: ThumbnailSize): Promise<Uint8Array>;
}

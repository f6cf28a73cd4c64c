/** Sizes of thumbnails in messages, by the last part of their URL. Clients choose a size. */
export const THUMBNAILS = {
  '840x560-anim.webp': { width: 840, height: 560, isAnimated: true },
  '840x560.webp': { width: 840, height: 560, isAnimated: false },
} as const;

export type ThumbnailName = keyof typeof THUMBNAILS;

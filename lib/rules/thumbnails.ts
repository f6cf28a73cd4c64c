/** Sizes in which pictures are shown in messages, by the last part of their address. Clients choose among them. */
export const THUMBNAILS = {
  '840x560-anim.webp': { width: 840, height: 560, isAnimated: true },
  '840x560.webp': { width: 840, height: 560, isAnimated: false },
} as const;

export type ThumbnailName = keyof typeof THUMBNAILS;

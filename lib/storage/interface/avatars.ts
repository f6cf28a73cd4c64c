/** An uploaded avatar in one of its sizes, as PNG. */
export interface AvatarImage {
  /** Last part of its URL. Not guessable, and never used again. */
  file_name: string;
  user_id: number;
  bytes: Uint8Array;
}

export interface AvatarStore {
  /** Replaces all images of the account. An empty list removes them. */
  replace(userId: number, images: readonly Omit<AvatarImage, 'user_id'>[]): Promise<void>;
  image(fileName: string): Promise<AvatarImage | undefined>;
}

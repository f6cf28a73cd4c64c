/** A picture of an account that somebody uploaded, in one of its sizes: a PNG. */
export interface AvatarImage {
  /** The last part of its address; nobody can guess it, and none is ever used again. */
  file_name: string;
  user_id: number;
  bytes: Uint8Array;
}

export interface AvatarStore {
  /** Puts these in the place of every picture the account had; none leaves it without. */
  replace(userId: number, images: readonly Omit<AvatarImage, 'user_id'>[]): Promise<void>;
  image(fileName: string): Promise<AvatarImage | undefined>;
}

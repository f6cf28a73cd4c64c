import type { PushTokenKind } from './push-devices.ts';

/** A device of a client that does not encrypt, with its token of Apple or Google. */
export interface PushTokenRecord {
  user_id: number;
  kind: PushTokenKind;
  token: string;
  /** null for Google. */
  ios_app_id: string | null;
}

export interface PushTokenStore {
  /** Ordered by kind and token. */
  of(userId: number): Promise<PushTokenRecord[]>;
  /** Tokens of these users, ordered by user, kind and token. */
  ofAll(userIds: readonly number[]): Promise<PushTokenRecord[]>;
  /** Adds a token, or updates the app of an existing one. */
  add(token: PushTokenRecord): Promise<void>;
  /** Deletes tokens of one kind; returns their number. */
  remove(userId: number, kind: PushTokenKind, tokens: readonly string[]): Promise<number>;
  /** Deletes and returns all tokens of an account, ordered by kind and token. */
  removeOf(userId: number): Promise<PushTokenRecord[]>;
}

import type { PushTokenKind } from './push-devices.ts';

/** A device of a client that does not encrypt, by its name at Apple's or Google's service. */
export interface PushTokenRecord {
  user_id: number;
  kind: PushTokenKind;
  token: string;
  /** null for Google's. */
  ios_app_id: string | null;
}

export interface PushTokenStore {
  /** Ordered by kind and token. */
  of(userId: number): Promise<PushTokenRecord[]>;
  /** Of each of these users, ordered by user, kind and token. */
  ofAll(userIds: readonly number[]): Promise<PushTokenRecord[]>;
  /** One that there is already takes over the app. */
  add(token: PushTokenRecord): Promise<void>;
  /** Of one kind; returns how many there were. */
  remove(userId: number, kind: PushTokenKind, tokens: readonly string[]): Promise<number>;
  /** All of an account; returns them, ordered by kind and token. */
  removeOf(userId: number): Promise<PushTokenRecord[]>;
}

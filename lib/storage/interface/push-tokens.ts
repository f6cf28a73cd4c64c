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
  /** One that there is already takes over the app. */
  add(token: PushTokenRecord): Promise<void>;
  /** False when there is none. */
  remove(token: Omit<PushTokenRecord, 'ios_app_id'>): Promise<boolean>;
  removeOf(userId: number): Promise<void>;
}

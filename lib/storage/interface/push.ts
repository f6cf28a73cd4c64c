export type PushTokenKind = 'apns' | 'fcm';

/** A device of a client that receives encrypted notifications. */
export interface PushDevice {
  id: number;
  user_id: number;
  /** Number that the client uses for the account. */
  push_account_id: number;
  token_kind: PushTokenKind;
  /** Base64, as given. Notifications are encrypted with it. */
  push_public_key: string;
  /** Rises when the device is registered again, so that results of earlier registrations are ignored. */
  registration: number;
  /** ID of the device at the relay. null until it is registered there. */
  relay_device_id: number | null;
  /** Why the registration failed. null: it has not failed. */
  error_code: string | null;
}

export type NewPushDevice = Pick<PushDevice, 'user_id' | 'push_account_id' | 'token_kind' | 'push_public_key'>;

export type PushRegistrationRef = Pick<PushDevice, 'id' | 'registration'>;

export type ActivePushDevice = PushDevice & { relay_device_id: number };

export interface PushDeviceStore {
  /** Ordered by id. */
  of(userId: number): Promise<PushDevice[]>;
  /** Number of devices of a user. Locks the devices of the user until the transaction ends. */
  count(userId: number): Promise<number>;
  byId(id: number): Promise<PushDevice | undefined>;
  byAccount(userId: number, pushAccountId: number): Promise<PushDevice | undefined>;
  /**
   * Adds a device that waits for the relay, or restarts a failed registration. undefined if the device is already
   * registered or waiting: then nothing changes.
   */
  register(device: NewPushDevice): Promise<PushRegistrationRef | undefined>;
  /** Records that the relay knows the device. False if this registration is not waiting. */
  activate(registration: PushRegistrationRef, relayDeviceId: number): Promise<boolean>;
  /** Marks a device as failed. False if it has failed before, or the registration is not the newest. */
  fail(registration: PushRegistrationRef, errorCode: string): Promise<boolean>;
  /** Marks all devices of the user as failed; returns those that had not failed, ordered by ID. */
  failAll(userId: number, errorCode: string): Promise<PushDevice[]>;
  /** Deletes devices that the relay does not know any more; returns their number. */
  removeRelayed(relayDeviceIds: readonly number[]): Promise<number>;
  /**
   * At most `limit` of these users, or of the subscribers of a channel, who have a device that can receive
   * notifications. Includes tokens of `PushTokenStore` and browsers of `PushBrowserStore`. Sorted.
   */
  someOwners(among: { users: readonly number[] } | { channel: number }, limit: number): Promise<number[]>;
  /** Devices of these users that can receive notifications, ordered by user and ID. */
  active(userIds: readonly number[]): Promise<ActivePushDevice[]>;
}

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
  remove(userId: number, kind: PushTokenKind, tokens: readonly string[]): Promise<number>;
  /** Deletes and returns all tokens of an account, ordered by kind and token. */
  removeOf(userId: number): Promise<PushTokenRecord[]>;
}

/** A browser of an account that gets push notifications by Web Push. */
export interface PushBrowser {
  id: number;
  user_id: number;
  /** URL at the push service of the browser. A secret. */
  endpoint: string;
  /** Public key of the browser (P-256), in base64url. */
  public_key: string;
  /** Secret of the browser that authenticates notifications, in base64url. */
  auth_secret: string;
  /** Digest of what the account logged in with when the browser was added. */
  credentials: string;
  /** The login or token that added it. null: an API key, or code in this process. */
  login_id: string | null;
  /** IDs of the channels to which the token that added it is limited. null: it is not limited. */
  rooms: number[] | null;
  /** When it ends, in milliseconds, unless it is added again. */
  ends_ms: number;
}

export interface PushBrowserStore {
  /** Browsers of these users, ordered by user and ID. */
  ofAll(userIds: readonly number[]): Promise<PushBrowser[]>;
  byId(id: number): Promise<PushBrowser | undefined>;
  /**
   * Adds a browser, or replaces the one with this endpoint, of any account. Deletes browsers of the account except the
   * `kept` last added ones.
   */
  add(browser: Omit<PushBrowser, 'id'>, kept: number): Promise<void>;
  remove(userId: number, endpoint: string): Promise<boolean>;
  removeById(id: number): Promise<boolean>;
  /** Deletes the browsers of a user that one of these logins has added; returns their number. */
  removeOfLogins(userId: number, loginIds: readonly string[]): Promise<number>;
  /** Deletes the browsers of all users; returns their number. */
  removeAll(): Promise<number>;
}

export interface PushNotice {
  user_id: number;
  message_id: number;
  /** true: the message was read or deleted, so remove the notification from devices. false: it is only outdated. */
  is_withdrawn: boolean;
}

/** Sent notifications. All methods commute with each other and with sending, so they run in `shared` writes. */
export interface PushNoticeStore {
  /** Records notifications, until a time. Returns the users who had none before, sorted. */
  add(messageId: number, userIds: readonly number[], untilMs: number): Promise<number[]>;
  /** Notifications of a user that are not withdrawn, counted up to the limit. */
  count(userId: number, limit: number): Promise<number>;
  /** The users with a notification who can still see the message and have not read it, sorted. */
  standing(messageId: number, userIds: readonly number[]): Promise<number[]>;
  /** Marks the user's notifications of these messages for removal from devices. True if there were any. */
  withdraw(userId: number, messageIds: readonly number[], dueMs: number): Promise<boolean>;
  /** Marks all notifications of these messages for removal from devices. True if there were any. */
  withdrawMessages(messageIds: readonly number[], dueMs: number): Promise<boolean>;
  nextDue(): Promise<number | undefined>;
  /** Removes and returns due rows, oldest first. Skips rows that another transaction is taking. */
  takeDue(nowMs: number, limit: number): Promise<PushNotice[]>;
}

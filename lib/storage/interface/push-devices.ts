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

/** One registration of a device. */
export type PushRegistrationRef = Pick<PushDevice, 'id' | 'registration'>;

/** A device that can receive notifications. */
export type ActivePushDevice = PushDevice & { relay_device_id: number };

export interface PushDeviceStore {
  /** Ordered by id. */
  of(userId: number): Promise<PushDevice[]>;
  /** Number of devices of a user. Locks the devices of the user until the transaction ends. */
  count(userId: number): Promise<number>;
  byId(id: number): Promise<PushDevice | undefined>;
  /** The device with this number of the client. */
  byAccount(userId: number, pushAccountId: number): Promise<PushDevice | undefined>;
  /**
   * Adds a device that waits for the relay, or restarts a failed registration. undefined if the device is already
   * registered or waiting: then nothing changes.
   */
  register(device: NewPushDevice): Promise<PushRegistrationRef | undefined>;
  /** Records that the relay knows the device. False if this registration is not waiting. */
  activate(registration: PushRegistrationRef, relayDeviceId: number): Promise<boolean>;
  /**
   * Marks a device as failed. False if it has failed before, or the registration is not the newest.
   */
  fail(registration: PushRegistrationRef, errorCode: string): Promise<boolean>;
  /** Marks all devices of the user as failed; returns those that had not failed, ordered by ID. */
  failAll(userId: number, errorCode: string): Promise<PushDevice[]>;
  /** Deletes devices that the relay does not know any more; returns their number. */
  removeRelayed(relayDeviceIds: readonly number[]): Promise<number>;
  /**
   * At most `limit` of these users, or of the subscribers of a channel, who have a device that can receive
   * notifications. Includes tokens of `PushTokenStore`. Sorted.
   */
  someOwners(among: { users: readonly number[] } | { channel: number }, limit: number): Promise<number[]>;
  /** Devices of these users that can receive notifications, ordered by user and ID. */
  active(userIds: readonly number[]): Promise<ActivePushDevice[]>;
}

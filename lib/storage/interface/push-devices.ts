export type PushTokenKind = 'apns' | 'fcm';

/** A device of a client that receives encrypted notifications. */
export interface PushDevice {
  id: number;
  user_id: number;
  /** The client's own number for the account. */
  push_account_id: number;
  token_kind: PushTokenKind;
  /** Base64, as given; what is sent to the device is encrypted with it. */
  push_public_key: string;
  /** Rises when the device is registered again, so that news of an earlier registration are told from those of this. */
  registration: number;
  /** By which the relay knows the device; null until it does. */
  relay_device_id: number | null;
  /** Why the device was not registered; null while nothing has failed. */
  error_code: string | null;
}

export type NewPushDevice = Pick<PushDevice, 'user_id' | 'push_account_id' | 'token_kind' | 'push_public_key'>;

/** Which registration of a device. */
export type PushRegistrationRef = Pick<PushDevice, 'id' | 'registration'>;

/** A device notifications can be sent to. */
export type ActivePushDevice = PushDevice & { relay_device_id: number };

export interface PushDeviceStore {
  /** Ordered by id. */
  of(userId: number): Promise<PushDevice[]>;
  /**
   * How many devices somebody has. Whoever else asks this for the same person waits until the transaction ends.
   */
  count(userId: number): Promise<number>;
  byId(id: number): Promise<PushDevice | undefined>;
  /** The device that the client has given this number. */
  byAccount(userId: number, pushAccountId: number): Promise<PushDevice | undefined>;
  /**
   * Adds a device that waits for the relay, or begins anew with one that failed. Undefined where there is one
   * already that did not: it stays as it is.
   */
  register(device: NewPushDevice): Promise<PushRegistrationRef | undefined>;
  /** The relay knows the device. False where this registration is not waiting for it. */
  activate(registration: PushRegistrationRef, relayDeviceId: number): Promise<boolean>;
  /**
   * Notes that the device cannot be registered or sent to. False where that was noted before, or the registration is
   * not the newest.
   */
  fail(registration: PushRegistrationRef, errorCode: string): Promise<boolean>;
  /** Notes that no device of the user can be sent to; returns those that had not failed, ordered by id. */
  failAll(userId: number, errorCode: string): Promise<PushDevice[]>;
  /** Forgets devices that the relay does not know any more; returns how many. */
  removeRelayed(relayDeviceIds: readonly number[]): Promise<number>;
  /**
   * Up to `limit` of the users who have a device that notifications can be sent to, by a token of `PushTokenStore` too,
   * sorted: of these, or of a channel's.
   */
  someOwners(among: { users: readonly number[] } | { channel: number }, limit: number): Promise<number[]>;
  /** Devices of these users that notifications can be sent to, ordered by user and id. */
  active(userIds: readonly number[]): Promise<ActivePushDevice[]>;
}

import { recognizeCopies } from '../base/across-copies.ts';

/** Registration of a device by its client. Only the relay can decrypt it. */
export interface PushRegistration {
  /** UUID of the organization. */
  realm_uuid: string;
  /** Number that the client uses for the account. */
  push_account_id: number;
  /** Encrypted token and app, in base64. */
  encrypted_push_registration: string;
  /** Public key of the relay for which it was encrypted, in base64. */
  bouncer_public_key: string;
}

/** One notification for one device, in the format of Google (FCM) or Apple (APNs). */
export type PushRequest =
  | {
      device_id: number;
      fcm_priority: 'high' | 'normal';
      payload: { push_account_id: number; encrypted_data: string };
    }
  | {
      device_id: number;
      http_headers: { apns_priority: 5 | 10; apns_push_type: 'alert' | 'background' };
      payload: {
        push_account_id: number;
        encrypted_data: string;
        aps?: { 'mutable-content': 1; alert: { title: string } };
      };
    };

/** Whether the organization may send notifications, and until when. */
export interface PushStatus {
  /** Whether it may send now. */
  can_push: boolean;
  /** End of the permission in seconds since the epoch. null: no known end. */
  expected_end_timestamp: number | null;
}

/** Response to a batch of notifications. */
export interface PushAnswer {
  /** Devices that no longer exist. The chat deletes them. */
  delete_device_ids: number[];
  /** Whether the organization may send further notifications. Absent if the relay does not say. */
  status?: PushStatus;
}

/** A device of a client that does not encrypt its notifications. */
export interface PushToken {
  /** UUID of the organization. */
  realm_uuid: string;
  /** UUID of the account. */
  user_uuid: string;
  /** ID of the account. */
  user_id: number;
  /** Device token of the service. */
  token: string;
  /** 1: Apple (APNs), 2: Google (FCM). */
  token_kind: 1 | 2;
  /** ID of the app. Only for Apple. */
  ios_app_id?: string;
}

/** A notification for the devices of one account whose clients do not encrypt. The relay knows them by token. */
export interface PlainNotification {
  /** UUID of the organization. */
  realm_uuid: string;
  /** UUID of the account. */
  user_uuid: string;
  /** ID of the account. */
  user_id: number;
  /** Data for Google. The client builds the notification from it. */
  gcm_payload: Record<string, unknown>;
  /** Priority for Google. */
  gcm_options: { priority: 'high' | 'normal' };
  /** Data for Apple: the displayed notification, and under `custom` the data for the client. */
  apns_payload: Record<string, unknown>;
  /** Tokens of Google. The response lists those that the relay does not know. */
  android_devices: string[];
  /** Tokens of Apple. The response lists those that the relay does not know. */
  apple_devices: string[];
}

/** Response to a `PlainNotification`. */
export interface PlainAnswer {
  /** Tokens of the request that are no longer valid. */
  deleted: { android_devices: string[]; apple_devices: string[] };
  /** Whether the organization may send further notifications. Absent if the relay does not say. */
  status?: PushStatus;
}

/**
 * Why a request to the relay failed.
 * - `unreachable`: no response; the relay may still have executed the request
 * - `failing`: an error inside the relay, or a rate limit; retry later
 * - `misconfigured`: the operator of this server must fix the address, credentials, plan or registration
 * - `refused`: the request is invalid and a retry would not help; see `code`
 */
export type PushRelayProblem = 'unreachable' | 'failing' | 'misconfigured' | 'refused';

/** A request to the relay failed. Branch on `problem`. */
export class PushRelayError extends Error {
  constructor(
    message: string,
    readonly problem: PushRelayProblem,
    /** Error code of the relay. */
    readonly code?: string,
  ) {
    super(message);
    this.name = 'PushRelayError';
  }
}

recognizeCopies(PushRelayError, 'PushRelayError');

/**
 * The service that forwards notifications to Apple and Google. Use `pushRelay()`, or write your own. All functions
 * must throw `PushRelayError`. Any other error is treated as a bug.
 */
export interface PushRelay {
  /** Registers a device. Registering the same device again returns the same ID. */
  register(registration: PushRegistration): Promise<{ device_id: number }>;
  /** Notifies registered devices. Each request has its own encrypted data. */
  notify(realm_uuid: string, requests: readonly PushRequest[]): Promise<PushAnswer>;
  /** Notifies devices of one account by token. */
  notifyTokens(notification: PlainNotification): Promise<PlainAnswer>;
  /** Registers a token. */
  registerToken(token: PushToken): Promise<void>;
  /** Removes a token. */
  unregisterToken(token: PushToken): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

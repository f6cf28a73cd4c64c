/** A device as its client registers it; what is encrypted is for the relay alone. */
export interface PushRegistration {
  /** UUID of the organization. */
  realm_uuid: string;
  /** The client's own number for the account. */
  push_account_id: number;
  /** The token and what it is for, base64; the relay alone reads it. */
  encrypted_push_registration: string;
  /** Key of the relay that it was encrypted for, base64. */
  bouncer_public_key: string;
}

/** One notification for one device, as Google's or Apple's service takes it. */
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
  /** Whether it may now. */
  can_push: boolean;
  /** Seconds since the epoch; null: no end is known. */
  expected_end_timestamp: number | null;
}

/** What the relay says to a batch that it took. */
export interface PushAnswer {
  /** Devices that are there no more: they will never be reached again. */
  delete_device_ids: number[];
  /** Whether the organization may go on sending; absent where the relay does not say. */
  status?: PushStatus;
}

/** A device of a client that does not encrypt: Apple's (1) or Google's (2) name for it. */
export interface PushToken {
  /** UUID of the organization. */
  realm_uuid: string;
  /** UUID of the account. */
  user_uuid: string;
  /** ID of the account. */
  user_id: number;
  /** The service's name for the device. */
  token: string;
  /** 1: Apple's, 2: Google's. */
  token_kind: 1 | 2;
  /** Of a token of Apple's alone: which app it is for. */
  ios_app_id?: string;
}

/** What the devices of one account are told that do not encrypt; the relay knows them by their tokens. */
export interface PlainNotification {
  /** UUID of the organization. */
  realm_uuid: string;
  /** UUID of the account. */
  user_uuid: string;
  /** ID of the account. */
  user_id: number;
  /** For Google's service: the client makes the notification of it. */
  gcm_payload: Record<string, unknown>;
  /** How urgent it is, for Google's service. */
  gcm_options: { priority: 'high' | 'normal' };
  /** For Apple's: what is shown, and under `custom` what is for the client. */
  apns_payload: Record<string, unknown>;
  /** Tokens of Google's that the relay should have: it says which it does not. */
  android_devices: string[];
  /** Tokens of Apple's that the relay should have: it says which it does not. */
  apple_devices: string[];
}

/** What a relay says of notifications to devices by their tokens. */
export interface PlainAnswer {
  /** Of the tokens given, those that reach nothing any more. */
  deleted: { android_devices: string[]; apple_devices: string[] };
  /** Whether the organization may go on sending; absent where the relay does not say. */
  status?: PushStatus;
}

/**
 * What kept a relay from doing what it was asked.
 * - `unreachable`: nothing answered; it may have been done all the same
 * - `failing`: the relay has a fault of its own, or wants to be left alone for a while
 * - `misconfigured`: somebody who runs this server must see to it (address, credentials, plan, unknown organization)
 * - `refused`: what was asked for is wrong, and will be whenever it is asked for; `code` says how
 */
export type PushRelayProblem = 'unreachable' | 'failing' | 'misconfigured' | 'refused';

/** The same in every copy of the package. */
const BRAND: unique symbol = Symbol.for('parlance.PushRelayError');

/** Why a relay did not do what it was asked; `problem` says what is to be done about it. */
export class PushRelayError extends Error {
  readonly [BRAND] = true;

  /** The relay may be of another copy than the chat that it works for. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true;
  }

  constructor(
    message: string,
    readonly problem: PushRelayProblem,
    /** As the relay said it. */
    readonly code?: string,
  ) {
    super(message);
    this.name = 'PushRelayError';
  }
}

/**
 * The service that hands notifications to those of Apple and Google; `pushRelay()` is the real one. Each function
 * throws `PushRelayError` alone: anything else is taken for a defect.
 */
export interface PushRelay {
  /** The same device, registered again, has the id that it has. */
  register(registration: PushRegistration): Promise<{ device_id: number }>;
  /** Notifies devices that were registered, each with its own ciphertext. */
  notify(realm_uuid: string, requests: readonly PushRequest[]): Promise<PushAnswer>;
  /** Notifies devices of one account by their tokens. */
  notifyTokens(notification: PlainNotification): Promise<PlainAnswer>;
  /** Makes a token known to the relay. */
  registerToken(token: PushToken): Promise<void>;
  /** Has the relay forget a token. */
  unregisterToken(token: PushToken): Promise<void>;
  /** Lets connections go. */
  close(): Promise<void>;
}

import sodium from 'libsodium-wrappers';

/** A user's device. Its client encrypts this description, so that only the relay can read it. */
export interface Device {
  device_id: number;
  realm_uuid: string;
  push_account_id: number;
  token_kind: 'fcm' | 'apns';
  token: string;
  ios_app_id: string | null;
  /** The token has expired. The device gets no more notifications. */
  isGone: boolean;
}

export type Described = Pick<Device, 'token' | 'token_kind' | 'ios_app_id'>;

/** An error response. Servers and clients branch on `code`. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Maximum age of a registration, in seconds. */
const VALID_FOR = 24 * 3_600;

export interface KeyPair {
  /** 32 bytes each, base64. */
  publicKey: string;
  privateKey: string;
}

export async function newKeyPair(): Promise<KeyPair> {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return { publicKey: base64(publicKey), privateKey: base64(privateKey) };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Decrypts a client's description of its device. @throws Refusal */
export async function readRegistration(
  { publicKey, privateKey }: KeyPair,
  given: { bouncer_public_key: string; encrypted_push_registration: string },
  now: number,
): Promise<Described> {
  if (given.bouncer_public_key !== publicKey) {
    throw new Refusal(400, 'INVALID_BOUNCER_PUBLIC_KEY', 'This public key does not belong to this relay.');
  }
  await sodium.ready;
  const described = describedBy(decrypted());
  if (!described) throw unreadable();
  if (Math.floor(now / 1000) - described.timestamp > VALID_FOR) {
    throw new Refusal(400, 'REQUEST_EXPIRED', 'The registration is older than 24 hours. Register again.');
  }
  const { token, token_kind, ios_app_id } = described;
  return { token, token_kind, ios_app_id };

  function decrypted(): unknown {
    try {
      const box = Buffer.from(given.encrypted_push_registration, 'base64');
      const [open, secret] = [Buffer.from(publicKey, 'base64'), Buffer.from(privateKey, 'base64')];
      return JSON.parse(Buffer.from(sodium.crypto_box_seal_open(box, open, secret)).toString('utf8'));
    } catch {
      throw unreadable();
    }
  }
}

const unreadable = () =>
  new Refusal(400, 'INVALID_ENCRYPTED_PUSH_REGISTRATION', 'The registration cannot be decrypted or is invalid.');

function describedBy(value: unknown): (Described & { timestamp: number }) | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { token, token_kind, timestamp, ios_app_id = null } = value as Record<string, unknown>;
  if (typeof token !== 'string' || token === '' || token.length > 4_096) return undefined;
  if (typeof timestamp !== 'number' || !Number.isInteger(timestamp)) return undefined;
  if (token_kind === 'fcm') return ios_app_id === null ? { token, token_kind, timestamp, ios_app_id } : undefined;
  if (token_kind !== 'apns' || !/^([0-9a-f]{2})+$/i.test(token)) return undefined;
  if (typeof ios_app_id !== 'string' || !/^[A-Za-z0-9.-]+$/.test(ios_app_id)) return undefined;
  return { token, token_kind, timestamp, ios_app_id };
}

import { randomInt } from 'node:crypto';
import sodium from 'libsodium-wrappers';

await sodium.ready;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Encrypts for the owner of the private key. */
export const sealFor = (publicKey: string, text: string) =>
  base64(sodium.crypto_box_seal(text, Buffer.from(publicKey, 'base64')));

/** A client on a device. Only it has the key that decrypts notifications. */
export class Phone {
  readonly #keys = sodium.crypto_box_keypair();
  readonly push_account_id: number;
  readonly token: string;

  constructor(readonly token_kind: 'fcm' | 'apns' = 'fcm') {
    this.push_account_id = randomInt(1, 2 ** 47);
    this.token = Buffer.from(`token ${this.push_account_id}`).toString('hex');
  }

  get publicKey(): string {
    return base64(this.#keys.publicKey);
  }

  /** Registration parameters. The relay reads `described`. */
  registration(relayKey: string, described: Record<string, unknown> = {}, now = Date.now()) {
    const { token, token_kind, push_account_id } = this;
    const text = JSON.stringify({
      token,
      token_kind,
      timestamp: Math.floor(now / 1000),
      ...(token_kind === 'apns' ? { ios_app_id: 'org.example.chat' } : {}),
      ...described,
    });
    return {
      token_kind,
      push_account_id,
      push_public_key: this.publicKey,
      bouncer_public_key: relayKey,
      encrypted_push_registration: sealFor(relayKey, text),
    };
  }

  /** Decrypts the received notifications. */
  open(encrypted: unknown): Record<string, unknown> {
    const box = Buffer.from(String(encrypted), 'base64');
    const opened = sodium.crypto_box_seal_open(box, this.#keys.publicKey, this.#keys.privateKey);
    return JSON.parse(Buffer.from(opened).toString('utf8'));
  }
}

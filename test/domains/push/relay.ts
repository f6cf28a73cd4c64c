import type { TestContext } from 'node:test';
import { newKeyPair } from '../../../examples/push-relay/registration.ts';
import { type Delivery, type RelayOptions, startRelay } from '../../../examples/push-relay/relay.ts';
import type { Token } from '../../../examples/push-relay/tokens.ts';
import { type PushRelayOptions, pushRelay } from '../../../lib/index.ts';
import type { Phone } from './phone.ts';

/** Credentials of the test servers. */
export const SERVER = { id: 'server', key: 'secret' };

/** A real relay for one test. */
export interface TestRelay {
  readonly publicKey: string;
  readonly url: string;
  /** Delivered notifications, in order. */
  readonly deliveries: Delivery[];
  /** Tokens of devices that no longer exist. */
  readonly gone: Set<string>;
  /** Tokens for which the relay fails. */
  readonly failing: Set<string>;
  /** While true, the relay fails. */
  fault: boolean;
  /** Whether the relay knows the organization. */
  isRegistered: boolean;
  /** Number of devices that the relay knows. */
  readonly deviceCount: number;
  /** Number of registrations, repeated ones included. */
  readonly registrations: number;
  /** Tokens of clients without encryption. */
  readonly tokens: readonly Token[];
  /** The push relay options of a server that uses this relay. */
  port(options?: Partial<PushRelayOptions>): ReturnType<typeof pushRelay>;
  /** Notifications that a phone received and decrypted. */
  readBy(phone: Phone): Record<string, unknown>[];
  /** Unencrypted notifications for a token. */
  plainFor(token: string): Record<string, unknown>[];
  /** Stops the relay until `reopen`. */
  close(): Promise<void>;
  /** Starts the relay again at the same address, with its devices, and with other tokens if given. */
  reopen(tokens?: readonly Token[]): Promise<void>;
}

export async function openRelay(t: Pick<TestContext, 'after'>, given: { now?: () => number } = {}): Promise<TestRelay> {
  const keys = await newKeyPair();
  const deliveries: Delivery[] = [];
  const gone = new Set<string>();
  const failing = new Set<string>();
  let registrations = 0;
  let fault = false;
  let isRegistered = true;
  const start = (port: number, known: Pick<RelayOptions, 'devices' | 'tokens'> = {}) =>
    startRelay({
      port,
      keys,
      servers: { [SERVER.id]: SERVER.key },
      ...known,
      ...given,
      isRegistered: () => isRegistered,
      report: () => undefined,
      deliver(delivery) {
        if (fault || failing.has(delivery.device.token)) throw new Error('the test makes the relay fail');
        if (gone.has(delivery.device.token)) return false;
        deliveries.push(delivery);
        return true;
      },
      async onRegistered() {
        if (fault) throw new Error('the test makes the relay fail');
        registrations++;
      },
    });
  let running = await start(0);
  const { url } = running;
  t.after(() => running.close());
  return {
    publicKey: keys.publicKey,
    url,
    deliveries,
    gone,
    failing,
    get fault() {
      return fault;
    },
    set fault(value) {
      fault = value;
    },
    get isRegistered() {
      return isRegistered;
    },
    set isRegistered(value) {
      isRegistered = value;
    },
    get deviceCount() {
      return running.devices.length;
    },
    get registrations() {
      return registrations;
    },
    get tokens() {
      return running.tokens;
    },
    port: (options) => pushRelay({ url, ...SERVER, ...options }),
    readBy: (phone) =>
      deliveries
        .filter(({ device }) => device.token === phone.token)
        .map(({ payload }) => phone.open(payload.encrypted_data)),
    plainFor: (name) =>
      deliveries
        .filter(({ device, payload }) => device.token === name && payload.encrypted_data === undefined)
        .map(({ payload }) => payload),
    close: () => running.close(),
    async reopen(tokens = running.tokens) {
      running = await start(Number(new URL(url).port), { devices: running.devices, tokens });
    },
  };
}

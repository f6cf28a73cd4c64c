import type { TestContext } from 'node:test';
import { newKeyPair } from '../../../examples/push-relay/registration.ts';
import { type Delivery, type RelayOptions, startRelay } from '../../../examples/push-relay/relay.ts';
import type { Token } from '../../../examples/push-relay/tokens.ts';
import { type PushRelayOptions, pushRelay } from '../../../lib/index.ts';
import type { Phone } from '../../support/phone.ts';

/** Who the servers of tests are to it. */
export const SERVER = { id: 'server', key: 'secret' };

/** A real relay, for one test. */
export interface TestRelay {
  readonly publicKey: string;
  readonly url: string;
  /** What was handed over, in order. */
  readonly deliveries: Delivery[];
  /** Devices that are there no more, by token. */
  readonly gone: Set<string>;
  /** Tokens at which it fails. */
  readonly failing: Set<string>;
  /** While it is set, the relay has a fault of its own. */
  fault: boolean;
  /** Whether it knows the organizations that use it. */
  isRegistered: boolean;
  /** Devices it knows. */
  readonly deviceCount: number;
  /** Registrations that it answered, also of a device it knew. */
  readonly registrations: number;
  /** Of clients that do not encrypt. */
  readonly tokens: readonly Token[];
  /** The port of a server that uses it. */
  port(options?: Partial<PushRelayOptions>): ReturnType<typeof pushRelay>;
  /** What came for a phone, read by it. */
  readBy(phone: Phone): Record<string, unknown>[];
  /** What came for a token as it is. */
  plainFor(token: string): Record<string, unknown>[];
  /** Answers nobody until it is opened again, at the same address. */
  close(): Promise<void>;
  /** With the devices that it knew, and with other tokens where they are given. */
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
        if (fault || failing.has(delivery.device.token)) throw new Error('the relay is to have a fault');
        if (gone.has(delivery.device.token)) return false;
        deliveries.push(delivery);
        return true;
      },
      async onRegistered() {
        if (fault) throw new Error('the relay is to have a fault');
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

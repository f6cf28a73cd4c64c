import { newKeyPair } from '../../examples/push-relay/registration.ts';
import { startRelay } from '../../examples/push-relay/relay.ts';
import { type PushRelay, type PushRelayOptions, pushRelay } from '../../lib/index.ts';
import { Phone } from '../domains/push/phone.ts';
import type { UserName } from './fixture.ts';
import type { World } from './world.ts';

const SERVER = { id: 'server', key: 'secret' };

interface Started {
  settings: PushRelayOptions;
  publicKey: string;
  port: PushRelay;
}

let starting: Promise<Started> | undefined;

/** One relay for all worlds of a process. It starts with the first world that needs it and ends with the process. */
function started(): Promise<Started> {
  starting ??= start();
  return starting;
}

async function start(): Promise<Started> {
  const keys = await newKeyPair();
  const relay = await startRelay({ port: 0, keys, servers: { [SERVER.id]: SERVER.key }, deliver: () => true });
  relay.server.unref().on('connection', (socket) => socket.unref());
  const settings = { url: relay.url, ...SERVER };
  return { settings, publicKey: relay.publicKey, port: pushRelay(settings) };
}

/** Shared by every world and not closed by any. */
export const worldRelay: PushRelay = {
  register: async (registration) => (await started()).port.register(registration),
  notify: async (...batch) => (await started()).port.notify(...batch),
  notifyTokens: async (notification) => (await started()).port.notifyTokens(notification),
  registerToken: async (token) => (await started()).port.registerToken(token),
  unregisterToken: async (token) => (await started()).port.unregisterToken(token),
  close: async () => undefined,
};

/** For other programs. */
export const relaySettings = async () => (await started()).settings;

/** A user's phone and its registration parameters. */
export async function newRegistration(kind: 'fcm' | 'apns' = 'fcm') {
  const phone = new Phone(kind);
  return { phone, registration: phone.registration((await started()).publicKey) };
}

/** A user's phone, registered for notifications. */
export async function registerPhone(world: World, user: UserName, kind: 'fcm' | 'apns' = 'fcm'): Promise<Phone> {
  const { phone, registration } = await newRegistration(kind);
  await world.as(user).push.register(registration);
  await world.chat.runDue();
  return phone;
}

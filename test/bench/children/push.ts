import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { newKeyPair } from '../../../examples/push-relay/registration.ts';
import { startRelay } from '../../../examples/push-relay/relay.ts';
import { type Chat, openChat, pushRelay, sqlite } from '../../../lib/index.ts';
import { Phone } from '../../domains/push/phone.ts';
import { answer } from './answering.ts';
import { populate } from './population.ts';

/** One message to many phones, compared with one to as many users without phones. */

let chat: Chat;
let owner: number;
let channels: number[];
let deliveries = 0;
let milliseconds = 0;
let longest = 0;

async function start({ database, phones }: { database: string; phones: number }): Promise<void> {
  const keys = await newKeyPair();
  const relay = await startRelay({
    port: 0,
    keys,
    servers: { bench: 'key' },
    deliver() {
      deliveries++;
      return true;
    },
  });
  const storage = sqlite(database);
  chat = await openChat({ storage, pushRelay: pushRelay({ url: relay.url, id: 'bench', key: 'key' }) });
  const made = await populate(chat, storage, { people: 2 * phones, channels: [phones, 2 * phones] });
  owner = made.owner;
  channels = made.channels;
  // Users without a phone are only in the first channel, those with one only in the second.
  const [without, withPhones] = [made.people.slice(0, phones), made.people.slice(phones)];
  await storage.write((tx) =>
    tx.subscriptions.remove(without.map((user_id) => ({ user_id, channel_id: channels[1] as number }))),
  );
  for (const user of withPhones) await chat.as(user).push.register(new Phone().registration(relay.publicKey));
  await chat.runDue();
  await storage.write(async (tx) => {
    for (const user of withPhones)
      await tx.subscriptions.update(user, 'push_notifications', new Map([[channels[1] as number, true]]));
  });
}

/** Milliseconds to send a message, of several in a row. Their notifications end before the next are sent. */
async function send({ place, count }: { place: number; count: number }): Promise<number> {
  const before = performance.now();
  for (let n = 0; n < count; n++) {
    await chat.as(owner).messages.send({
      type: 'channel',
      to: channels[place] as number,
      topic: 'the lamp',
      content: 'Lit at dusk, all is well.',
    });
  }
  const total = performance.now() - before;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const from = performance.now();
  await chat.runDue();
  delay.disable();
  if (place === 1) {
    milliseconds = (performance.now() - from) / count;
    longest = delay.max / 1e6;
  }
  return total / count;
}

/** The outcome of the last message to phones. */
const work = async () => ({ deliveries, milliseconds, longest });

answer({ start, send, work });

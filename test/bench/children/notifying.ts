import { type Clock, systemClock } from '../../../lib/adapters/clock.ts';
import { type Chat, localFiles, openChat, sqlite } from '../../../lib/index.ts';
import { answer, cpuTime } from './answering.ts';
import { populate } from './population.ts';

/**
 * Two equal chats in one process, of which the second one sends e-mail about missed messages. The same compiled code
 * serves both: two processes that do the same differ by more than the bound.
 */

/** One hour later than the system's clock, after the e-mails about new channels. */
let passedMs = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + passedMs };

interface Sender {
  chat: Chat;
  owner: number;
  channel: number;
}

const senders: Sender[] = [];

async function start({ databases, people }: { databases: [string, string]; people: number }) {
  for (const [at, database] of databases.entries()) {
    const storage = sqlite(database);
    const mail = at === 1 ? { mail: { send: async () => {}, close: async () => {} } } : {};
    const chat = await openChat({ storage, clock, files: localFiles(`${database}-uploads`), ...mail });
    const { owner, channels } = await populate(chat, storage, { people, channels: [people] });
    senders.push({ chat, owner, channel: channels[0] as number });
  }
  passedMs += 3_600_000;
  for (const { chat } of senders) await chat.runDue();
}

/** Microseconds of CPU for a message to each chat. They take turns, so that other load of the machine affects both. */
async function compare({ turns, messages }: { turns: number; messages: number }) {
  const spent = [0, 0];
  for (let turn = 0; turn < turns; turn++) {
    for (const at of turn % 2 === 0 ? [0, 1] : [1, 0]) {
      const { chat, owner, channel } = senders[at] as Sender;
      const session = chat.as(owner);
      const before = cpuTime();
      for (let n = 0; n < messages; n++) {
        const content = 'Lit at dusk, all is well.';
        await session.messages.send({ type: 'channel', to: channel, topic: 'the lamp', content });
      }
      spent[at] = (spent[at] as number) + cpuTime() - before;
    }
  }
  const [floor, subject] = spent.map((cpu) => cpu / turns / messages);
  return { floor, subject };
}

answer({ start, compare });

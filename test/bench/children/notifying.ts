import { type Clock, systemClock } from '../../../lib/adapters/clock.ts';
import { type Chat, localFiles, openChat, sqlite } from '../../../lib/index.ts';
import { answer, cpuTime } from './answering.ts';
import { listen } from './listening.ts';
import { keysOf, type Populated, type Population, populate } from './population.ts';

/**
 * Two equal chats in one process, of which the second one sends e-mail about missed messages. The same compiled code
 * serves both: two processes that do the same differ by more than the bound.
 */

/** One hour later than the system's clock, after the e-mails about new channels. */
let passedMs = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + passedMs };

const chats: (Populated & { chat: Chat })[] = [];

async function start({ databases, ...population }: Population & { databases: [string, string] }) {
  for (const [at, database] of databases.entries()) {
    const storage = sqlite(database);
    const mail = at === 1 ? { mail: { send: async () => {}, close: async () => {} } } : {};
    const chat = await openChat({ storage, clock, files: localFiles(`${database}-uploads`), ...mail });
    chats.push({ chat, ...(await populate(chat, storage, population)) });
  }
  passedMs += 3_600_000;
  for (const { chat } of chats) await chat.runDue();
}

/** A server for each chat. */
function serveAll() {
  return Promise.all(chats.map(async ({ chat, channels }) => ({ port: await listen(chat), channels })));
}

function keys({ at, count }: { at: number; count: number }) {
  const { chat, ...populated } = chats[at] as Populated & { chat: Chat };
  return keysOf(chat, populated, count);
}

/** Microseconds of CPU for a message to each chat. They take turns, so that other load of the machine affects both. */
async function compare({ turns, messages }: { turns: number; messages: number }) {
  const spent = [0, 0];
  for (let turn = 0; turn < turns; turn++) {
    for (const at of turn % 2 === 0 ? [0, 1] : [1, 0]) {
      const { chat, owner, channels } = chats[at] as Populated & { chat: Chat };
      const session = chat.as(owner);
      const before = cpuTime();
      for (let n = 0; n < messages; n++) {
        const content = 'Lit at dusk, all is well.';
        await session.messages.send({ type: 'channel', to: channels[0] as number, topic: 'the lamp', content });
      }
      spent[at] = (spent[at] as number) + cpuTime() - before;
    }
  }
  const [floor, subject] = spent.map((cpu) => cpu / turns / messages);
  return { floor, subject };
}

answer({ start, serveAll, keys, cpu: cpuTime, compare });

import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chat, openChat, smtp } from '../../../lib/index.ts';
import { ENGINES, killedProgram, type Place } from '../../kills/victims.ts';
import { type Mailbox, openMailbox } from '../../support/mailbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { PushService, type SubscribedBrowser } from '../push/browsers/push-service.ts';
import { DayModel } from './day-model.ts';

const NAMES = [
  ...['Ada', 'Ben', 'Cyd', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon'],
  ...['Kim', 'Lea', 'Max', 'Nan', 'Oto', 'Pia', 'Rex', 'Sue', 'Tom', 'Una'],
];
const TOPICS = ['tea', 'cake', 'rush', 'board'];
const START = Date.UTC(2026, 10, 20, 8, 0);
const MINUTE = { seconds: 60 };
/** After this many minutes, the leases of a killed process have expired, and all periods have ended. */
const QUIET_MINUTES = 8;
/** In milliseconds: how long a process works before it is killed. */
const LONGEST_LIFE_MS = 60;

export interface Day {
  minutes: number;
  /** In a minute. On long days, few enough that no reader reaches the limit of an hour. */
  mostMessages: number;
  /** Every so many minutes, a process is killed. 0: never. */
  killEvery: number;
  seed: number;
}

/** Plays days of twenty people, and compares what arrives with the model. */
export function playDays(days: readonly Day[]): void {
  for (const { name, place: makePlace, skip } of ENGINES) {
    describe(`a day of twenty people on ${name}`, () => {
      for (const day of days) {
        const kills = day.killEvery > 0 ? 'with kills, ' : '';
        const when = day.killEvery > 0 ? 'once' : 'once and at its minute';
        const title = `${kills}two processes send each e-mail and push notification that must come ${when}, and no other (seed ${day.seed})`;
        test(title, { ...(skip ? { skip } : {}), timeout: 120_000 + day.minutes * 5_000 }, async (t) => {
          const place = await makePlace();
          t.after(() => place.remove());
          const stage = await Stage.open(t, place);
          const random = randomOf(day.seed);
          for (let minute = 1; minute <= day.minutes; minute++) {
            // Periods end before new messages are decided on. At the same time, either could be first.
            await stage.work();
            await stage.act(random, day);
            const isKilled = day.killEvery > 0 && minute % day.killEvery === 0;
            if (isKilled) await stage.workUntilKilled(random);
            else await stage.work();
            stage.clock.advance(MINUTE);
          }
          await stage.quiet();
          t.diagnostic(`${stage.counts.emails} e-mails, ${stage.counts.pushes} push notifications`);
          assert.ok(stage.counts.emails > day.minutes / 8 && stage.counts.pushes > day.minutes / 8, 'much happened');
          assert.deepEqual(stage.failures, []);
        });
      }
    });
  }
}

type Random = (below: number) => number;

/** Numerical Recipes' linear congruential generator. */
function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Stage {
  readonly model = new DayModel(NAMES, (name) => this.#browsers.has(name));
  readonly clock = new ManualClock(START);
  readonly counts = { emails: 0, pushes: 0 };
  readonly failures: string[] = [];
  readonly #ids = new Map<string, number>();
  readonly #browsers = new Map<string, SubscribedBrowser>();
  readonly #present = new Set<string>();
  #channel = 0;
  #messages = 0;
  #workers: Worker[] = [];

  private constructor(
    private readonly chat: Chat,
    private readonly storage: ReturnType<Place['storage']>,
    private readonly box: Mailbox,
    private readonly push: PushService,
    private readonly newWorker: () => Worker,
  ) {}

  static async open(t: Parameters<typeof openMailbox>[0], place: Place): Promise<Stage> {
    const box = await openMailbox(t);
    const push = await PushService.open(t);
    const storage = place.storage();
    const program = await killedProgram('day-worker');
    let clock: ManualClock | undefined;
    const chat = await openChat({
      storage,
      clock: { now: () => clock?.now() ?? START, after: () => () => undefined },
      baseUrl: 'https://chat.example.com',
      mail: smtp({ url: box.url, from: 'chat@example.com' }),
      outgoingWebhooks: { allowPrivateAddresses: ['127.0.0.1'] },
    });
    t.after(() => chat.close());
    const stage: Stage = new Stage(chat, storage, box, push, () => {
      return new Worker(program, { ...place.options, mailServer: box.url }, stage.failures);
    });
    clock = stage.clock;
    await stage.#found();
    stage.#workers = [stage.newWorker(), stage.newWorker()];
    t.after(() => Promise.all(stage.#workers.map((worker) => worker.kill())));
    await Promise.all(stage.#workers.map(({ ready }) => ready));
    // Notices about the new channel and accounts.
    for (let n = 0; n < 5; n++) {
      await stage.#runWorkers();
      stage.clock.advance(MINUTE);
    }
    box.letters.length = 0;
    for (const { endpoint } of stage.#browsers.values()) push.received(endpoint).length = 0;
    return stage;
  }

  async #found(): Promise<void> {
    const owner = { email: 'ada@example.com', full_name: 'Ada' };
    this.#ids.set('Ada', (await this.chat.createOrganization({ name: 'Example', owner })).user_id);
    const ada = this.#as('Ada');
    for (const full_name of NAMES.slice(1))
      this.#ids.set(
        full_name,
        (await ada.users.create({ email: `${full_name.toLowerCase()}@example.com`, full_name })).user_id,
      );
    const subscribers = [...this.#ids.values()];
    this.#channel = (await ada.channels.create({ name: 'shop', subscribers })).id;
    for (const [at, name] of NAMES.entries()) {
      await this.#as(name).settings.edit({
        automatically_follow_topics_policy: 4,
        automatically_unmute_topics_in_muted_streams_policy: 4,
        automatically_follow_topics_where_mentioned: false,
      });
      await this.#as(name).messages.markAllRead();
      if (at % 2 === 0) {
        const browser = this.push.subscribe();
        this.#browsers.set(name, browser);
        await this.#as(name).push.addBrowser({ ...browser });
      }
    }
  }

  #as(name: string) {
    return this.chat.as(this.#ids.get(name) as number);
  }

  /** People come and go. Those who are here write, read, mute and follow. */
  async act(random: Random, { mostMessages }: Day): Promise<void> {
    const pick = <T>(list: readonly T[]) => list[random(list.length)] as T;
    const someone = pick(NAMES);
    if (!this.#present.delete(someone)) this.#present.add(someone);
    await this.#reportPresence();
    for (let n = random(mostMessages + 1); n > 0; n--) await this.#write(random);
    for (const name of this.#present) {
      const person = this.model.person(name);
      const other = pick(NAMES);
      const topic = pick(TOPICS);
      const place = { stream_id: this.#channel, topic };
      switch (random(14)) {
        case 0:
        case 1:
        case 2: {
          const conversation = pick([...person.unread.values()])?.conversation;
          const ids = [...person.unread.values()]
            .filter((one) => one.conversation === conversation)
            .map(({ id }) => id);
          if (ids.length === 0) break;
          await this.#as(name).messages.updateFlags({ messages: ids, op: 'add', flag: 'read' });
          this.model.reads(name, ids);
          break;
        }
        case 3:
          if (other === name || this.#present.has(other)) break;
          if (person.mutes.has(other)) {
            await this.#as(name).mutedUsers.remove({ muted_user_id: this.#ids.get(other) as number });
            person.mutes.delete(other);
          } else if (person.mutes.size < 2) {
            await this.#as(name).mutedUsers.add({ muted_user_id: this.#ids.get(other) as number });
            this.model.mutes(name, other);
          }
          break;
        case 4:
          if ([...person.policies.values()].includes('followed')) break;
          await this.#as(name).userTopics.set({ ...place, visibility_policy: 3 });
          person.policies.set(topic, 'followed');
          break;
        case 5:
          await this.#as(name).userTopics.set({ ...place, visibility_policy: 1 });
          person.policies.set(topic, 'muted');
          break;
        case 6:
          await this.#as(name).userTopics.set({ ...place, visibility_policy: 0 });
          person.policies.delete(topic);
          break;
        case 7:
          person.wantsEmail = !person.wantsEmail;
          await this.#as(name).settings.edit({ enable_offline_email_notifications: person.wantsEmail });
          break;
      }
    }
  }

  async #write(random: Random): Promise<void> {
    const sender = [...this.#present][random(this.#present.size)];
    if (sender === undefined) return;
    const others = NAMES.filter((name) => name !== sender);
    const text = `m${++this.#messages}`;
    const session = this.#as(sender);
    const kind = random(6);
    if (kind < 3) {
      const to = [others[random(others.length)] as string];
      if (kind === 0) to.push(others.filter((name) => name !== to[0])[random(others.length - 1)] as string);
      const { id } = await session.messages.send({
        type: 'direct',
        to: to.map((name) => this.#ids.get(name) as number),
        content: text,
      });
      const conversation = [sender, ...to].sort().join();
      const message = { id, text, sender, conversation, to, topic: undefined, mentioned: [], mentionsAll: false };
      this.model.sent(message, this.clock.now());
      if (sender === 'Ada' && random(3) === 0) {
        await session.messages.delete({ message_id: id });
        this.model.deleted(id);
      }
      return;
    }
    const topic = TOPICS[random(TOPICS.length)] as string;
    const mentionsAll = kind === 3 && sender === 'Ada' && random(3) === 0;
    const mentioned = kind === 4 ? [others[random(others.length)] as string] : [];
    const content = `${mentionsAll ? '@**all** ' : ''}${mentioned.map((name) => `@**${name}** `).join('')}${text}`;
    const { id } = await session.messages.send({ type: 'channel', to: this.#channel, topic, content });
    this.model.sent({ id, text, sender, conversation: topic, topic, to: [], mentioned, mentionsAll }, this.clock.now());
  }

  /** As the reports of clients, which one process collects for some seconds. */
  async #reportPresence(): Promise<void> {
    const now = this.clock.now();
    for (const name of this.#present) this.model.person(name).seenMs = now;
    const seen = [...this.#present].map((name) => ({
      user_id: this.#ids.get(name) as number,
      active_ms: now,
      connected_ms: now,
    }));
    await this.storage.write((tx) => tx.presences.record(seen), 'mark');
  }

  /** Both processes do what is due, and exactly this arrives. */
  async work(): Promise<void> {
    const expected = this.model.work(this.clock.now());
    await this.#runWorkers();
    const at = `minute ${(this.clock.now() - START) / 60_000}`;
    assert.deepEqual({ at, ...this.#arrived().merged }, { at, ...expected });
    this.#count(expected);
  }

  #count({ emails, pushes }: { emails: readonly string[]; pushes: readonly string[] }): void {
    this.counts.emails += emails.length;
    this.counts.pushes += pushes.length;
  }

  /** One process is killed while it works. Then nobody does anything until others have done all of its work. */
  async workUntilKilled(random: Random): Promise<void> {
    // Who has just left is away for a late decision only.
    const expected = this.model.work(this.clock.now());
    const leaving = new Set(NAMES.filter((name) => !this.#present.has(name) && this.#isLeaving(name)));
    const victim = random(2);
    const killed = this.#workers[victim] as Worker;
    const rest = this.#workers.filter((worker) => worker !== killed).map((worker) => worker.work(this.clock.now()));
    void killed.work(this.clock.now());
    await sleep(random(LONGEST_LIFE_MS));
    await killed.kill();
    await Promise.all(rest);
    this.#workers[victim] = this.newWorker();
    await this.#workers[victim]?.ready;
    for (let n = 0; n < QUIET_MINUTES; n++) {
      this.clock.advance(MINUTE);
      await this.#reportPresence();
      const { emails, pushes } = this.model.work(this.clock.now());
      expected.emails.push(...emails);
      expected.pushes.push(...pushes);
      await this.#runWorkers();
    }
    assert.equal(this.model.isBusy, false);
    const { emails, pushes } = this.#arrived();
    const texts = (of: readonly string[]) => of.flatMap(eachText).sort();
    const isCertain = (notification: string) => !leaving.has(notification.split(':')[0] as string);
    const found = { emails: texts(emails.map(({ text }) => text)), pushes: [...new Set(pushes)].sort() };
    const wanted = { emails: texts(expected.emails), pushes: expected.pushes.sort() };
    const at = `minute ${(this.clock.now() - START) / 60_000}`;
    assert.deepEqual(
      { at, ...found, emails: found.emails.filter(isCertain) },
      { at, ...wanted, emails: wanted.emails.filter(isCertain) },
    );
    assert.deepEqual(
      wanted.emails.filter((text) => !found.emails.includes(text)),
      [],
      at,
    );
    this.#count(wanted);
  }

  #isLeaving(name: string): boolean {
    const ago = this.clock.now() - this.model.person(name).seenMs;
    return ago > 0 && ago <= 200_000;
  }

  async quiet(): Promise<void> {
    for (let n = 0; n < QUIET_MINUTES; n++) {
      await this.work();
      this.clock.advance(MINUTE);
    }
    assert.equal(this.model.isBusy, false);
  }

  async #runWorkers(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.work(this.clock.now())));
  }

  /** What has arrived since the last call. An e-mail that came twice under the same name counts once. */
  #arrived() {
    const letters = this.box.letters.splice(0);
    const byId = new Map(letters.map((letter) => [letter.messageId, letter]));
    const emails = [...byId.values()].map(({ to, text = '' }) => ({
      text: `${nameOf(to?.[0]?.address ?? '')}: ${textsIn(text).join(' ')}`,
    }));
    const pushes = [...this.#browsers].flatMap(([name, { endpoint }]) =>
      this.push
        .received(endpoint)
        .splice(0)
        .filter(({ type }) => type === 'message')
        .map(({ body }) => `${name}: ${/m\d+$/.exec(String(body))?.[0]}`),
    );
    return { emails, pushes, merged: { emails: emails.map(({ text }) => text).sort(), pushes: pushes.sort() } };
  }
}

const nameOf = (address: string) => NAMES.find((name) => address === `${name.toLowerCase()}@example.com`) ?? address;

/** Without the context of a mention. */
function textsIn(letter: string): string[] {
  const text = letter.replaceAll('\r\n', '\n');
  const fresh = text.includes('\n\nNew:\n\n') ? text.slice(text.indexOf('\n\nNew:\n\n')) : text;
  return [...fresh.matchAll(/\bm\d+$/gm)].map(([found]) => found);
}

/** `Ben: m1 m2` → `Ben: m1`, `Ben: m2`. */
function eachText(notification: string): string[] {
  const [name = '', texts = ''] = notification.split(': ');
  return texts.split(' ').map((text) => `${name}: ${text}`);
}

/** A process that works when it is asked. */
class Worker {
  readonly #process: ChildProcess;
  readonly ready: Promise<void>;
  #done: () => void = () => undefined;

  constructor(program: string, options: object, failures: string[]) {
    this.#process = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.ready = this.#answer();
    this.#process.on('message', ({ failure, done }: { failure?: string; done?: true }) => {
      if (failure !== undefined) failures.push(failure);
      if (done) this.#done();
    });
    this.#process.on('exit', () => this.#done());
  }

  #answer(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  work(now: number): Promise<void> {
    const answer = this.#answer();
    this.#process.send({ now });
    return answer;
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
  }
}

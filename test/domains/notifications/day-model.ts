/**
 * Who must be notified of what, as the documentation says (docs/notifications.md). It shares no code with the library,
 * and knows no database: it keeps each message and each person in memory.
 */

const AWAY_AFTER_MS = 200_000;
const PERIOD_MS = 120_000;
const HOUR_MS = 3_600_000;
/** The model does not have what comes after it. */
const MAX_EMAILS_PER_HOUR = 20;

interface Message {
  id: number;
  text: string;
  sender: string;
  /** `topic` or the participants. */
  conversation: string;
  topic: string | undefined;
  /** Of a direct message. */
  to: readonly string[];
  mentioned: readonly string[];
  mentionsAll: boolean;
}

interface Person {
  seenMs: number;
  mutes: Set<string>;
  policies: Map<string, 'muted' | 'followed'>;
  wantsEmail: boolean;
  unread: Map<number, Message>;
  /** Ends of the periods, and their messages, by conversation. */
  periods: Map<string, { dueMs: number; messages: Message[] }>;
  /** When periods ended. */
  ends: number[];
}

/** A notification, as one text: `Ben: m1 m2` for an e-mail, `Ben: m1` for a push notification. */
export interface Expected {
  emails: string[];
  pushes: string[];
}

export class DayModel {
  readonly people: ReadonlyMap<string, Person>;
  #fresh: Message[] = [];
  #isAway = new Map<Message, ReadonlySet<string>>();

  constructor(
    names: readonly string[],
    private readonly hasBrowser: (name: string) => boolean,
  ) {
    this.people = new Map(
      names.map((name) => [
        name,
        {
          ...{ seenMs: Number.NEGATIVE_INFINITY, mutes: new Set(), policies: new Map() },
          ...{ wantsEmail: true, unread: new Map(), periods: new Map(), ends: [] },
        },
      ]),
    );
  }

  person(name: string): Person {
    return this.people.get(name) as Person;
  }

  sent(message: Message, now: number): void {
    this.#fresh.push(message);
    const away = new Set<string>();
    for (const [name, person] of this.people) {
      if (name === message.sender || (message.topic === undefined && !message.to.includes(name))) continue;
      if (person.mutes.has(message.sender)) continue;
      person.unread.set(message.id, message);
      if (now - person.seenMs > AWAY_AFTER_MS) away.add(name);
    }
    this.#isAway.set(message, away);
  }

  reads(name: string, ids: readonly number[]): void {
    for (const id of ids) this.person(name).unread.delete(id);
  }

  /** Messages of a muted sender count as read. */
  mutes(name: string, other: string): void {
    const person = this.person(name);
    person.mutes.add(other);
    for (const [id, { sender }] of person.unread) if (sender === other) person.unread.delete(id);
  }

  deleted(id: number): void {
    for (const { unread } of this.people.values()) unread.delete(id);
  }

  /** What the workers send now. */
  work(now: number): Expected {
    const expected: Expected = { emails: [], pushes: [] };
    for (const message of this.#fresh.splice(0)) {
      for (const [name, person] of this.people) {
        if (!person.unread.has(message.id)) continue;
        const { byMention, byTopic } = this.#reasons(name, person, message);
        if (this.hasBrowser(name) && (byMention || byTopic)) expected.pushes.push(`${name}: ${message.text}`);
        if (!this.#isAway.get(message)?.has(name) || !this.#wants(name, person, message)) continue;
        const period = person.periods.get(message.conversation) ?? { dueMs: now + PERIOD_MS, messages: [] };
        period.messages.push(message);
        person.periods.set(message.conversation, period);
      }
    }
    for (const [name, person] of this.people) {
      for (const [conversation, { dueMs, messages }] of person.periods) {
        if (dueMs > now) continue;
        person.periods.delete(conversation);
        person.ends = [...person.ends.filter((at) => at > now - HOUR_MS), now];
        if (person.ends.length > MAX_EMAILS_PER_HOUR) throw new Error(`${name} gets too many e-mails in an hour`);
        const still = messages.filter((message) => person.unread.has(message.id) && this.#wants(name, person, message));
        if (still.length > 0) expected.emails.push(`${name}: ${still.map(({ text }) => text).join(' ')}`);
      }
    }
    return { emails: expected.emails.sort(), pushes: expected.pushes.sort() };
  }

  /** Whether a message still waits for an e-mail, or for the decision. */
  get isBusy(): boolean {
    return this.#fresh.length > 0 || [...this.people.values()].some(({ periods }) => periods.size > 0);
  }

  #reasons(name: string, { policies }: Person, { topic, mentioned, mentionsAll }: Message) {
    if (topic === undefined) return { byMention: true, byTopic: false };
    const policy = policies.get(topic);
    return {
      byMention: mentioned.includes(name) || (mentionsAll && policy !== 'muted'),
      byTopic: policy === 'followed',
    };
  }

  #wants(name: string, person: Person, message: Message): boolean {
    const { byMention, byTopic } = this.#reasons(name, person, message);
    return (byMention && person.wantsEmail) || byTopic;
  }
}

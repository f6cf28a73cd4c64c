import { EventReader } from './event-reader.ts';
import { type Body, FormClient, type Login } from './form-client.ts';
import { decode } from './mobile-app.ts';
import { EVENTS, fetchedMessages, registered, registeredAgain } from './terminal-tables.ts';

const EVENT_TYPES = [
  'message',
  'update_message',
  'reaction',
  'submessage',
  'subscription',
  'typing',
  'update_message_flags',
  'user_settings',
  'realm_emoji',
  'realm_user',
];

const FETCHED = [
  'realm',
  'presence',
  'subscription',
  'message',
  'starred_messages',
  'update_message_flags',
  'muted_topics',
  'realm_user',
  'realm_user_groups',
  'user_settings',
  'realm_emoji',
  'custom_profile_fields',
  'zulip_version',
];

/** The terminal client's requests to a server, in order. */
export class TerminalClient {
  readonly client: FormClient;
  state: Body;
  #reader: EventReader | undefined;

  constructor(login: Login) {
    this.client = new FormClient({ ...login, userAgent: 'ZulipTerminal/0.7.0+git Linux (Debian GNU/Linux; 12)' });
  }

  /** Its first minute: settings with credentials, the first messages, then the queue. */
  async start(): Promise<Body> {
    await this.client.get('server_settings');
    await this.messages([], { anchor: 0, use_first_unread_anchor: true });
    this.state = decode(registered, await this.#register({ fetch_event_types: FETCHED }), 'register');
    return this.state;
  }

  async registerAgain(): Promise<Body> {
    return decode(registeredAgain, await this.#register({}), 'register again');
  }

  async #register(more: object): Promise<Body> {
    const body = await this.client.post('register', {
      event_types: EVENT_TYPES,
      ...more,
      client_gravatar: true,
      apply_markdown: true,
      include_subscribers: true,
      narrow: [],
    });
    this.#reader = new EventReader(this.client, body);
    return body;
  }

  async messages(
    narrow: unknown[],
    anchor: { anchor: number; use_first_unread_anchor?: boolean },
    num_before = 30,
    num_after = 10,
  ): Promise<Body> {
    const body = await this.client.get('messages', {
      ...anchor,
      num_before,
      num_after,
      apply_markdown: true,
      client_gravatar: true,
      narrow,
    });
    return decode(fetchedMessages, body, `messages ${JSON.stringify(narrow)}`);
  }

  async events(): Promise<Body[]> {
    const events = await (this.#reader as EventReader).drain();
    for (const event of events) {
      const kind = event.op === undefined ? event.type : `${event.type} ${event.op}`;
      const shape = EVENTS[kind];
      if (!shape) throw new Error(`The terminal client did not request ${kind}.`);
      decode(shape, event, kind);
    }
    return events;
  }
}

import * as v from 'valibot';
import { EventReader } from './event-reader.ts';
import { type Body, FormClient, type Parameters } from './form-client.ts';
import { fetchedApiKey, fetchedEvents, fetchedMessages, initialSnapshot, serverSettings } from './mobile-answers.ts';
import { decodeEvent } from './mobile-events.ts';

export const USER_AGENT = 'ZulipFlutter/30.0.274+274 (Android 14)';

/**
 * Decodes a response as the app does.
 *
 * @throws Error naming every key with a wrong value
 */
export function decode(schema: v.GenericSchema, body: Body, what: string): Body {
  const result = v.safeParse(schema, body);
  if (!result.success) throw new Error(`${what}:\n${v.summarize(result.issues)}`);
  return body;
}

/** The mobile app's requests to a server, in order. */
export class MobileApp {
  #reader: EventReader | undefined;

  private constructor(
    readonly client: FormClient,
    readonly settings: Body,
    readonly userId: number,
  ) {}

  /** From the entered address to an API key. */
  static async signIn(url: string, username: string, password: string): Promise<MobileApp> {
    const nobody = new FormClient({ url, userAgent: USER_AGENT });
    const settings = decode(serverSettings, await nobody.get('server_settings'), 'server_settings');
    const realm = String(settings.realm_uri);
    const found = new FormClient({ url: realm, userAgent: USER_AGENT });
    const { api_key, email, user_id } = decode(
      fetchedApiKey,
      await found.post('fetch_api_key', { username, password }),
      'fetch_api_key',
    );
    return new MobileApp(new FormClient({ url: realm, email, api_key, userAgent: USER_AGENT }), settings, user_id);
  }

  /** For an account without a password. */
  static async withKey(url: string, email: string, api_key: string): Promise<MobileApp> {
    const client = new FormClient({ url, email, api_key, userAgent: USER_AGENT });
    const settings = decode(serverSettings, await client.get('server_settings'), 'server_settings');
    return new MobileApp(client, settings, (await client.get('users/me')).user_id);
  }

  async register(): Promise<Body> {
    const body = await this.client.post('register', {
      // Not a raw string: the app sends every parameter of this call as JSON.
      idle_queue_timeout: JSON.stringify('mobile'),
      apply_markdown: true,
      client_gravatar: false,
      slim_presence: true,
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        user_avatar_url_field_optional: true,
        stream_typing_notifications: true,
        user_settings_object: true,
        include_deactivated_groups: true,
        empty_topic_name: true,
        individual_emoji_changes: true,
      },
    });
    this.#reader = new EventReader(this.client, body);
    return decode(initialSnapshot, body, `register of ${this.client.login.email}`);
  }

  /** All present events, decoded. */
  async events(): Promise<Body[]> {
    const reader = this.#reader as EventReader;
    const events: Body[] = [];
    for (;;) {
      const body = decode(fetchedEvents, await reader.poll(), 'events');
      for (const event of body.events) decodeEvent(event);
      if (body.events.length === 0) return events;
      events.push(...body.events);
    }
  }

  get reader(): EventReader {
    return this.#reader as EventReader;
  }

  async messages(
    narrow: { operator: string; operand: unknown; negated?: true }[],
    anchor: string,
    more: Parameters = {},
  ): Promise<Body> {
    const body = await this.client.get('messages', {
      narrow,
      anchor,
      num_before: 100,
      num_after: 100,
      client_gravatar: false,
      allow_empty_topic_name: true,
      ...more,
    });
    return decode(fetchedMessages, body, `messages ${JSON.stringify(narrow)} at ${anchor}`);
  }
}

// Written by `npm run documents` from the declarations; a test compares.
import type { Answer, Register } from './methods.ts';

/** Every operation, by group and action. Parameter and result names are the wire's own. */
export interface Operations {
  serverSettings: {
    /**
     * Get what a client must know before it signs in.
     *
     * Credentials, even wrong ones, are ignored.
     */
    get: (parameters?: {}) => Promise<Answer<{
      authentication_methods: { [key: string]: boolean };
      external_authentication_methods: {
        name: string;
        display_name: string;
        display_icon: string | null;
        login_url: string;
        signup_url: string;
      }[];
      zulip_version: string;
      zulip_feature_level: number;
      zulip_merge_base: string;
      push_notifications_enabled: boolean;
      is_incompatible: boolean;
      email_auth_enabled: boolean;
      require_email_format_usernames: boolean;
      realm_url: string;
      realm_uri: string;
      realm_name: string;
      realm_icon: string;
      realm_description: string;
      realm_web_public_access_enabled: boolean;
    }>>;
  };
  /**
   * Fetch your API key with your password.
   *
   * Failed attempts are limited for each user name; the account is told of the new login by e-mail.
   *
   * @param parameters
   * - `username`: The account's e-mail address.
   * - `password`
   *
   * @throws AuthenticationFailed, PasswordAuthDisabled, UserDeactivated
   *
   * @example
   * await session.fetchApiKey({ username: 'ada@example.com', password: 'correct horse battery staple' });
   */
  fetchApiKey: (parameters: { username: string; password: string }) => Promise<Answer<{
    api_key: string;
    email: string;
    user_id: number;
  }>>;
  /**
   * Fetch the API key of any account, on a development server.
   *
   * Answers only when development mode was switched on explicitly.
   *
   * @param parameters
   * - `username`: The account's e-mail address.
   *
   * @throws BadRequest, AuthenticationFailed, UserDeactivated
   *
   * @example
   * await session.devFetchApiKey({ username: 'ada@example.com' });
   */
  devFetchApiKey: (parameters: { username: string }) => Promise<Answer<{
    api_key: string;
    email: string;
    user_id: number;
  }>>;
  users: {
    /**
     * Set or replace somebody's password.
     *
     * For administrators; of owners for owners. Their API key stops working too, unless it is to be kept: whoever had it is signed out. They are told by e-mail, and wrong passwords are counted afresh.
     *
     * @param parameters
     * - `user_id`
     * - `password`: At least 8 characters, and not the name or address.
     * - `keep_api_key` (optional): Let their API key go on working.
     *
     * @throws BadRequest, PasswordTooWeak, UnauthorizedPrincipal
     *
     * @example
     * await session.users.setPassword({ user_id: 9, password: 'correct horse battery staple' });
     */
    setPassword: (parameters: { user_id: number; password: string; keep_api_key?: boolean | undefined }) => Promise<Answer<{}>>;
    /**
     * Get somebody's API key, to hand it out.
     *
     * For administrators; of owners for owners. Who has the key acts as this person.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.getApiKey({ user_id: 9 });
     */
    getApiKey: (parameters: { user_id: number }) => Promise<Answer<{ api_key: string }>>;
    /**
     * Let somebody sign in again who gave too many wrong passwords.
     *
     * For administrators; of owners for owners. Every server counts wrong passwords afresh from now on.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.unlock({ user_id: 9 });
     */
    unlock: (parameters: { user_id: number }) => Promise<Answer<{}>>;
    /**
     * Make a link by which somebody sets another password, to hand it to them.
     *
     * For administrators; of owners for owners. It works once, within 24 hours. Who has the link acts as this person.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.createResetLink({ user_id: 9 });
     */
    createResetLink: (parameters: { user_id: number }) => Promise<Answer<{ reset_link: string }>>;
    /**
     * List the accounts of the organization.
     *
     * People and bots, active and deactivated; restricted guests see stubs of people they do not know. Whoever has no account sees everybody, but no profile fields.
     *
     * @param parameters
     * - `client_gravatar` (optional): Let the client compute Gravatar addresses: `avatar_url` null for them.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     * - `user_ids` (optional): Only these accounts; unknown ids are left out.
     */
    list: (parameters?: {
      client_gravatar?: boolean | undefined;
      include_custom_profile_fields?: boolean | undefined;
      user_ids?: readonly number[] | undefined;
    }) => Promise<Answer<{ members: UserObject[] }>>;
    /**
     * Get your own account.
     */
    me: (parameters?: {}) => Promise<Answer<{
      user_id: number;
      delivery_email: string | null;
      email: string;
      full_name: string;
      date_joined: string;
      is_active: boolean;
      is_owner: boolean;
      is_admin: boolean;
      is_guest: boolean;
      is_bot: boolean;
      bot_type: number | null;
      bot_owner_id: number | null;
      role: number;
      timezone?: string | undefined;
      avatar_url: string | null;
      avatar_version: number;
      profile_data?: { [key: string]: ProfileValue } | undefined;
      is_system_bot?: boolean | undefined;
      max_message_id: number;
    }>>;
    /**
     * Get an account by its ID.
     *
     * @param parameters
     * - `user_id`
     * - `client_gravatar` (optional): Let the client compute Gravatar addresses: `avatar_url` null for them.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.get({ user_id: 9 });
     */
    get: (parameters: {
      user_id: number;
      client_gravatar?: boolean | undefined;
      include_custom_profile_fields?: boolean | undefined;
    }) => Promise<Answer<{ user: UserObject }>>;
    /**
     * Get an account by its e-mail address.
     *
     * The real address where you may see it, or the placeholder address.
     *
     * @param parameters
     * - `email`: Real or placeholder address.
     * - `client_gravatar` (optional): Let the client compute Gravatar addresses: `avatar_url` null for them.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.getByEmail({ email: 'ada@example.com' });
     */
    getByEmail: (parameters: {
      email: string;
      client_gravatar?: boolean | undefined;
      include_custom_profile_fields?: boolean | undefined;
    }) => Promise<Answer<{ user: UserObject }>>;
    /**
     * Create an account.
     *
     * Administrators only. Without a password the account signs in by API key alone.
     *
     * @param parameters
     * - `email`: Real address; unique without regard to case.
     * - `full_name`: Display name, 2 to 100 characters.
     * - `password` (optional): For signing in with fetch_api_key; at least 8 characters, and not the name or address.
     * - `role` (optional): Only owners create owners.
     *
     * @throws BadRequest, EmailAlreadyInUse, PasswordTooWeak, UnauthorizedPrincipal
     *
     * @example
     * await session.users.create({ email: 'ben@example.com', full_name: 'Ben' });
     */
    create: (parameters: {
      email: string;
      full_name: string;
      password?: string | undefined;
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
    }) => Promise<Answer<{ user_id: number }>>;
    /**
     * Find the account with an address, or create it.
     *
     * Administrators only. Called twice, also at once, it is the same account. One that exists stays as it is, deactivated ones too.
     *
     * @param parameters
     * - `email`: Real address; unique without regard to case.
     * - `full_name`: Display name, 2 to 100 characters.
     * - `role` (optional): Of an account that is created.
     *
     * @throws BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal
     *
     * @example
     * await session.users.ensure({ email: 'ben@example.com', full_name: 'Ben' });
     */
    ensure: (parameters: { email: string; full_name: string; role?: 100 | 200 | 300 | 400 | 600 | undefined }) => Promise<Answer<{
      user_id: number;
      is_new: boolean;
      is_active: boolean;
    }>>;
    /**
     * Create accounts for many people at once.
     *
     * Administrators only. Each is created, or exists already and stays as they are, or fails for a reason of their own, which keeps none of the others. Nobody gets a password.
     *
     * @param parameters
     * - `people`: At most 2000: address, name, role (default 400), and names of channels beside the default ones.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.createMany({
     *   people: [ { email: 'ben@example.com', full_name: 'Ben', channels: [ 'general' ] } ]
     * });
     */
    createMany: (parameters: {
      people: readonly {
        email: string;
        full_name: string;
        role?: 100 | 200 | 300 | 400 | 600 | undefined;
        channels?: readonly string[] | undefined;
      }[];
    }) => Promise<Answer<{
      people: {
        user_id: number | null;
        outcome: 'created' | 'deactivated' | 'exists' | 'failed';
        reason?: string | undefined;
      }[];
    }>>;
    /**
     * Change somebody's name, role or address.
     *
     * For administrators, and for the owner of a bot. Everything given is applied or nothing is.
     *
     * @param parameters
     * - `user_id`
     * - `full_name` (optional): Display name, 2 to 100 characters; a blank one changes nothing.
     * - `role` (optional): Only owners make owners and take the role away; guests become no administrators.
     * - `profile_data` (optional): What to fill in, by the ID of the field: `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     * - `new_email` (optional): Another real address; for owners who have been given can_change_user_emails.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.edit({ user_id: 9, role: 300 });
     */
    edit: (parameters: {
      user_id: number;
      full_name?: string | undefined;
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      profile_data?: ProfileDataParam | undefined;
      new_email?: string | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Change somebody's name, role or address, found by their address.
     *
     * Administrators only. The real address where you may see it, or the placeholder address.
     *
     * @param parameters
     * - `email`: Real or placeholder address.
     * - `full_name` (optional): Display name, 2 to 100 characters; a blank one changes nothing.
     * - `role` (optional): Only owners make owners and take the role away; guests become no administrators.
     * - `profile_data` (optional): What to fill in, by the ID of the field: `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     * - `new_email` (optional): Another real address; for owners who have been given can_change_user_emails.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.editByEmail({ email: 'ben@example.com', role: 300 });
     */
    editByEmail: (parameters: {
      email: string;
      full_name?: string | undefined;
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      profile_data?: ProfileDataParam | undefined;
      new_email?: string | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Deactivate an account and the bots it owns.
     *
     * Nothing is deleted: messages, names and subscriptions stay.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.deactivate({ user_id: 9 });
     */
    deactivate: (parameters: { user_id: number }) => Promise<Answer<{}>>;
    /**
     * Deactivate your own account.
     *
     * Only an administrator can bring it back.
     *
     * @throws BadRequest
     */
    deactivateMe: (parameters?: {}) => Promise<Answer<{}>>;
    /**
     * Reactivate an account.
     *
     * The account comes back with its role, subscriptions and permissions.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.reactivate({ user_id: 9 });
     */
    reactivate: (parameters: { user_id: number }) => Promise<Answer<{}>>;
    /**
     * Replace your API key.
     *
     * The old key stops working at once, and your phones are notified no more until they sign in with the new one.
     */
    regenerateApiKey: (parameters?: {}) => Promise<Answer<{ api_key: string }>>;
  };
  passwords: {
    /**
     * Have a link sent by which you set another password.
     *
     * For whoever cannot sign in. The answer is the same whether or not there is an account with the address. The link works once, within 24 hours; an address gets two in an hour at most, and five in a day.
     *
     * @param parameters
     * - `email`: The address of the account.
     *
     * @throws BadRequest, PasswordAuthDisabled
     *
     * @example
     * await session.passwords.requestReset({ email: 'ada@example.com' });
     */
    requestReset: (parameters: { email: string }) => Promise<Answer<{}>>;
    /**
     * See whose password a link sets, without using it.
     *
     * @param parameters
     * - `token`: The last part of the link.
     *
     * @throws BadRequest
     *
     * @example
     * await session.passwords.checkReset({ token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc' });
     */
    checkReset: (parameters: { token: string }) => Promise<Answer<{
      email: string;
      full_name: string;
      realm_name: string;
    }>>;
    /**
     * Set another password by a link, and sign in.
     *
     * Every link that was made for the account stops working. So does its API key, unless it is to be kept: whoever had it is signed out. Wrong passwords are counted afresh.
     *
     * @param parameters
     * - `token`: The last part of the link.
     * - `new_password`: At least 8 characters, and not the name or address.
     * - `keep_api_key` (optional): Let the API key go on working.
     *
     * @throws BadRequest, PasswordTooWeak
     *
     * @example
     * await session.passwords.reset({ token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc', new_password: 'correct horse battery staple' });
     */
    reset: (parameters: { token: string; new_password: string; keep_api_key?: boolean | undefined }) => Promise<Answer<{
      api_key: string;
      email: string;
      user_id: number;
    }>>;
  };
  /**
   * Register an event queue and get the state it starts from.
   *
   * State and queue fit together: state plus events is the state later on. A queue survives restarts and expires when idle. Of more than 1,000 of one account the least lately used ends.
   *
   * @param parameters
   * - `apply_markdown` (optional): Message contents as HTML.
   * - `client_gravatar` (optional): Let the client compute Gravatar addresses.
   * - `include_subscribers` (optional): Include the subscribers of channels: all of them, or with partial those of as many channels as one answer holds, and `partial_subscribers` of the largest others.
   * - `slim_presence` (optional): Presence by user ID in the short form.
   * - `presence_history_limit_days` (optional): Presence of those who reported in so many days.
   * - `event_types` (optional): Types of events the queue takes; all when absent.
   * - `fetch_event_types` (optional): Types of state to fetch; as event_types when absent.
   * - `all_public_streams` (optional): Also messages of public channels you are not subscribed to.
   * - `narrow` (optional): Only messages for which all these terms hold: objects, or pairs such as `["channel", "general"]`.
   * - `client_capabilities` (optional): What the client understands, by name.
   * - `queue_lifespan_secs` (optional): Older name of idle_queue_timeout.
   * - `idle_queue_timeout` (optional): Seconds without a poll until the queue expires.
   *
   * @throws BadRequest, BadNarrow
   *
   * @example
   * await session.register({ fetch_event_types: [ 'subscription' ], event_types: [ 'message' ] });
   */
  register: Register<RegisterParameters, Registered, States>;
  events: {
    /**
     * Get the events of a queue, waiting for the first one.
     *
     * Passing an id acknowledges everything up to it. A wait without events ends in a heartbeat; a newer call on the same queue ends this one.
     *
     * @param parameters
     * - `queue_id`: Queue made by register.
     * - `last_event_id`: Newest event you have; -1 for none.
     * - `dont_block` (optional): Answer at once, even without events.
     *
     * @throws BadRequest, BadEventQueueId
     *
     * @example
     * await session.events.list({ queue_id: 'd2b1…', last_event_id: -1 });
     */
    list: (parameters: { queue_id: string; last_event_id: number; dont_block?: boolean | undefined }) => Promise<Answer<{
      events: AnyEvent[];
      queue_id: string;
    }>>;
    /**
     * Delete an event queue.
     *
     * A poll that waits on it is refused, in whichever process it waits.
     *
     * @param parameters
     * - `queue_id`
     *
     * @throws BadEventQueueId
     *
     * @example
     * await session.events.delete({ queue_id: 'd2b1…' });
     */
    delete: (parameters: { queue_id: string }) => Promise<Answer<{}>>;
  };
  messages: {
    /**
     * Send a message to a channel or to people.
     *
     * Too long contents and topics are cut, not refused.
     *
     * @param parameters
     * - `type`: channel (or stream), direct (or private).
     * - `to`: Channel: its ID or name. Direct: list of user IDs or of e-mail addresses.
     * - `topic` (optional): Of a channel message; cut to 60 characters.
     * - `subject` (optional): Legacy name of topic.
     * - `content`: Markdown; cut to 10000 characters.
     * - `queue_id` (optional): Event queue of the sending client, for its echo.
     * - `local_id` (optional): The sending client's own name for the message; returned to its queue alone.
     * - `read_by_sender` (optional): Whether the sender has read it; decided from the client when absent.
     *
     * @throws BadRequest, StreamDoesNotExist, RequestConfusingVariable, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup **today**' });
     */
    send: (parameters:
      | {
          type: 'channel' | 'stream';
          to: number | string | readonly number[] | readonly string[];
          topic: string;
          subject?: string | undefined;
          content: string;
          queue_id?: string | undefined;
          local_id?: string | undefined;
          read_by_sender?: boolean | undefined;
        }
      | {
          type: 'channel' | 'stream';
          to: number | string | readonly number[] | readonly string[];
          topic?: string | undefined;
          subject: string;
          content: string;
          queue_id?: string | undefined;
          local_id?: string | undefined;
          read_by_sender?: boolean | undefined;
        }
      | {
          type: 'direct' | 'private';
          to: number | string | readonly number[] | readonly string[];
          topic?: string | undefined;
          subject?: string | undefined;
          content: string;
          queue_id?: string | undefined;
          local_id?: string | undefined;
          read_by_sender?: boolean | undefined;
        }) => Promise<Answer<{ id: number; automatic_new_visibility_policy?: 2 | 3 | undefined }>>;
    /**
     * List messages around an anchor, narrowed as you like.
     *
     * Narrow by channel, channels, topic, dm, dm-including, sender, is, has, id, with, near and search, each of them also negated; without a narrow, everything you received. A search finds words of content and topic in all their forms and by their beginnings, phrases in quotation marks as they stand, and marks what it found in match_content and match_subject. An answer has some ten megabytes of text at most: of more, those nearest to the anchor, and found_oldest and found_newest say that there are others.
     *
     * @param parameters
     * - `anchor` (optional): Message ID, or newest, oldest, first_unread.
     * - `use_first_unread_anchor` (optional): Legacy form of anchor=first_unread.
     * - `include_anchor` (optional): Whether the anchor itself belongs to the answer.
     * - `num_before` (optional): Messages before the anchor.
     * - `num_after` (optional): Messages after the anchor; both together at most 5000.
     * - `narrow` (optional): Terms that must all hold: objects, or pairs such as `["channel", "general"]`.
     * - `message_ids` (optional): Just these messages; anchor and narrow do not apply.
     * - `apply_markdown` (optional): Content as HTML; false gives the Markdown.
     * - `client_gravatar` (optional): Let the client compute Gravatar addresses: `avatar_url` null for them.
     * - `allow_empty_topic_name` (optional): Show the empty topic as "", not by its display name.
     *
     * @throws BadRequest, BadNarrow
     *
     * @example
     * await session.messages.list({ anchor: 'newest', num_before: 20, num_after: 0, narrow: [ [ 'channel', 'general' ] ] });
     */
    list: (parameters?: {
      anchor?: 'first_unread' | 'newest' | 'oldest' | number | undefined;
      use_first_unread_anchor?: boolean | undefined;
      include_anchor?: boolean | undefined;
      num_before?: number | undefined;
      num_after?: number | undefined;
      narrow?: NarrowParam | undefined;
      message_ids?: readonly number[] | undefined;
      apply_markdown?: boolean | undefined;
      client_gravatar?: boolean | undefined;
      allow_empty_topic_name?: boolean | undefined;
    }) => Promise<Answer<{
      messages: MessageObject[];
      anchor?: number | undefined;
      found_newest?: boolean | undefined;
      found_oldest?: boolean | undefined;
      found_anchor?: boolean | undefined;
      history_limited: boolean;
    }>>;
    /**
     * Find out which of some messages a narrow has.
     *
     * For clients that keep a narrow up to date as messages arrive. Messages you cannot read are left out.
     *
     * @param parameters
     * - `msg_ids`: IDs of messages.
     * - `narrow`: Terms that must all hold: objects, or pairs such as `["channel", "general"]`.
     *
     * @throws BadRequest, BadNarrow
     *
     * @example
     * await session.messages.matchesNarrow({ msg_ids: [ 7, 8 ], narrow: [ { operator: 'search', operand: 'soup' } ] });
     */
    matchesNarrow: (parameters: { msg_ids: readonly number[]; narrow: NarrowParam }) => Promise<Answer<{
      messages: { [key: string]: { match_content: string; match_subject: string } };
    }>>;
    /**
     * Get a message by its ID.
     *
     * @param parameters
     * - `message_id`
     * - `apply_markdown` (optional): Content as HTML; false gives the Markdown.
     * - `client_gravatar` (optional): Let the client compute Gravatar addresses: `avatar_url` null for them.
     * - `allow_empty_topic_name` (optional): Show the empty topic as "", not by its display name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.get({ message_id: 7 });
     */
    get: (parameters: {
      message_id: number;
      apply_markdown?: boolean | undefined;
      client_gravatar?: boolean | undefined;
      allow_empty_topic_name?: boolean | undefined;
    }) => Promise<Answer<{ message: MessageObject; raw_content: string }>>;
    /**
     * Edit a message's content, or move messages to another topic or channel.
     *
     * Only your own content can be edited, and only for some time. An empty content leaves "(deleted)"; the content that a message has already is an edit like any other. A whole topic goes where none is at once; of others, more than 2,500 messages move in parts, each with an event of its own, the newest first.
     *
     * @param parameters
     * - `message_id`
     * - `topic` (optional): New topic; cut to 60 characters.
     * - `propagate_mode` (optional): Move this message, also the later ones of its topic, or the whole topic.
     * - `send_notification_to_old_thread` (optional): Let the notification bot say there where it went.
     * - `send_notification_to_new_thread` (optional): Let the notification bot say there where it came from.
     * - `content` (optional): New Markdown; cut to 10000 characters.
     * - `stream_id` (optional): Channel to move to.
     * - `prev_content_sha256` (optional): SHA-256, hex, of the content you know; refused when it has changed since.
     *
     * @throws BadRequest, ExpectationMismatch, MoveMessagesTimeLimitExceeded, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.messages.edit({ message_id: 7, content: 'Soup tomorrow' });
     */
    edit: (parameters: {
      message_id: number;
      topic?: string | undefined;
      propagate_mode?: 'change_all' | 'change_later' | 'change_one' | undefined;
      send_notification_to_old_thread?: boolean | undefined;
      send_notification_to_new_thread?: boolean | undefined;
      content?: string | undefined;
      stream_id?: number | undefined;
      prev_content_sha256?: string | undefined;
    }) => Promise<Answer<{ detached_uploads: AttachmentObject[] }>>;
    /**
     * Delete a message for good.
     *
     * Your own for some time, or any with the permission to.
     *
     * @param parameters
     * - `message_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.delete({ message_id: 7 });
     */
    delete: (parameters: { message_id: number }) => Promise<Answer<{}>>;
    /**
     * Get a message's edit history.
     *
     * Oldest first; the first entry is the message as it was sent, or of more than 250 edits, or some megabytes, as the newest of them found it. The organization may show moves only, or nothing.
     *
     * @param parameters
     * - `message_id`
     * - `allow_empty_topic_name` (optional): Show the empty topic as "", not by its display name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.history({ message_id: 7 });
     */
    history: (parameters: { message_id: number; allow_empty_topic_name?: boolean | undefined }) => Promise<Answer<{
      message_history: {
        topic: string;
        content: string;
        rendered_content: string;
        timestamp: number;
        user_id: number | null;
        prev_topic?: string | undefined;
        stream?: number | undefined;
        prev_stream?: number | undefined;
        prev_content?: string | undefined;
        prev_rendered_content?: string | undefined;
        content_html_diff?: string | undefined;
      }[];
    }>>;
    /**
     * Mark messages as read, unread, starred or collapsed.
     *
     * Messages you cannot read are refused, or left out where the change would leave them as they are.
     *
     * @param parameters
     * - `messages`: IDs of at most 5000 messages.
     * - `op`
     * - `flag`: read, starred or collapsed.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.updateFlags({ messages: [ 7, 8 ], op: 'add', flag: 'starred' });
     */
    updateFlags: (parameters: { messages: readonly number[]; op: 'add' | 'remove'; flag: string }) => Promise<Answer<{
      messages: number[];
      ignored_because_not_subscribed_channels: number[];
    }>>;
    /**
     * Mark messages of a narrow as read, unread, starred or collapsed.
     *
     * Works through a window around an anchor; go on from last_processed_id until found_newest.
     *
     * @param parameters
     * - `anchor`: Message ID, or newest, oldest, first_unread.
     * - `include_anchor` (optional): Whether the anchor itself belongs to the answer.
     * - `num_before`: Messages before the anchor.
     * - `num_after`: Messages after the anchor; both together at most 5000.
     * - `narrow`: Terms that must all hold: objects, or pairs such as `["channel", "general"]`.
     * - `op`
     * - `flag`: read, starred or collapsed.
     *
     * @throws BadRequest, BadNarrow
     *
     * @example
     * await session.messages.updateFlagsNarrow({
     *   anchor: 'newest',
     *   num_before: 100,
     *   num_after: 0,
     *   narrow: [ [ 'channel', 'general' ] ],
     *   op: 'add',
     *   flag: 'read'
     * });
     */
    updateFlagsNarrow: (parameters: {
      anchor: 'first_unread' | 'newest' | 'oldest' | number;
      include_anchor?: boolean | undefined;
      num_before: number;
      num_after: number;
      narrow: NarrowParam;
      op: 'add' | 'remove';
      flag: string;
    }) => Promise<Answer<{
      processed_count: number;
      updated_count: number;
      first_processed_id: number | null;
      last_processed_id: number | null;
      found_oldest: boolean;
      found_newest: boolean;
      ignored_because_not_subscribed_channels: number[];
    }>>;
    /**
     * Mark everything as read.
     *
     * Very much of it takes several calls: repeat it until `complete` is true.
     */
    markAllRead: (parameters?: {}) => Promise<Answer<{ complete: boolean }>>;
    /**
     * Mark everything in a channel as read.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.markChannelRead({ stream_id: 3 });
     */
    markChannelRead: (parameters: { stream_id: number }) => Promise<Answer<{}>>;
    /**
     * Mark everything in a topic as read.
     *
     * @param parameters
     * - `stream_id`
     * - `topic_name`: The topic; it must have messages.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.markTopicRead({ stream_id: 3, topic_name: 'lunch' });
     */
    markTopicRead: (parameters: { stream_id: number; topic_name: string }) => Promise<Answer<{}>>;
    /**
     * List who has read a message.
     *
     * Without its sender, and without whoever does not let others know what they read.
     *
     * @param parameters
     * - `message_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.readReceipts({ message_id: 7 });
     */
    readReceipts: (parameters: { message_id: number }) => Promise<Answer<{ user_ids: number[] }>>;
    /**
     * Add an emoji reaction to a message.
     *
     * With the code and kind of a reaction that is there already, it counts as a vote for that one, whatever its name is by now.
     *
     * @param parameters
     * - `message_id`
     * - `emoji_name`: Name without colons: tada.
     * - `emoji_code` (optional): What identifies the emoji within its kind; found by the name when absent.
     * - `reaction_type` (optional): unicode_emoji, realm_emoji or zulip_extra_emoji; found by the name when absent.
     *
     * @throws BadRequest, ReactionAlreadyExists
     *
     * @example
     * await session.messages.addReaction({ message_id: 7, emoji_name: 'tada' });
     */
    addReaction: (parameters: {
      message_id: number;
      emoji_name: string;
      emoji_code?: string | undefined;
      reaction_type?: string | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Take back an emoji reaction to a message.
     *
     * @param parameters
     * - `message_id`
     * - `emoji_name` (optional): Name of the emoji; this or emoji_code is needed.
     * - `emoji_code` (optional): What identifies the emoji within its kind.
     * - `reaction_type` (optional): unicode_emoji (assumed beside emoji_code), realm_emoji or zulip_extra_emoji.
     *
     * @throws BadRequest, ReactionDoesNotExist
     *
     * @example
     * await session.messages.removeReaction({ message_id: 7, emoji_name: 'tada' });
     */
    removeReaction: (parameters: {
      message_id: number;
      emoji_name?: string | undefined;
      emoji_code?: string | undefined;
      reaction_type?: string | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Render Markdown as a message of yours would show it.
     *
     * Nothing is stored and nobody is notified; mentions you may not make are rendered too.
     *
     * @param parameters
     * - `content`: Markdown; cut to 10000 characters.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.render({ content: 'It **works**.' });
     */
    render: (parameters: { content: string }) => Promise<Answer<{ rendered: string }>>;
  };
  scheduledMessages: {
    /**
     * Schedule a message, to be sent later.
     *
     * It is checked now as though it were sent, and once more when it is. You can have 1000.
     *
     * @param parameters
     * - `type`: channel (or stream), direct (or private).
     * - `to`: Channel: its ID. Direct: list of user IDs.
     * - `topic` (optional): Of a channel message; cut to 60 characters.
     * - `content`: Markdown; cut to 10000 characters.
     * - `scheduled_delivery_timestamp`: When to send it: UNIX time, seconds.
     * - `read_by_sender` (optional): Whether the sender will have read it; decided from the client when absent.
     *
     * @throws BadRequest, StreamDoesNotExist, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.scheduledMessages.create({
     *   type: 'channel',
     *   to: 1,
     *   topic: 'lunch',
     *   content: 'Soup **today**',
     *   scheduled_delivery_timestamp: 4102444800
     * });
     */
    create: (parameters:
      | {
          read_by_sender?: boolean | undefined;
          type: 'channel' | 'stream';
          to: number | readonly number[];
          topic: string;
          content: string;
          scheduled_delivery_timestamp: number;
        }
      | {
          read_by_sender?: boolean | undefined;
          type: 'direct' | 'private';
          to: number | readonly number[];
          topic?: string | undefined;
          content: string;
          scheduled_delivery_timestamp: number;
        }) => Promise<Answer<{ scheduled_message_id: number }>>;
    /**
     * Change what a scheduled message says, where it goes or when.
     *
     * One that could not be sent needs a new time.
     *
     * @param parameters
     * - `scheduled_message_id`
     * - `type` (optional): channel (or stream), direct (or private).
     * - `to` (optional): Channel: its ID. Direct: list of user IDs.
     * - `topic` (optional): Of a channel message; cut to 60 characters.
     * - `content` (optional): Markdown; cut to 10000 characters.
     * - `scheduled_delivery_timestamp` (optional): When to send it: UNIX time, seconds.
     *
     * @throws BadRequest, StreamDoesNotExist, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.scheduledMessages.edit({
     *   scheduled_message_id: 1,
     *   content: 'Soup **tomorrow**',
     *   scheduled_delivery_timestamp: 4102444800
     * });
     */
    edit: (parameters: {
      scheduled_message_id: number;
      type?: 'channel' | 'direct' | 'private' | 'stream' | undefined;
      to?: number | readonly number[] | undefined;
      topic?: string | undefined;
      content?: string | undefined;
      scheduled_delivery_timestamp?: number | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * List the messages you have scheduled.
     */
    list: (parameters?: {}) => Promise<Answer<{ scheduled_messages: ScheduledMessageObject[] }>>;
    /**
     * Delete a scheduled message, so that it is not sent.
     *
     * @param parameters
     * - `scheduled_message_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.scheduledMessages.delete({ scheduled_message_id: 1 });
     */
    delete: (parameters: { scheduled_message_id: number }) => Promise<Answer<{}>>;
  };
  reminders: {
    /**
     * Be reminded of a message.
     *
     * The notification bot writes to you at the time. You can have 1000.
     *
     * @param parameters
     * - `message_id`: One that you can read.
     * - `scheduled_delivery_timestamp`: When to be reminded: UNIX time, seconds.
     * - `note` (optional): For yourself, 500 characters at most.
     *
     * @throws BadRequest
     *
     * @example
     * await session.reminders.create({ message_id: 7, scheduled_delivery_timestamp: 4102444800, note: 'Answer this.' });
     */
    create: (parameters: {
      message_id: number;
      scheduled_delivery_timestamp: number;
      note?: string | undefined;
    }) => Promise<Answer<{ reminder_id: number }>>;
    /**
     * List what you will be reminded of.
     */
    list: (parameters?: {}) => Promise<Answer<{ reminders: ReminderObject[] }>>;
    /**
     * Delete a reminder.
     *
     * @param parameters
     * - `reminder_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.reminders.delete({ reminder_id: 1 });
     */
    delete: (parameters: { reminder_id: number }) => Promise<Answer<{}>>;
  };
  userTopics: {
    /**
     * Mute, unmute or follow a topic, or take that back.
     *
     * The topic need not have messages. Nothing happens where it is so already.
     *
     * @param parameters
     * - `stream_id`
     * - `topic`: Name of the topic, without regard to case.
     * - `visibility_policy`: 0 none, 1 muted, 2 unmuted (though its channel is muted), 3 followed.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userTopics.set({ stream_id: 3, topic: 'lunch', visibility_policy: 3 });
     */
    set: (parameters: { stream_id: number; topic: string; visibility_policy: 0 | 1 | 2 | 3 }) => Promise<Answer<{}>>;
    /**
     * Mute a topic, or take back whatever is set for it.
     *
     * Deprecated: POST /user_topics does this and more. Give the channel by its ID or by its name.
     *
     * @param parameters
     * - `stream_id` (optional): The channel; this or its name.
     * - `stream` (optional): Name of the channel.
     * - `topic`: Name of the topic, without regard to case; it need not have messages.
     * - `op`: add mutes; remove takes back muting, and unmuting and following too.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userTopics.mute({ stream_id: 3, topic: 'lunch', op: 'add' });
     */
    mute: (parameters: {
      stream_id?: number | undefined;
      stream?: string | undefined;
      topic: string;
      op: 'add' | 'remove';
    }) => Promise<Answer<{}>>;
    /**
     * List the topics that you have muted, unmuted or followed.
     *
     * Without those of archived channels and of channels that you have lost access to.
     *
     * @param parameters
     * - `allow_empty_topic_name` (optional): Show the empty topic as "", not by its display name.
     */
    list: (parameters?: { allow_empty_topic_name?: boolean | undefined }) => Promise<Answer<{
      user_topics: { stream_id: number; topic_name: string; last_updated: number; visibility_policy: 0 | 1 | 2 | 3 }[];
    }>>;
  };
  typing: {
    /**
     * Let others see that you type a message, or type no more.
     *
     * To be sent again while the typing goes on. Where more than 100 people would be told, nobody is; nor is whoever does not want to be.
     *
     * @param parameters
     * - `op`
     * - `type` (optional): direct (or private), channel (or stream).
     * - `to` (optional): Of a direct message: IDs of the people it goes to.
     * - `stream_id` (optional): Of a channel message.
     * - `topic` (optional): Of a channel message; cut to 60 characters.
     *
     * @throws BadRequest, StreamDoesNotExist
     *
     * @example
     * await session.typing.send({ op: 'start', to: [ 9 ] });
     */
    send: (parameters: {
      op: 'start' | 'stop';
      type?: 'channel' | 'direct' | 'private' | 'stream' | undefined;
      to?: readonly number[] | undefined;
      stream_id?: number | undefined;
      topic?: string | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Let others see that you edit a message of yours, or edit it no more.
     *
     * Where more than 100 people would be told, nobody is; nor is whoever does not want to be.
     *
     * @param parameters
     * - `message_id`
     * - `op`
     *
     * @throws BadRequest
     *
     * @example
     * await session.typing.sendEdit({ message_id: 7, op: 'start' });
     */
    sendEdit: (parameters: { message_id: number; op: 'start' | 'stop' }) => Promise<Answer<{}>>;
  };
  drafts: {
    /**
     * List your drafts.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}) => Promise<Answer<{ count: number; drafts: DraftObject[] }>>;
    /**
     * Keep messages you have begun to write.
     *
     * Your other clients are told. Nobody else sees them.
     *
     * @param parameters
     * - `drafts`: At most 100 at once.
     *
     * @throws BadRequest
     *
     * @example
     * await session.drafts.create({
     *   drafts: [ { type: 'stream', to: [ 3 ], topic: 'lunch', content: 'Soup or' } ]
     * });
     */
    create: (parameters: { drafts: readonly DraftParam[] }) => Promise<Answer<{ ids: number[] }>>;
    /**
     * Replace a draft with what you have written by now.
     *
     * Your other clients are told.
     *
     * @param parameters
     * - `draft_id`
     * - `draft`: All of it, as it is to be.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.drafts.edit({
     *   draft_id: 4,
     *   draft: { type: 'stream', to: [ 3 ], topic: 'lunch', content: 'Soup or salad?' }
     * });
     */
    edit: (parameters: { draft_id: number; draft: DraftParam }) => Promise<Answer<{}>>;
    /**
     * Discard a draft.
     *
     * Also for one that has been sent: sending leaves it as it is. Your other clients are told.
     *
     * @param parameters
     * - `draft_id`
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.drafts.remove({ draft_id: 4 });
     */
    remove: (parameters: { draft_id: number }) => Promise<Answer<{}>>;
  };
  savedSnippets: {
    /**
     * List the snippets you have saved.
     */
    list: (parameters?: {}) => Promise<Answer<{ saved_snippets: SnippetObject[] }>>;
    /**
     * Save a text to use in messages.
     *
     * Clients offer it where messages are written. Nobody else sees it.
     *
     * @param parameters
     * - `title`: Of at most 60 characters; several snippets may have one.
     * - `content`: Markdown of at most 10000 characters.
     *
     * @throws BadRequest
     *
     * @example
     * await session.savedSnippets.create({ title: 'Greeting', content: 'Welcome to **our chat**!' });
     */
    create: (parameters: { title: string; content: string }) => Promise<Answer<{ saved_snippet_id: number }>>;
    /**
     * Change the title or the text of a saved snippet.
     *
     * @param parameters
     * - `saved_snippet_id`
     * - `title` (optional): Of at most 60 characters; several snippets may have one.
     * - `content` (optional): Markdown of at most 10000 characters.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.savedSnippets.edit({ saved_snippet_id: 2, title: 'Welcome' });
     */
    edit: (parameters: { saved_snippet_id: number; title?: string | undefined; content?: string | undefined }) => Promise<Answer<{}>>;
    /**
     * Remove a saved snippet.
     *
     * @param parameters
     * - `saved_snippet_id`
     *
     * @throws DoesNotExist
     *
     * @example
     * await session.savedSnippets.remove({ saved_snippet_id: 2 });
     */
    remove: (parameters: { saved_snippet_id: number }) => Promise<Answer<{}>>;
  };
  navigationViews: {
    /**
     * List the views you have arranged in your sidebar.
     */
    list: (parameters?: {}) => Promise<Answer<{ navigation_views: NavigationViewObject[] }>>;
    /**
     * Add a view to your sidebar, or arrange a built-in one.
     *
     * What clients do with it is theirs. You can have 200.
     *
     * @param parameters
     * - `fragment`: The part of its address after "#".
     * - `is_pinned`: true shows it in the sidebar, false in the menu of further views.
     * - `name` (optional): For a view of your own, unique among your views; a built-in one has none.
     *
     * @throws BadRequest
     *
     * @example
     * await session.navigationViews.add({ fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' });
     */
    add: (parameters: { fragment: string; is_pinned: boolean; name?: string | undefined }) => Promise<Answer<{}>>;
    /**
     * Rename, pin or unpin a view of your sidebar.
     *
     * @param parameters
     * - `fragment`: The part of its address after "#".
     * - `is_pinned` (optional)
     * - `name` (optional): For a view of your own, unique among your views; a built-in one has none.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.navigationViews.edit({ fragment: 'narrow/is/alerted', is_pinned: false });
     */
    edit: (parameters: { fragment: string; is_pinned?: boolean | undefined; name?: string | undefined }) => Promise<Answer<{}>>;
    /**
     * Remove a view from your sidebar.
     *
     * A built-in view is shown as clients show it by themselves.
     *
     * @param parameters
     * - `fragment`: The part of its address after "#".
     *
     * @throws DoesNotExist
     *
     * @example
     * await session.navigationViews.remove({ fragment: 'narrow/is/alerted' });
     */
    remove: (parameters: { fragment: string }) => Promise<Answer<{}>>;
  };
  uploads: {
    /**
     * Upload a file.
     *
     * Nobody else has it before a message links to its address: `[name](url)`. What no message links to is removed after five weeks.
     *
     * @param parameters
     * - `file`: The file, of the size that `register` tells at most.
     *
     * @throws BadRequest, RealmUploadQuota
     */
    send: (parameters: {
      file:
        | Blob
        | {
            name: string;
            type?: string;
            size?: number;
            content: AsyncIterable<Uint8Array> | Blob | Uint8Array;
          };
    }) => Promise<Answer<{ url: string; uri: string; filename: string }>>;
    /**
     * Get an address of a file that works without a login for a minute.
     *
     * For your own files, and those that a message you can read links to.
     *
     * @param parameters
     * - `realm_id_str`: The first part of the address after `/user_uploads/`.
     * - `filename`: The rest of it.
     *
     * @throws NoSuchFile, FileForbidden
     *
     * @example
     * await session.uploads.getTemporaryUrl({ realm_id_str: '1', filename: '4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png' });
     */
    getTemporaryUrl: (parameters: { realm_id_str: string; filename: string }) => Promise<Answer<{
      url: string;
    }>>;
    /**
     * List the files you uploaded.
     *
     * Newest first, 1000 at most: for older ones ask for those before the last of them.
     *
     * @param parameters
     * - `before_id` (optional): Only files with lower IDs.
     */
    list: (parameters?: { before_id?: number | undefined }) => Promise<Answer<{
      attachments: AttachmentObject[];
      upload_space_used: number;
      found_oldest: boolean;
    }>>;
    /**
     * Remove a file you uploaded for good.
     *
     * Messages keep their links to it, which lead to nothing any more.
     *
     * @param parameters
     * - `attachment_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.uploads.remove({ attachment_id: 4 });
     */
    remove: (parameters: { attachment_id: number }) => Promise<Answer<{}>>;
  };
  customEmoji: {
    /**
     * List the organization's own emoji.
     *
     * By ID, deactivated ones included: messages and reactions still show them.
     */
    list: (parameters?: {}) => Promise<Answer<{ emoji: { [key: string]: CustomEmojiObject } }>>;
    /**
     * Add an emoji of your own to the organization.
     *
     * The picture is made 64 by 64 pixels; animations stay animations. A name that a Unicode emoji has already can be taken by administrators only.
     *
     * @param parameters
     * - `emoji_name`: Lowercase letters, digits, dashes and underscores; spaces become underscores.
     * - `file`: PNG, JPEG, GIF, WebP or AVIF.
     *
     * @throws BadRequest, BadImage
     *
     * @example
     * const file = new File([await readFile('cat.png')], 'cat.png');
     * await session.customEmoji.upload({ emoji_name: 'gruel', file });
     */
    upload: (parameters: { emoji_name: string; file: Blob }) => Promise<Answer<{}>>;
    /**
     * Deactivate one of the organization's own emoji.
     *
     * Its name is free again. Messages and reactions that have it keep it. For administrators and whoever added it.
     *
     * @param parameters
     * - `emoji_name`
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.customEmoji.deactivate({ emoji_name: 'gruel' });
     */
    deactivate: (parameters: { emoji_name: string }) => Promise<Answer<{}>>;
  };
  channels: {
    /**
     * List channels.
     *
     * @param parameters
     * - `include_public` (optional): Public channels; guests see none of them.
     * - `include_web_public` (optional): Web-public channels.
     * - `include_subscribed` (optional): Channels you are subscribed to.
     * - `exclude_archived` (optional): Leave archived channels out.
     * - `include_all` (optional): Every channel you may know of.
     * - `include_all_active` (optional): Every active channel; administrators only.
     * - `include_default` (optional): Mark default channels by `is_default`.
     * - `include_owner_subscribed` (optional): For a bot: channels its owner is subscribed to.
     * - `include_can_access_content` (optional): Every channel whose messages you may read.
     *
     * @throws BadRequest
     */
    list: (parameters?: {
      include_public?: boolean | undefined;
      include_web_public?: boolean | undefined;
      include_subscribed?: boolean | undefined;
      exclude_archived?: boolean | undefined;
      include_all?: boolean | undefined;
      include_all_active?: boolean | undefined;
      include_default?: boolean | undefined;
      include_owner_subscribed?: boolean | undefined;
      include_can_access_content?: boolean | undefined;
    }) => Promise<Answer<{ streams: ChannelObject[] }>>;
    /**
     * Get a channel by its ID.
     *
     * Archived channels included.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.get({ stream_id: 3 });
     */
    get: (parameters: { stream_id: number }) => Promise<Answer<{ stream: ChannelObject }>>;
    /**
     * Get the ID of the channel with a name.
     *
     * @param parameters
     * - `stream`: Name of the channel, without regard to case.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.getId({ stream: 'general' });
     */
    getId: (parameters: { stream: string }) => Promise<Answer<{ stream_id: number }>>;
    /**
     * Create a channel and subscribe users to it.
     *
     * All or nothing: an invalid subscriber means no channel. The creator is not subscribed unless listed. Of more than 2,500 subscribers, the channel and the first come in one transaction and the others in later ones; the first message is posted with the last, so that all of them can read it.
     *
     * @param parameters
     * - `name`: At most 60 characters; unique without regard to case.
     * - `description` (optional): Markdown, one line.
     * - `subscribers`: Users to subscribe; may be empty.
     * - `announce` (optional): Let the notification bot announce the new channel, a private one by its name too.
     * - `invite_only` (optional): Make it private.
     * - `is_web_public` (optional): Open it to everybody on the web.
     * - `is_default_stream` (optional): Subscribe new users to it.
     * - `folder_id` (optional): Channel folder to add it to.
     * - `topics_policy` (optional): Whether messages may or must have no topic.
     * - `history_public_to_subscribers` (optional): Whether new subscribers see earlier messages.
     * - `message_retention_days` (optional): Days messages are kept, or realm_default, or unlimited.
     * - `can_add_subscribers_group` (optional): Who may add subscribers.
     * - `can_delete_any_message_group` (optional): Who may delete any message in the channel.
     * - `can_delete_own_message_group` (optional): Who may delete their own messages in the channel.
     * - `can_remove_subscribers_group` (optional): Who may remove subscribers.
     * - `can_administer_channel_group` (optional): Who may administer the channel.
     * - `can_move_messages_out_of_channel_group` (optional): Who may move messages out of the channel.
     * - `can_move_messages_within_channel_group` (optional): Who may move messages between topics.
     * - `can_send_message_group` (optional): Who may post.
     * - `can_subscribe_group` (optional): Who may subscribe although the channel is private.
     * - `can_resolve_topics_group` (optional): Who may resolve topics.
     * - `send_new_subscription_messages` (optional): Accepted for clients that send it; a new channel sends none.
     *
     * @throws BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal
     *
     * @example
     * await session.channels.create({ name: 'general', subscribers: [ 9, 10 ] });
     */
    create: (parameters: {
      announce?: boolean | undefined;
      invite_only?: boolean | undefined;
      is_web_public?: boolean | undefined;
      is_default_stream?: boolean | undefined;
      folder_id?: number | undefined;
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      history_public_to_subscribers?: boolean | undefined;
      message_retention_days?: number | string | undefined;
      can_add_subscribers_group?: GroupSettingParam | undefined;
      can_delete_any_message_group?: GroupSettingParam | undefined;
      can_delete_own_message_group?: GroupSettingParam | undefined;
      can_remove_subscribers_group?: GroupSettingParam | undefined;
      can_administer_channel_group?: GroupSettingParam | undefined;
      can_move_messages_out_of_channel_group?: GroupSettingParam | undefined;
      can_move_messages_within_channel_group?: GroupSettingParam | undefined;
      can_send_message_group?: GroupSettingParam | undefined;
      can_subscribe_group?: GroupSettingParam | undefined;
      can_resolve_topics_group?: GroupSettingParam | undefined;
      name: string;
      description?: string | undefined;
      subscribers: readonly number[];
      send_new_subscription_messages?: boolean | undefined;
    }) => Promise<Answer<{ id: number }>>;
    /**
     * Change a channel.
     *
     * Needs the right to administer the channel; everything given is applied or nothing is.
     *
     * @param parameters
     * - `stream_id`
     * - `new_name` (optional): At most 60 characters.
     * - `description` (optional): Markdown, one line.
     * - `is_private` (optional)
     * - `is_web_public` (optional)
     * - `history_public_to_subscribers` (optional)
     * - `is_default_stream` (optional)
     * - `is_archived` (optional): false brings an archived channel back.
     * - `topics_policy` (optional)
     * - `folder_id` (optional): null takes it out of its folder.
     * - `message_retention_days` (optional): Days, or realm_default, or unlimited.
     * - `can_add_subscribers_group` (optional)
     * - `can_administer_channel_group` (optional)
     * - `can_delete_any_message_group` (optional)
     * - `can_delete_own_message_group` (optional)
     * - `can_move_messages_out_of_channel_group` (optional)
     * - `can_move_messages_within_channel_group` (optional)
     * - `can_remove_subscribers_group` (optional)
     * - `can_resolve_topics_group` (optional)
     * - `can_send_message_group` (optional)
     * - `can_subscribe_group` (optional)
     *
     * @throws BadRequest, ChannelAlreadyExists, ExpectationMismatch, UnauthorizedPrincipal
     *
     * @example
     * await session.channels.edit({ stream_id: 3, description: 'News for everybody' });
     */
    edit: (parameters: {
      new_name?: string | undefined;
      description?: string | undefined;
      is_private?: boolean | undefined;
      is_web_public?: boolean | undefined;
      history_public_to_subscribers?: boolean | undefined;
      is_default_stream?: boolean | undefined;
      is_archived?: boolean | undefined;
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      folder_id?: number | null | undefined;
      message_retention_days?: number | string | undefined;
      can_add_subscribers_group?: GroupSettingUpdateParam | undefined;
      can_administer_channel_group?: GroupSettingUpdateParam | undefined;
      can_delete_any_message_group?: GroupSettingUpdateParam | undefined;
      can_delete_own_message_group?: GroupSettingUpdateParam | undefined;
      can_move_messages_out_of_channel_group?: GroupSettingUpdateParam | undefined;
      can_move_messages_within_channel_group?: GroupSettingUpdateParam | undefined;
      can_remove_subscribers_group?: GroupSettingUpdateParam | undefined;
      can_resolve_topics_group?: GroupSettingUpdateParam | undefined;
      can_send_message_group?: GroupSettingUpdateParam | undefined;
      can_subscribe_group?: GroupSettingUpdateParam | undefined;
      stream_id: number;
    }) => Promise<Answer<{}>>;
    /**
     * Archive a channel.
     *
     * Its messages stay readable, its name stays taken; PATCH with is_archived=false brings it back.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.archive({ stream_id: 3 });
     */
    archive: (parameters: { stream_id: number }) => Promise<Answer<{}>>;
    /**
     * List the subscribers of a channel.
     *
     * Ids of active accounts, ascending.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.subscribers({ stream_id: 3 });
     */
    subscribers: (parameters: { stream_id: number }) => Promise<Answer<{ subscribers: number[] }>>;
  };
  topics: {
    /**
     * List the topics of a channel, newest first.
     *
     * Only topics with messages you may read.
     *
     * @param parameters
     * - `stream_id`
     * - `allow_empty_topic_name` (optional): Show the empty topic as "", not by its display name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.topics.list({ stream_id: 3 });
     */
    list: (parameters: { stream_id: number; allow_empty_topic_name?: boolean | undefined }) => Promise<Answer<{
      topics: { name: string; max_id: number }[];
    }>>;
    /**
     * Delete a topic with all its messages for good.
     *
     * Everything in it that you can read, the newest first; what is sent meanwhile stays. A very long topic takes several calls: repeat it until `complete` is true. Administrators only.
     *
     * @param parameters
     * - `stream_id`
     * - `topic_name`: Name of the topic, without regard to case; one without messages is no error.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.topics.delete({ stream_id: 3, topic_name: 'lunch' });
     */
    delete: (parameters: { stream_id: number; topic_name: string }) => Promise<Answer<{ complete: boolean }>>;
  };
  defaultChannels: {
    /**
     * Make a channel a default one for new users.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.defaultChannels.add({ stream_id: 3 });
     */
    add: (parameters: { stream_id: number }) => Promise<Answer<{}>>;
    /**
     * Make a channel no longer a default one for new users.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.defaultChannels.remove({ stream_id: 3 });
     */
    remove: (parameters: { stream_id: number }) => Promise<Answer<{}>>;
  };
  channelFolders: {
    /**
     * List the folders of channels.
     *
     * @param parameters
     * - `include_archived` (optional): Archived folders too.
     */
    list: (parameters?: { include_archived?: boolean | undefined }) => Promise<Answer<{
      channel_folders: ChannelFolderObject[];
    }>>;
    /**
     * Create a folder for channels.
     *
     * What `folder_id` of a channel refers to. Administrators only.
     *
     * @param parameters
     * - `name`: Unique among folders in use, without regard to case.
     * - `description` (optional): Markdown, one line.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.channelFolders.create({ name: 'Teams' });
     */
    create: (parameters: { name: string; description?: string | undefined }) => Promise<Answer<{
      channel_folder_id: number;
    }>>;
    /**
     * Change a channel folder's name or description, archive it or bring it back.
     *
     * A folder with channels in it cannot be archived. Administrators only.
     *
     * @param parameters
     * - `channel_folder_id`
     * - `name` (optional): Unique among folders in use, without regard to case.
     * - `description` (optional): Markdown, one line.
     * - `is_archived` (optional): true archives it, false brings it back.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.channelFolders.edit({ channel_folder_id: 2, name: 'Groups' });
     */
    edit: (parameters: {
      channel_folder_id: number;
      name?: string | undefined;
      description?: string | undefined;
      is_archived?: boolean | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Change the order of the channel folders.
     *
     * @param parameters
     * - `order`: Every folder, archived ones too, each once.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.channelFolders.reorder({ order: [ 2, 1 ] });
     */
    reorder: (parameters: { order: readonly number[] }) => Promise<Answer<{}>>;
  };
  subscriptions: {
    /**
     * List your subscriptions.
     *
     * @param parameters
     * - `include_subscribers` (optional): Include the ids of all subscribers of each channel.
     *
     * @throws BadRequest
     */
    list: (parameters?: { include_subscribers?: boolean | 'partial' | undefined }) => Promise<Answer<{
      subscriptions: SubscriptionObject[];
    }>>;
    /**
     * Find out whether somebody is subscribed to a channel.
     *
     * Of anybody you can see, in any channel that you may know of.
     *
     * @param parameters
     * - `user_id`
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.subscriptions.get({ user_id: 9, stream_id: 3 });
     */
    get: (parameters: { user_id: number; stream_id: number }) => Promise<Answer<{ is_subscribed: boolean }>>;
    /**
     * Subscribe yourself or others to channels, creating those that do not exist.
     *
     * Channels times users can be 10000 in one request.
     *
     * @param parameters
     * - `subscriptions`: Channels by name; description and settings apply to those that are created.
     * - `principals` (optional): Users to subscribe; you yourself when absent.
     * - `authorization_errors_fatal` (optional): Whether a channel you cannot join fails the whole request.
     * - `send_new_subscription_messages` (optional): Whether the notification bot writes to new subscribers.
     * - `announce` (optional): Let the notification bot announce the new channel, a private one by its name too.
     * - `invite_only` (optional): Make it private.
     * - `is_web_public` (optional): Open it to everybody on the web.
     * - `is_default_stream` (optional): Subscribe new users to it.
     * - `folder_id` (optional): Channel folder to add it to.
     * - `topics_policy` (optional): Whether messages may or must have no topic.
     * - `history_public_to_subscribers` (optional): Whether new subscribers see earlier messages.
     * - `message_retention_days` (optional): Days messages are kept, or realm_default, or unlimited.
     * - `can_add_subscribers_group` (optional): Who may add subscribers.
     * - `can_delete_any_message_group` (optional): Who may delete any message in the channel.
     * - `can_delete_own_message_group` (optional): Who may delete their own messages in the channel.
     * - `can_remove_subscribers_group` (optional): Who may remove subscribers.
     * - `can_administer_channel_group` (optional): Who may administer the channel.
     * - `can_move_messages_out_of_channel_group` (optional): Who may move messages out of the channel.
     * - `can_move_messages_within_channel_group` (optional): Who may move messages between topics.
     * - `can_send_message_group` (optional): Who may post.
     * - `can_subscribe_group` (optional): Who may subscribe although the channel is private.
     * - `can_resolve_topics_group` (optional): Who may resolve topics.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.subscriptions.add({ subscriptions: [ { name: 'general' } ] });
     */
    add: (parameters: {
      announce?: boolean | undefined;
      invite_only?: boolean | undefined;
      is_web_public?: boolean | undefined;
      is_default_stream?: boolean | undefined;
      folder_id?: number | undefined;
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      history_public_to_subscribers?: boolean | undefined;
      message_retention_days?: number | string | undefined;
      can_add_subscribers_group?: GroupSettingParam | undefined;
      can_delete_any_message_group?: GroupSettingParam | undefined;
      can_delete_own_message_group?: GroupSettingParam | undefined;
      can_remove_subscribers_group?: GroupSettingParam | undefined;
      can_administer_channel_group?: GroupSettingParam | undefined;
      can_move_messages_out_of_channel_group?: GroupSettingParam | undefined;
      can_move_messages_within_channel_group?: GroupSettingParam | undefined;
      can_send_message_group?: GroupSettingParam | undefined;
      can_subscribe_group?: GroupSettingParam | undefined;
      can_resolve_topics_group?: GroupSettingParam | undefined;
      subscriptions: ChannelsToJoinParam;
      principals?: readonly number[] | readonly string[] | undefined;
      authorization_errors_fatal?: boolean | undefined;
      send_new_subscription_messages?: boolean | undefined;
    }) => Promise<Answer<{
      subscribed: { [key: string]: string[] };
      already_subscribed: { [key: string]: string[] };
      unauthorized?: string[] | undefined;
      new_subscription_messages_sent?: boolean | undefined;
    }>>;
    /**
     * Unsubscribe yourself or others from channels.
     *
     * Others may be removed by administrators, by the owner of a bot, and by those the channel lets remove subscribers. Channels times users can be 10000 in one request; many are removed in parts, each with events of its own.
     *
     * @param parameters
     * - `subscriptions`: Names of the channels.
     * - `principals` (optional): User IDs (preferred) or API addresses; you yourself when absent.
     *
     * @throws BadRequest, StreamDoesNotExist
     *
     * @example
     * await session.subscriptions.remove({ subscriptions: [ 'general' ] });
     */
    remove: (parameters: {
      subscriptions: readonly string[];
      principals?: readonly number[] | readonly string[] | undefined;
    }) => Promise<Answer<{ removed: string[]; not_removed: string[] }>>;
    /**
     * Subscribe yourself to some channels and unsubscribe from others, in one call.
     *
     * Everything is checked before anything is done. Channels that do not exist are created, public ones.
     *
     * @param parameters
     * - `add` (optional): Channels to subscribe to, by name; the description is for one that is created.
     * - `delete` (optional): Names of channels to unsubscribe from.
     *
     * @throws BadRequest, StreamDoesNotExist, UnauthorizedPrincipal
     *
     * @example
     * await session.subscriptions.update({ add: [ { name: 'lunch' } ], delete: [ 'general' ] });
     */
    update: (parameters?: { add?: ChannelsToJoinParam | undefined; delete?: readonly string[] | undefined }) => Promise<Answer<{
      subscribed: { [key: string]: string[] };
      already_subscribed: { [key: string]: string[] };
      removed: string[];
      not_removed: string[];
    }>>;
    /**
     * Change your own settings of channels: colour, muting, pinning, notifications.
     *
     * @param parameters
     * - `subscription_data`: Changes, each with stream_id, property and value.
     *
     * @throws BadRequest
     *
     * @example
     * await session.subscriptions.updateProperties({ subscription_data: [ { stream_id: 3, property: 'is_muted', value: true } ] });
     */
    updateProperties: (parameters: {
      subscription_data: readonly {
        stream_id: number;
        property:
          | 'audible_notifications'
          | 'color'
          | 'desktop_notifications'
          | 'email_notifications'
          | 'in_home_view'
          | 'is_muted'
          | 'pin_to_top'
          | 'push_notifications'
          | 'wildcard_mentions_notify';
        value: boolean | string;
      }[];
    }) => Promise<Answer<{}>>;
  };
  invites: {
    /**
     * List invitations that nobody has accepted yet.
     *
     * Your own; all of them for administrators. What has expired or was revoked is not among them.
     */
    list: (parameters?: {}) => Promise<Answer<{
      invites: {
        id: number;
        invited_by_user_id: number;
        invited: number;
        expiry_date: number | null;
        invited_as: number;
        is_multiuse: boolean;
        email?: string | undefined;
        notify_referrer_on_join?: boolean | undefined;
        link_url?: string | undefined;
        email_state?: 'failed' | 'sent' | 'waiting' | undefined;
        email_error?: string | undefined;
      }[];
    }>>;
    /**
     * Invite people by e-mail.
     *
     * Each gets a link that is for them alone. Addresses that have accounts are left out, which is refused with INVITATION_FAILED although the others were invited; where an address is no address, nobody is.
     *
     * @param parameters
     * - `group_ids` (optional): User groups to join; you must be allowed to add people to them.
     * - `include_realm_default_subscriptions` (optional): Whether to subscribe to the default channels, as they are by then.
     * - `invite_as` (optional): Role of the new account: as powerful as yours at most.
     * - `invite_expires_in_minutes` (optional): null: never. When absent, as the server is configured; 10 days unless it says otherwise.
     * - `invitee_emails`: Addresses apart by commas or line ends, also as `Name <address>`; 1000 at most.
     * - `notify_referrer_on_join` (optional): Whether the notification bot tells you when somebody has joined.
     * - `stream_ids`: Channels to subscribe to: default channels, or such to which you may add subscribers.
     * - `welcome_message_custom_text` (optional): What the welcome bot writes, from administrators alone. null: what the organization has for everybody; empty: nothing.
     *
     * @throws BadRequest, InvitationFailed
     *
     * @example
     * await session.invites.send({ invitee_emails: 'ben@example.com, Cleo <cleo@example.com>', stream_ids: [] });
     */
    send: (parameters: {
      group_ids?: readonly number[] | undefined;
      include_realm_default_subscriptions?: boolean | undefined;
      invite_as?: 100 | 200 | 300 | 400 | 600 | undefined;
      invite_expires_in_minutes?: number | null | undefined;
      invitee_emails: string;
      notify_referrer_on_join?: boolean | undefined;
      stream_ids: readonly number[];
      welcome_message_custom_text?: string | null | undefined;
    }) => Promise<Answer<{
      invitations?: { id: number; email: string; link_url?: string | undefined }[] | undefined;
    }>>;
    /**
     * Create a link by which many people can join.
     *
     * Whoever has the link can join until it expires or is revoked.
     *
     * @param parameters
     * - `group_ids` (optional): User groups to join; you must be allowed to add people to them.
     * - `include_realm_default_subscriptions` (optional): Whether to subscribe to the default channels, as they are by then.
     * - `invite_as` (optional): Role of the new account: as powerful as yours at most.
     * - `invite_expires_in_minutes` (optional): null: never. When absent, as the server is configured; 10 days unless it says otherwise.
     * - `stream_ids` (optional): Channels to subscribe to: default channels, or such to which you may add subscribers.
     * - `welcome_message_custom_text` (optional): What the welcome bot writes, from administrators alone. null: what the organization has for everybody; empty: nothing.
     *
     * @throws BadRequest
     *
     * @example
     * await session.invites.createMultiuse({ invite_expires_in_minutes: 1440 });
     */
    createMultiuse: (parameters?: {
      group_ids?: readonly number[] | undefined;
      include_realm_default_subscriptions?: boolean | undefined;
      invite_as?: 100 | 200 | 300 | 400 | 600 | undefined;
      invite_expires_in_minutes?: number | null | undefined;
      stream_ids?: readonly number[] | undefined;
      welcome_message_custom_text?: string | null | undefined;
    }) => Promise<Answer<{ invite_link: string }>>;
    /**
     * Send the e-mail of an invitation again.
     *
     * Your own; any for administrators, but to be an owner for owners alone. It expires when it would have.
     *
     * @param parameters
     * - `invite_id`
     *
     * @throws BadRequest, InvitationFailed, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.resend({ invite_id: 7 });
     */
    resend: (parameters: { invite_id: number }) => Promise<Answer<{ link_url?: string | undefined }>>;
    /**
     * Take back an invitation sent by e-mail.
     *
     * Your own; any for administrators, but to be an owner for owners alone. Its link works no more.
     *
     * @param parameters
     * - `invite_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.revoke({ invite_id: 7 });
     */
    revoke: (parameters: { invite_id: number }) => Promise<Answer<{}>>;
    /**
     * Take back a link by which many people can join.
     *
     * Your own; any for administrators, but to be an owner for owners alone. Who has joined by it stays.
     *
     * @param parameters
     * - `invite_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.revokeMultiuse({ invite_id: 7 });
     */
    revokeMultiuse: (parameters: { invite_id: number }) => Promise<Answer<{}>>;
    /**
     * See what an invitation is about, before accepting it.
     *
     * For whoever has the link. One that lets nobody in is refused with INVITATION_UNUSABLE, whose `reason` is unknown, expired, revoked or used.
     *
     * @param parameters
     * - `key`: What its link ends in.
     *
     * @throws InvitationUnusable
     *
     * @example
     * await session.invites.preview({ key: 'q1Zc7P0aXw9RkT3mB8vYdL2s' });
     */
    preview: (parameters: { key: string }) => Promise<Answer<{
      realm_name: string;
      realm_description: string;
      invited_by: string;
      invited_as: number;
      email: string | null;
      must_confirm_address: boolean;
      expiry_date: number | null;
      channels: string[];
      groups: string[];
    }>>;
    /**
     * Have a link sent by which you join with your address.
     *
     * For whoever has an invitation link that is for many, on a server that sends e-mail. Who reads the mail of the address joins by the link in it, once, within 24 hours and before the invitation ends. The answer is the same whether or not there is an account with the address, to which the e-mail says so. An address gets two in an hour at most, and five in a day.
     *
     * @param parameters
     * - `key`: What its link ends in.
     * - `email`: Your address.
     *
     * @throws BadRequest, InvitationUnusable
     *
     * @example
     * await session.invites.confirmAddress({ key: 'q1Zc7P0aXw9RkT3mB8vYdL2s', email: 'ben@example.com' });
     */
    confirmAddress: (parameters: { key: string; email: string }) => Promise<Answer<{}>>;
    /**
     * Accept an invitation: create an account with it.
     *
     * For whoever has the link. The account has the role, channels and groups of the invitation, as far as whoever invited may still give them. By a link for many, on a server that sends e-mail, the address is confirmed first (`invites.confirmAddress`); the key is then that of the link in the e-mail.
     *
     * @param parameters
     * - `key`: What its link ends in.
     * - `email` (optional): Your address; only where the link does not name it. Where e-mail is sent, it is confirmed before.
     * - `full_name`: Your name, 2 to 100 characters.
     * - `password` (optional): For signing in; at least 8 characters, and not the name or address. Without one, there is the API key alone.
     * - `timezone` (optional): IANA time zone, such as Europe/Copenhagen.
     * - `default_language` (optional): Code of your language, such as de or pt-BR.
     *
     * @throws AddressNotConfirmed, BadRequest, EmailAlreadyInUse, InvitationUnusable, PasswordTooWeak
     *
     * @example
     * await session.invites.accept({
     *   key: 'q1Zc7P0aXw9RkT3mB8vYdL2s',
     *   full_name: 'Ben Ngo',
     *   password: 'correct horse battery staple'
     * });
     */
    accept: (parameters: {
      key: string;
      email?: string | undefined;
      full_name: string;
      password?: string | undefined;
      timezone?: string | undefined;
      default_language?: string | undefined;
    }) => Promise<Answer<{ user_id: number; email: string; api_key: string }>>;
    /**
     * Have a welcome sent to yourself, to see how whoever joins will see it.
     *
     * It is stored nowhere else.
     *
     * @param parameters
     * - `welcome_message_custom_text`: What the welcome bot writes.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.tryWelcome({ welcome_message_custom_text: 'Be **welcome**.' });
     */
    tryWelcome: (parameters: { welcome_message_custom_text: string }) => Promise<Answer<{ message_id: number }>>;
  };
  profileFields: {
    /**
     * List the organization's custom profile fields.
     *
     * In the order in which profiles show them.
     */
    list: (parameters?: {}) => Promise<Answer<{ custom_fields: ProfileFieldObject[] }>>;
    /**
     * Add a field to the profiles of the organization.
     *
     * Shown after all others. Administrators only.
     *
     * @param parameters
     * - `field_type`: 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.
     * - `name` (optional): At most 40 characters; unique. A site that is known has its own.
     * - `hint` (optional): What to fill in, at most 80 characters.
     * - `display_in_profile_summary` (optional): Whether summaries show it; at most 2 fields, none of long text or people.
     * - `required` (optional): Whether clients ask people to fill it in.
     * - `editable_by_user` (optional): Whether people fill it in themselves.
     * - `field_data` (optional): For a list of options, by their keys: `{"0":{"text":"Vegan","order":"1"}}`. For an external account: `{"subtype":"github"}`, or `{"subtype":"custom","url_pattern":"https://example.com/%(username)s"}`.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.profileFields.create({ name: 'Favourite food', hint: 'Or drink', field_type: 1 });
     */
    create: (parameters: {
      field_type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
      field_data?: FieldData | undefined;
      name?: string | undefined;
      hint?: string | undefined;
      display_in_profile_summary?: boolean | undefined;
      required?: boolean | undefined;
      editable_by_user?: boolean | undefined;
    }) => Promise<Answer<{ id: number }>>;
    /**
     * Change a custom profile field.
     *
     * Its type stays. An option of a list that is left out is taken from whoever chose it. Of an account on a site that is known, name, hint and data stay too. Administrators only.
     *
     * @param parameters
     * - `field_id`
     * - `name` (optional): At most 40 characters; unique. A site that is known has its own.
     * - `hint` (optional): What to fill in, at most 80 characters.
     * - `display_in_profile_summary` (optional): Whether summaries show it; at most 2 fields, none of long text or people.
     * - `required` (optional): Whether clients ask people to fill it in.
     * - `editable_by_user` (optional): Whether people fill it in themselves.
     * - `field_data` (optional): For a list of options, by their keys: `{"0":{"text":"Vegan","order":"1"}}`. For an external account: `{"subtype":"github"}`, or `{"subtype":"custom","url_pattern":"https://example.com/%(username)s"}`.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.profileFields.edit({ field_id: 4, hint: 'Or drink' });
     */
    edit: (parameters: {
      field_id: number;
      field_data?: FieldData | undefined;
      name?: string | undefined;
      hint?: string | undefined;
      display_in_profile_summary?: boolean | undefined;
      required?: boolean | undefined;
      editable_by_user?: boolean | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Remove a custom profile field, with what everybody has there.
     *
     * It cannot be brought back. Administrators only.
     *
     * @param parameters
     * - `field_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.profileFields.remove({ field_id: 4 });
     */
    remove: (parameters: { field_id: number }) => Promise<Answer<{}>>;
    /**
     * Change the order in which profiles show their fields.
     *
     * Administrators only.
     *
     * @param parameters
     * - `order`: Every field by its ID, each once.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.profileFields.reorder({ order: [ 2, 1 ] });
     */
    reorder: (parameters: { order: readonly number[] }) => Promise<Answer<{}>>;
    /**
     * Fill in custom fields of your own profile.
     *
     * Everything given is applied or nothing is. Some fields are for administrators to fill in.
     *
     * @param parameters
     * - `data`: What to fill in, by the ID of the field: `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.profileFields.set({ data: [ { id: 4, value: 'Soup' } ] });
     */
    set: (parameters: { data: ProfileDataParam }) => Promise<Answer<{}>>;
    /**
     * Empty custom fields of your own profile.
     *
     * @param parameters
     * - `data`: IDs of the fields.
     *
     * @throws BadRequest
     *
     * @example
     * await session.profileFields.unset({ data: [ 4 ] });
     */
    unset: (parameters: { data: readonly number[] }) => Promise<Answer<{}>>;
  };
  avatars: {
    /**
     * Upload a picture of yourself.
     *
     * Its middle is made 100 by 100 pixels, and 500 by 500; of an animation the first frame.
     *
     * @param parameters
     * - `file`: PNG, JPEG, GIF, WebP or AVIF.
     *
     * @throws BadRequest, BadImage
     */
    upload: (parameters: { file: Blob }) => Promise<Answer<{ avatar_url: string }>>;
    /**
     * Remove the picture of yourself.
     *
     * You get the one of new accounts: generated by the server, or of Gravatar (`default_avatar_source`).
     *
     * @throws BadRequest
     */
    remove: (parameters?: {}) => Promise<Answer<{ avatar_url: string }>>;
  };
  settings: {
    /**
     * Change your own name and settings.
     *
     * Most are preferences that clients keep here and act on. Everything given is applied or nothing is. With another password your API key goes on working, and links that would have set one do not; you are told by e-mail.
     *
     * @param parameters
     * - `full_name` (optional): Of 2 to 100 characters.
     * - `timezone` (optional): IANA time zone, such as Europe/Copenhagen; empty: not known.
     * - `email_address_visibility` (optional): Who may see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
     * - `twenty_four_hour_time` (optional): Show times as 14:00, not as 2:00 PM.
     * - `default_language` (optional): Code of the language, such as de or pt-BR.
     * - `color_scheme` (optional): 1 automatic, 2 dark, 3 light.
     * - `emojiset` (optional): How emoji are drawn.
     * - `translate_emoticons` (optional): Turn emoticons such as :) into emoji in what you send.
     * - `display_emoji_reaction_users` (optional): Show the names of those who reacted.
     * - `starred_message_counts` (optional): Show how many messages are starred.
     * - `enter_sends` (optional): Send with Enter alone.
     * - `high_contrast_mode` (optional): Show more contrast.
     * - `fluid_layout_width` (optional): Use the whole width of the window.
     * - `left_side_userlist` (optional): Show the list of people on the left.
     * - `hide_ai_features` (optional): Hide what artificial intelligence would do.
     * - `demote_inactive_streams` (optional): Move inactive channels down: 1 automatically, 2 always, 3 never.
     * - `user_list_style` (optional): People in lists: 1 compact, 2 with status, 3 with picture and status.
     * - `web_animate_image_previews` (optional): When animated images move.
     * - `web_channel_default_view` (optional): What opens with a channel: 1 its newest topic, 2 its messages, 3 its topics, 4 its first unread topic.
     * - `web_escape_navigates_to_home_view` (optional): Go to the home view with Escape.
     * - `web_font_size_px` (optional): Pixels.
     * - `web_home_view` (optional): What opens first.
     * - `web_inbox_show_channel_folders` (optional): Group channels by folder in the inbox.
     * - `web_left_sidebar_show_channel_folders` (optional): Group channels by folder in the sidebar.
     * - `web_left_sidebar_unreads_count_summary` (optional): Show the count of unread messages in the sidebar.
     * - `web_line_height_percent` (optional): Percent of the font size.
     * - `web_mark_read_on_scroll_policy` (optional): Mark as read on scrolling: 1 always, 2 in conversations, 3 never.
     * - `web_navigate_to_sent_message` (optional): Go where a message was sent to.
     * - `web_stream_unreads_count_display_policy` (optional): Count unread: 1 in all channels, 2 in unmuted ones, 3 in none.
     * - `web_suggest_update_timezone` (optional): Offer to change the time zone when the device has another.
     * - `presence_enabled` (optional): Let others see whether you are there.
     * - `send_private_typing_notifications` (optional): Let others see that you type in direct messages.
     * - `send_stream_typing_notifications` (optional): Let others see that you type in channels.
     * - `receives_typing_notifications` (optional): See that others type.
     * - `send_read_receipts` (optional): Let others see what you have read.
     * - `allow_private_data_export` (optional): Agree to your private data being part of an export.
     * - `enable_drafts_synchronization` (optional): Keep drafts on the server; off, those that are there are removed.
     * - `enable_desktop_notifications` (optional): Desktop notifications of direct messages and mentions.
     * - `enable_sounds` (optional): Sounds of direct messages and mentions.
     * - `enable_offline_email_notifications` (optional): E-mail about direct messages and mentions while you are away.
     * - `enable_offline_push_notifications` (optional): Push notifications of direct messages and mentions while you are away.
     * - `enable_online_push_notifications` (optional): Push notifications while you are there, too.
     * - `enable_stream_desktop_notifications` (optional): Desktop notifications of channel messages.
     * - `enable_stream_email_notifications` (optional): E-mail about channel messages.
     * - `enable_stream_push_notifications` (optional): Push notifications of channel messages.
     * - `enable_stream_audible_notifications` (optional): Sounds of channel messages.
     * - `enable_followed_topic_desktop_notifications` (optional): Desktop notifications of followed topics.
     * - `enable_followed_topic_email_notifications` (optional): E-mail about followed topics.
     * - `enable_followed_topic_push_notifications` (optional): Push notifications of followed topics.
     * - `enable_followed_topic_audible_notifications` (optional): Sounds of followed topics.
     * - `wildcard_mentions_notify` (optional): Notify of mentions of everybody.
     * - `enable_followed_topic_wildcard_mentions_notify` (optional): Notify of mentions of everybody in followed topics.
     * - `pm_content_in_desktop_notifications` (optional): Show what direct messages say in desktop notifications.
     * - `message_content_in_email_notifications` (optional): Show what messages say in e-mail.
     * - `notification_sound` (optional): Name of a sound, or none.
     * - `desktop_icon_count_display` (optional): Count on the icon: 1 everything unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.
     * - `email_notifications_batching_period_seconds` (optional): How long e-mail about messages is collected.
     * - `realm_name_in_email_notifications_policy` (optional): Organization named in e-mail: 1 automatically, 2 always, 3 never.
     * - `enable_digest_emails` (optional): Digests by e-mail.
     * - `enable_login_emails` (optional): E-mail about new logins.
     * - `enable_marketing_emails` (optional): Occasional announcements by e-mail.
     * - `automatically_follow_topics_policy` (optional): Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_unmute_topics_in_muted_streams_policy` (optional): Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_follow_topics_where_mentioned` (optional): Follow topics in which you are mentioned.
     * - `resolved_topic_notice_auto_read_policy` (optional): Whether notices of resolved topics are marked as read.
     * - `old_password` (optional): The present password, where you have one and set another.
     * - `new_password` (optional): Another password: at least 8 characters, and not your name or address. An empty one changes nothing.
     *
     * @throws BadRequest, PasswordTooWeak
     *
     * @example
     * await session.settings.edit({ timezone: 'Europe/Copenhagen' });
     */
    edit: (parameters?: {
      full_name?: string | undefined;
      timezone?: string | undefined;
      email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined;
      old_password?: string | undefined;
      new_password?: string | undefined;
      twenty_four_hour_time?: boolean | undefined;
      default_language?: string | undefined;
      color_scheme?: 1 | 2 | 3 | undefined;
      emojiset?: 'google' | 'text' | undefined;
      translate_emoticons?: boolean | undefined;
      display_emoji_reaction_users?: boolean | undefined;
      starred_message_counts?: boolean | undefined;
      enter_sends?: boolean | undefined;
      high_contrast_mode?: boolean | undefined;
      fluid_layout_width?: boolean | undefined;
      left_side_userlist?: boolean | undefined;
      hide_ai_features?: boolean | undefined;
      demote_inactive_streams?: 1 | 2 | 3 | undefined;
      user_list_style?: 1 | 2 | 3 | undefined;
      web_animate_image_previews?: 'always' | 'never' | 'on_hover' | undefined;
      web_channel_default_view?: 1 | 2 | 3 | 4 | undefined;
      web_escape_navigates_to_home_view?: boolean | undefined;
      web_font_size_px?: number | undefined;
      web_home_view?: 'all_messages' | 'inbox' | 'recent_topics' | undefined;
      web_inbox_show_channel_folders?: boolean | undefined;
      web_left_sidebar_show_channel_folders?: boolean | undefined;
      web_left_sidebar_unreads_count_summary?: boolean | undefined;
      web_line_height_percent?: number | undefined;
      web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined;
      web_navigate_to_sent_message?: boolean | undefined;
      web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined;
      web_suggest_update_timezone?: boolean | undefined;
      presence_enabled?: boolean | undefined;
      send_private_typing_notifications?: boolean | undefined;
      send_stream_typing_notifications?: boolean | undefined;
      receives_typing_notifications?: boolean | undefined;
      send_read_receipts?: boolean | undefined;
      allow_private_data_export?: boolean | undefined;
      enable_drafts_synchronization?: boolean | undefined;
      enable_desktop_notifications?: boolean | undefined;
      enable_sounds?: boolean | undefined;
      enable_offline_email_notifications?: boolean | undefined;
      enable_offline_push_notifications?: boolean | undefined;
      enable_online_push_notifications?: boolean | undefined;
      enable_stream_desktop_notifications?: boolean | undefined;
      enable_stream_email_notifications?: boolean | undefined;
      enable_stream_push_notifications?: boolean | undefined;
      enable_stream_audible_notifications?: boolean | undefined;
      enable_followed_topic_desktop_notifications?: boolean | undefined;
      enable_followed_topic_email_notifications?: boolean | undefined;
      enable_followed_topic_push_notifications?: boolean | undefined;
      enable_followed_topic_audible_notifications?: boolean | undefined;
      wildcard_mentions_notify?: boolean | undefined;
      enable_followed_topic_wildcard_mentions_notify?: boolean | undefined;
      pm_content_in_desktop_notifications?: boolean | undefined;
      message_content_in_email_notifications?: boolean | undefined;
      notification_sound?: string | undefined;
      desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined;
      email_notifications_batching_period_seconds?: number | undefined;
      realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined;
      enable_digest_emails?: boolean | undefined;
      enable_login_emails?: boolean | undefined;
      enable_marketing_emails?: boolean | undefined;
      automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined;
      automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined;
      automatically_follow_topics_where_mentioned?: boolean | undefined;
      resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined;
    }) => Promise<Answer<{}>>;
  };
  userSettingsDefaults: {
    /**
     * Change which personal settings new accounts begin with.
     *
     * Accounts that exist keep what they have. Everything given is applied or nothing is.
     *
     * @param parameters
     * - `email_address_visibility` (optional): Who may see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
     * - `twenty_four_hour_time` (optional): Show times as 14:00, not as 2:00 PM.
     * - `default_language` (optional): Code of the language, such as de or pt-BR.
     * - `color_scheme` (optional): 1 automatic, 2 dark, 3 light.
     * - `emojiset` (optional): How emoji are drawn.
     * - `translate_emoticons` (optional): Turn emoticons such as :) into emoji in what you send.
     * - `display_emoji_reaction_users` (optional): Show the names of those who reacted.
     * - `starred_message_counts` (optional): Show how many messages are starred.
     * - `enter_sends` (optional): Send with Enter alone.
     * - `high_contrast_mode` (optional): Show more contrast.
     * - `fluid_layout_width` (optional): Use the whole width of the window.
     * - `left_side_userlist` (optional): Show the list of people on the left.
     * - `hide_ai_features` (optional): Hide what artificial intelligence would do.
     * - `demote_inactive_streams` (optional): Move inactive channels down: 1 automatically, 2 always, 3 never.
     * - `user_list_style` (optional): People in lists: 1 compact, 2 with status, 3 with picture and status.
     * - `web_animate_image_previews` (optional): When animated images move.
     * - `web_channel_default_view` (optional): What opens with a channel: 1 its newest topic, 2 its messages, 3 its topics, 4 its first unread topic.
     * - `web_escape_navigates_to_home_view` (optional): Go to the home view with Escape.
     * - `web_font_size_px` (optional): Pixels.
     * - `web_home_view` (optional): What opens first.
     * - `web_inbox_show_channel_folders` (optional): Group channels by folder in the inbox.
     * - `web_left_sidebar_show_channel_folders` (optional): Group channels by folder in the sidebar.
     * - `web_left_sidebar_unreads_count_summary` (optional): Show the count of unread messages in the sidebar.
     * - `web_line_height_percent` (optional): Percent of the font size.
     * - `web_mark_read_on_scroll_policy` (optional): Mark as read on scrolling: 1 always, 2 in conversations, 3 never.
     * - `web_navigate_to_sent_message` (optional): Go where a message was sent to.
     * - `web_stream_unreads_count_display_policy` (optional): Count unread: 1 in all channels, 2 in unmuted ones, 3 in none.
     * - `web_suggest_update_timezone` (optional): Offer to change the time zone when the device has another.
     * - `presence_enabled` (optional): Let others see whether you are there.
     * - `send_private_typing_notifications` (optional): Let others see that you type in direct messages.
     * - `send_stream_typing_notifications` (optional): Let others see that you type in channels.
     * - `receives_typing_notifications` (optional): See that others type.
     * - `send_read_receipts` (optional): Let others see what you have read.
     * - `allow_private_data_export` (optional): Agree to your private data being part of an export.
     * - `enable_drafts_synchronization` (optional): Keep drafts on the server; off, those that are there are removed.
     * - `enable_desktop_notifications` (optional): Desktop notifications of direct messages and mentions.
     * - `enable_sounds` (optional): Sounds of direct messages and mentions.
     * - `enable_offline_email_notifications` (optional): E-mail about direct messages and mentions while you are away.
     * - `enable_offline_push_notifications` (optional): Push notifications of direct messages and mentions while you are away.
     * - `enable_online_push_notifications` (optional): Push notifications while you are there, too.
     * - `enable_stream_desktop_notifications` (optional): Desktop notifications of channel messages.
     * - `enable_stream_email_notifications` (optional): E-mail about channel messages.
     * - `enable_stream_push_notifications` (optional): Push notifications of channel messages.
     * - `enable_stream_audible_notifications` (optional): Sounds of channel messages.
     * - `enable_followed_topic_desktop_notifications` (optional): Desktop notifications of followed topics.
     * - `enable_followed_topic_email_notifications` (optional): E-mail about followed topics.
     * - `enable_followed_topic_push_notifications` (optional): Push notifications of followed topics.
     * - `enable_followed_topic_audible_notifications` (optional): Sounds of followed topics.
     * - `wildcard_mentions_notify` (optional): Notify of mentions of everybody.
     * - `enable_followed_topic_wildcard_mentions_notify` (optional): Notify of mentions of everybody in followed topics.
     * - `pm_content_in_desktop_notifications` (optional): Show what direct messages say in desktop notifications.
     * - `message_content_in_email_notifications` (optional): Show what messages say in e-mail.
     * - `notification_sound` (optional): Name of a sound, or none.
     * - `desktop_icon_count_display` (optional): Count on the icon: 1 everything unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.
     * - `email_notifications_batching_period_seconds` (optional): How long e-mail about messages is collected.
     * - `realm_name_in_email_notifications_policy` (optional): Organization named in e-mail: 1 automatically, 2 always, 3 never.
     * - `enable_digest_emails` (optional): Digests by e-mail.
     * - `enable_login_emails` (optional): E-mail about new logins.
     * - `enable_marketing_emails` (optional): Occasional announcements by e-mail.
     * - `automatically_follow_topics_policy` (optional): Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_unmute_topics_in_muted_streams_policy` (optional): Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_follow_topics_where_mentioned` (optional): Follow topics in which you are mentioned.
     * - `resolved_topic_notice_auto_read_policy` (optional): Whether notices of resolved topics are marked as read.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.userSettingsDefaults.edit({ email_address_visibility: 3 });
     */
    edit: (parameters?: {
      email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined;
      twenty_four_hour_time?: boolean | undefined;
      default_language?: string | undefined;
      color_scheme?: 1 | 2 | 3 | undefined;
      emojiset?: 'google' | 'text' | undefined;
      translate_emoticons?: boolean | undefined;
      display_emoji_reaction_users?: boolean | undefined;
      starred_message_counts?: boolean | undefined;
      enter_sends?: boolean | undefined;
      high_contrast_mode?: boolean | undefined;
      fluid_layout_width?: boolean | undefined;
      left_side_userlist?: boolean | undefined;
      hide_ai_features?: boolean | undefined;
      demote_inactive_streams?: 1 | 2 | 3 | undefined;
      user_list_style?: 1 | 2 | 3 | undefined;
      web_animate_image_previews?: 'always' | 'never' | 'on_hover' | undefined;
      web_channel_default_view?: 1 | 2 | 3 | 4 | undefined;
      web_escape_navigates_to_home_view?: boolean | undefined;
      web_font_size_px?: number | undefined;
      web_home_view?: 'all_messages' | 'inbox' | 'recent_topics' | undefined;
      web_inbox_show_channel_folders?: boolean | undefined;
      web_left_sidebar_show_channel_folders?: boolean | undefined;
      web_left_sidebar_unreads_count_summary?: boolean | undefined;
      web_line_height_percent?: number | undefined;
      web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined;
      web_navigate_to_sent_message?: boolean | undefined;
      web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined;
      web_suggest_update_timezone?: boolean | undefined;
      presence_enabled?: boolean | undefined;
      send_private_typing_notifications?: boolean | undefined;
      send_stream_typing_notifications?: boolean | undefined;
      receives_typing_notifications?: boolean | undefined;
      send_read_receipts?: boolean | undefined;
      allow_private_data_export?: boolean | undefined;
      enable_drafts_synchronization?: boolean | undefined;
      enable_desktop_notifications?: boolean | undefined;
      enable_sounds?: boolean | undefined;
      enable_offline_email_notifications?: boolean | undefined;
      enable_offline_push_notifications?: boolean | undefined;
      enable_online_push_notifications?: boolean | undefined;
      enable_stream_desktop_notifications?: boolean | undefined;
      enable_stream_email_notifications?: boolean | undefined;
      enable_stream_push_notifications?: boolean | undefined;
      enable_stream_audible_notifications?: boolean | undefined;
      enable_followed_topic_desktop_notifications?: boolean | undefined;
      enable_followed_topic_email_notifications?: boolean | undefined;
      enable_followed_topic_push_notifications?: boolean | undefined;
      enable_followed_topic_audible_notifications?: boolean | undefined;
      wildcard_mentions_notify?: boolean | undefined;
      enable_followed_topic_wildcard_mentions_notify?: boolean | undefined;
      pm_content_in_desktop_notifications?: boolean | undefined;
      message_content_in_email_notifications?: boolean | undefined;
      notification_sound?: string | undefined;
      desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined;
      email_notifications_batching_period_seconds?: number | undefined;
      realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined;
      enable_digest_emails?: boolean | undefined;
      enable_login_emails?: boolean | undefined;
      enable_marketing_emails?: boolean | undefined;
      automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined;
      automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined;
      automatically_follow_topics_where_mentioned?: boolean | undefined;
      resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined;
    }) => Promise<Answer<{}>>;
  };
  userStatus: {
    /**
     * Let others know what you are doing: a short text, an emoji, or both.
     *
     * What is not given stays as it is.
     *
     * @param parameters
     * - `status_text` (optional): At most 60 characters, without line breaks; empty: none.
     * - `emoji_name` (optional): Name without colons: tada. Empty: none.
     * - `emoji_code` (optional): What identifies the emoji within its kind; found by the name when absent.
     * - `reaction_type` (optional): unicode_emoji, realm_emoji or zulip_extra_emoji; found by the name when absent.
     * - `away` (optional): Legacy: whether to switch presence off, as the setting presence_enabled does.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userStatus.set({ status_text: 'in a meeting', emoji_name: 'calendar' });
     */
    set: (parameters?: {
      status_text?: string | undefined;
      emoji_name?: string | undefined;
      emoji_code?: string | undefined;
      reaction_type?: string | undefined;
      away?: boolean | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Get somebody's status.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.userStatus.get({ user_id: 9 });
     */
    get: (parameters: { user_id: number }) => Promise<Answer<{ status: StatusObject }>>;
    /**
     * Change or clear somebody's status.
     *
     * What is not given stays as it is. Bots have no status.
     *
     * @param parameters
     * - `user_id`
     * - `status_text` (optional): At most 60 characters, without line breaks; empty: none.
     * - `emoji_name` (optional): Name without colons: tada. Empty: none.
     * - `emoji_code` (optional): What identifies the emoji within its kind; found by the name when absent.
     * - `reaction_type` (optional): unicode_emoji, realm_emoji or zulip_extra_emoji; found by the name when absent.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.userStatus.setFor({ user_id: 9, status_text: '', emoji_name: '' });
     */
    setFor: (parameters: {
      status_text?: string | undefined;
      emoji_name?: string | undefined;
      emoji_code?: string | undefined;
      reaction_type?: string | undefined;
      user_id: number;
    }) => Promise<Answer<{}>>;
  };
  mutedUsers: {
    /**
     * Mute somebody: what they write counts as read.
     *
     * What they have written already is marked as read. They do not learn of it.
     *
     * @param parameters
     * - `muted_user_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.mutedUsers.add({ muted_user_id: 9 });
     */
    add: (parameters: { muted_user_id: number }) => Promise<Answer<{}>>;
    /**
     * Mute somebody no more.
     *
     * What they wrote meanwhile stays read.
     *
     * @param parameters
     * - `muted_user_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.mutedUsers.remove({ muted_user_id: 9 });
     */
    remove: (parameters: { muted_user_id: number }) => Promise<Answer<{}>>;
  };
  alertWords: {
    /**
     * List the words you are alerted to.
     */
    list: (parameters?: {}) => Promise<Answer<{ alert_words: string[] }>>;
    /**
     * Be alerted to words, whoever writes them.
     *
     * Words count as one that differ only in case; those you have stay as they are. You can have 500.
     *
     * @param parameters
     * - `alert_words`: Words or phrases of at most 100 characters; empty ones are left out.
     *
     * @throws BadRequest
     *
     * @example
     * await session.alertWords.add({ alert_words: [ 'deploy', 'on call' ] });
     */
    add: (parameters: { alert_words: readonly string[] }) => Promise<Answer<{ alert_words: string[] }>>;
    /**
     * Be alerted to words no more.
     *
     * Messages that arrived before keep their flag.
     *
     * @param parameters
     * - `alert_words`: In upper or lower case; what is not among yours is left out.
     *
     * @example
     * await session.alertWords.remove({ alert_words: [ 'deploy' ] });
     */
    remove: (parameters: { alert_words: readonly string[] }) => Promise<Answer<{ alert_words: string[] }>>;
  };
  presence: {
    /**
     * List who is there, and who was in the last two weeks.
     *
     * Whoever reported nothing for 200 seconds is not there any more, whatever their last status says.
     */
    list: (parameters?: {}) => Promise<Answer<{
      server_timestamp: number;
      presences: {
        [key: string]: {
          aggregated: { client: 'website'; status: 'active' | 'idle'; timestamp: number };
          website: { client: 'website'; status: 'active' | 'idle'; timestamp: number; pushable: false };
        };
      };
    }>>;
    /**
     * Report that you are there, and get who else is.
     *
     * Clients report once a minute, and give the presence_last_update_id of the answer as last_update_id the next time. Reports are gathered and written every few seconds: a server that crashes forgets those of the last seconds, which the next report makes good.
     *
     * @param parameters
     * - `status`: active: at work with this client of late.
     * - `ping_only` (optional): Only report; the answer says nothing of others.
     * - `new_user_input` (optional): Whether there was input since the last report; not kept.
     * - `slim_presence` (optional): Others by user ID, with two times.
     * - `last_update_id` (optional): Only what changed after this update, in the slim form; -1: everything.
     * - `history_limit_days` (optional): Only those who reported in so many days; 14 when neither this nor last_update_id is given.
     *
     * @throws BadRequest
     *
     * @example
     * await session.presence.report({ status: 'active', last_update_id: -1 });
     */
    report: (parameters: {
      status: 'active' | 'idle';
      ping_only?: boolean | undefined;
      new_user_input?: boolean | undefined;
      slim_presence?: boolean | undefined;
      last_update_id?: number | undefined;
      history_limit_days?: number | undefined;
    }) => Promise<Answer<{
      presences?: Presences | undefined;
      server_timestamp?: number | undefined;
      presence_last_update_id?: number | undefined;
    }>>;
    /**
     * Get when somebody was last there.
     *
     * @param parameters
     * - `user_id_or_email`: ID, or real or placeholder address.
     *
     * @throws BadRequest
     *
     * @example
     * await session.presence.get({ user_id_or_email: 'ada@example.com' });
     */
    get: (parameters: { user_id_or_email: string }) => Promise<Answer<{
      presence: {
        aggregated: { status: 'active' | 'idle' | 'offline'; timestamp: number };
        website: { status: 'active' | 'idle'; timestamp: number };
      };
    }>>;
  };
  userGroups: {
    /**
     * List user groups, the role groups of the system included.
     *
     * Their IDs are what permission settings take.
     *
     * @param parameters
     * - `include_deactivated_groups` (optional): Deactivated groups too.
     */
    list: (parameters?: { include_deactivated_groups?: boolean | undefined }) => Promise<Answer<{
      user_groups: GroupObject[];
    }>>;
    /**
     * Create a user group.
     *
     * Needs the organization's permission to create groups. Those added are told by the notification bot.
     *
     * @param parameters
     * - `name`: At most 100 characters, unique without regard to case; not beginning with @, role:, user:, stream: or channel:.
     * - `description`: At most 1024 characters.
     * - `members`: Users who are in it; may be empty.
     * - `subgroups` (optional): Groups whose members are in it.
     * - `can_add_members_group` (optional): Who may add members; the creator when absent.
     * - `can_join_group` (optional): Who may add themselves; nobody when absent.
     * - `can_leave_group` (optional): Who may take themselves out; everyone when absent.
     * - `can_manage_group` (optional): Who may change the group and all about it; the creator when absent.
     * - `can_mention_group` (optional): Who may mention it; everyone when absent.
     * - `can_remove_members_group` (optional): Who may take members out; nobody when absent.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.create({ name: 'support', description: 'Whom to ask', members: [ 9, 10 ] });
     */
    create: (parameters: {
      name: string;
      description: string;
      members: readonly number[];
      subgroups?: readonly number[] | undefined;
      can_add_members_group?: GroupSettingParam | undefined;
      can_join_group?: GroupSettingParam | undefined;
      can_leave_group?: GroupSettingParam | undefined;
      can_manage_group?: GroupSettingParam | undefined;
      can_mention_group?: GroupSettingParam | undefined;
      can_remove_members_group?: GroupSettingParam | undefined;
    }) => Promise<Answer<{ group_id: number }>>;
    /**
     * Change or reactivate a user group.
     *
     * Needs the right to manage the group; everything given is applied or nothing is.
     *
     * @param parameters
     * - `user_group_id`
     * - `name` (optional): At most 100 characters.
     * - `description` (optional): At most 1024 characters.
     * - `deactivated` (optional): false reactivates a deactivated group; true does nothing.
     * - `can_add_members_group` (optional): Who may add members.
     * - `can_join_group` (optional): Who may add themselves.
     * - `can_leave_group` (optional): Who may take themselves out.
     * - `can_manage_group` (optional): Who may change the group and all about it; not role:everyone.
     * - `can_mention_group` (optional): Who may mention it; not role:owners.
     * - `can_remove_members_group` (optional): Who may take members out.
     *
     * @throws BadRequest, ExpectationMismatch
     *
     * @example
     * await session.userGroups.edit({ user_group_id: 9, description: 'Whom to ask on weekdays' });
     */
    edit: (parameters: {
      name?: string | undefined;
      description?: string | undefined;
      deactivated?: boolean | undefined;
      can_add_members_group?: GroupSettingUpdateParam | undefined;
      can_join_group?: GroupSettingUpdateParam | undefined;
      can_leave_group?: GroupSettingUpdateParam | undefined;
      can_manage_group?: GroupSettingUpdateParam | undefined;
      can_mention_group?: GroupSettingUpdateParam | undefined;
      can_remove_members_group?: GroupSettingUpdateParam | undefined;
      user_group_id: number;
    }) => Promise<Answer<{}>>;
    /**
     * Deactivate a user group.
     *
     * Only a group that no active group contains and no permission names; the refusal lists what does. Its members stay, for when it is reactivated.
     *
     * @param parameters
     * - `user_group_id`
     *
     * @throws BadRequest, CannotDeactivateGroupInUse
     *
     * @example
     * await session.userGroups.deactivate({ user_group_id: 9 });
     */
    deactivate: (parameters: { user_group_id: number }) => Promise<Answer<{}>>;
    /**
     * Add people and groups to a user group, or take them out.
     *
     * All or nothing: whoever is there already cannot be added, nor taken out who is not. The notification bot tells up to 1000 people; of more at once, none.
     *
     * @param parameters
     * - `user_group_id`
     * - `add` (optional): Users to add; deactivated ones are refused.
     * - `delete` (optional): Users to take out.
     * - `add_subgroups` (optional): Groups to add.
     * - `delete_subgroups` (optional): Groups to take out.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.updateMembers({ user_group_id: 9, add: [ 10 ] });
     */
    updateMembers: (parameters: {
      user_group_id: number;
      add?: readonly number[] | undefined;
      delete?: readonly number[] | undefined;
      add_subgroups?: readonly number[] | undefined;
      delete_subgroups?: readonly number[] | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * Add groups to a user group, or take them out.
     *
     * All or nothing. A group cannot contain itself, however indirectly.
     *
     * @param parameters
     * - `user_group_id`
     * - `add` (optional): Groups to add; deactivated ones are refused.
     * - `delete` (optional): Groups to take out.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.updateSubgroups({ user_group_id: 9, add: [ 10 ] });
     */
    updateSubgroups: (parameters: {
      user_group_id: number;
      add?: readonly number[] | undefined;
      delete?: readonly number[] | undefined;
    }) => Promise<Answer<{}>>;
    /**
     * List who is in a user group.
     *
     * Directly or through its subgroups; active accounts only.
     *
     * @param parameters
     * - `user_group_id`
     * - `direct_member_only` (optional): Leave out those who are there through subgroups.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.members({ user_group_id: 9 });
     */
    members: (parameters: { user_group_id: number; direct_member_only?: boolean | undefined }) => Promise<Answer<{
      members: number[];
    }>>;
    /**
     * List the groups in a user group.
     *
     * Directly or through other subgroups.
     *
     * @param parameters
     * - `user_group_id`
     * - `direct_subgroup_only` (optional): Leave out those that are there through others.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.subgroups({ user_group_id: 9 });
     */
    subgroups: (parameters: { user_group_id: number; direct_subgroup_only?: boolean | undefined }) => Promise<Answer<{
      subgroups: number[];
    }>>;
    /**
     * Ask whether a user is in a user group.
     *
     * Directly or through its subgroups.
     *
     * @param parameters
     * - `user_group_id`
     * - `user_id`
     * - `direct_member_only` (optional): Do not count being there through subgroups.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.isMember({ user_group_id: 9, user_id: 10 });
     */
    isMember: (parameters: { user_group_id: number; user_id: number; direct_member_only?: boolean | undefined }) => Promise<Answer<{
      is_user_group_member: boolean;
    }>>;
  };
  bots: {
    /**
     * List the bots that you own, with their API keys.
     */
    list: (parameters?: {}) => Promise<Answer<{ bots: BotObject[] }>>;
    /**
     * Create a bot that you own.
     *
     * Needs can_create_bots_group; for incoming-webhook bots can_create_write_only_bots_group is enough.
     *
     * @param parameters
     * - `full_name`: Display name, 2 to 100 characters.
     * - `short_name`: Becomes the address: <short_name>-bot@<host>.
     * - `bot_type` (optional): 1 generic, 2 incoming webhook (may only send messages), 3 outgoing webhook (is called when it is written to).
     * - `payload_url` (optional): Of an outgoing webhook: the http or https address to which messages are posted.
     * - `interface_type` (optional): Of an outgoing webhook: 1 JSON, 2 the form of Slack.
     *
     * @throws BadRequest
     *
     * @example
     * await session.bots.create({ full_name: 'Build Bot', short_name: 'build' });
     */
    create: (parameters: {
      full_name: string;
      short_name: string;
      bot_type?: 1 | 2 | 3 | undefined;
      payload_url?: string | undefined;
      interface_type?: 1 | 2 | undefined;
    }) => Promise<Answer<{
      user_id: number;
      username: string;
      email: string;
      full_name: string;
      bot_type: number;
      owner_id: number | null;
      is_active: boolean;
      avatar_url: string;
      default_sending_stream: string | null;
      default_events_register_stream: string | null;
      default_all_public_streams: boolean;
      services: { base_url: string; interface: number; token?: string | undefined }[];
      api_key: string;
    }>>;
    /**
     * Change the name, role, owner or web hook of a bot.
     *
     * For its owner and administrators. Everything given is applied or nothing is. The API key stays, also where the bot gets another owner.
     *
     * @param parameters
     * - `bot_id`
     * - `full_name` (optional): Display name, 2 to 100 characters; a blank one changes nothing.
     * - `role` (optional): For administrators; only owners make owners and take the role away.
     * - `bot_owner_id` (optional): Who owns the bot from now on: a person who is active, and no guest.
     * - `service_payload_url` (optional): Of an outgoing webhook: the http or https address to which messages are posted.
     * - `service_interface` (optional): Of an outgoing webhook: 1 JSON, 2 the form of Slack.
     * - `is_active` (optional): False deactivates the bot; true brings it back, which needs the right to create it.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.bots.edit({ bot_id: 12, service_payload_url: 'https://example.com/ask' });
     */
    edit: (parameters: {
      bot_id: number;
      full_name?: string | undefined;
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      bot_owner_id?: number | undefined;
      service_payload_url?: string | undefined;
      service_interface?: 1 | 2 | undefined;
      is_active?: boolean | undefined;
    }) => Promise<Answer<BotObject>>;
    /**
     * Get the API key of a bot.
     *
     * For its owner and administrators.
     *
     * @param parameters
     * - `bot_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.bots.getApiKey({ bot_id: 12 });
     */
    getApiKey: (parameters: { bot_id: number }) => Promise<Answer<{ api_key: string }>>;
    /**
     * Replace the API key of a bot.
     *
     * For its owner and administrators; the old key stops working at once.
     *
     * @param parameters
     * - `bot_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.bots.regenerateApiKey({ bot_id: 12 });
     */
    regenerateApiKey: (parameters: { bot_id: number }) => Promise<Answer<{ api_key: string }>>;
    /**
     * Deactivate a bot.
     *
     * For its owner and administrators.
     *
     * @param parameters
     * - `bot_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.bots.deactivate({ bot_id: 12 });
     */
    deactivate: (parameters: { bot_id: number }) => Promise<Answer<{}>>;
  };
  botStorage: {
    /**
     * Get what your account has stored.
     *
     * A key under which nothing is stored is an error.
     *
     * @param parameters
     * - `keys` (optional): At most 5000 keys; without it, everything.
     *
     * @throws BadRequest
     *
     * @example
     * await session.botStorage.get({ keys: [ 'visits' ] });
     */
    get: (parameters?: { keys?: readonly string[] | undefined }) => Promise<Answer<{
      storage: { [key: string]: string };
    }>>;
    /**
     * Store texts under keys.
     *
     * What was under these keys is overwritten, other keys stay. Each account has a storage of its own.
     *
     * @param parameters
     * - `storage`: An object of at most 5000 texts by their keys: keys of at most 500 characters, texts of at most 1000000.
     *
     * @throws BadRequest
     *
     * @example
     * await session.botStorage.set({ storage: { visits: '3', greeting: 'Hello' } });
     */
    set: (parameters: { storage: { [key: string]: string } }) => Promise<Answer<{}>>;
    /**
     * Remove what your account has stored.
     *
     * Where nothing is stored under one of the keys, it is an error and nothing is removed.
     *
     * @param parameters
     * - `keys` (optional): At most 5000 keys; without it, everything is removed.
     *
     * @throws BadRequest
     *
     * @example
     * await session.botStorage.remove({ keys: [ 'visits' ] });
     */
    remove: (parameters?: { keys?: readonly string[] | undefined }) => Promise<Answer<{}>>;
  };
  push: {
    /**
     * Register a device that is notified of messages.
     *
     * What is sent to it is encrypted, so that the services in between cannot read it. The device is made known to the push relay afterwards: a push_device event tells what came of it. One that is registered already is left as it is, unless that had failed.
     *
     * @param parameters
     * - `token_kind`: Whose service reaches it: Google's or Apple's.
     * - `push_account_id`: The client's own random number for this account, which comes with notifications.
     * - `push_public_key`: Public key of the client, base64: 32 bytes of Curve25519.
     * - `bouncer_public_key`: Public key of the push relay that the registration is encrypted with.
     * - `encrypted_push_registration`: Token of the device and what belongs to it, encrypted for the push relay; base64.
     *
     * @throws BadRequest, PushServiceNotConfigured
     *
     * @example
     * await session.push.register({
     *   token_kind: 'fcm',
     *   push_account_id: 2408,
     *   push_public_key: 'n0kF5HCSnSVkv3w2hpaLcQfZ8cEw1XEZqm2U3zJdvG0=',
     *   bouncer_public_key: 'CmdEWTLSvDZcpo23y2bhS4WNzHcW1a0kHqVjmvVTlwY=',
     *   encrypted_push_registration: 'b3Blbg=='
     * });
     */
    register: (parameters: {
      token_kind: 'apns' | 'fcm';
      push_account_id: number;
      push_public_key: string;
      bouncer_public_key: string;
      encrypted_push_registration: string;
    }) => Promise<Answer<{}>>;
    /**
     * Send a notification to your own devices, to see that they get it.
     *
     * It is done as soon as the push relay has taken it.
     *
     * @param parameters
     * - `push_account_id` (optional): Of one device; all of yours when absent.
     *
     * @throws BadRequest, NoActivePushDevice, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer
     *
     * @example
     * await session.push.sendTest({ push_account_id: 2408 });
     */
    sendTest: (parameters?: { push_account_id?: number | undefined }) => Promise<Answer<{}>>;
    /**
     * Add a device of a client that does not encrypt, by its token at Apple's service.
     *
     * What is sent to it is not encrypted; clients that can decrypt use push.register. The push relay, where there is one, has been told when this is answered.
     *
     * @param parameters
     * - `appid`: ID of the app: letters, digits, dots and hyphens.
     * - `token`: Name of the device at the service, of 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer
     *
     * @example
     * await session.push.addApnsToken({ appid: 'com.example.chat', token: 'c0ffee' });
     */
    addApnsToken: (parameters: { appid: string; token: string }) => Promise<Answer<{}>>;
    /**
     * Take out a device by its token at Apple's service.
     *
     * It is told no more of messages.
     *
     * @param parameters
     * - `token`: Name of the device at the service, of 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer
     *
     * @example
     * await session.push.removeApnsToken({ token: 'c0ffee' });
     */
    removeApnsToken: (parameters: { token: string }) => Promise<Answer<{}>>;
    /**
     * Add a device of a client that does not encrypt, by its token at Google's service.
     *
     * What is sent to it is not encrypted; clients that can decrypt use push.register. The push relay, where there is one, has been told when this is answered.
     *
     * @param parameters
     * - `token`: Name of the device at the service, of 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer
     *
     * @example
     * await session.push.addFcmToken({ token: 'fcm-token' });
     */
    addFcmToken: (parameters: { token: string }) => Promise<Answer<{}>>;
    /**
     * Take out a device by its token at Google's service.
     *
     * It is told no more of messages.
     *
     * @param parameters
     * - `token`: Name of the device at the service, of 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer
     *
     * @example
     * await session.push.removeFcmToken({ token: 'fcm-token' });
     */
    removeFcmToken: (parameters: { token: string }) => Promise<Answer<{}>>;
  };
  organization: {
    /**
     * Change the organization's name, settings and permissions.
     *
     * Everything given is applied or nothing is. The waiting period, how long messages are kept, who may invite and whether addresses are restricted to domains are for owners to decide.
     *
     * @param parameters
     * - `name` (optional): At most 40 characters.
     * - `description` (optional): Markdown.
     * - `allow_message_editing` (optional): Whether people may edit what they wrote.
     * - `avatar_changes_disabled` (optional): Whether administrators alone change pictures of accounts.
     * - `default_avatar_source` (optional): Picture of new accounts and of those who remove theirs: J, generated by the server; G, of Gravatar, whose server learns a hash of the address.
     * - `default_code_block_language` (optional): For code blocks that name none; empty: plain text.
     * - `disallow_disposable_email_addresses` (optional): Whether nobody can join with an address of a service whose mailboxes are thrown away.
     * - `emails_restricted_to_domains` (optional): Whether accounts have addresses of certain domains alone (`allowedDomains`); others keep theirs. Disposable ones are told by their domains then.
     * - `enable_read_receipts` (optional): Whether people may see who has read a message.
     * - `enable_spectator_access` (optional): Whether web-public channels are open to the web.
     * - `max_invites` (optional): How many people each member who is no administrator may invite in 24 hours.
     * - `message_content_delete_limit_seconds` (optional): How long people may delete their messages, in seconds; or unlimited.
     * - `message_content_edit_limit_seconds` (optional): How long people may edit their messages, in seconds; or unlimited.
     * - `message_edit_history_visibility_policy` (optional): What people may see of how messages were edited.
     * - `message_retention_days` (optional): Days after which messages are deleted, starred ones too, where their channel does not say otherwise; or unlimited.
     * - `move_messages_between_streams_limit_seconds` (optional): How long messages may be moved to another channel, in seconds; or unlimited.
     * - `move_messages_within_stream_limit_seconds` (optional): How long messages may be moved to another topic, in seconds; or unlimited.
     * - `name_changes_disabled` (optional): Whether administrators alone change names.
     * - `new_stream_announcements_stream_id` (optional): Channel where new channels are announced; -1: nowhere.
     * - `presence_disabled` (optional): Whether nobody is shown when others are there.
     * - `require_e2ee_push_notifications` (optional): Whether phones whose clients do not encrypt are told where and by whom something was said, and not what.
     * - `require_unique_names` (optional): Whether no two people may have the same name.
     * - `send_channel_events_messages` (optional): Whether the notification bot tells in channels what is done to them.
     * - `topics_policy` (optional): Whether messages may have no topic.
     * - `waiting_period_threshold` (optional): Days until a new member is a full member.
     * - `welcome_message_custom_text` (optional): What the welcome bot writes to whoever accepts an invitation, Markdown; empty: nothing. Shown to administrators alone.
     * - `can_access_all_users_group` (optional): Whom guests see: role:everyone, everybody; role:members, those they have to do with.
     * - `can_add_custom_emoji_group` (optional): Who may add emoji.
     * - `can_add_subscribers_group` (optional): Who may subscribe others to channels.
     * - `can_create_bots_group` (optional): Who may create bots.
     * - `can_create_groups` (optional): Who may create user groups.
     * - `can_create_private_channel_group` (optional): Who may create private channels.
     * - `can_create_public_channel_group` (optional): Who may create public channels.
     * - `can_create_web_public_channel_group` (optional): Who may open channels to the web.
     * - `can_create_write_only_bots_group` (optional): Who may create bots that only send messages.
     * - `can_delete_any_message_group` (optional): Who may delete any message.
     * - `can_delete_own_message_group` (optional): Who may delete their own messages.
     * - `can_invite_users_group` (optional): Who may invite people by e-mail; for owners to decide.
     * - `can_manage_all_groups` (optional): Who may manage every user group.
     * - `can_mention_many_users_group` (optional): Who may mention everybody in a large channel or topic.
     * - `can_move_messages_between_channels_group` (optional): Who may move messages to another channel.
     * - `can_move_messages_between_topics_group` (optional): Who may move messages to another topic.
     * - `can_resolve_topics_group` (optional): Who may resolve topics.
     * - `can_set_delete_message_policy_group` (optional): Who may decide in a channel who may delete messages.
     * - `can_set_topics_policy_group` (optional): Who may set the topics policy of a channel.
     * - `create_multiuse_invite_group` (optional): Who may make invitation links for many; for owners to decide.
     * - `direct_message_initiator_group` (optional): Who may start direct conversations.
     * - `direct_message_permission_group` (optional): Of a direct conversation somebody must be among these.
     *
     * @throws BadRequest, ExpectationMismatch, SystemGroupRequired, UnauthorizedPrincipal
     *
     * @example
     * await session.organization.edit({ message_content_edit_limit_seconds: 3600 });
     */
    edit: (parameters?: {
      can_access_all_users_group?: GroupSettingUpdateParam | undefined;
      can_add_custom_emoji_group?: GroupSettingUpdateParam | undefined;
      can_add_subscribers_group?: GroupSettingUpdateParam | undefined;
      can_create_bots_group?: GroupSettingUpdateParam | undefined;
      can_create_groups?: GroupSettingUpdateParam | undefined;
      can_create_private_channel_group?: GroupSettingUpdateParam | undefined;
      can_create_public_channel_group?: GroupSettingUpdateParam | undefined;
      can_create_web_public_channel_group?: GroupSettingUpdateParam | undefined;
      can_create_write_only_bots_group?: GroupSettingUpdateParam | undefined;
      can_delete_any_message_group?: GroupSettingUpdateParam | undefined;
      can_delete_own_message_group?: GroupSettingUpdateParam | undefined;
      can_invite_users_group?: GroupSettingUpdateParam | undefined;
      can_manage_all_groups?: GroupSettingUpdateParam | undefined;
      can_mention_many_users_group?: GroupSettingUpdateParam | undefined;
      can_move_messages_between_channels_group?: GroupSettingUpdateParam | undefined;
      can_move_messages_between_topics_group?: GroupSettingUpdateParam | undefined;
      can_resolve_topics_group?: GroupSettingUpdateParam | undefined;
      can_set_delete_message_policy_group?: GroupSettingUpdateParam | undefined;
      can_set_topics_policy_group?: GroupSettingUpdateParam | undefined;
      create_multiuse_invite_group?: GroupSettingUpdateParam | undefined;
      direct_message_initiator_group?: GroupSettingUpdateParam | undefined;
      direct_message_permission_group?: GroupSettingUpdateParam | undefined;
      name?: string | undefined;
      description?: string | undefined;
      allow_message_editing?: boolean | undefined;
      avatar_changes_disabled?: boolean | undefined;
      default_avatar_source?: 'G' | 'J' | undefined;
      default_code_block_language?: string | undefined;
      disallow_disposable_email_addresses?: boolean | undefined;
      emails_restricted_to_domains?: boolean | undefined;
      enable_read_receipts?: boolean | undefined;
      enable_spectator_access?: boolean | undefined;
      max_invites?: number | undefined;
      message_content_delete_limit_seconds?: 'unlimited' | number | undefined;
      message_content_edit_limit_seconds?: 'unlimited' | number | undefined;
      message_edit_history_visibility_policy?: 'all' | 'moves' | 'none' | undefined;
      message_retention_days?: 'unlimited' | number | undefined;
      move_messages_between_streams_limit_seconds?: 'unlimited' | number | undefined;
      move_messages_within_stream_limit_seconds?: 'unlimited' | number | undefined;
      name_changes_disabled?: boolean | undefined;
      new_stream_announcements_stream_id?: number | undefined;
      presence_disabled?: boolean | undefined;
      require_e2ee_push_notifications?: boolean | undefined;
      require_unique_names?: boolean | undefined;
      send_channel_events_messages?: boolean | undefined;
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | undefined;
      waiting_period_threshold?: number | undefined;
      welcome_message_custom_text?: string | undefined;
    }) => Promise<Answer<{}>>;
  };
  linkifiers: {
    /**
     * List the patterns that become links, in the order in which they are tried.
     */
    list: (parameters?: {}) => Promise<Answer<{ linkifiers: LinkifierObject[] }>>;
    /**
     * Make text of a pattern a link, in messages and topics.
     *
     * Tried after all others. Messages that were sent before stay as they are.
     *
     * @param parameters
     * - `pattern`: Regular expression of RE2, `#(?P<id>[0-9]+)`; unique. It matches at the start of a word, up to its end.
     * - `url_template`: URL template of RFC 6570 with the pattern's groups, `https://issues.example.com/{id}`.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.linkifiers.create({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' });
     */
    create: (parameters: { pattern: string; url_template: string }) => Promise<Answer<{ id: number }>>;
    /**
     * Change a linkifier.
     *
     * It keeps its place. Messages that were sent before stay as they are.
     *
     * @param parameters
     * - `filter_id`
     * - `pattern`: Regular expression of RE2, `#(?P<id>[0-9]+)`; unique. It matches at the start of a word, up to its end.
     * - `url_template`: URL template of RFC 6570 with the pattern's groups, `https://issues.example.com/{id}`.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.linkifiers.edit({
     *   filter_id: 1,
     *   pattern: '#(?P<id>[0-9]+)',
     *   url_template: 'https://issues.example.com/{id}'
     * });
     */
    edit: (parameters: { filter_id: number; pattern: string; url_template: string }) => Promise<Answer<{}>>;
    /**
     * Remove a linkifier.
     *
     * Links in messages that were sent before stay.
     *
     * @param parameters
     * - `filter_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.linkifiers.remove({ filter_id: 1 });
     */
    remove: (parameters: { filter_id: number }) => Promise<Answer<{}>>;
    /**
     * Change the order in which linkifiers are tried.
     *
     * @param parameters
     * - `ordered_linkifier_ids`: Every linkifier, each once.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.linkifiers.reorder({ ordered_linkifier_ids: [ 2, 1 ] });
     */
    reorder: (parameters: { ordered_linkifier_ids: readonly number[] }) => Promise<Answer<{}>>;
  };
  playgrounds: {
    /**
     * List the code playgrounds.
     */
    list: (parameters?: {}) => Promise<Answer<{ realm_playgrounds: PlaygroundObject[] }>>;
    /**
     * Offer a site where code of a language can be tried out.
     *
     * Clients show it beside code blocks of the language. A language may have several.
     *
     * @param parameters
     * - `name`: As people see it; unique among those of the language.
     * - `url_template`: URL template of RFC 6570 with the variable `code`, `https://play.example.com/?code={code}`.
     * - `pygments_language`: Name of the lexer that colours the language, `Python`.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.playgrounds.create({
     *   name: 'Rust',
     *   pygments_language: 'Rust',
     *   url_template: 'https://play.example.com/?code={code}'
     * });
     */
    create: (parameters: { name: string; url_template: string; pygments_language: string }) => Promise<Answer<{
      id: number;
    }>>;
    /**
     * Remove a code playground.
     *
     * @param parameters
     * - `playground_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.playgrounds.remove({ playground_id: 1 });
     */
    remove: (parameters: { playground_id: number }) => Promise<Answer<{}>>;
  };
  allowedDomains: {
    /**
     * List the domains whose addresses accounts may have.
     *
     * They count where the organization says so (`emails_restricted_to_domains`).
     */
    list: (parameters?: {}) => Promise<Answer<{ domains: { domain: string; allow_subdomains: boolean }[] }>>;
    /**
     * Allow addresses of a domain.
     *
     * Before the organization accepts only such (`emails_restricted_to_domains`), or after.
     *
     * @param parameters
     * - `domain`: Such as example.com, without regard to case.
     * - `allow_subdomains`: Whether domains below it are allowed too.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.allowedDomains.add({ domain: 'example.com', allow_subdomains: true });
     */
    add: (parameters: { domain: string; allow_subdomains: boolean }) => Promise<Answer<{}>>;
    /**
     * Say whether domains below an allowed one are allowed too.
     *
     * @param parameters
     * - `domain`: Such as example.com, without regard to case.
     * - `allow_subdomains`: Whether domains below it are allowed too.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.allowedDomains.edit({ domain: 'example.com', allow_subdomains: false });
     */
    edit: (parameters: { domain: string; allow_subdomains: boolean }) => Promise<Answer<{}>>;
    /**
     * Allow addresses of a domain no more.
     *
     * Accounts keep the addresses they have. With the last domain goes the restriction to domains.
     *
     * @param parameters
     * - `domain`: Such as example.com, without regard to case.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.allowedDomains.remove({ domain: 'example.com' });
     */
    remove: (parameters: { domain: string }) => Promise<Answer<{}>>;
  };
}

/** What happened, as clients receive it, by `type` or `type/op`. */
export interface Events {
  /** Nothing happened for a while: the wait ends, and the client waits again. */
  heartbeat: { type: 'heartbeat' };
  /** A message was sent. */
  message: { message: MessageObject; flags: string[]; local_message_id?: string | undefined; type: 'message' };
  /** A message's content was edited, or messages were moved to another topic or channel. */
  update_message: {
    user_id: number | null;
    rendering_only: boolean;
    message_id: number;
    message_ids: number[];
    flags: string[];
    edit_timestamp: number;
    stream_id?: number | undefined;
    new_stream_id?: number | undefined;
    propagate_mode?: 'change_all' | 'change_later' | 'change_one' | undefined;
    orig_subject?: string | undefined;
    subject?: string | undefined;
    topic_links?: { url: string; text: string }[] | undefined;
    orig_content?: string | undefined;
    orig_rendered_content?: string | undefined;
    content?: string | undefined;
    rendered_content?: string | undefined;
    is_me_message?: boolean | undefined;
    type: 'update_message';
  };
  /** Messages were deleted, or went where the reader may not follow. Older clients get one event for each. */
  delete_message: {
    message_ids?: number[] | undefined;
    message_id?: number | undefined;
    message_type: 'private' | 'stream';
    stream_id?: number | undefined;
    topic?: string | undefined;
    type: 'delete_message';
  };
  /** Messages have a flag of the reader now. */
  'update_message_flags/add': {
    operation: 'add' | 'remove';
    flag: string;
    messages: number[];
    all: boolean;
    type: 'update_message_flags';
    op: 'add';
  };
  /** Messages have a flag of the reader no more. */
  'update_message_flags/remove': {
    operation: 'add' | 'remove';
    flag: string;
    messages: number[];
    all: boolean;
    message_details?:
      | {
          [key: string]: {
            type: 'private' | 'stream';
            mentioned?: true | undefined;
            stream_id?: number | undefined;
            topic?: string | undefined;
            user_ids?: number[] | undefined;
          };
        }
      | undefined;
    type: 'update_message_flags';
    op: 'remove';
  };
  /** Somebody reacted to a message. */
  'reaction/add': {
    message_id: number;
    user_id: number;
    user: { user_id: number; email: string; full_name: string };
    emoji_name: string;
    emoji_code: string;
    reaction_type: ReactionType;
    type: 'reaction';
    op: 'add';
  };
  /** A reaction was taken back. */
  'reaction/remove': {
    message_id: number;
    user_id: number;
    user: { user_id: number; email: string; full_name: string };
    emoji_name: string;
    emoji_code: string;
    reaction_type: ReactionType;
    type: 'reaction';
    op: 'remove';
  };
  /** The reader scheduled a message. */
  'scheduled_messages/add': { scheduled_messages: ScheduledMessageObject[]; type: 'scheduled_messages'; op: 'add' };
  /** A scheduled message of the reader was edited, or could not be sent. */
  'scheduled_messages/update': { scheduled_message: ScheduledMessageObject; type: 'scheduled_messages'; op: 'update' };
  /** A scheduled message of the reader was sent or deleted. */
  'scheduled_messages/remove': { scheduled_message_id: number; type: 'scheduled_messages'; op: 'remove' };
  /** The reader asked to be reminded of a message. */
  'reminders/add': { reminders: ReminderObject[]; type: 'reminders'; op: 'add' };
  /** A reminder of the reader was sent or deleted. */
  'reminders/remove': { reminder_id: number; type: 'reminders'; op: 'remove' };
  /** The topics that you have muted, for older clients: all of them. */
  muted_topics: { muted_topics: [string, string, number][]; type: 'muted_topics' };
  /** You muted, unmuted or followed a topic, or do so no more. */
  user_topic: {
    stream_id: number;
    topic_name: string;
    last_updated: number;
    visibility_policy: 0 | 1 | 2 | 3;
    type: 'user_topic';
  };
  /** Somebody types a message, and is taken to go on for `server_typing_started_expiry_period_milliseconds`. */
  'typing/start': {
    message_type: 'direct' | 'stream';
    sender: { user_id: number; email: string };
    recipients?: { user_id: number; email: string }[] | undefined;
    stream_id?: number | undefined;
    topic?: string | undefined;
    type: 'typing';
    op: 'start';
  };
  /** Somebody types no more. */
  'typing/stop': {
    message_type: 'direct' | 'stream';
    sender: { user_id: number; email: string };
    recipients?: { user_id: number; email: string }[] | undefined;
    stream_id?: number | undefined;
    topic?: string | undefined;
    type: 'typing';
    op: 'stop';
  };
  /** Somebody edits a message of theirs. */
  'typing_edit_message/start': {
    sender_id: number;
    message_id: number;
    recipient: { type: 'channel'; channel_id: number; topic: string } | { type: 'direct'; user_ids: number[] };
    type: 'typing_edit_message';
    op: 'start';
  };
  /** Somebody edits a message no more. */
  'typing_edit_message/stop': {
    sender_id: number;
    message_id: number;
    recipient: { type: 'channel'; channel_id: number; topic: string } | { type: 'direct'; user_ids: number[] };
    type: 'typing_edit_message';
    op: 'stop';
  };
  /** The reader began messages elsewhere. */
  'drafts/add': { drafts: DraftObject[]; type: 'drafts'; op: 'add' };
  /** The reader went on with a draft elsewhere: all of it. */
  'drafts/update': { draft: DraftObject; type: 'drafts'; op: 'update' };
  /** The reader sent or discarded a draft elsewhere. */
  'drafts/remove': { draft_id: number; type: 'drafts'; op: 'remove' };
  /** The reader saved a snippet. */
  'saved_snippets/add': { saved_snippet: SnippetObject; type: 'saved_snippets'; op: 'add' };
  /** The reader changed a saved snippet: all of it. */
  'saved_snippets/update': { saved_snippet: SnippetObject; type: 'saved_snippets'; op: 'update' };
  /** The reader removed a saved snippet. */
  'saved_snippets/remove': { saved_snippet_id: number; type: 'saved_snippets'; op: 'remove' };
  /** The reader added a view to their sidebar. */
  'navigation_view/add': { navigation_view: NavigationViewObject; type: 'navigation_view'; op: 'add' };
  /** The reader renamed, pinned or unpinned a view: what has changed of it. */
  'navigation_view/update': {
    fragment: string;
    data: { name?: string | undefined; is_pinned?: boolean | undefined };
    type: 'navigation_view';
    op: 'update';
  };
  /** The reader removed a view from their sidebar. */
  'navigation_view/remove': { fragment: string; type: 'navigation_view'; op: 'remove' };
  /** You uploaded a file. */
  'attachment/add': { attachment: AttachmentObject; upload_space_used: number; type: 'attachment'; op: 'add' };
  /** Other messages link to a file of yours than before. */
  'attachment/update': { attachment: AttachmentObject; upload_space_used: number; type: 'attachment'; op: 'update' };
  /** A file of yours was removed. */
  'attachment/remove': { attachment: { id: number }; upload_space_used: number; type: 'attachment'; op: 'remove' };
  /** Custom emoji were added or deactivated: all of them, by id. */
  'realm_emoji/update': { realm_emoji: { [key: string]: CustomEmojiObject }; type: 'realm_emoji'; op: 'update' };
  /** Channels came into being, or the reader may know of them now. */
  'stream/create': { streams: ChannelObject[]; type: 'stream'; op: 'create' };
  /** Channels are gone, or the reader may not know of them any more. */
  'stream/delete': { streams: { stream_id: number }[]; stream_ids: number[]; type: 'stream'; op: 'delete' };
  /** One property of a channel has a new value. */
  'stream/update': {
    stream_id: number;
    name: string;
    property: string;
    value: unknown;
    rendered_description?: string | undefined;
    history_public_to_subscribers?: boolean | undefined;
    is_web_public?: boolean | undefined;
    type: 'stream';
    op: 'update';
  };
  /** Other channels than before are those that new users are subscribed to: all of them. */
  default_streams: { default_streams: number[]; type: 'default_streams' };
  /** A folder for channels was created. */
  'channel_folder/add': { channel_folder: ChannelFolderObject; type: 'channel_folder'; op: 'add' };
  /** A channel folder was changed, archived or brought back. */
  'channel_folder/update': {
    channel_folder_id: number;
    data: {
      name?: string | undefined;
      description?: string | undefined;
      rendered_description?: string | undefined;
      is_archived?: boolean | undefined;
    };
    type: 'channel_folder';
    op: 'update';
  };
  /** The channel folders have another order. */
  'channel_folder/reorder': { order: number[]; type: 'channel_folder'; op: 'reorder' };
  /** The reader was subscribed to channels. */
  'subscription/add': { subscriptions: SubscriptionObject[]; type: 'subscription'; op: 'add' };
  /** The reader is no longer subscribed to channels. */
  'subscription/remove': { subscriptions: { stream_id: number; name: string }[]; type: 'subscription'; op: 'remove' };
  /** One of the reader's own settings of a channel has a new value. */
  'subscription/update': { stream_id: number; property: string; value: unknown; type: 'subscription'; op: 'update' };
  /** Others were subscribed to channels that the reader knows of. */
  'subscription/peer_add': { stream_ids: number[]; user_ids: number[]; type: 'subscription'; op: 'peer_add' };
  /** Others are no longer subscribed to channels that the reader knows of. */
  'subscription/peer_remove': { stream_ids: number[]; user_ids: number[]; type: 'subscription'; op: 'peer_remove' };
  /** An account was created, or the reader may see it now, of whom they had a stub. */
  'realm_user/add': { person: UserObject; type: 'realm_user'; op: 'add' };
  /** Something of an account changed: its id and what is new. */
  'realm_user/update': {
    person: {
      delivery_email?: string | null | undefined;
      email?: string | undefined;
      full_name?: string | undefined;
      date_joined?: string | undefined;
      is_active?: boolean | undefined;
      is_owner?: boolean | undefined;
      is_admin?: boolean | undefined;
      is_guest?: boolean | undefined;
      is_bot?: boolean | undefined;
      bot_type?: number | null | undefined;
      bot_owner_id?: number | null | undefined;
      role?: number | undefined;
      timezone?: string | undefined;
      avatar_url?: string | null | undefined;
      avatar_version?: number | undefined;
      profile_data?: { [key: string]: ProfileValue } | undefined;
      is_system_bot?: boolean | undefined;
      user_id: number;
      avatar_source?: 'G' | 'J' | 'U' | undefined;
      avatar_url_medium?: string | undefined;
      custom_profile_field?: { id: number; value: string | null; rendered_value?: string | undefined } | undefined;
      new_email?: string | undefined;
    };
    type: 'realm_user';
    op: 'update';
  };
  /** The reader may not see an account any more: from now on a stub stands for it, or nothing. */
  'realm_user/remove': { person: { user_id: number; full_name: 'Unknown user' }; type: 'realm_user'; op: 'remove' };
  /** Something of the invitations changed that the reader may list: they are to be fetched anew. */
  invites_changed: { type: 'invites_changed' };
  /** Custom profile fields were added, changed, removed or reordered: all of them. What people had in fields and options that are gone is gone too. */
  custom_profile_fields: { fields: ProfileFieldObject[]; type: 'custom_profile_fields' };
  /** One of the reader's own settings has a new value. */
  'user_settings/update': {
    property: string;
    value: unknown;
    language_name?: string | undefined;
    type: 'user_settings';
    op: 'update';
  };
  /** New accounts begin with another value of a personal setting. */
  'realm_user_settings_defaults/update': { property: string; value: unknown; type: 'realm_user_settings_defaults'; op: 'update' };
  /** Somebody's status is another, or the reader may see it now: what is new of it. */
  user_status: {
    away?: boolean | undefined;
    status_text?: string | undefined;
    emoji_name?: string | undefined;
    emoji_code?: string | undefined;
    reaction_type?: string | undefined;
    user_id: number;
    type: 'user_status';
  };
  /** The reader has muted somebody, or mutes them no more: all whom they mute. */
  muted_users: { muted_users: { id: number; timestamp: number }[]; type: 'muted_users' };
  /** The reader's alert words changed: all of them. */
  alert_words: { alert_words: string[]; type: 'alert_words' };
  /** Somebody is there again: in small organizations at once, elsewhere clients learn it when they report. */
  presence: {
    presences?: { [key: string]: { active_timestamp: number; idle_timestamp: number } } | undefined;
    user_id?: number | undefined;
    email?: string | undefined;
    server_timestamp?: number | undefined;
    presence?:
      | { website: { client: 'website'; status: 'active' | 'idle'; timestamp: number; pushable: false } }
      | undefined;
    type: 'presence';
  };
  /** A user group was created, or reactivated for a client that does not know deactivated groups. */
  'user_group/add': { group: GroupObject; type: 'user_group'; op: 'add' };
  /** One property of a user group has a new value. */
  'user_group/update': {
    group_id: number;
    data: {
      can_add_members_group?: GroupSetting | undefined;
      can_join_group?: GroupSetting | undefined;
      can_leave_group?: GroupSetting | undefined;
      can_manage_group?: GroupSetting | undefined;
      can_mention_group?: GroupSetting | undefined;
      can_remove_members_group?: GroupSetting | undefined;
      name?: string | undefined;
      description?: string | undefined;
      deactivated?: boolean | undefined;
    };
    type: 'user_group';
    op: 'update';
  };
  /** A user group was deactivated, for a client that does not know deactivated groups. */
  'user_group/remove': { group_id: number; type: 'user_group'; op: 'remove' };
  /** Users became direct members of a group, or accounts that are members were reactivated. */
  'user_group/add_members': { group_id: number; user_ids: number[]; type: 'user_group'; op: 'add_members' };
  /** Users are direct members of a group no more, or accounts that are members were deactivated. */
  'user_group/remove_members': { group_id: number; user_ids: number[]; type: 'user_group'; op: 'remove_members' };
  /** Groups are directly in a group now. */
  'user_group/add_subgroups': { group_id: number; direct_subgroup_ids: number[]; type: 'user_group'; op: 'add_subgroups' };
  /** Groups are directly in a group no more. */
  'user_group/remove_subgroups': { group_id: number; direct_subgroup_ids: number[]; type: 'user_group'; op: 'remove_subgroups' };
  /** A bot was created that the reader owns or administers. Its key is in no event. */
  'realm_bot/add': { bot: BotObject; type: 'realm_bot'; op: 'add' };
  /** Something of a bot changed: its id and what is new. */
  'realm_bot/update': {
    bot: {
      username?: string | undefined;
      email?: string | undefined;
      full_name?: string | undefined;
      bot_type?: number | undefined;
      owner_id?: number | null | undefined;
      is_active?: boolean | undefined;
      avatar_url?: string | undefined;
      default_sending_stream?: string | null | undefined;
      default_events_register_stream?: string | null | undefined;
      default_all_public_streams?: boolean | undefined;
      services?: { base_url: string; interface: number; token?: string | undefined }[] | undefined;
      api_key?: string | undefined;
      user_id: number;
    };
    type: 'realm_bot';
    op: 'update';
  };
  /** The reader administers a bot no more. */
  'realm_bot/delete': { bot: { user_id: number }; type: 'realm_bot'; op: 'delete' };
  /** The registration of one of the reader's devices has come to something. */
  push_device: {
    push_account_id: string;
    status: 'active' | 'failed' | 'pending';
    error_code?: string | undefined;
    type: 'push_device';
  };
  /** One setting of the organization has a new value. */
  'realm/update': { property: string; value: unknown; type: 'realm'; op: 'update' };
  /** Settings of the organization have new values, by name. */
  'realm/update_dict': { property: 'default'; data: { [key: string]: unknown }; type: 'realm'; op: 'update_dict' };
  /** Linkifiers were added, changed, removed or reordered: all of them, in their order. */
  realm_linkifiers: { realm_linkifiers: LinkifierObject[]; type: 'realm_linkifiers' };
  /** Code playgrounds were added or removed: all of them. */
  realm_playgrounds: { realm_playgrounds: PlaygroundObject[]; type: 'realm_playgrounds' };
  /** Accounts may have addresses of one more domain. */
  'realm_domains/add': { realm_domain: { domain: string; allow_subdomains: boolean }; type: 'realm_domains'; op: 'add' };
  /** Whether domains below an allowed one are allowed too has changed. */
  'realm_domains/change': { realm_domain: { domain: string; allow_subdomains: boolean }; type: 'realm_domains'; op: 'change' };
  /** A domain is allowed no more; accounts keep their addresses. */
  'realm_domains/remove': { domain: string; type: 'realm_domains'; op: 'remove' };
}

/** An event of a queue, with its id there. */
export type AnyEvent = Events[keyof Events] & { id: number };

/** The state a client starts from, by fetch type. */
export interface States {
  onboarding_steps: { onboarding_steps: never[] };
  realm_filters: { realm_filters: never[] };
  message: { max_message_id: number };
  update_message_flags: {
    unread_msgs?: {
      count: number;
      pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[];
      streams: { stream_id: number; topic: string; unread_message_ids: number[] }[];
      huddles: { user_ids_string: string; unread_message_ids: number[] }[];
      mentions: number[];
      old_unreads_missing: boolean;
    };
  };
  recent_private_conversations: { recent_private_conversations: { max_message_id: number; user_ids: number[] }[] };
  starred_messages: { starred_messages: number[] };
  scheduled_messages: { scheduled_messages: ScheduledMessageObject[] };
  reminders: { reminders: ReminderObject[] };
  user_topic: {
    user_topics: { stream_id: number; topic_name: string; last_updated: number; visibility_policy: 1 | 2 | 3 }[];
  };
  muted_topics: { muted_topics: [string, string, number][] };
  drafts: { drafts: DraftObject[] };
  saved_snippets: { saved_snippets: SnippetObject[] };
  navigation_views: { navigation_views: NavigationViewObject[] };
  realm_emoji: { realm_emoji: { [key: string]: CustomEmojiObject } };
  stream: { streams: ChannelObject[] };
  default_streams: { realm_default_streams: number[] };
  channel_folders: { channel_folders: ChannelFolderObject[] };
  subscription: {
    subscriptions: SubscriptionObject[];
    unsubscribed: SubscriptionObject[];
    never_subscribed: ChannelObject[];
  };
  realm_user: {
    realm_users: UserObject[];
    realm_non_active_users: UserObject[];
    cross_realm_bots: UserObject[];
    user_id: number;
    email: string;
    delivery_email: string;
    full_name: string;
    avatar_source: 'G' | 'J' | 'U';
    avatar_url: string;
    avatar_url_medium: string;
    is_owner: boolean;
    is_admin: boolean;
    is_moderator: boolean;
    is_guest: boolean;
    can_create_private_streams: boolean;
    can_create_public_streams: boolean;
    can_create_streams: boolean;
    can_create_web_public_streams: boolean;
    can_subscribe_other_users: boolean;
    can_invite_others_to_realm: boolean;
  };
  custom_profile_fields: {
    custom_profile_fields: ProfileFieldObject[];
    custom_profile_field_types: {
      SHORT_TEXT: { id: 1; name: 'Text (short)' };
      LONG_TEXT: { id: 2; name: 'Text (long)' };
      SELECT: { id: 3; name: 'List of options' };
      DATE: { id: 4; name: 'Date' };
      URL: { id: 5; name: 'Link' };
      USER: { id: 6; name: 'Users' };
      EXTERNAL_ACCOUNT: { id: 7; name: 'External account' };
      PRONOUNS: { id: 8; name: 'Pronouns' };
    };
  };
  user_settings: {
    user_settings: {
      allow_private_data_export: boolean;
      automatically_follow_topics_policy: 1 | 2 | 3 | 4;
      automatically_follow_topics_where_mentioned: boolean;
      automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
      color_scheme: 1 | 2 | 3;
      default_language: string;
      demote_inactive_streams: 1 | 2 | 3;
      desktop_icon_count_display: 1 | 2 | 3 | 4;
      display_emoji_reaction_users: boolean;
      email_notifications_batching_period_seconds: number;
      emojiset: 'google' | 'text';
      enable_desktop_notifications: boolean;
      enable_digest_emails: boolean;
      enable_drafts_synchronization: boolean;
      enable_followed_topic_audible_notifications: boolean;
      enable_followed_topic_desktop_notifications: boolean;
      enable_followed_topic_email_notifications: boolean;
      enable_followed_topic_push_notifications: boolean;
      enable_followed_topic_wildcard_mentions_notify: boolean;
      enable_login_emails: boolean;
      enable_marketing_emails: boolean;
      enable_offline_email_notifications: boolean;
      enable_offline_push_notifications: boolean;
      enable_online_push_notifications: boolean;
      enable_sounds: boolean;
      enable_stream_audible_notifications: boolean;
      enable_stream_desktop_notifications: boolean;
      enable_stream_email_notifications: boolean;
      enable_stream_push_notifications: boolean;
      enter_sends: boolean;
      fluid_layout_width: boolean;
      hide_ai_features: boolean;
      high_contrast_mode: boolean;
      left_side_userlist: boolean;
      message_content_in_email_notifications: boolean;
      notification_sound: string;
      pm_content_in_desktop_notifications: boolean;
      presence_enabled: boolean;
      realm_name_in_email_notifications_policy: 1 | 2 | 3;
      receives_typing_notifications: boolean;
      resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never';
      send_private_typing_notifications: boolean;
      send_read_receipts: boolean;
      send_stream_typing_notifications: boolean;
      starred_message_counts: boolean;
      translate_emoticons: boolean;
      twenty_four_hour_time: boolean;
      user_list_style: 1 | 2 | 3;
      web_animate_image_previews: 'always' | 'never' | 'on_hover';
      web_channel_default_view: 1 | 2 | 3 | 4;
      web_escape_navigates_to_home_view: boolean;
      web_font_size_px: number;
      web_home_view: 'all_messages' | 'inbox' | 'recent_topics';
      web_inbox_show_channel_folders: boolean;
      web_left_sidebar_show_channel_folders: boolean;
      web_left_sidebar_unreads_count_summary: boolean;
      web_line_height_percent: number;
      web_mark_read_on_scroll_policy: 1 | 2 | 3;
      web_navigate_to_sent_message: boolean;
      web_stream_unreads_count_display_policy: 1 | 2 | 3;
      web_suggest_update_timezone: boolean;
      wildcard_mentions_notify: boolean;
      timezone: string;
      email_address_visibility: 1 | 2 | 3 | 4 | 5;
      available_notification_sounds: never[];
      emojiset_choices: readonly [{ key: 'google'; text: 'Google' }, { key: 'text'; text: 'Plain text' }];
    };
  };
  realm_user_settings_defaults: {
    realm_user_settings_defaults: {
      allow_private_data_export: boolean;
      automatically_follow_topics_policy: 1 | 2 | 3 | 4;
      automatically_follow_topics_where_mentioned: boolean;
      automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
      color_scheme: 1 | 2 | 3;
      default_language: string;
      demote_inactive_streams: 1 | 2 | 3;
      desktop_icon_count_display: 1 | 2 | 3 | 4;
      display_emoji_reaction_users: boolean;
      email_notifications_batching_period_seconds: number;
      emojiset: 'google' | 'text';
      enable_desktop_notifications: boolean;
      enable_digest_emails: boolean;
      enable_drafts_synchronization: boolean;
      enable_followed_topic_audible_notifications: boolean;
      enable_followed_topic_desktop_notifications: boolean;
      enable_followed_topic_email_notifications: boolean;
      enable_followed_topic_push_notifications: boolean;
      enable_followed_topic_wildcard_mentions_notify: boolean;
      enable_login_emails: boolean;
      enable_marketing_emails: boolean;
      enable_offline_email_notifications: boolean;
      enable_offline_push_notifications: boolean;
      enable_online_push_notifications: boolean;
      enable_sounds: boolean;
      enable_stream_audible_notifications: boolean;
      enable_stream_desktop_notifications: boolean;
      enable_stream_email_notifications: boolean;
      enable_stream_push_notifications: boolean;
      enter_sends: boolean;
      fluid_layout_width: boolean;
      hide_ai_features: boolean;
      high_contrast_mode: boolean;
      left_side_userlist: boolean;
      message_content_in_email_notifications: boolean;
      notification_sound: string;
      pm_content_in_desktop_notifications: boolean;
      presence_enabled: boolean;
      realm_name_in_email_notifications_policy: 1 | 2 | 3;
      receives_typing_notifications: boolean;
      resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never';
      send_private_typing_notifications: boolean;
      send_read_receipts: boolean;
      send_stream_typing_notifications: boolean;
      starred_message_counts: boolean;
      translate_emoticons: boolean;
      twenty_four_hour_time: boolean;
      user_list_style: 1 | 2 | 3;
      web_animate_image_previews: 'always' | 'never' | 'on_hover';
      web_channel_default_view: 1 | 2 | 3 | 4;
      web_escape_navigates_to_home_view: boolean;
      web_font_size_px: number;
      web_home_view: 'all_messages' | 'inbox' | 'recent_topics';
      web_inbox_show_channel_folders: boolean;
      web_left_sidebar_show_channel_folders: boolean;
      web_left_sidebar_unreads_count_summary: boolean;
      web_line_height_percent: number;
      web_mark_read_on_scroll_policy: 1 | 2 | 3;
      web_navigate_to_sent_message: boolean;
      web_stream_unreads_count_display_policy: 1 | 2 | 3;
      web_suggest_update_timezone: boolean;
      wildcard_mentions_notify: boolean;
      email_address_visibility: 1 | 2 | 3 | 4 | 5;
      available_notification_sounds: never[];
      emojiset_choices: readonly [{ key: 'google'; text: 'Google' }, { key: 'text'; text: 'Plain text' }];
    };
  };
  user_status: { user_status: { [key: string]: StatusObject } };
  muted_users: { muted_users: { id: number; timestamp: number }[] };
  alert_words: { alert_words: string[] };
  presence: { presences: Presences; server_timestamp?: number; presence_last_update_id?: number };
  realm_user_groups: { realm_user_groups: GroupObject[] };
  realm_bot: { realm_bots: BotObject[] };
  push_device: { push_devices: { [key: string]: { status: 'active' | 'failed' | 'pending'; error_code: string | null } } };
  realm: {
    realm_can_access_all_users_group: GroupSetting;
    realm_can_add_custom_emoji_group: GroupSetting;
    realm_can_add_subscribers_group: GroupSetting;
    realm_can_create_bots_group: GroupSetting;
    realm_can_create_groups: GroupSetting;
    realm_can_create_private_channel_group: GroupSetting;
    realm_can_create_public_channel_group: GroupSetting;
    realm_can_create_web_public_channel_group: GroupSetting;
    realm_can_create_write_only_bots_group: GroupSetting;
    realm_can_delete_any_message_group: GroupSetting;
    realm_can_delete_own_message_group: GroupSetting;
    realm_can_invite_users_group: GroupSetting;
    realm_can_manage_all_groups: GroupSetting;
    realm_can_manage_billing_group: GroupSetting;
    realm_can_mention_many_users_group: GroupSetting;
    realm_can_move_messages_between_channels_group: GroupSetting;
    realm_can_move_messages_between_topics_group: GroupSetting;
    realm_can_resolve_topics_group: GroupSetting;
    realm_can_set_delete_message_policy_group: GroupSetting;
    realm_can_set_topics_policy_group: GroupSetting;
    realm_can_summarize_topics_group: GroupSetting;
    realm_create_multiuse_invite_group: GroupSetting;
    realm_direct_message_initiator_group: GroupSetting;
    realm_direct_message_permission_group: GroupSetting;
    realm_name: string;
    realm_description: string;
    realm_url: string;
    realm_uri: string;
    realm_host: string;
    realm_date_created: number;
    realm_icon_url: string;
    realm_icon_source: string;
    realm_logo_url: string;
    realm_logo_source: string;
    realm_night_logo_url: string;
    realm_night_logo_source: string;
    realm_bot_domain: string;
    realm_is_zephyr_mirror_realm: boolean;
    realm_default_language: string;
    realm_org_type: number;
    realm_plan_type: number;
    realm_password_auth_enabled: boolean;
    realm_email_auth_enabled: boolean;
    realm_authentication_methods: {};
    realm_allow_edit_history: boolean;
    realm_message_edit_history_visibility_policy: 'all' | 'moves' | 'none';
    realm_allow_message_editing: boolean;
    realm_message_content_edit_limit_seconds: number | null;
    realm_message_content_delete_limit_seconds: number | null;
    realm_move_messages_within_stream_limit_seconds: number | null;
    realm_move_messages_between_streams_limit_seconds: number | null;
    realm_message_retention_days: number;
    realm_topics_policy: 'allow_empty_topic' | 'disable_empty_topic';
    realm_mandatory_topics: boolean;
    realm_empty_topic_display_name: string;
    realm_presence_disabled: boolean;
    realm_waiting_period_threshold: number;
    realm_invite_required: boolean;
    realm_emails_restricted_to_domains: boolean;
    realm_disallow_disposable_email_addresses: boolean;
    realm_name_changes_disabled: boolean;
    realm_email_changes_disabled: boolean;
    realm_avatar_changes_disabled: boolean;
    realm_default_avatar_source: 'G' | 'J';
    realm_require_unique_names: boolean;
    realm_send_welcome_emails: boolean;
    realm_welcome_message_custom_text?: string;
    realm_max_invites?: number;
    realm_send_channel_events_messages: boolean;
    realm_enable_read_receipts: boolean;
    realm_enable_spectator_access: boolean;
    realm_require_e2ee_push_notifications: boolean;
    realm_push_notifications_enabled: boolean;
    realm_push_notifications_enabled_end_timestamp: number | null;
    realm_new_stream_announcements_stream_id: number;
    realm_signup_announcements_stream_id: number;
    realm_moderation_request_channel_id: number;
    realm_default_code_block_language: string;
    realm_default_external_accounts: { [key: string]: { text: string; name: string; hint: string; url_pattern: string } };
    realm_wildcard_mention_policy: number;
    realm_digest_emails_enabled: boolean;
    realm_inline_image_preview: boolean;
    realm_inline_url_embed_preview: boolean;
    realm_video_chat_provider: number;
    realm_available_video_chat_providers: {};
    realm_giphy_rating: number;
    realm_upload_quota_mib: number | null;
    max_message_length: number;
    max_topic_length: number;
    max_stream_name_length: number;
    max_stream_description_length: number;
    max_channel_folder_name_length: number;
    max_channel_folder_description_length: number;
    max_reminder_note_length: number;
    max_bulk_new_subscription_messages: number;
    max_file_upload_size_mib: number;
    max_avatar_file_size_mib: number;
    max_icon_file_size_mib: number;
    max_logo_file_size_mib: number;
    password_min_length: number;
    password_max_length: number;
    password_min_guesses: number;
    server_presence_ping_interval_seconds: number;
    server_presence_offline_threshold_seconds: number;
    server_typing_started_expiry_period_milliseconds: number;
    server_typing_stopped_wait_period_milliseconds: number;
    server_typing_started_wait_period_milliseconds: number;
    server_min_deactivated_realm_deletion_days: number;
    server_max_deactivated_realm_deletion_days: null;
    server_timestamp: number;
    server_generation: number;
    server_inline_image_preview: boolean;
    server_inline_url_embed_preview: boolean;
    server_avatar_changes_disabled: boolean;
    server_name_changes_disabled: boolean;
    server_needs_upgrade: boolean;
    server_web_public_streams_enabled: boolean;
    server_emoji_data_url: string;
    server_thumbnail_formats: { name: string; max_width: 840; max_height: 560; format: string; animated: boolean }[];
    server_jitsi_server_url: null;
    server_can_summarize_topics: boolean;
    server_report_message_types: never[];
    server_supported_permission_settings: {
      realm: {
        [key: string]: {
          require_system_group: boolean;
          allow_internet_group: boolean;
          allow_nobody_group: boolean;
          allow_everyone_group: boolean;
          default_group_name: string;
          default_for_system_groups: null;
          allowed_system_groups: readonly (
            | 'role:administrators'
            | 'role:everyone'
            | 'role:fullmembers'
            | 'role:internet'
            | 'role:members'
            | 'role:moderators'
            | 'role:nobody'
            | 'role:owners')[];
        };
      };
      stream: {
        [key: string]: {
          require_system_group: boolean;
          allow_internet_group: boolean;
          allow_nobody_group: boolean;
          allow_everyone_group: boolean;
          default_group_name: string;
          default_for_system_groups: null;
          allowed_system_groups: readonly (
            | 'role:administrators'
            | 'role:everyone'
            | 'role:fullmembers'
            | 'role:internet'
            | 'role:members'
            | 'role:moderators'
            | 'role:nobody'
            | 'role:owners')[];
        };
      };
      group: {
        [key: string]: {
          require_system_group: boolean;
          allow_internet_group: boolean;
          allow_nobody_group: boolean;
          allow_everyone_group: boolean;
          default_group_name: string;
          default_for_system_groups: null;
          allowed_system_groups: readonly (
            | 'role:administrators'
            | 'role:everyone'
            | 'role:fullmembers'
            | 'role:internet'
            | 'role:members'
            | 'role:moderators'
            | 'role:nobody'
            | 'role:owners')[];
        };
      };
    };
    event_queue_longpoll_timeout_seconds: number;
    settings_send_digest_emails: boolean;
    upload_quota: number | null;
    development_environment: boolean;
    jitsi_server_url: null;
    giphy_api_key: string;
    tenor_api_key: string;
  };
  realm_linkifiers: { realm_linkifiers: LinkifierObject[] };
  realm_playgrounds: { realm_playgrounds: PlaygroundObject[] };
  realm_domains: { realm_domains: { domain: string; allow_subdomains: boolean }[] };
}

export type RegisterParameters = {
  apply_markdown?: boolean | undefined;
  client_gravatar?: boolean | undefined;
  include_subscribers?: boolean | 'partial' | undefined;
  slim_presence?: boolean | undefined;
  presence_history_limit_days?: number | undefined;
  all_public_streams?: boolean | undefined;
  narrow?: NarrowParam | undefined;
  client_capabilities?: { [key: string]: unknown } | undefined;
  queue_lifespan_secs?: number | undefined;
  idle_queue_timeout?: 'mobile' | number | undefined;
};

export type Registered = {
  queue_id: string;
  last_event_id: number;
  zulip_version: string;
  zulip_feature_level: number;
  zulip_merge_base: string;
};

/** A file, as its owner sees it. */
export type AttachmentObject = {
  id: number;
  name: string;
  path_id: string;
  size: number;
  create_time: number;
  messages: { id: number; date_sent: number }[];
};

/** A bot as its owner and administrators see it. */
export type BotObject = {
  user_id: number;
  username: string;
  email: string;
  full_name: string;
  bot_type: number;
  owner_id: number | null;
  is_active: boolean;
  avatar_url: string;
  default_sending_stream: string | null;
  default_events_register_stream: string | null;
  default_all_public_streams: boolean;
  services: { base_url: string; interface: number; token?: string | undefined }[];
  api_key?: string | undefined;
};

export type ChannelFolderObject = {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  date_created: number;
  is_archived: boolean;
  order: number;
};

/** A channel as everybody sees it who may know of it. */
export type ChannelObject = {
  can_add_subscribers_group: GroupSetting;
  can_administer_channel_group: GroupSetting;
  can_delete_any_message_group: GroupSetting;
  can_delete_own_message_group: GroupSetting;
  can_move_messages_out_of_channel_group: GroupSetting;
  can_move_messages_within_channel_group: GroupSetting;
  can_remove_subscribers_group: GroupSetting;
  can_resolve_topics_group: GroupSetting;
  can_send_message_group: GroupSetting;
  can_subscribe_group: GroupSetting;
  stream_id: number;
  name: string;
  is_archived: boolean;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  stream_post_policy: number;
  is_announcement_only: boolean;
  message_retention_days: number | null;
  topics_policy: string;
  first_message_id: number | null;
  folder_id: number | null;
  is_recently_active: boolean;
  subscriber_count: number;
  stream_weekly_traffic: number | null;
  is_default?: boolean | undefined;
  subscribers?: number[] | undefined;
  partial_subscribers?: number[] | undefined;
};

/** Channels that somebody is to be subscribed to. */
export type ChannelsToJoinParam = readonly { name: string; description?: string | undefined; color?: string | undefined }[];

/** An emoji of the organization's own, as clients see it. */
export type CustomEmojiObject = {
  id: string;
  name: string;
  source_url: string;
  still_url: string | null;
  deactivated: boolean;
  author_id: number | null;
};

export type DraftObject = {
  id: number;
  type: '' | 'private' | 'stream';
  to: number[];
  topic: string;
  content: string;
  timestamp: number;
};

/** A draft as a client gives it; keys nobody knows are refused, since they would be lost. */
export type DraftParam = {
  type: '' | 'channel' | 'direct' | 'private' | 'stream';
  to: readonly number[];
  topic: string;
  content: string;
  timestamp?: number | null | undefined;
};

export type FieldData = { [key: string]: { text: string; order: string } } | { subtype: string; url_pattern?: string | undefined };

/** A user group; `members` are its direct ones that are active. */
export type GroupObject = {
  can_add_members_group: GroupSetting;
  can_join_group: GroupSetting;
  can_leave_group: GroupSetting;
  can_manage_group: GroupSetting;
  can_mention_group: GroupSetting;
  can_remove_members_group: GroupSetting;
  id: number;
  name: string;
  description: string;
  date_created: number | null;
  creator_id: number | null;
  members: number[];
  direct_subgroup_ids: number[];
  is_system_group: boolean;
  deactivated: boolean;
};

/** Who has a permission: a group's id, or users and groups listed one by one. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** Who has a permission: a group's id, or users and groups listed one by one. */
export type GroupSettingParam = number | { direct_members: readonly number[]; direct_subgroups: readonly number[] };

/** A new value of a permission, refused unless the present one is `old`, if that is given. */
export type GroupSettingUpdateParam = { new: GroupSettingParam; old?: GroupSettingParam | undefined };

/** A linkifier as clients see it. */
export type LinkifierObject = { pattern: string; url_template: string; id: number };

/** A message of a channel or between people. The schema does not tell them apart: it would repeat every field. */
export type MessageObject =
  | {
      id: number;
      sender_id: number;
      sender_email: string;
      sender_full_name: string;
      sender_realm_str: string;
      avatar_url: string | null;
      client: string;
      content: string;
      content_type: 'text/html' | 'text/x-markdown';
      recipient_id: number;
      subject: string;
      topic_links: { url: string; text: string }[];
      timestamp: number;
      last_edit_timestamp?: number | undefined;
      last_moved_timestamp?: number | undefined;
      edit_history?:
        | {
            user_id: number | null;
            timestamp: number;
            prev_topic?: string | undefined;
            topic?: string | undefined;
            prev_stream?: number | undefined;
            stream?: number | undefined;
            prev_content?: string | undefined;
            prev_rendered_content?: string | undefined;
          }[]
        | undefined;
      is_me_message: boolean;
      reactions: { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[];
      submessages: unknown[];
      flags?: string[] | undefined;
      match_content?: string | undefined;
      match_subject?: string | undefined;
      type: 'private';
      stream_id?: undefined;
      display_recipient: { id: number; email: string; full_name: string; is_mirror_dummy: boolean }[];
    }
  | {
      id: number;
      sender_id: number;
      sender_email: string;
      sender_full_name: string;
      sender_realm_str: string;
      avatar_url: string | null;
      client: string;
      content: string;
      content_type: 'text/html' | 'text/x-markdown';
      recipient_id: number;
      subject: string;
      topic_links: { url: string; text: string }[];
      timestamp: number;
      last_edit_timestamp?: number | undefined;
      last_moved_timestamp?: number | undefined;
      edit_history?:
        | {
            user_id: number | null;
            timestamp: number;
            prev_topic?: string | undefined;
            topic?: string | undefined;
            prev_stream?: number | undefined;
            stream?: number | undefined;
            prev_content?: string | undefined;
            prev_rendered_content?: string | undefined;
          }[]
        | undefined;
      is_me_message: boolean;
      reactions: { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[];
      submessages: unknown[];
      flags?: string[] | undefined;
      match_content?: string | undefined;
      match_subject?: string | undefined;
      type: 'stream';
      stream_id: number;
      display_recipient: string;
    };

/** `[{ operator, operand, negated? }]`, or the older `[[operator, operand]]`. */
export type NarrowParam = readonly (
  | readonly [string, boolean | number | string | readonly number[] | readonly string[]]
  | {
      operator: string;
      operand: boolean | number | string | readonly number[] | readonly string[];
      negated?: boolean | undefined;
    })[];

export type NavigationViewObject = { fragment: string; is_pinned: boolean; name: string | null };

export type PlaygroundObject = { id: number; name: string; pygments_language: string; url_template: string };

export type Presences =
  | { [key: string]: { active_timestamp: number; idle_timestamp: number } }
  | {
      [key: string]: {
        aggregated: { client: 'website'; status: 'active' | 'idle'; timestamp: number };
        website: { client: 'website'; status: 'active' | 'idle'; timestamp: number; pushable: false };
      };
    };

/** What somebody shall have in custom profile fields. */
export type ProfileDataParam = readonly { id: number; value: string | readonly number[] | null }[];

export type ProfileFieldObject = {
  id: number;
  type: number;
  order: number;
  name: string;
  hint: string;
  field_data: string;
  display_in_profile_summary?: boolean | undefined;
  required: boolean;
  editable_by_user: boolean;
};

/** What somebody has in a custom profile field. */
export type ProfileValue = { value: string; rendered_value?: string | undefined };

export type ReactionType = 'realm_emoji' | 'unicode_emoji' | 'zulip_extra_emoji';

export type ReminderObject = {
  reminder_id: number;
  type: 'private';
  to: number[];
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
  reminder_target_message_id: number;
};

export type ScheduledMessageObject = {
  scheduled_message_id: number;
  type: 'private' | 'stream';
  to: number | number[];
  topic?: string | undefined;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
};

export type SnippetObject = { id: number; title: string; content: string; date_created: number };

/** What a status holds; what is absent is not there. */
export type StatusObject = {
  away?: boolean | undefined;
  status_text?: string | undefined;
  emoji_name?: string | undefined;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
};

/** A channel with what one user has set for it. */
export type SubscriptionObject = {
  can_add_subscribers_group: GroupSetting;
  can_administer_channel_group: GroupSetting;
  can_delete_any_message_group: GroupSetting;
  can_delete_own_message_group: GroupSetting;
  can_move_messages_out_of_channel_group: GroupSetting;
  can_move_messages_within_channel_group: GroupSetting;
  can_remove_subscribers_group: GroupSetting;
  can_resolve_topics_group: GroupSetting;
  can_send_message_group: GroupSetting;
  can_subscribe_group: GroupSetting;
  stream_id: number;
  name: string;
  is_archived: boolean;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  stream_post_policy: number;
  is_announcement_only: boolean;
  message_retention_days: number | null;
  topics_policy: string;
  first_message_id: number | null;
  folder_id: number | null;
  is_recently_active: boolean;
  subscriber_count: number;
  stream_weekly_traffic: number | null;
  is_default?: boolean | undefined;
  subscribers?: number[] | undefined;
  partial_subscribers?: number[] | undefined;
  color: string;
  is_muted: boolean;
  in_home_view: boolean;
  pin_to_top: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
};

/** An account as clients receive it. */
export type UserObject = {
  user_id: number;
  delivery_email: string | null;
  email: string;
  full_name: string;
  date_joined: string;
  is_active: boolean;
  is_owner: boolean;
  is_admin: boolean;
  is_guest: boolean;
  is_bot: boolean;
  bot_type: number | null;
  bot_owner_id: number | null;
  role: number;
  timezone?: string | undefined;
  avatar_url: string | null;
  avatar_version: number;
  profile_data?: { [key: string]: ProfileValue } | undefined;
  is_system_bot?: boolean | undefined;
};

// Committed because editors show these comments on hover, which inferred types do not have. `npm run documents` writes it.
import type { BlobLike } from '../base/platform-types.ts';
import type { CallOptions, UploadOptions } from './call-options.ts';
import type { Answer, Register } from './methods.ts';

/** Every operation, by group and action. Parameter and result names are the wire's own. */
export interface Operations {
  serverSettings: {
    /**
     * Show server settings (no login needed).
     *
     * Ignores credentials, even invalid ones.
     */
    get: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      authentication_methods: { [key: string]: boolean };
      external_authentication_methods: unknown[];
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
   * Get your API key with your password.
   *
   * Failed attempts are limited per user name. The account is notified of the login by e-mail.
   *
   * @param parameters
   * - `username`: The account's e-mail address.
   * - `password`
   *
   * @throws BadRequest, AuthenticationFailed, PasswordAuthDisabled, UserDeactivated
   *
   * @example
   * await session.fetchApiKey({ username: 'ada@example.com', password: 'correct horse battery staple' });
   */
  fetchApiKey: (parameters: { username: string; password: string }, options?: CallOptions) => Promise<Answer<SignInResult>>;
  /**
   * Get the API key of any account on a development server.
   *
   * Works only if development mode is enabled.
   *
   * @param parameters
   * - `username`: The account's e-mail address.
   *
   * @throws BadRequest, AuthenticationFailed, UserDeactivated
   *
   * @example
   * await session.devFetchApiKey({ username: 'ada@example.com' });
   */
  devFetchApiKey: (parameters: { username: string }, options?: CallOptions) => Promise<Answer<SignInResult>>;
  users: {
    /**
     * Set the password of another user.
     *
     * Administrators only; owners only, if the user is an owner. Replaces the API key, which signs out all clients, unless `keep_api_key` is set. Notifies the user by e-mail and resets the count of wrong passwords.
     *
     * @param parameters
     * - `user_id`
     * - `password`: At least 8 characters, and not the name or e-mail address.
     * - `keep_api_key` (optional): Keep the API key, so that clients stay signed in.
     *
     * @throws BadRequest, UnauthorizedPrincipal, PasswordTooWeak
     *
     * @example
     * await session.users.setPassword({ user_id: 9, password: 'correct horse battery staple' });
     */
    setPassword: (parameters: { user_id: number; password: string; keep_api_key?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Get the API key of another user.
     *
     * Administrators only; owners only, if the user is an owner. Anyone with the key can act as the user.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.getApiKey({ user_id: 9 });
     */
    getApiKey: (parameters: { user_id: number }, options?: CallOptions) => Promise<Answer<{ api_key: string }>>;
    /**
     * Unlock an account after too many wrong passwords.
     *
     * Owners only, if the user is an owner. Resets the count of wrong passwords on all servers.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.unlock({ user_id: 9 });
     */
    unlock: (parameters: { user_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Create a password reset link to give to a user.
     *
     * Administrators only; owners only, if the user is an owner. The link works once, within 24 hours. Anyone with the link can sign in as the user.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.createResetLink({ user_id: 9 });
     */
    createResetLink: (parameters: { user_id: number }, options?: CallOptions) => Promise<Answer<{
      reset_link: string;
    }>>;
    /**
     * List the accounts of the organization.
     *
     * People and bots, active and deactivated. Restricted guests get placeholders for people they cannot see. Callers without an account get all accounts, but no profile fields.
     *
     * @param parameters
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     * - `user_ids` (optional): Return only these accounts. Unknown IDs are skipped.
     *
     * @throws BadRequest
     */
    list: (parameters?: {
      client_gravatar?: boolean | undefined;
      include_custom_profile_fields?: boolean | undefined;
      user_ids?: readonly number[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      members: {
        external_id?: string | undefined;
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
      }[];
    }>>;
    /**
     * Find up to 20 accounts by name or e-mail address.
     *
     * For suggestions while a user types. Finds accounts whose name has words that start with the words of the query, without regard to case and accents. Then accounts whose e-mail address starts with the query, if you can see the address. An exact match comes first, then names that start with the query. An empty query finds every account.
     *
     * @param parameters
     * - `query`: Start of a name, of words of a name, or of an e-mail address.
     * - `stream_id` (optional): Put subscribers of this channel before others, for mentions.
     * - `include_bots` (optional): Include bots.
     * - `include_deactivated` (optional): Include deactivated accounts.
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.search({ query: 'al' });
     */
    search: (parameters: {
      query: string;
      stream_id?: number | undefined;
      include_bots?: boolean | undefined;
      include_deactivated?: boolean | undefined;
      client_gravatar?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{ members: UserObject[] }>>;
    /**
     * Get your own account.
     */
    me: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
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
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.get({ user_id: 9 });
     */
    get: (parameters: {
      client_gravatar?: boolean | undefined;
      include_custom_profile_fields?: boolean | undefined;
      user_id: number;
    }, options?: CallOptions) => Promise<Answer<{
      user: {
        external_id?: string | undefined;
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
    }>>;
    /**
     * Get an account by its e-mail address.
     *
     * `email` is the real address if you may see it, or the placeholder address.
     *
     * @param parameters
     * - `email`: Real or placeholder e-mail address.
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.getByEmail({ email: 'ada@example.com' });
     */
    getByEmail: (parameters: {
      client_gravatar?: boolean | undefined;
      include_custom_profile_fields?: boolean | undefined;
      email: string;
    }, options?: CallOptions) => Promise<Answer<{
      user: {
        external_id?: string | undefined;
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
    }>>;
    /**
     * Create an account.
     *
     * Administrators only. Without a password, the account can sign in only by API key.
     *
     * @param parameters
     * - `email`: Real e-mail address. Unique; case is ignored.
     * - `full_name`: Display name, 2 to 100 characters.
     * - `password` (optional): At least 8 characters, and not the name or e-mail address.
     * - `role` (optional): Only owners can create owners.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, IdempotencyKeyReused, EmailAlreadyInUse, PasswordTooWeak
     *
     * @example
     * await session.users.create({ email: 'ben@example.com', full_name: 'Ben' });
     */
    create: (parameters: {
      idempotency_key?: string | undefined;
      email: string;
      full_name: string;
      password?: string | undefined;
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
    }, options?: CallOptions) => Promise<Answer<{ user_id: number }>>;
    /**
     * Get the account with an e-mail address, or create it.
     *
     * Safe to repeat and to call concurrently. Does not change or reactivate an existing account.
     *
     * @param parameters
     * - `email`: Real e-mail address. Unique; case is ignored.
     * - `full_name`: Display name, 2 to 100 characters.
     * - `role` (optional): Role of a new account. An existing account keeps its role.
     *
     * @throws BadRequest, UnauthorizedPrincipal, EmailAlreadyInUse
     *
     * @example
     * await session.users.ensure({ email: 'ben@example.com', full_name: 'Ben' });
     */
    ensure: (parameters: { email: string; full_name: string; role?: 100 | 200 | 300 | 400 | 600 | undefined }, options?: CallOptions) => Promise<Answer<{
      user_id: number;
      is_new: boolean;
      is_active: boolean;
    }>>;
    /**
     * Create accounts for many people at once.
     *
     * Administrators only. Each row is created, exists already or fails with its own reason. A failed row does not stop the others. Existing accounts are not changed. No passwords are set.
     *
     * @param parameters
     * - `people`: At most 2000 rows: e-mail address, name, role (default 400) and names of channels to join besides the default channels.
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
    }, options?: CallOptions) => Promise<Answer<{
      people: {
        user_id: number | null;
        outcome: 'created' | 'deactivated' | 'exists' | 'failed';
        reason?: string | undefined;
      }[];
    }>>;
    /**
     * Edit an account: name, role, e-mail address, profile data.
     *
     * For administrators and the owner of a bot. All given changes are applied, or none.
     *
     * @param parameters
     * - `user_id`
     * - `full_name` (optional): Display name, 2 to 100 characters. A blank name changes nothing.
     * - `role` (optional): Only owners can grant or revoke the owner role. Guests cannot become administrators.
     * - `profile_data` (optional): Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     * - `new_email` (optional): New real e-mail address. Only for owners with the permission can_change_user_emails.
     *
     * @throws BadRequest, FieldLocked, UnauthorizedPrincipal
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Edit an account, found by its e-mail address.
     *
     * Administrators only. `email` is the real address if you may see it, or the placeholder address.
     *
     * @param parameters
     * - `email`: Real or placeholder e-mail address.
     * - `full_name` (optional): Display name, 2 to 100 characters. A blank name changes nothing.
     * - `role` (optional): Only owners can grant or revoke the owner role. Guests cannot become administrators.
     * - `profile_data` (optional): Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     * - `new_email` (optional): New real e-mail address. Only for owners with the permission can_change_user_emails.
     *
     * @throws BadRequest, FieldLocked, UnauthorizedPrincipal
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate an account and the bots it owns.
     *
     * Nothing is deleted: messages, names and subscriptions stay.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal, FieldLocked
     *
     * @example
     * await session.users.deactivate({ user_id: 9 });
     */
    deactivate: (parameters: { user_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate your own account.
     *
     * Only an administrator can reactivate it.
     *
     * @throws BadRequest, FieldLocked
     */
    deactivateMe: (parameters?: {}, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Reactivate an account.
     *
     * The account keeps its role, subscriptions and permissions.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal, FieldLocked
     *
     * @example
     * await session.users.reactivate({ user_id: 9 });
     */
    reactivate: (parameters: { user_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Replace your API key.
     *
     * The old key stops working. Your phones get no push notifications until they sign in again.
     */
    regenerateApiKey: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ api_key: string }>>;
  };
  tokens: {
    /**
     * Create a token: a login for a limited time.
     *
     * Send it as "Authorization: Bearer …". It works for pages of other sites too. It cannot create tokens, or read or replace API keys. It ends early with `tokens.revoke`, if the account is deactivated, or if its API key is replaced.
     *
     * @param parameters
     * - `ttl_seconds` (optional): Seconds until it expires.
     * - `scopes` (optional): What it allows: `read`, or `write`, which includes reading. Default: everything.
     *
     * @throws BadRequest
     *
     * @example
     * await session.tokens.create({ ttl_seconds: 600 });
     */
    create: (parameters?: {
      ttl_seconds?: number | undefined;
      scopes?: readonly ('read' | 'write')[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      token: string;
      token_id: string;
      expires_at: number;
      user_id: number;
    }>>;
    /**
     * End a token, or all tokens and browser logins.
     *
     * Without `token_id`, it ends all tokens of your account, and logs out all browsers. API keys continue to work. The same happens if more than 100 tokens that have not expired are ended one by one.
     *
     * @param parameters
     * - `token_id` (optional): The `token_id` from `tokens.create`. Default: all.
     *
     * @throws BadRequest
     *
     * @example
     * await session.tokens.revoke();
     */
    revoke: (parameters?: { token_id?: string | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  passwords: {
    /**
     * Request a password reset link by e-mail.
     *
     * No login needed. The response is the same whether or not the address has an account. The link works once, within 24 hours. At most 2 e-mails per address and hour, 5 per day.
     *
     * @param parameters
     * - `email`: E-mail address of the account.
     *
     * @throws BadRequest, PasswordAuthDisabled
     *
     * @example
     * await session.passwords.requestReset({ email: 'ada@example.com' });
     */
    requestReset: (parameters: { email: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Show the account of a password reset link, without using the link.
     *
     * @param parameters
     * - `token`: The last part of the link.
     *
     * @throws BadRequest
     *
     * @example
     * await session.passwords.checkReset({ token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc' });
     */
    checkReset: (parameters: { token: string }, options?: CallOptions) => Promise<Answer<{
      email: string;
      full_name: string;
      realm_name: string;
    }>>;
    /**
     * Set a new password with a reset link, and sign in.
     *
     * All reset links of the account stop working. Replaces the API key, which signs out all clients, unless `keep_api_key` is set. Resets the count of wrong passwords.
     *
     * @param parameters
     * - `token`: The last part of the link.
     * - `new_password`: At least 8 characters, and not the name or e-mail address.
     * - `keep_api_key` (optional): Keep the API key, so that clients stay signed in.
     *
     * @throws BadRequest, PasswordTooWeak
     *
     * @example
     * await session.passwords.reset({ token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc', new_password: 'correct horse battery staple' });
     */
    reset: (parameters: { token: string; new_password: string; keep_api_key?: boolean | undefined }, options?: CallOptions) => Promise<Answer<SignInResult>>;
  };
  /**
   * Register an event queue and get the initial state.
   *
   * The queue starts exactly at the returned state: apply its events to keep the state up to date. Queues survive restarts and expire when you do not poll them. An account can have 1,000 queues. A new queue above this limit ends the least recently used queue.
   *
   * @param parameters
   * - `apply_markdown` (optional): Send message content as HTML instead of Markdown.
   * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. Default, and null: true.
   * - `include_subscribers` (optional): Include the subscribers of channels. With `partial`, the largest channels get `partial_subscribers` if the response would be too large.
   * - `include_never_subscribed` (optional): With `false`, the response has no `never_subscribed`, which lists all other channels that you can see.
   * - `slim_presence` (optional): Send presence by user ID, in the short format.
   * - `presence_history_limit_days` (optional): Include the presence of users who were active in this many days.
   * - `event_types` (optional): Event types for the queue. Default: all.
   * - `fetch_event_types` (optional): Types of state to return. Default: same as `event_types`.
   * - `all_public_streams` (optional): Include messages of public channels you are not subscribed to.
   * - `narrow` (optional): Only send messages that match all these terms: objects, or pairs like `["channel", "general"]`.
   * - `client_capabilities` (optional): Optional features that the client supports, by name. Typing in channels needs `stream_typing_notifications`. With `strict_content`, the HTML of messages in events has no `style` attributes.
   * - `queue_lifespan_secs` (optional): Old name of `idle_queue_timeout`.
   * - `idle_queue_timeout` (optional): Seconds without a poll until the queue expires: 600 (default) to 604,800, or `mobile` for 7 days.
   *
   * @throws BadRequest, BadNarrow
   *
   * @example
   * await session.register({ fetch_event_types: [ 'subscription' ], event_types: [ 'message' ] });
   */
  register: Register<RegisterParameters, Registered, States>;
  events: {
    /**
     * Get the events of a queue, or wait for the next event.
     *
     * `last_event_id` acknowledges all events up to this ID. If there are no events, the call waits and then returns a heartbeat. A newer call on the same queue ends the waiting call. `GET /events/stream` takes the same parameters and sends server-sent events.
     *
     * @param parameters
     * - `queue_id`: Queue ID from `register`.
     * - `last_event_id`: ID of the newest event you have received, or -1.
     * - `dont_block` (optional): Return immediately, even without events.
     *
     * @throws BadRequest, BadEventQueueId
     *
     * @example
     * await session.events.list({ queue_id: 'd2b1…', last_event_id: -1 });
     */
    list: (parameters: { queue_id: string; last_event_id: number; dont_block?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      events: AnyEvent[];
      queue_id: string;
    }>>;
    /**
     * Delete an event queue.
     *
     * A poll that waits on the queue fails with BAD_EVENT_QUEUE_ID.
     *
     * @param parameters
     * - `queue_id`
     *
     * @throws BadRequest, BadEventQueueId
     *
     * @example
     * await session.events.delete({ queue_id: 'd2b1…' });
     */
    delete: (parameters: { queue_id: string }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  messages: {
    /**
     * Send a message to a channel or to users.
     *
     * `/poll QUESTION` and `/todo TITLE` start a poll or a to-do list. Each further line is an option, or a task with an optional description (`TASK: DESCRIPTION`). If a bot addresses a channel that is missing or has no subscribers, its owner gets a direct message, at most once in 5 minutes. A call repeated with an `idempotency_key` may have another `queue_id` and `local_id`.
     *
     * @param parameters
     * - `type`: `channel` (or `stream`), `direct` (or `private`).
     * - `topic` (optional): Topic of a channel message, at most 60 characters.
     * - `content`: Message content in Markdown, at most 10,000 characters.
     * - `read_by_sender` (optional): Mark the message as read for the sender. The default depends on the client name.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     * - `to`: For a channel: its ID or name. For a direct message: a list of user IDs or of e-mail addresses.
     * - `subject` (optional): Old name of `topic`.
     * - `queue_id` (optional): Event queue of the sending client. Only this queue gets the `local_id`.
     * - `local_id` (optional): ID that the client gives the message. Returned in the message event of `queue_id`.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     * - `widget_content` (optional): Buttons below the message. Clients send the `reply` of a button that is clicked.
     *
     * @throws BadRequest, IdempotencyKeyReused, StreamDoesNotExist, RequestConfusingVariable, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup **today**' });
     */
    send: (parameters:
      | {
          idempotency_key?: string | undefined;
          truncate?: boolean | undefined;
          content: string;
          read_by_sender?: boolean | undefined;
          type: 'channel' | 'stream';
          topic: string;
          to: number | string | readonly number[] | readonly string[];
          subject?: string | undefined;
          queue_id?: string | undefined;
          local_id?: string | undefined;
          widget_content?: ZformParam | undefined;
        }
      | {
          idempotency_key?: string | undefined;
          truncate?: boolean | undefined;
          topic?: string | undefined;
          content: string;
          read_by_sender?: boolean | undefined;
          type: 'direct' | 'private';
          to: number | string | readonly number[] | readonly string[];
          subject?: string | undefined;
          queue_id?: string | undefined;
          local_id?: string | undefined;
          widget_content?: ZformParam | undefined;
        }, options?: CallOptions) => Promise<Answer<{
      id: number;
      automatic_new_visibility_policy?: 2 | 3 | undefined;
    }>>;
    /**
     * Render Markdown as HTML without sending a message.
     *
     * Stores nothing and notifies no user. Also renders mentions that you are not allowed to send.
     *
     * @param parameters
     * - `content`: Markdown, at most 10,000 characters.
     * - `strict_content` (optional): Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.render({ content: 'It **works**.' });
     */
    render: (parameters: {
      truncate?: boolean | undefined;
      content: string;
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{ rendered: string }>>;
    /**
     * List messages around an anchor, filtered by a narrow.
     *
     * Operators of a narrow: channel, channels, topic, dm, dm-including, sender, is, has, id, with, near and search. Each operator can be negated. Without a narrow, all messages you received are listed. A search finds all forms of a word in content and topic, and words that begin with it. Phrases in quotation marks match literally. Matches are highlighted in match_content and match_subject. A response contains at most about 10 MB of text. If there is more, it contains the messages nearest to the anchor, and found_oldest or found_newest is false.
     *
     * @param parameters
     * - `anchor` (optional): Message ID, `newest`, `oldest` or `first_unread`.
     * - `use_first_unread_anchor` (optional): Legacy form of anchor=first_unread.
     * - `include_anchor` (optional): Include the message at the anchor.
     * - `num_before` (optional): Number of messages before the anchor.
     * - `num_after` (optional): Number of messages after the anchor. Both numbers together can be at most 5000.
     * - `narrow` (optional): Terms that must all match: objects, or pairs like `["channel", "general"]`.
     * - `message_ids` (optional): List exactly these messages. Ignores anchor and narrow.
     * - `apply_markdown` (optional): Return content as HTML. If false, return Markdown.
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `allow_empty_topic_name` (optional): Return the empty topic as "" instead of its display name.
     * - `strict_content` (optional): Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`.
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
      narrow?: NarrowParam | null | undefined;
      message_ids?: readonly number[] | null | undefined;
      apply_markdown?: boolean | undefined;
      client_gravatar?: boolean | undefined;
      allow_empty_topic_name?: boolean | undefined;
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      messages: MessageObject[];
      anchor?: number | undefined;
      found_newest?: boolean | undefined;
      found_oldest?: boolean | undefined;
      found_anchor?: boolean | undefined;
      history_limited: boolean;
    }>>;
    /**
     * Check which messages match a narrow.
     *
     * For clients that keep a narrow up to date when new messages arrive. Skips messages you cannot read.
     *
     * @param parameters
     * - `msg_ids`: Message IDs.
     * - `narrow`: As for `messages.list`.
     * - `strict_content` (optional): Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`.
     *
     * @throws BadRequest, BadNarrow
     *
     * @example
     * await session.messages.matchesNarrow({ msg_ids: [ 7, 8 ], narrow: [ { operator: 'search', operand: 'soup' } ] });
     */
    matchesNarrow: (parameters: {
      msg_ids: readonly number[];
      narrow: NarrowParam;
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      messages: { [key: string]: { match_content: string; match_subject: string } };
    }>>;
    /**
     * Get a message by its ID.
     *
     * @param parameters
     * - `message_id`
     * - `apply_markdown` (optional): Return content as HTML. If false, return Markdown.
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `allow_empty_topic_name` (optional): Return the empty topic as "" instead of its display name.
     * - `strict_content` (optional): Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`.
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
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{ message: MessageObject; raw_content: string }>>;
    /**
     * Edit a message's content, or move messages to another topic or channel.
     *
     * You can edit the content of your own messages for a limited time. Empty content becomes "(deleted)". Unchanged content also counts as an edit. You cannot edit the content of polls and to-do lists. A whole topic moves in one transaction if the target topic has no messages. Other moves of more than 2,500 messages take several transactions, newest messages first, each with its own event.
     *
     * @param parameters
     * - `message_id`
     * - `topic` (optional): New topic, at most 60 characters.
     * - `propagate_mode` (optional): Messages to move: only this message, also later messages in its topic, or the whole topic.
     * - `send_notification_to_old_thread` (optional): Let the notification bot post in the old topic where the messages went.
     * - `send_notification_to_new_thread` (optional): Let the notification bot post in the new topic where the messages came from.
     * - `content` (optional): New content in Markdown, at most 10,000 characters.
     * - `stream_id` (optional): ID of the channel to move to.
     * - `prev_content_sha256` (optional): SHA-256 (hex) of the content you know. The edit fails if the content has changed.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
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
      truncate?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{ detached_uploads: AttachmentObject[] }>>;
    /**
     * Permanently delete a message.
     *
     * You can delete your own messages for a limited time, and any message if you have permission.
     *
     * @param parameters
     * - `message_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.delete({ message_id: 7 });
     */
    delete: (parameters: { message_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Get a message's edit history.
     *
     * Oldest entry first. The first entry is the original message. If there are more than 250 edits or several megabytes, only the newest edits are listed, and the first entry is the message before them. The organization can limit the history to moves, or turn it off.
     *
     * @param parameters
     * - `message_id`
     * - `allow_empty_topic_name` (optional): Return the empty topic as "" instead of its display name.
     * - `strict_content` (optional): Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.history({ message_id: 7 });
     */
    history: (parameters: {
      message_id: number;
      allow_empty_topic_name?: boolean | undefined;
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      message_history: {
        topic: string;
        content: string;
        rendered_content: string;
        content_html_diff?: string | undefined;
        user_id: number | null;
        timestamp: number;
        prev_topic?: string | undefined;
        prev_stream?: number | undefined;
        stream?: number | undefined;
        prev_content?: string | undefined;
        prev_rendered_content?: string | undefined;
      }[];
    }>>;
    /**
     * Mark messages as read, unread, starred or collapsed.
     *
     * Marking messages as unread, starred or collapsed fails if you cannot read one of them. Other changes skip messages you cannot read.
     *
     * @param parameters
     * - `messages`: Message IDs, at most 5000.
     * - `op`
     * - `flag`
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.updateFlags({ messages: [ 7, 8 ], op: 'add', flag: 'starred' });
     */
    updateFlags: (parameters: {
      op: 'add' | 'remove';
      flag: 'collapsed' | 'read' | 'starred';
      messages: readonly number[];
    }, options?: CallOptions) => Promise<Answer<{
      messages: number[];
      ignored_because_not_subscribed_channels: number[];
    }>>;
    /**
     * Mark messages in a narrow as read, unread, starred or collapsed.
     *
     * Changes messages in a window around an anchor. To change all newer messages, repeat the call with `last_processed_id` as the anchor until `found_newest` is true.
     *
     * @param parameters
     * - `anchor`: Message ID, `newest`, `oldest` or `first_unread`.
     * - `include_anchor` (optional): Include the message at the anchor.
     * - `num_before`: Number of messages before the anchor.
     * - `num_after`: Number of messages after the anchor. Both numbers together can be at most 5000.
     * - `narrow`: Terms that must all match: objects, or pairs like `["channel", "general"]`.
     * - `op`
     * - `flag`
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
      op: 'add' | 'remove';
      flag: 'collapsed' | 'read' | 'starred';
      anchor: 'first_unread' | 'newest' | 'oldest' | number;
      include_anchor?: boolean | undefined;
      num_before: number;
      num_after: number;
      narrow: NarrowParam | null;
    }, options?: CallOptions) => Promise<Answer<{
      processed_count: number;
      updated_count: number;
      first_processed_id: number | null;
      last_processed_id: number | null;
      found_oldest: boolean;
      found_newest: boolean;
      ignored_because_not_subscribed_channels: number[];
    }>>;
    /**
     * Mark all messages as read.
     *
     * If you have very many unread messages, repeat the call until `complete` is true.
     *
     * @throws BadRequest
     */
    markAllRead: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ complete: boolean }>>;
    /**
     * Mark all messages in a channel as read.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.markChannelRead({ stream_id: 3 });
     */
    markChannelRead: (parameters: { stream_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Mark all messages in a topic as read.
     *
     * @param parameters
     * - `stream_id`
     * - `topic_name`: Topic name. The topic must have messages.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.markTopicRead({ stream_id: 3, topic_name: 'lunch' });
     */
    markTopicRead: (parameters: { stream_id: number; topic_name: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the users who have read a message.
     *
     * Leaves out the sender and users who have turned off read receipts.
     *
     * @param parameters
     * - `message_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.readReceipts({ message_id: 7 });
     */
    readReceipts: (parameters: { message_id: number }, options?: CallOptions) => Promise<Answer<{
      user_ids: number[];
    }>>;
    /**
     * Add an emoji reaction to a message.
     *
     * If the message already has a reaction with this emoji code and type, your reaction uses the name of that reaction.
     *
     * @param parameters
     * - `message_id`
     * - `emoji_name`: Emoji name without colons, for example `tada`.
     * - `emoji_code` (optional): ID of the emoji within its `reaction_type`. Default: looked up by name.
     * - `reaction_type` (optional): `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. Default: looked up by name.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove your emoji reaction from a message.
     *
     * @param parameters
     * - `message_id`
     * - `emoji_name` (optional): Emoji name. Set this or `emoji_code`.
     * - `emoji_code` (optional): ID of the emoji within its `reaction_type`.
     * - `reaction_type` (optional): `unicode_emoji` (default with `emoji_code`), `realm_emoji` or `zulip_extra_emoji`.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Vote in a poll, or change a poll or a to-do list.
     *
     * Polls accept `{"type":"vote","key":"canned,0","vote":1}` (-1 withdraws it) and `{"type":"new_option","option":"Soup","idx":1}`. The sender can also use `{"type":"question","question":"Lunch?"}`. To-do lists accept `{"type":"new_task","key":1,"task":"Shop","desc":"","completed":false}` and `{"type":"strike","key":"0,canned"}`. The sender can also use `{"type":"new_task_list_title","title":"Party"}`. Options of the message have the keys `canned,0`, `canned,1`, and so on; options that a user adds have `USER_ID,IDX`. Tasks have `0,canned` and `KEY,USER_ID`.
     *
     * @param parameters
     * - `message_id`
     * - `msg_type` (optional): `widget` for changes of polls and to-do lists.
     * - `content`: The change as JSON, at most 10000 characters.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.addSubmessage({ message_id: 7, content: '{"type":"vote","key":"canned,0","vote":1}' });
     */
    addSubmessage: (parameters: { message_id: number; msg_type?: string | undefined; content: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Report a message to the moderators.
     *
     * The notification bot posts your name, your reason and the message in the channel that the organization has chosen (`moderation_request_channel_id`).
     *
     * @param parameters
     * - `message_id`
     * - `report_type`: Reason. `other` needs a description.
     * - `description` (optional): Details, at most 1000 characters.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.report({ message_id: 7, report_type: 'spam' });
     */
    report: (parameters: {
      message_id: number;
      report_type: 'harassment' | 'inappropriate' | 'norms' | 'other' | 'spam';
      description?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  scheduledMessages: {
    /**
     * Schedule a message.
     *
     * The server checks the message now, and again when it sends it. You can have at most 1000 scheduled messages.
     *
     * @param parameters
     * - `type`: `channel` (or `stream`), `direct` (or `private`).
     * - `topic` (optional): Topic of a channel message, at most 60 characters.
     * - `content`: Message content in Markdown, at most 10,000 characters.
     * - `read_by_sender` (optional): Mark the message as read for the sender. The default depends on the client name.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     * - `to`: For a channel: its ID. For a direct message: a list of user IDs.
     * - `scheduled_delivery_timestamp`: Time to send the message: UNIX time in seconds.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, StreamDoesNotExist, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
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
          idempotency_key?: string | undefined;
          truncate?: boolean | undefined;
          content: string;
          read_by_sender?: boolean | undefined;
          type: 'channel' | 'stream';
          topic: string;
          to: number | readonly number[];
          scheduled_delivery_timestamp: number;
        }
      | {
          idempotency_key?: string | undefined;
          truncate?: boolean | undefined;
          topic?: string | undefined;
          content: string;
          read_by_sender?: boolean | undefined;
          type: 'direct' | 'private';
          to: number | readonly number[];
          scheduled_delivery_timestamp: number;
        }, options?: CallOptions) => Promise<Answer<{ scheduled_message_id: number }>>;
    /**
     * Change the content, recipients or time of a scheduled message.
     *
     * A message that could not be sent needs a new time.
     *
     * @param parameters
     * - `scheduled_message_id`
     * - `type` (optional): `channel` (or `stream`), `direct` (or `private`).
     * - `to` (optional): For a channel: its ID. For a direct message: a list of user IDs.
     * - `topic` (optional): Topic of a channel message, at most 60 characters.
     * - `content` (optional): Message content in Markdown, at most 10,000 characters.
     * - `scheduled_delivery_timestamp` (optional): Time to send the message: UNIX time in seconds.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     *
     * @throws BadRequest, DoesNotExist, StreamDoesNotExist, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.scheduledMessages.edit({
     *   scheduled_message_id: 1,
     *   content: 'Soup **tomorrow**',
     *   scheduled_delivery_timestamp: 4102444800
     * });
     */
    edit: (parameters: {
      truncate?: boolean | undefined;
      scheduled_message_id: number;
      type?: 'channel' | 'direct' | 'private' | 'stream' | undefined;
      to?: number | readonly number[] | undefined;
      topic?: string | undefined;
      content?: string | undefined;
      scheduled_delivery_timestamp?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List your scheduled messages.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      scheduled_messages: ScheduledMessageObject[];
    }>>;
    /**
     * Delete a scheduled message without sending it.
     *
     * A sent message stays in its conversation.
     *
     * @param parameters
     * - `scheduled_message_id`
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.scheduledMessages.delete({ scheduled_message_id: 1 });
     */
    delete: (parameters: { scheduled_message_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  reminders: {
    /**
     * Set a reminder for a message.
     *
     * The notification bot sends you a message at that time. You can have at most 1000 reminders.
     *
     * @param parameters
     * - `message_id`: Message to be reminded of.
     * - `scheduled_delivery_timestamp`: Time of the reminder: UNIX time in seconds.
     * - `note` (optional): Note for yourself, at most 500 characters.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused
     *
     * @example
     * await session.reminders.create({ message_id: 7, scheduled_delivery_timestamp: 4102444800, note: 'Answer this.' });
     */
    create: (parameters: {
      idempotency_key?: string | undefined;
      message_id: number;
      scheduled_delivery_timestamp: number;
      note?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{ reminder_id: number }>>;
    /**
     * List your reminders.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ reminders: ReminderObject[] }>>;
    /**
     * Delete a reminder.
     *
     * @param parameters
     * - `reminder_id`
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.reminders.delete({ reminder_id: 1 });
     */
    delete: (parameters: { reminder_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  userTopics: {
    /**
     * Mute, unmute or follow a topic, or remove its setting.
     *
     * The topic needs no messages.
     *
     * @param parameters
     * - `stream_id`
     * - `topic`: Topic name, ignoring case.
     * - `visibility_policy`: 0 none, 1 muted, 2 unmuted (even if its channel is muted), 3 followed.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userTopics.set({ stream_id: 3, topic: 'lunch', visibility_policy: 3 });
     */
    set: (parameters: { stream_id: number; topic: string; visibility_policy: 0 | 1 | 2 | 3 }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Mute a topic, or remove its setting.
     *
     * Deprecated: use POST /user_topics. Set either `stream_id` or `stream`.
     *
     * @param parameters
     * - `stream_id` (optional): Channel ID.
     * - `stream` (optional): Channel name.
     * - `topic`: Topic name, ignoring case. The topic needs no messages.
     * - `op`: `add` mutes the topic. `remove` removes any setting: muted, unmuted or followed.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the topics that you have muted, unmuted or followed.
     *
     * Leaves out topics of archived channels and of channels that you have lost access to.
     *
     * @param parameters
     * - `allow_empty_topic_name` (optional): Return the empty topic as "" instead of its display name.
     *
     * @throws BadRequest
     */
    list: (parameters?: { allow_empty_topic_name?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      user_topics: { stream_id: number; topic_name: string; last_updated: number; visibility_policy: 0 | 1 | 2 | 3 }[];
    }>>;
  };
  typing: {
    /**
     * Show others that you started or stopped typing.
     *
     * Repeat it while you type. Sent only to users who want typing notifications. Sent to no user if there are more than 100 users. In a channel, only sent to event queues with the client capability `stream_typing_notifications`.
     *
     * @param parameters
     * - `op`
     * - `type` (optional): `direct` (or `private`), `channel` (or `stream`).
     * - `to` (optional): For a direct message: user IDs of the recipients.
     * - `stream_id` (optional): For a channel message: the channel ID.
     * - `topic` (optional): For a channel message: the topic. Truncated to 60 characters.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Show others that you started or stopped editing a message.
     *
     * Sent only to users who want typing notifications. Sent to no user if there are more than 100 users. In a channel, only sent to event queues with the client capability `stream_typing_notifications`.
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
    sendEdit: (parameters: { message_id: number; op: 'start' | 'stop' }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  drafts: {
    /**
     * List your drafts.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ count: number; drafts: DraftObject[] }>>;
    /**
     * Save drafts of messages.
     *
     * Your other clients get an event. Other users cannot see your drafts.
     *
     * @param parameters
     * - `drafts`: At most 100 drafts.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused
     *
     * @example
     * await session.drafts.create({
     *   drafts: [ { type: 'stream', to: [ 3 ], topic: 'lunch', content: 'Soup or' } ]
     * });
     */
    create: (parameters: {
      idempotency_key?: string | undefined;
      drafts: readonly DraftParam[];
      truncate?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{ ids: number[] }>>;
    /**
     * Replace a draft.
     *
     * Your other clients get an event.
     *
     * @param parameters
     * - `draft_id`
     * - `draft`: The complete new draft.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.drafts.edit({
     *   draft_id: 4,
     *   draft: { type: 'stream', to: [ 3 ], topic: 'lunch', content: 'Soup or salad?' }
     * });
     */
    edit: (parameters: { draft_id: number; draft: DraftParam; truncate?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Delete a draft.
     *
     * Sending a message does not delete its draft: delete it yourself. Your other clients get an event.
     *
     * @param parameters
     * - `draft_id`
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.drafts.remove({ draft_id: 4 });
     */
    remove: (parameters: { draft_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  savedSnippets: {
    /**
     * List your saved snippets.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ saved_snippets: SnippetObject[] }>>;
    /**
     * Save a text snippet for later messages.
     *
     * Clients offer your snippets when you write a message. Other users cannot see them.
     *
     * @param parameters
     * - `title`: Title, at most 60 characters. Several snippets can have the same title.
     * - `content`: Markdown, at most 10000 characters.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused
     *
     * @example
     * await session.savedSnippets.create({ title: 'Greeting', content: 'Welcome to **our chat**!' });
     */
    create: (parameters: { idempotency_key?: string | undefined; title: string; content: string }, options?: CallOptions) => Promise<Answer<{
      saved_snippet_id: number;
    }>>;
    /**
     * Change the title or content of a saved snippet.
     *
     * @param parameters
     * - `saved_snippet_id`
     * - `title` (optional): Title, at most 60 characters. Several snippets can have the same title.
     * - `content` (optional): Markdown, at most 10000 characters.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.savedSnippets.edit({ saved_snippet_id: 2, title: 'Welcome' });
     */
    edit: (parameters: { saved_snippet_id: number; title?: string | undefined; content?: string | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a saved snippet.
     *
     * @param parameters
     * - `saved_snippet_id`
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.savedSnippets.remove({ saved_snippet_id: 2 });
     */
    remove: (parameters: { saved_snippet_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  navigationViews: {
    /**
     * List the views in your sidebar.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      navigation_views: NavigationViewObject[];
    }>>;
    /**
     * Add a view to your sidebar.
     *
     * Adds a custom view, or pins or unpins a built-in view. Clients decide how to show it. You can have at most 200 views.
     *
     * @param parameters
     * - `fragment`: The part of the view URL after "#".
     * - `is_pinned`: `true`: show it in the sidebar. `false`: show it in the menu of other views.
     * - `name` (optional): Name of a custom view, unique among your views. Built-in views have no name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.navigationViews.add({ fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' });
     */
    add: (parameters: { fragment: string; is_pinned: boolean; name?: string | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Rename, pin or unpin a view in your sidebar.
     *
     * @param parameters
     * - `fragment`: The part of the view URL after "#".
     * - `is_pinned` (optional)
     * - `name` (optional): Name of a custom view, unique among your views. Built-in views have no name.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.navigationViews.edit({ fragment: 'narrow/is/alerted', is_pinned: false });
     */
    edit: (parameters: { fragment: string; is_pinned?: boolean | undefined; name?: string | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a view from your sidebar.
     *
     * A built-in view is not removed: it gets its default place again.
     *
     * @param parameters
     * - `fragment`: The part of the view URL after "#".
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.navigationViews.remove({ fragment: 'narrow/is/alerted' });
     */
    remove: (parameters: { fragment: string }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  uploads: {
    /**
     * Upload a file.
     *
     * Other users can read it once a message contains its URL: `[name](url)`. Files that no message links to are removed after five weeks.
     *
     * @param parameters
     * - `file`: The file. `register` returns the maximum size.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, RealmUploadQuota
     */
    send: (parameters: {
      idempotency_key?: string | undefined;
      file:
        | BlobLike
        | {
            name: string;
            type?: string;
            size?: number;
            content: AsyncIterable<Uint8Array> | BlobLike | Uint8Array;
          };
    }, options?: UploadOptions) => Promise<Answer<{ url: string; uri: string; filename: string }>>;
    /**
     * Get a temporary URL of a file that works without login for one minute.
     *
     * For your own files and for files that a message you can read links to.
     *
     * @param parameters
     * - `realm_id_str`: The first part of the URL path after `/user_uploads/`.
     * - `filename`: The rest of the URL path.
     *
     * @throws BadRequest, NoSuchFile, FileForbidden
     *
     * @example
     * await session.uploads.getTemporaryUrl({ realm_id_str: '1', filename: '4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png' });
     */
    getTemporaryUrl: (parameters: { realm_id_str: string; filename: string }, options?: CallOptions) => Promise<Answer<{
      url: string;
    }>>;
    /**
     * List your uploaded files.
     *
     * Newest first, at most 1000 files. For older files, pass the last ID as `before_id`.
     *
     * @param parameters
     * - `before_id` (optional): Only files with lower IDs.
     *
     * @throws BadRequest
     */
    list: (parameters?: { before_id?: number | undefined }, options?: CallOptions) => Promise<Answer<{
      attachments: AttachmentObject[];
      upload_space_used: number;
      found_oldest: boolean;
    }>>;
    /**
     * Permanently delete an uploaded file.
     *
     * Links in messages stay but no longer work.
     *
     * @param parameters
     * - `attachment_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.uploads.remove({ attachment_id: 4 });
     */
    remove: (parameters: { attachment_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  customEmoji: {
    /**
     * List custom emoji.
     *
     * By ID. Includes deactivated emoji, because messages and reactions still show them.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      emoji: { [key: string]: CustomEmojiObject };
    }>>;
    /**
     * Upload a custom emoji.
     *
     * Scales to 64x64 pixels. Keeps animations. Only administrators can use names of Unicode emoji.
     *
     * @param parameters
     * - `emoji_name`: Lowercase letters, digits, hyphens, underscores. Spaces become underscores.
     * - `file`: PNG, JPEG, GIF, WebP or AVIF.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, BadImage
     *
     * @example
     * const file = new File([await readFile('cat.png')], 'cat.png');
     * await session.customEmoji.upload({ emoji_name: 'gruel', file });
     */
    upload: (parameters: { idempotency_key?: string | undefined; emoji_name: string; file: BlobLike }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate a custom emoji.
     *
     * For administrators and the user who added it. Messages keep it. Its name can be used again.
     *
     * @param parameters
     * - `emoji_name`
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.customEmoji.deactivate({ emoji_name: 'gruel' });
     */
    deactivate: (parameters: { emoji_name: string }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  channels: {
    /**
     * List channels.
     *
     * @param parameters
     * - `include_public` (optional): Include public channels. Has no effect for guests.
     * - `include_web_public` (optional): Include web-public channels.
     * - `include_subscribed` (optional): Include channels you are subscribed to.
     * - `exclude_archived` (optional): Leave out archived channels.
     * - `include_all` (optional): Include every channel that is visible to you.
     * - `include_all_active` (optional): Include every active channel. Administrators only.
     * - `include_default` (optional): Add `is_default` to each channel.
     * - `include_owner_subscribed` (optional): For bots: include channels that the owner is subscribed to.
     * - `include_can_access_content` (optional): Include every channel whose messages you can read.
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
    }, options?: CallOptions) => Promise<Answer<{
      streams: {
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
        external_id?: string | undefined;
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
      }[];
    }>>;
    /**
     * Find up to 20 channels by name.
     *
     * For suggestions while a user types. Finds channels that you can see, subscribed or not. Words of their names start with the words of the query, without regard to case and accents. An exact match comes first, then channels you are subscribed to, then names that start with the query. Leaves out archived channels. An empty query finds every channel.
     *
     * @param parameters
     * - `query`: Start of a name, or of words of a name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.search({ query: 'gen' });
     */
    search: (parameters: { query: string }, options?: CallOptions) => Promise<Answer<{
      streams: ChannelObject[];
    }>>;
    /**
     * Get a channel by its ID.
     *
     * Also returns archived channels.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.get({ stream_id: 3 });
     */
    get: (parameters: { stream_id: number }, options?: CallOptions) => Promise<Answer<{
      stream: {
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
        external_id?: string | undefined;
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
    }>>;
    /**
     * Get the ID of a channel by its name.
     *
     * @param parameters
     * - `stream`: Channel name, ignoring case.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.getId({ stream: 'general' });
     */
    getId: (parameters: { stream: string }, options?: CallOptions) => Promise<Answer<{ stream_id: number }>>;
    /**
     * Get the e-mail address of a channel.
     *
     * This server does not receive e-mail, so the address is empty. Needs the permission to post there.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.getEmailAddress({ stream_id: 3 });
     */
    getEmailAddress: (parameters: { stream_id: number }, options?: CallOptions) => Promise<Answer<{
      email: string;
    }>>;
    /**
     * Create a channel and subscribe users to it.
     *
     * If a subscriber is invalid, no channel is created. You are only subscribed if you list yourself. More than 2,500 subscribers are added in several transactions. The first message is posted in the last transaction, so that all subscribers can read it.
     *
     * @param parameters
     * - `name`: At most 60 characters. Unique, ignoring case.
     * - `description` (optional): Markdown, one line.
     * - `subscribers`: Users to subscribe. Can be empty.
     * - `announce` (optional): Announce the new channel. This also reveals the name of a private channel.
     * - `invite_only` (optional): Make it private.
     * - `is_web_public` (optional): Let anyone on the web read it without logging in.
     * - `is_default_stream` (optional): Subscribe new users to it.
     * - `folder_id` (optional): Channel folder to add it to.
     * - `topics_policy` (optional): Whether the empty topic can, cannot or must be used.
     * - `history_public_to_subscribers` (optional): Let new subscribers read earlier messages. Default: false for private channels. Always true for other channels.
     * - `message_retention_days` (optional): Days to keep messages, `realm_default` (default) or `unlimited`.
     * - `can_add_subscribers_group` (optional): Who can add subscribers.
     * - `can_administer_channel_group` (optional): Who can administer the channel.
     * - `can_delete_any_message_group` (optional): Who can delete any message in it.
     * - `can_delete_own_message_group` (optional): Who can delete their own messages in it.
     * - `can_move_messages_out_of_channel_group` (optional): Who can move messages out.
     * - `can_move_messages_within_channel_group` (optional): Who can move messages in it.
     * - `can_remove_subscribers_group` (optional): Who can remove subscribers.
     * - `can_resolve_topics_group` (optional): Who can resolve topics.
     * - `can_send_message_group` (optional): Who can post.
     * - `can_subscribe_group` (optional): Who can subscribe if the channel is private.
     * - `send_new_subscription_messages` (optional): Accepted for compatibility and ignored.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, ChannelAlreadyExists, FieldLocked, UnauthorizedPrincipal
     *
     * @example
     * await session.channels.create({ name: 'general', subscribers: [ 9, 10 ] });
     */
    create: (parameters: {
      can_add_subscribers_group?: GroupSettingParam | undefined;
      can_administer_channel_group?: GroupSettingParam | undefined;
      can_delete_any_message_group?: GroupSettingParam | undefined;
      can_delete_own_message_group?: GroupSettingParam | undefined;
      can_move_messages_out_of_channel_group?: GroupSettingParam | undefined;
      can_move_messages_within_channel_group?: GroupSettingParam | undefined;
      can_remove_subscribers_group?: GroupSettingParam | undefined;
      can_resolve_topics_group?: GroupSettingParam | undefined;
      can_send_message_group?: GroupSettingParam | undefined;
      can_subscribe_group?: GroupSettingParam | undefined;
      idempotency_key?: string | undefined;
      announce?: boolean | undefined;
      invite_only?: boolean | undefined;
      is_web_public?: boolean | undefined;
      is_default_stream?: boolean | undefined;
      folder_id?: number | undefined;
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      history_public_to_subscribers?: boolean | undefined;
      message_retention_days?: number | string | undefined;
      name: string;
      description?: string | undefined;
      subscribers: readonly number[];
      send_new_subscription_messages?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{ id: number }>>;
    /**
     * Change a channel.
     *
     * You must be allowed to administer the channel. If one change fails, nothing is changed.
     *
     * @param parameters
     * - `stream_id`
     * - `new_name` (optional): At most 60 characters.
     * - `description` (optional): Markdown, one line.
     * - `is_private` (optional)
     * - `is_web_public` (optional)
     * - `history_public_to_subscribers` (optional)
     * - `is_default_stream` (optional)
     * - `is_archived` (optional): `true` archives the channel, `false` unarchives it.
     * - `topics_policy` (optional)
     * - `folder_id` (optional): `null` removes the channel from its folder.
     * - `message_retention_days` (optional): Days to keep messages, `realm_default` or `unlimited`.
     * - `can_add_subscribers_group` (optional): Who can add subscribers.
     * - `can_administer_channel_group` (optional): Who can administer the channel.
     * - `can_delete_any_message_group` (optional): Who can delete any message in it.
     * - `can_delete_own_message_group` (optional): Who can delete their own messages in it.
     * - `can_move_messages_out_of_channel_group` (optional): Who can move messages out.
     * - `can_move_messages_within_channel_group` (optional): Who can move messages in it.
     * - `can_remove_subscribers_group` (optional): Who can remove subscribers.
     * - `can_resolve_topics_group` (optional): Who can resolve topics.
     * - `can_send_message_group` (optional): Who can post.
     * - `can_subscribe_group` (optional): Who can subscribe if the channel is private.
     *
     * @throws BadRequest, ChannelAlreadyExists, ExpectationMismatch, FieldLocked, UnauthorizedPrincipal
     *
     * @example
     * await session.channels.edit({ stream_id: 3, description: 'News for everybody' });
     */
    edit: (parameters: {
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
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Archive a channel.
     *
     * Messages stay readable. The name stays reserved. To unarchive, use PATCH with is_archived=false.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest, FieldLocked
     *
     * @example
     * await session.channels.archive({ stream_id: 3 });
     */
    archive: (parameters: { stream_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the subscribers of a channel.
     *
     * Returns the IDs of active accounts in ascending order.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.subscribers({ stream_id: 3 });
     */
    subscribers: (parameters: { stream_id: number }, options?: CallOptions) => Promise<Answer<{
      subscribers: number[];
    }>>;
  };
  topics: {
    /**
     * List the topics of a channel, newest first.
     *
     * Lists only topics with messages that you can read.
     *
     * @param parameters
     * - `stream_id`
     * - `allow_empty_topic_name` (optional): Return the empty topic as "" instead of its display name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.topics.list({ stream_id: 3 });
     */
    list: (parameters: { stream_id: number; allow_empty_topic_name?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      topics: { name: string; max_id: number }[];
    }>>;
    /**
     * Permanently delete a topic and its messages.
     *
     * Deletes all messages in the topic that you can read, newest first. Messages sent during the call are kept. For very long topics, repeat the call until `complete` is true. Administrators only.
     *
     * @param parameters
     * - `stream_id`
     * - `topic_name`: Topic name, ignoring case. A topic without messages is not an error.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.topics.delete({ stream_id: 3, topic_name: 'lunch' });
     */
    delete: (parameters: { stream_id: number; topic_name: string }, options?: CallOptions) => Promise<Answer<{
      complete: boolean;
    }>>;
  };
  defaultChannels: {
    /**
     * Add a default channel for new users.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.defaultChannels.add({ stream_id: 3 });
     */
    add: (parameters: { stream_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a default channel for new users.
     *
     * @param parameters
     * - `stream_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.defaultChannels.remove({ stream_id: 3 });
     */
    remove: (parameters: { stream_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  channelFolders: {
    /**
     * List channel folders.
     *
     * @param parameters
     * - `include_archived` (optional): Include archived folders.
     *
     * @throws BadRequest
     */
    list: (parameters?: { include_archived?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      channel_folders: ChannelFolderObject[];
    }>>;
    /**
     * Create a channel folder.
     *
     * Use the returned ID as `folder_id` of channels. Administrators only.
     *
     * @param parameters
     * - `name`: Unique among folders that are not archived, ignoring case.
     * - `description` (optional): Markdown, one line.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, IdempotencyKeyReused
     *
     * @example
     * await session.channelFolders.create({ name: 'Teams' });
     */
    create: (parameters: {
      idempotency_key?: string | undefined;
      name: string;
      description?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{ channel_folder_id: number }>>;
    /**
     * Rename, describe, archive or unarchive a channel folder.
     *
     * A folder that contains channels cannot be archived. Administrators only.
     *
     * @param parameters
     * - `channel_folder_id`
     * - `name` (optional): Unique among folders that are not archived, ignoring case.
     * - `description` (optional): Markdown, one line.
     * - `is_archived` (optional): `true` archives the folder, `false` unarchives it.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Change the order of the channel folders.
     *
     * @param parameters
     * - `order`: IDs of all folders, including archived folders, each exactly once.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.channelFolders.reorder({ order: [ 2, 1 ] });
     */
    reorder: (parameters: { order: readonly number[] }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  subscriptions: {
    /**
     * List your subscriptions.
     *
     * @param parameters
     * - `include_subscribers` (optional): Include the IDs of all subscribers of each channel.
     *
     * @throws BadRequest
     */
    list: (parameters?: { include_subscribers?: boolean | 'partial' | undefined }, options?: CallOptions) => Promise<Answer<{
      subscriptions: SubscriptionObject[];
    }>>;
    /**
     * Check whether a user is subscribed to a channel.
     *
     * Works for users and channels that are visible to you.
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
    get: (parameters: { user_id: number; stream_id: number }, options?: CallOptions) => Promise<Answer<{
      is_subscribed: boolean;
    }>>;
    /**
     * Subscribe yourself or others to channels.
     *
     * Creates channels that do not exist. At most 10000 channel-user pairs per request. The creator of a private channel can subscribe others without being a subscriber. Administrators can subscribe former subscribers to a private channel without subscribers, or anyone if no former subscriber has an active account.
     *
     * @param parameters
     * - `subscriptions`: Channels by name. Descriptions and settings only apply to new channels.
     * - `principals` (optional): User IDs (preferred) or e-mail addresses. Default: you.
     * - `authorization_errors_fatal` (optional): Fail completely if you are not allowed to subscribe to a channel.
     * - `send_new_subscription_messages` (optional): Message the users you subscribe, unless more than 100.
     * - `announce` (optional): Announce the new channel. This also reveals the name of a private channel.
     * - `invite_only` (optional): Make it private.
     * - `is_web_public` (optional): Let anyone on the web read it without logging in.
     * - `is_default_stream` (optional): Subscribe new users to it.
     * - `folder_id` (optional): Channel folder to add it to.
     * - `topics_policy` (optional): Whether the empty topic can, cannot or must be used.
     * - `history_public_to_subscribers` (optional): Let new subscribers read earlier messages. Default: false for private channels. Always true for other channels.
     * - `message_retention_days` (optional): Days to keep messages, `realm_default` (default) or `unlimited`.
     * - `can_add_subscribers_group` (optional): Who can add subscribers.
     * - `can_administer_channel_group` (optional): Who can administer the channel.
     * - `can_delete_any_message_group` (optional): Who can delete any message in it.
     * - `can_delete_own_message_group` (optional): Who can delete their own messages in it.
     * - `can_move_messages_out_of_channel_group` (optional): Who can move messages out.
     * - `can_move_messages_within_channel_group` (optional): Who can move messages in it.
     * - `can_remove_subscribers_group` (optional): Who can remove subscribers.
     * - `can_resolve_topics_group` (optional): Who can resolve topics.
     * - `can_send_message_group` (optional): Who can post.
     * - `can_subscribe_group` (optional): Who can subscribe if the channel is private.
     *
     * @throws BadRequest, FieldLocked, UnauthorizedPrincipal
     *
     * @example
     * await session.subscriptions.add({ subscriptions: [ { name: 'general' } ] });
     */
    add: (parameters: {
      can_add_subscribers_group?: GroupSettingParam | undefined;
      can_administer_channel_group?: GroupSettingParam | undefined;
      can_delete_any_message_group?: GroupSettingParam | undefined;
      can_delete_own_message_group?: GroupSettingParam | undefined;
      can_move_messages_out_of_channel_group?: GroupSettingParam | undefined;
      can_move_messages_within_channel_group?: GroupSettingParam | undefined;
      can_remove_subscribers_group?: GroupSettingParam | undefined;
      can_resolve_topics_group?: GroupSettingParam | undefined;
      can_send_message_group?: GroupSettingParam | undefined;
      can_subscribe_group?: GroupSettingParam | undefined;
      announce?: boolean | undefined;
      invite_only?: boolean | undefined;
      is_web_public?: boolean | undefined;
      is_default_stream?: boolean | undefined;
      folder_id?: number | undefined;
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      history_public_to_subscribers?: boolean | undefined;
      message_retention_days?: number | string | undefined;
      subscriptions: ChannelsToJoinParam;
      principals?: readonly number[] | readonly string[] | undefined;
      authorization_errors_fatal?: boolean | undefined;
      send_new_subscription_messages?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      subscribed: { [key: string]: string[] };
      already_subscribed: { [key: string]: string[] };
      unauthorized?: string[] | undefined;
      new_subscription_messages_sent?: boolean | undefined;
    }>>;
    /**
     * Unsubscribe yourself or others from channels.
     *
     * You can always unsubscribe yourself and your bots. To unsubscribe other users, you need permission in every channel. At most 10000 channel-user pairs per request. Large requests are done in parts, each with its own events.
     *
     * @param parameters
     * - `subscriptions`: Channel names.
     * - `principals` (optional): User IDs (preferred) or e-mail addresses. Default: you.
     *
     * @throws BadRequest, FieldLocked, StreamDoesNotExist
     *
     * @example
     * await session.subscriptions.remove({ subscriptions: [ 'general' ] });
     */
    remove: (parameters: {
      subscriptions: readonly string[];
      principals?: readonly number[] | readonly string[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{ removed: string[]; not_removed: string[] }>>;
    /**
     * Subscribe to and unsubscribe from channels in one request.
     *
     * Checks everything before it changes anything. Creates channels that do not exist as public channels.
     *
     * @param parameters
     * - `add` (optional): Channels to subscribe to, by name. Descriptions only apply to new channels.
     * - `delete` (optional): Names of channels to unsubscribe from.
     *
     * @throws BadRequest, FieldLocked, StreamDoesNotExist, UnauthorizedPrincipal
     *
     * @example
     * await session.subscriptions.update({ add: [ { name: 'lunch' } ], delete: [ 'general' ] });
     */
    update: (parameters?: { add?: ChannelsToJoinParam | undefined; delete?: readonly string[] | undefined }, options?: CallOptions) => Promise<Answer<{
      subscribed: { [key: string]: string[] };
      already_subscribed: { [key: string]: string[] };
      removed: string[];
      not_removed: string[];
    }>>;
    /**
     * Change your settings for channels: colour, muting, pinning, notifications.
     *
     * @param parameters
     * - `subscription_data`: List of changes, each with stream_id, property and value.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  invites: {
    /**
     * List pending invitations.
     *
     * Your own invitations; for administrators, all invitations. Excludes expired and revoked invitations.
     *
     * @param parameters
     * - `include_links` (optional): Include the links of invitations by e-mail. Only administrators get them.
     *
     * @throws BadRequest
     */
    list: (parameters?: { include_links?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
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
        email_state?: 'failed' | 'none' | 'sent' | 'waiting' | undefined;
        email_error?: string | undefined;
      }[];
    }>>;
    /**
     * Invite people by e-mail.
     *
     * Each person gets a personal link by e-mail. If the server sends no e-mail, get the links with `invites.list` and share them. Skips addresses that already have an account and then fails with INVITATION_FAILED; all other invitations are sent. If any address is invalid, sends nothing.
     *
     * @param parameters
     * - `group_ids` (optional): User groups to join. You need permission to add members to them.
     * - `include_realm_default_subscriptions` (optional): Also subscribe to the default channels when joining.
     * - `invite_as` (optional): Role of the new account. It cannot be more powerful than yours.
     * - `invite_expires_in_minutes` (optional): null: never. Default: usually 10 days.
     * - `stream_ids`: Default channels, or channels to which you can add subscribers.
     * - `welcome_message_custom_text` (optional): Message from the welcome bot; administrators only. null: the default message of the organization. Empty: no message.
     * - `invitee_emails`: At most 1000 addresses, separated by commas, semicolons or line breaks, optionally as `Name <address>`.
     * - `notify_referrer_on_join` (optional): Get a message from the notification bot when a person joins.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, InvitationFailed
     *
     * @example
     * await session.invites.send({ invitee_emails: 'ben@example.com, Cleo <cleo@example.com>', stream_ids: [] });
     */
    send: (parameters: {
      idempotency_key?: string | undefined;
      group_ids?: readonly number[] | undefined;
      include_realm_default_subscriptions?: boolean | undefined;
      invite_as?: 100 | 200 | 300 | 400 | 600 | undefined;
      invite_expires_in_minutes?: number | null | undefined;
      stream_ids: readonly number[];
      welcome_message_custom_text?: string | null | undefined;
      invitee_emails: string;
      notify_referrer_on_join?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Create a multi-use invitation link.
     *
     * Everyone with the link can join until it expires or is revoked.
     *
     * @param parameters
     * - `group_ids` (optional): User groups to join. You need permission to add members to them.
     * - `include_realm_default_subscriptions` (optional): Also subscribe to the default channels when joining.
     * - `invite_as` (optional): Role of the new account. It cannot be more powerful than yours.
     * - `invite_expires_in_minutes` (optional): null: never. Default: usually 10 days.
     * - `stream_ids` (optional): Default channels, or channels to which you can add subscribers.
     * - `welcome_message_custom_text` (optional): Message from the welcome bot; administrators only. null: the default message of the organization. Empty: no message.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused
     *
     * @example
     * await session.invites.createMultiuse({ invite_expires_in_minutes: 1440 });
     */
    createMultiuse: (parameters?: {
      idempotency_key?: string | undefined;
      stream_ids?: readonly number[] | undefined;
      group_ids?: readonly number[] | undefined;
      include_realm_default_subscriptions?: boolean | undefined;
      invite_as?: 100 | 200 | 300 | 400 | 600 | undefined;
      invite_expires_in_minutes?: number | null | undefined;
      welcome_message_custom_text?: string | null | undefined;
    }, options?: CallOptions) => Promise<Answer<{ invite_link: string }>>;
    /**
     * Send the e-mail of an invitation again.
     *
     * Your own invitations; for administrators, all invitations. Only owners can resend invitations with the owner role. The expiry time does not change.
     *
     * @param parameters
     * - `invite_id`
     *
     * @throws BadRequest, InvitationFailed, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.resend({ invite_id: 7 });
     */
    resend: (parameters: { invite_id: number }, options?: CallOptions) => Promise<Answer<{
      link_url?: string | undefined;
    }>>;
    /**
     * Revoke an invitation sent by e-mail.
     *
     * Your own invitations; for administrators, all invitations. Only owners can revoke invitations with the owner role. The link stops working.
     *
     * @param parameters
     * - `invite_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.revoke({ invite_id: 7 });
     */
    revoke: (parameters: { invite_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Revoke a multi-use invitation link.
     *
     * Your own links; for administrators, all links. Only owners can revoke links with the owner role. Accounts created with the link stay.
     *
     * @param parameters
     * - `invite_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.revokeMultiuse({ invite_id: 7 });
     */
    revokeMultiuse: (parameters: { invite_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Show an invitation before accepting it.
     *
     * Needs only the key of the link. Fails with INVITATION_UNUSABLE if the invitation cannot be accepted. Its `reason` is unknown, expired, revoked or used.
     *
     * @param parameters
     * - `key`: The last part of the invitation link.
     *
     * @throws BadRequest, InvitationUnusable
     *
     * @example
     * await session.invites.preview({ key: 'q1Zc7P0aXw9RkT3mB8vYdL2s' });
     */
    preview: (parameters: { key: string }, options?: CallOptions) => Promise<Answer<{
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
     * Request the e-mail that confirms your address before you join.
     *
     * For multi-use links on a server that sends e-mail. The e-mail contains a link to join. It works once, within 24 hours, while the invitation is valid. If the address has an account, only the e-mail says so; the response is the same. At most 2 e-mails per address and hour, 5 per day.
     *
     * @param parameters
     * - `key`: The last part of the invitation link.
     * - `email`: Your e-mail address.
     *
     * @throws BadRequest, InvitationUnusable
     *
     * @example
     * await session.invites.confirmAddress({ key: 'q1Zc7P0aXw9RkT3mB8vYdL2s', email: 'ben@example.com' });
     */
    confirmAddress: (parameters: { key: string; email: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Accept an invitation and create an account.
     *
     * Needs only the key of the link. The account gets the role, channels and groups of the invitation that the inviter can still give. Without a password, it has only its API key. For a multi-use link on a server that sends e-mail, confirm the address first (`invites.confirmAddress`). Then pass the key from that e-mail.
     *
     * @param parameters
     * - `key`: The last part of the invitation link.
     * - `email` (optional): Your e-mail address. Required for a multi-use link on a server that sends no e-mail.
     * - `full_name`: Your name, 2 to 100 characters.
     * - `password` (optional): At least 8 characters, and not the name or e-mail address.
     * - `timezone` (optional): IANA time zone, such as Europe/Copenhagen.
     * - `default_language` (optional): Code of your language, such as de or pt-BR.
     *
     * @throws BadRequest, AddressNotConfirmed, EmailAlreadyInUse, InvitationUnusable, PasswordTooWeak
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
    }, options?: CallOptions) => Promise<Answer<SignInResult>>;
    /**
     * Send yourself a welcome message to preview it.
     *
     * Does not change the setting welcome_message_custom_text.
     *
     * @param parameters
     * - `welcome_message_custom_text`: Text of the message from the welcome bot.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.tryWelcome({ welcome_message_custom_text: 'Be **welcome**.' });
     */
    tryWelcome: (parameters: { welcome_message_custom_text: string }, options?: CallOptions) => Promise<Answer<{
      message_id: number;
    }>>;
  };
  profileFields: {
    /**
     * List the organization's custom profile fields.
     *
     * In the order of profiles.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ custom_fields: ProfileFieldObject[] }>>;
    /**
     * Create a custom profile field.
     *
     * Administrators only. The new field is the last in profiles.
     *
     * @param parameters
     * - `field_type`: 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.
     * - `name` (optional): At most 40 characters; unique. Fixed for external accounts on known sites.
     * - `hint` (optional): Help text for the field, at most 80 characters.
     * - `display_in_profile_summary` (optional): Show it in profile summaries: at most 2 short fields.
     * - `required` (optional): Whether clients remind users to fill it in.
     * - `editable_by_user` (optional): Whether users can edit it. If false, only administrators can.
     * - `field_data` (optional): For a list, the options by key: `{"0":{"text":"Vegan","order":"1"}}`. For an external account: `{"subtype":"github"}` or `{"subtype":"custom","url_pattern":"https://example.com/%(username)s"}`.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, IdempotencyKeyReused
     *
     * @example
     * await session.profileFields.create({ name: 'Favourite food', hint: 'Or drink', field_type: 1 });
     */
    create: (parameters: {
      idempotency_key?: string | undefined;
      field_type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
      field_data?: FieldData | undefined;
      name?: string | undefined;
      hint?: string | undefined;
      display_in_profile_summary?: boolean | undefined;
      required?: boolean | undefined;
      editable_by_user?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{ id: number }>>;
    /**
     * Change a custom profile field.
     *
     * Administrators only. The type cannot change. Removing an option of a list also removes it from all profiles. For external accounts on a known site, name, hint and data cannot change either.
     *
     * @param parameters
     * - `field_id`
     * - `name` (optional): At most 40 characters; unique. Fixed for external accounts on known sites.
     * - `hint` (optional): Help text for the field, at most 80 characters.
     * - `display_in_profile_summary` (optional): Show it in profile summaries: at most 2 short fields.
     * - `required` (optional): Whether clients remind users to fill it in.
     * - `editable_by_user` (optional): Whether users can edit it. If false, only administrators can.
     * - `field_data` (optional): For a list, the options by key: `{"0":{"text":"Vegan","order":"1"}}`. For an external account: `{"subtype":"github"}` or `{"subtype":"custom","url_pattern":"https://example.com/%(username)s"}`.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a custom profile field and its values in all profiles.
     *
     * Administrators only. This cannot be undone.
     *
     * @param parameters
     * - `field_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.profileFields.remove({ field_id: 4 });
     */
    remove: (parameters: { field_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Change the order of custom profile fields.
     *
     * Administrators only.
     *
     * @param parameters
     * - `order`: The IDs of all fields, each once.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.profileFields.reorder({ order: [ 2, 1 ] });
     */
    reorder: (parameters: { order: readonly number[] }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Set custom fields of your own profile.
     *
     * All given values are applied, or none. Some fields can only be edited by administrators.
     *
     * @param parameters
     * - `data`: Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     *
     * @throws BadRequest, FieldLocked
     *
     * @example
     * await session.profileFields.set({ data: [ { id: 4, value: 'Soup' } ] });
     */
    set: (parameters: { data: ProfileDataParam }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Clear custom fields of your own profile.
     *
     * @param parameters
     * - `data`: IDs of the fields.
     *
     * @throws BadRequest, FieldLocked
     *
     * @example
     * await session.profileFields.unset({ data: [ 4 ] });
     */
    unset: (parameters: { data: readonly number[] }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  avatars: {
    /**
     * Upload your avatar.
     *
     * Crops the image to a centered square, in 100x100 and 500x500 pixels. Uses the first frame.
     *
     * @param parameters
     * - `file`: PNG, JPEG, GIF, WebP or AVIF.
     *
     * @throws BadRequest, BadImage
     */
    upload: (parameters: { file: BlobLike }, options?: CallOptions) => Promise<Answer<{ avatar_url: string }>>;
    /**
     * Remove your avatar.
     *
     * You get the default avatar: generated by the server or from Gravatar (`default_avatar_source`).
     *
     * @throws BadRequest
     */
    remove: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ avatar_url: string }>>;
  };
  settings: {
    /**
     * Change your own name and settings.
     *
     * Most settings are preferences that the server only stores for clients. All given changes are applied, or none. A new password keeps your API key, invalidates password reset links and is reported to you by e-mail.
     *
     * @param parameters
     * - `full_name` (optional): Display name, 2 to 100 characters.
     * - `timezone` (optional): IANA time zone, such as Europe/Copenhagen; empty: unknown.
     * - `email_address_visibility` (optional): Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
     * - `twenty_four_hour_time` (optional): Show times as 14:00 instead of 2:00 PM.
     * - `default_language` (optional): Code of the language, such as de or pt-BR.
     * - `color_scheme` (optional): 1 automatic, 2 dark, 3 light.
     * - `emojiset` (optional): Emoji style.
     * - `translate_emoticons` (optional): Turn emoticons such as :) into emoji in your messages.
     * - `display_emoji_reaction_users` (optional): Show the names of users who reacted.
     * - `starred_message_counts` (optional): Show how many messages are starred.
     * - `enter_sends` (optional): Send messages with the Enter key.
     * - `high_contrast_mode` (optional): Use high contrast.
     * - `fluid_layout_width` (optional): Use the whole width of the window.
     * - `left_side_userlist` (optional): Show the list of people on the left.
     * - `hide_ai_features` (optional): Hide AI features.
     * - `demote_inactive_streams` (optional): Move inactive channels down: 1 automatically, 2 always, 3 never.
     * - `user_list_style` (optional): People in lists: 1 compact, 2 with status, 3 with picture and status.
     * - `web_animate_image_previews` (optional): When to animate images.
     * - `web_channel_default_view` (optional): What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic.
     * - `web_escape_navigates_to_home_view` (optional): Go to the home view with Escape.
     * - `web_font_size_px` (optional): Font size in pixels. Clients use 12 to 20.
     * - `web_home_view` (optional): View to show first.
     * - `web_inbox_show_channel_folders` (optional): Group channels by folder in the inbox.
     * - `web_left_sidebar_show_channel_folders` (optional): Group channels by folder in the sidebar.
     * - `web_left_sidebar_unreads_count_summary` (optional): Show the count of unread messages in the sidebar.
     * - `web_line_height_percent` (optional): Line height in percent of the font size. Clients use 122 to 158.
     * - `web_mark_read_on_scroll_policy` (optional): Mark read on scrolling: 1 always, 2 in conversations, 3 never.
     * - `web_navigate_to_sent_message` (optional): Go to the conversation of a sent message.
     * - `web_stream_unreads_count_display_policy` (optional): Unread counts of channels: 1 all, 2 unmuted, 3 none.
     * - `web_suggest_update_timezone` (optional): Suggest updating the time zone if the device uses another.
     * - `presence_enabled` (optional): Let others see whether you are online.
     * - `send_private_typing_notifications` (optional): Let others see that you type in direct messages.
     * - `send_stream_typing_notifications` (optional): Let others see that you type in channels.
     * - `receives_typing_notifications` (optional): See that others type.
     * - `send_read_receipts` (optional): Let others see which messages you have read.
     * - `allow_private_data_export` (optional): Allow exports to contain your private data.
     * - `enable_drafts_synchronization` (optional): Store drafts on the server. Turning this off deletes the stored drafts.
     * - `enable_desktop_notifications` (optional): Desktop notifications of direct messages and mentions.
     * - `enable_sounds` (optional): Sounds of direct messages and mentions.
     * - `enable_offline_email_notifications` (optional): E-mail about direct messages and mentions while you are away.
     * - `enable_offline_push_notifications` (optional): Push notifications of direct messages and mentions while you are away.
     * - `enable_online_push_notifications` (optional): Push notifications also while you are online.
     * - `enable_stream_desktop_notifications` (optional): Desktop notifications of channel messages.
     * - `enable_stream_email_notifications` (optional): E-mail about channel messages.
     * - `enable_stream_push_notifications` (optional): Push notifications of channel messages.
     * - `enable_stream_audible_notifications` (optional): Sounds of channel messages.
     * - `enable_followed_topic_desktop_notifications` (optional): Desktop notifications of followed topics.
     * - `enable_followed_topic_email_notifications` (optional): E-mail about followed topics.
     * - `enable_followed_topic_push_notifications` (optional): Push notifications of followed topics.
     * - `enable_followed_topic_audible_notifications` (optional): Sounds of followed topics.
     * - `wildcard_mentions_notify` (optional): Notify of wildcard mentions, such as `@**all**`.
     * - `enable_followed_topic_wildcard_mentions_notify` (optional): Notify of wildcard mentions in followed topics.
     * - `pm_content_in_desktop_notifications` (optional): Show the text of direct messages in desktop notifications.
     * - `message_content_in_email_notifications` (optional): Show the text of messages in e-mail notifications.
     * - `notification_sound` (optional): Name of a sound, or `none`.
     * - `desktop_icon_count_display` (optional): What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count.
     * - `email_notifications_batching_period_seconds` (optional): How long to collect messages before an e-mail notification, in seconds.
     * - `realm_name_in_email_notifications_policy` (optional): Name the organization in e-mail: 1 automatically, 2 always, 3 never.
     * - `enable_digest_emails` (optional): Digests by e-mail.
     * - `enable_login_emails` (optional): E-mail about new logins.
     * - `enable_marketing_emails` (optional): Occasional announcements by e-mail.
     * - `automatically_follow_topics_policy` (optional): Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_unmute_topics_in_muted_streams_policy` (optional): Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_follow_topics_where_mentioned` (optional): Follow topics in which you are mentioned.
     * - `resolved_topic_notice_auto_read_policy` (optional): Whether notices of resolved topics are marked as read.
     * - `old_password` (optional): Your current password, if any. Required with new_password.
     * - `new_password` (optional): New password: at least 8 characters, and not your name or e-mail address. An empty string changes nothing.
     *
     * @throws BadRequest, FieldLocked, PasswordTooWeak
     *
     * @example
     * await session.settings.edit({ timezone: 'Europe/Copenhagen' });
     */
    edit: (parameters?: {
      allow_private_data_export?: boolean | undefined;
      automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined;
      automatically_follow_topics_where_mentioned?: boolean | undefined;
      automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined;
      color_scheme?: 1 | 2 | 3 | undefined;
      default_language?: string | undefined;
      demote_inactive_streams?: 1 | 2 | 3 | undefined;
      desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined;
      display_emoji_reaction_users?: boolean | undefined;
      email_notifications_batching_period_seconds?: number | undefined;
      emojiset?: 'google' | 'google-blob' | 'text' | 'twitter' | undefined;
      enable_desktop_notifications?: boolean | undefined;
      enable_digest_emails?: boolean | undefined;
      enable_drafts_synchronization?: boolean | undefined;
      enable_followed_topic_audible_notifications?: boolean | undefined;
      enable_followed_topic_desktop_notifications?: boolean | undefined;
      enable_followed_topic_email_notifications?: boolean | undefined;
      enable_followed_topic_push_notifications?: boolean | undefined;
      enable_followed_topic_wildcard_mentions_notify?: boolean | undefined;
      enable_login_emails?: boolean | undefined;
      enable_marketing_emails?: boolean | undefined;
      enable_offline_email_notifications?: boolean | undefined;
      enable_offline_push_notifications?: boolean | undefined;
      enable_online_push_notifications?: boolean | undefined;
      enable_sounds?: boolean | undefined;
      enable_stream_audible_notifications?: boolean | undefined;
      enable_stream_desktop_notifications?: boolean | undefined;
      enable_stream_email_notifications?: boolean | undefined;
      enable_stream_push_notifications?: boolean | undefined;
      enter_sends?: boolean | undefined;
      fluid_layout_width?: boolean | undefined;
      hide_ai_features?: boolean | undefined;
      high_contrast_mode?: boolean | undefined;
      left_side_userlist?: boolean | undefined;
      message_content_in_email_notifications?: boolean | undefined;
      notification_sound?: string | undefined;
      pm_content_in_desktop_notifications?: boolean | undefined;
      presence_enabled?: boolean | undefined;
      realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined;
      receives_typing_notifications?: boolean | undefined;
      resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined;
      send_private_typing_notifications?: boolean | undefined;
      send_read_receipts?: boolean | undefined;
      send_stream_typing_notifications?: boolean | undefined;
      starred_message_counts?: boolean | undefined;
      translate_emoticons?: boolean | undefined;
      twenty_four_hour_time?: boolean | undefined;
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
      wildcard_mentions_notify?: boolean | undefined;
      full_name?: string | undefined;
      timezone?: string | undefined;
      email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined;
      old_password?: string | undefined;
      new_password?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  userSettingsDefaults: {
    /**
     * Change the default settings of new accounts.
     *
     * Existing accounts are not changed. All given changes are applied, or none.
     *
     * @param parameters
     * - `email_address_visibility` (optional): Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
     * - `twenty_four_hour_time` (optional): Show times as 14:00 instead of 2:00 PM.
     * - `default_language` (optional): Code of the language, such as de or pt-BR.
     * - `color_scheme` (optional): 1 automatic, 2 dark, 3 light.
     * - `emojiset` (optional): Emoji style.
     * - `translate_emoticons` (optional): Turn emoticons such as :) into emoji in your messages.
     * - `display_emoji_reaction_users` (optional): Show the names of users who reacted.
     * - `starred_message_counts` (optional): Show how many messages are starred.
     * - `enter_sends` (optional): Send messages with the Enter key.
     * - `high_contrast_mode` (optional): Use high contrast.
     * - `fluid_layout_width` (optional): Use the whole width of the window.
     * - `left_side_userlist` (optional): Show the list of people on the left.
     * - `hide_ai_features` (optional): Hide AI features.
     * - `demote_inactive_streams` (optional): Move inactive channels down: 1 automatically, 2 always, 3 never.
     * - `user_list_style` (optional): People in lists: 1 compact, 2 with status, 3 with picture and status.
     * - `web_animate_image_previews` (optional): When to animate images.
     * - `web_channel_default_view` (optional): What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic.
     * - `web_escape_navigates_to_home_view` (optional): Go to the home view with Escape.
     * - `web_font_size_px` (optional): Font size in pixels. Clients use 12 to 20.
     * - `web_home_view` (optional): View to show first.
     * - `web_inbox_show_channel_folders` (optional): Group channels by folder in the inbox.
     * - `web_left_sidebar_show_channel_folders` (optional): Group channels by folder in the sidebar.
     * - `web_left_sidebar_unreads_count_summary` (optional): Show the count of unread messages in the sidebar.
     * - `web_line_height_percent` (optional): Line height in percent of the font size. Clients use 122 to 158.
     * - `web_mark_read_on_scroll_policy` (optional): Mark read on scrolling: 1 always, 2 in conversations, 3 never.
     * - `web_navigate_to_sent_message` (optional): Go to the conversation of a sent message.
     * - `web_stream_unreads_count_display_policy` (optional): Unread counts of channels: 1 all, 2 unmuted, 3 none.
     * - `web_suggest_update_timezone` (optional): Suggest updating the time zone if the device uses another.
     * - `presence_enabled` (optional): Let others see whether you are online.
     * - `send_private_typing_notifications` (optional): Let others see that you type in direct messages.
     * - `send_stream_typing_notifications` (optional): Let others see that you type in channels.
     * - `receives_typing_notifications` (optional): See that others type.
     * - `send_read_receipts` (optional): Let others see which messages you have read.
     * - `allow_private_data_export` (optional): Allow exports to contain your private data.
     * - `enable_drafts_synchronization` (optional): Store drafts on the server. Turning this off deletes the stored drafts.
     * - `enable_desktop_notifications` (optional): Desktop notifications of direct messages and mentions.
     * - `enable_sounds` (optional): Sounds of direct messages and mentions.
     * - `enable_offline_email_notifications` (optional): E-mail about direct messages and mentions while you are away.
     * - `enable_offline_push_notifications` (optional): Push notifications of direct messages and mentions while you are away.
     * - `enable_online_push_notifications` (optional): Push notifications also while you are online.
     * - `enable_stream_desktop_notifications` (optional): Desktop notifications of channel messages.
     * - `enable_stream_email_notifications` (optional): E-mail about channel messages.
     * - `enable_stream_push_notifications` (optional): Push notifications of channel messages.
     * - `enable_stream_audible_notifications` (optional): Sounds of channel messages.
     * - `enable_followed_topic_desktop_notifications` (optional): Desktop notifications of followed topics.
     * - `enable_followed_topic_email_notifications` (optional): E-mail about followed topics.
     * - `enable_followed_topic_push_notifications` (optional): Push notifications of followed topics.
     * - `enable_followed_topic_audible_notifications` (optional): Sounds of followed topics.
     * - `wildcard_mentions_notify` (optional): Notify of wildcard mentions, such as `@**all**`.
     * - `enable_followed_topic_wildcard_mentions_notify` (optional): Notify of wildcard mentions in followed topics.
     * - `pm_content_in_desktop_notifications` (optional): Show the text of direct messages in desktop notifications.
     * - `message_content_in_email_notifications` (optional): Show the text of messages in e-mail notifications.
     * - `notification_sound` (optional): Name of a sound, or `none`.
     * - `desktop_icon_count_display` (optional): What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count.
     * - `email_notifications_batching_period_seconds` (optional): How long to collect messages before an e-mail notification, in seconds.
     * - `realm_name_in_email_notifications_policy` (optional): Name the organization in e-mail: 1 automatically, 2 always, 3 never.
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
      allow_private_data_export?: boolean | undefined;
      automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined;
      automatically_follow_topics_where_mentioned?: boolean | undefined;
      automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined;
      color_scheme?: 1 | 2 | 3 | undefined;
      default_language?: string | undefined;
      demote_inactive_streams?: 1 | 2 | 3 | undefined;
      desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined;
      display_emoji_reaction_users?: boolean | undefined;
      email_notifications_batching_period_seconds?: number | undefined;
      emojiset?: 'google' | 'google-blob' | 'text' | 'twitter' | undefined;
      enable_desktop_notifications?: boolean | undefined;
      enable_digest_emails?: boolean | undefined;
      enable_drafts_synchronization?: boolean | undefined;
      enable_followed_topic_audible_notifications?: boolean | undefined;
      enable_followed_topic_desktop_notifications?: boolean | undefined;
      enable_followed_topic_email_notifications?: boolean | undefined;
      enable_followed_topic_push_notifications?: boolean | undefined;
      enable_followed_topic_wildcard_mentions_notify?: boolean | undefined;
      enable_login_emails?: boolean | undefined;
      enable_marketing_emails?: boolean | undefined;
      enable_offline_email_notifications?: boolean | undefined;
      enable_offline_push_notifications?: boolean | undefined;
      enable_online_push_notifications?: boolean | undefined;
      enable_sounds?: boolean | undefined;
      enable_stream_audible_notifications?: boolean | undefined;
      enable_stream_desktop_notifications?: boolean | undefined;
      enable_stream_email_notifications?: boolean | undefined;
      enable_stream_push_notifications?: boolean | undefined;
      enter_sends?: boolean | undefined;
      fluid_layout_width?: boolean | undefined;
      hide_ai_features?: boolean | undefined;
      high_contrast_mode?: boolean | undefined;
      left_side_userlist?: boolean | undefined;
      message_content_in_email_notifications?: boolean | undefined;
      notification_sound?: string | undefined;
      pm_content_in_desktop_notifications?: boolean | undefined;
      presence_enabled?: boolean | undefined;
      realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined;
      receives_typing_notifications?: boolean | undefined;
      resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined;
      send_private_typing_notifications?: boolean | undefined;
      send_read_receipts?: boolean | undefined;
      send_stream_typing_notifications?: boolean | undefined;
      starred_message_counts?: boolean | undefined;
      translate_emoticons?: boolean | undefined;
      twenty_four_hour_time?: boolean | undefined;
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
      wildcard_mentions_notify?: boolean | undefined;
      email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  userStatus: {
    /**
     * Set your status: a short text, an emoji, or both.
     *
     * Omitted parts stay unchanged.
     *
     * @param parameters
     * - `status_text` (optional): At most 60 characters, one line. Empty: removes the text.
     * - `emoji_name` (optional): Name without colons, such as tada. Empty: removes the emoji.
     * - `emoji_code` (optional): Code of the emoji within its `reaction_type`. Default: found by name.
     * - `reaction_type` (optional): unicode_emoji, realm_emoji or zulip_extra_emoji. Default: found by name.
     * - `away` (optional): Legacy: turns presence off, like the setting presence_enabled.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Get the status of a user.
     *
     * @param parameters
     * - `user_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.userStatus.get({ user_id: 9 });
     */
    get: (parameters: { user_id: number }, options?: CallOptions) => Promise<Answer<{ status: StatusObject }>>;
    /**
     * Change or clear the status of a user.
     *
     * Omitted parts stay unchanged. Bots have no status.
     *
     * @param parameters
     * - `user_id`
     * - `status_text` (optional): At most 60 characters, one line. Empty: removes the text.
     * - `emoji_name` (optional): Name without colons, such as tada. Empty: removes the emoji.
     * - `emoji_code` (optional): Code of the emoji within its `reaction_type`. Default: found by name.
     * - `reaction_type` (optional): unicode_emoji, realm_emoji or zulip_extra_emoji. Default: found by name.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  mutedUsers: {
    /**
     * Mute a user: their messages arrive as read.
     *
     * Also marks their existing messages as read. The muted user is not notified.
     *
     * @param parameters
     * - `muted_user_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.mutedUsers.add({ muted_user_id: 9 });
     */
    add: (parameters: { muted_user_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Unmute a user.
     *
     * Messages sent while the user was muted stay read.
     *
     * @param parameters
     * - `muted_user_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.mutedUsers.remove({ muted_user_id: 9 });
     */
    remove: (parameters: { muted_user_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  alertWords: {
    /**
     * List your alert words.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ alert_words: string[] }>>;
    /**
     * Add alert words.
     *
     * Messages that contain an alert word are flagged for you. Case is ignored. Existing words stay. You can have at most 500 words.
     *
     * @param parameters
     * - `alert_words`: Words or phrases of at most 100 characters each. Empty strings are skipped.
     *
     * @throws BadRequest
     *
     * @example
     * await session.alertWords.add({ alert_words: [ 'deploy', 'on call' ] });
     */
    add: (parameters: { alert_words: readonly string[] }, options?: CallOptions) => Promise<Answer<{
      alert_words: string[];
    }>>;
    /**
     * Remove alert words.
     *
     * Messages that are already flagged keep the flag.
     *
     * @param parameters
     * - `alert_words`: Case is ignored. Unknown words are skipped.
     *
     * @throws BadRequest
     *
     * @example
     * await session.alertWords.remove({ alert_words: [ 'deploy' ] });
     */
    remove: (parameters: { alert_words: readonly string[] }, options?: CallOptions) => Promise<Answer<{
      alert_words: string[];
    }>>;
  };
  presence: {
    /**
     * List the presence of all users who were online in the last 14 days.
     *
     * A user without a report for 200 seconds is offline, whatever the last status is.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      server_timestamp: number;
      presences: {
        [key: string]: {
          aggregated: { client: 'website'; status: 'active' | 'idle'; timestamp: number };
          website: { client: 'website'; status: 'active' | 'idle'; timestamp: number; pushable: false };
        };
      };
    }>>;
    /**
     * Report your presence and get the presence of others.
     *
     * Clients report once a minute. They pass presence_last_update_id from the response as last_update_id of the next request. Reports are written every few seconds. A server crash loses the reports of the last seconds; the next reports replace them.
     *
     * @param parameters
     * - `status`: active: the user has used this client recently.
     * - `ping_only` (optional): Only report; the response contains no presences.
     * - `new_user_input` (optional): Whether there was input since the last report. Not stored.
     * - `slim_presence` (optional): Return presences by user ID, with two times each.
     * - `last_update_id` (optional): Return only changes after this update, in the slim form; -1: all.
     * - `history_limit_days` (optional): Only users seen in this many days. Default: 14; with last_update_id: all.
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
    }, options?: CallOptions) => Promise<Answer<{
      presences?: Presences | undefined;
      server_timestamp?: number | undefined;
      presence_last_update_id?: number | undefined;
    }>>;
    /**
     * Get the presence of a user.
     *
     * @param parameters
     * - `user_id_or_email`: User ID, or real or placeholder e-mail address.
     *
     * @throws BadRequest
     *
     * @example
     * await session.presence.get({ user_id_or_email: 'ada@example.com' });
     */
    get: (parameters: { user_id_or_email: string }, options?: CallOptions) => Promise<Answer<{
      presence: {
        aggregated: { status: 'active' | 'idle' | 'offline'; timestamp: number };
        website: { status: 'active' | 'idle'; timestamp: number };
      };
    }>>;
  };
  userGroups: {
    /**
     * List user groups, including system groups.
     *
     * Permission settings use the IDs of groups.
     *
     * @param parameters
     * - `include_deactivated_groups` (optional): Include deactivated groups.
     *
     * @throws BadRequest
     */
    list: (parameters?: { include_deactivated_groups?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      user_groups: {
        can_add_members_group: GroupSetting;
        can_join_group: GroupSetting;
        can_leave_group: GroupSetting;
        can_manage_group: GroupSetting;
        can_mention_group: GroupSetting;
        can_remove_members_group: GroupSetting;
        external_id?: string | undefined;
        id: number;
        name: string;
        description: string;
        date_created: number | null;
        creator_id: number | null;
        members: number[];
        direct_subgroup_ids: number[];
        is_system_group: boolean;
        deactivated: boolean;
      }[];
    }>>;
    /**
     * Create a user group.
     *
     * Requires can_create_groups. The notification bot messages the added users. By default, the creator manages the group and its members, no user can join, and everyone can leave and mention it.
     *
     * @param parameters
     * - `name`: Unique, ignoring case. At most 100 characters, without prefixes such as @ or role:.
     * - `description`: At most 1024 characters.
     * - `members`: Members of the group. Can be empty.
     * - `subgroups` (optional): Groups whose members also belong to this group.
     * - `can_add_members_group` (optional): Who can add members.
     * - `can_join_group` (optional): Who can join the group.
     * - `can_leave_group` (optional): Who can leave the group.
     * - `can_manage_group` (optional): Who can manage the group: settings and members.
     * - `can_mention_group` (optional): Who can mention the group.
     * - `can_remove_members_group` (optional): Who can remove members.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused
     *
     * @example
     * await session.userGroups.create({ name: 'support', description: 'Support team', members: [ 9, 10 ] });
     */
    create: (parameters: {
      can_add_members_group?: GroupSettingParam | undefined;
      can_join_group?: GroupSettingParam | undefined;
      can_leave_group?: GroupSettingParam | undefined;
      can_manage_group?: GroupSettingParam | undefined;
      can_mention_group?: GroupSettingParam | undefined;
      can_remove_members_group?: GroupSettingParam | undefined;
      idempotency_key?: string | undefined;
      name: string;
      description: string;
      members: readonly number[];
      subgroups?: readonly number[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{ group_id: number }>>;
    /**
     * Change or reactivate a user group.
     *
     * Requires the permission to manage the group. All given changes are applied, or none.
     *
     * @param parameters
     * - `user_group_id`
     * - `name` (optional): At most 100 characters.
     * - `description` (optional): At most 1024 characters.
     * - `deactivated` (optional): false reactivates a deactivated group. true has no effect.
     * - `can_add_members_group` (optional): Who can add members.
     * - `can_join_group` (optional): Who can join the group.
     * - `can_leave_group` (optional): Who can leave the group.
     * - `can_manage_group` (optional): Who can manage the group: settings and members.
     * - `can_mention_group` (optional): Who can mention the group.
     * - `can_remove_members_group` (optional): Who can remove members.
     *
     * @throws BadRequest, ExpectationMismatch, FieldLocked
     *
     * @example
     * await session.userGroups.edit({ user_group_id: 9, description: 'Support team on weekdays' });
     */
    edit: (parameters: {
      can_add_members_group?: GroupSettingUpdateParam | undefined;
      can_join_group?: GroupSettingUpdateParam | undefined;
      can_leave_group?: GroupSettingUpdateParam | undefined;
      can_manage_group?: GroupSettingUpdateParam | undefined;
      can_mention_group?: GroupSettingUpdateParam | undefined;
      can_remove_members_group?: GroupSettingUpdateParam | undefined;
      name?: string | undefined;
      description?: string | undefined;
      deactivated?: boolean | undefined;
      user_group_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate a user group.
     *
     * Fails with a list of uses if an active group or permission contains it. Its members are kept.
     *
     * @param parameters
     * - `user_group_id`
     *
     * @throws BadRequest, CannotDeactivateGroupInUse, FieldLocked
     *
     * @example
     * await session.userGroups.deactivate({ user_group_id: 9 });
     */
    deactivate: (parameters: { user_group_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add users and groups to a user group, or remove them.
     *
     * All changes are applied, or none. Fails if a user to add is already a member or a user to remove is not. The notification bot messages the users, unless there are more than 1000.
     *
     * @param parameters
     * - `user_group_id`
     * - `add` (optional): Users to add. Deactivated users are refused.
     * - `delete` (optional): Users to remove.
     * - `add_subgroups` (optional): Groups to add.
     * - `delete_subgroups` (optional): Groups to remove.
     *
     * @throws BadRequest, FieldLocked
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add groups to a user group, or remove them.
     *
     * All changes are applied, or none. A group cannot contain itself, not even indirectly.
     *
     * @param parameters
     * - `user_group_id`
     * - `add` (optional): Groups to add. Deactivated groups are refused.
     * - `delete` (optional): Groups to remove.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the members of a user group.
     *
     * Active accounts only. Includes members of subgroups.
     *
     * @param parameters
     * - `user_group_id`
     * - `direct_member_only` (optional): List only direct members.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.members({ user_group_id: 9 });
     */
    members: (parameters: { user_group_id: number; direct_member_only?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      members: number[];
    }>>;
    /**
     * List the subgroups of a user group.
     *
     * Includes indirect subgroups.
     *
     * @param parameters
     * - `user_group_id`
     * - `direct_subgroup_only` (optional): List only direct subgroups.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.subgroups({ user_group_id: 9 });
     */
    subgroups: (parameters: { user_group_id: number; direct_subgroup_only?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      subgroups: number[];
    }>>;
    /**
     * Check whether a user is in a user group.
     *
     * Counts direct members and members of subgroups.
     *
     * @param parameters
     * - `user_group_id`
     * - `user_id`
     * - `direct_member_only` (optional): Count only direct members.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.isMember({ user_group_id: 9, user_id: 10 });
     */
    isMember: (parameters: { user_group_id: number; user_id: number; direct_member_only?: boolean | undefined }, options?: CallOptions) => Promise<Answer<{
      is_user_group_member: boolean;
    }>>;
  };
  bots: {
    /**
     * List the bots that you own, with their API keys.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ bots: BotObject[] }>>;
    /**
     * Create a bot that you own.
     *
     * Requires can_create_bots_group. For incoming-webhook bots, can_create_write_only_bots_group is enough.
     *
     * @param parameters
     * - `full_name`: Display name, 2 to 100 characters.
     * - `short_name`: Becomes the e-mail address: <short_name>-bot@<host>.
     * - `bot_type` (optional): 1: generic. 2: incoming webhook (can only send messages). 3: outgoing webhook (called for mentions and direct messages).
     * - `payload_url` (optional): Outgoing webhooks only: the URL (http or https) to post messages to.
     * - `interface_type` (optional): Outgoing webhooks: 1 JSON, 2 Slack.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused
     *
     * @example
     * await session.bots.create({ full_name: 'Build Bot', short_name: 'build' });
     */
    create: (parameters: {
      idempotency_key?: string | undefined;
      full_name: string;
      short_name: string;
      bot_type?: 1 | 2 | 3 | undefined;
      payload_url?: string | undefined;
      interface_type?: 1 | 2 | undefined;
    }, options?: CallOptions) => Promise<Answer<{
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
     * Change the name, role, owner, webhook or activation of a bot.
     *
     * For its owner and administrators. All changes are applied, or none. The API key stays the same.
     *
     * @param parameters
     * - `bot_id`
     * - `full_name` (optional): Display name, 2 to 100 characters. A blank name changes nothing.
     * - `role` (optional): Administrators only. Only owners can change the owner role.
     * - `bot_owner_id` (optional): New owner: an active person who is not a guest.
     * - `service_payload_url` (optional): Outgoing webhooks only: the URL (http or https) to post messages to.
     * - `service_interface` (optional): Outgoing webhooks: 1 JSON, 2 Slack.
     * - `is_active` (optional): Reactivating requires the permission to create bots of its type.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.bots.edit({ bot_id: 12, service_payload_url: 'https://example.com/ask' });
     */
    edit: (parameters: {
      service_payload_url?: string | undefined;
      service_interface?: 1 | 2 | undefined;
      bot_id: number;
      full_name?: string | undefined;
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      bot_owner_id?: number | undefined;
      is_active?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
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
      bot_owner?: string | undefined;
      service_payload_url: string | null;
      service_interface: number;
      config_data: { [key: string]: string } | null;
    }>>;
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
    getApiKey: (parameters: { bot_id: number }, options?: CallOptions) => Promise<Answer<{ api_key: string }>>;
    /**
     * Replace the API key of a bot.
     *
     * For its owner and administrators. The old key stops working immediately.
     *
     * @param parameters
     * - `bot_id`
     *
     * @throws BadRequest
     *
     * @example
     * await session.bots.regenerateApiKey({ bot_id: 12 });
     */
    regenerateApiKey: (parameters: { bot_id: number }, options?: CallOptions) => Promise<Answer<{
      api_key: string;
    }>>;
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
    deactivate: (parameters: { bot_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  botStorage: {
    /**
     * Get stored values of your account.
     *
     * Fails if a key does not exist.
     *
     * @param parameters
     * - `keys` (optional): At most 5000 keys. Default: all keys.
     *
     * @throws BadRequest
     *
     * @example
     * await session.botStorage.get({ keys: [ 'visits' ] });
     */
    get: (parameters?: { keys?: readonly string[] | undefined }, options?: CallOptions) => Promise<Answer<{
      storage: { [key: string]: string };
    }>>;
    /**
     * Store values by key.
     *
     * Overwrites the values of these keys. Other keys stay. Each account has its own storage.
     *
     * @param parameters
     * - `storage`: Object with at most 5000 keys. Values are strings. Keys have at most 500 characters, values 1000000.
     *
     * @throws BadRequest
     *
     * @example
     * await session.botStorage.set({ storage: { visits: '3', greeting: 'Hello' } });
     */
    set: (parameters: { storage: { [key: string]: string } }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove stored values of your account.
     *
     * Fails and removes nothing if one of the keys does not exist.
     *
     * @param parameters
     * - `keys` (optional): At most 5000 keys. Default: removes all keys.
     *
     * @throws BadRequest
     *
     * @example
     * await session.botStorage.remove({ keys: [ 'visits' ] });
     */
    remove: (parameters?: { keys?: readonly string[] | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  push: {
    /**
     * Register a device for encrypted push notifications.
     *
     * The push services cannot read the notifications. The server registers the device at the push relay in the background and reports the result in a push_device event. Repeating a registration changes nothing, unless it has failed.
     *
     * @param parameters
     * - `token_kind`: Push service of the device: Google (fcm) or Apple (apns).
     * - `push_account_id`: Random number chosen by the client for this account. Notifications contain it.
     * - `push_public_key`: Public Curve25519 key of the client: 32 bytes in base64.
     * - `bouncer_public_key`: Public key of the push relay, used to encrypt the registration.
     * - `encrypted_push_registration`: Token and metadata of the device, encrypted for the push relay, in base64.
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Send a test notification to your own devices.
     *
     * Returns when the push relay has accepted the notification.
     *
     * @param parameters
     * - `push_account_id` (optional): Send to this device only. Default: all your devices.
     *
     * @throws BadRequest, NoActivePushDevice, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer
     *
     * @example
     * await session.push.sendTest({ push_account_id: 2408 });
     */
    sendTest: (parameters?: { push_account_id?: number | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add a device for unencrypted push notifications by its token at Apple's service.
     *
     * Notifications are not encrypted. Clients that support encryption use push.register. If the push relay cannot be reached, it gets the token later.
     *
     * @param parameters
     * - `appid`: ID of the app: letters, digits, dots and hyphens.
     * - `token`: Token of the device at the push service, 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired
     *
     * @example
     * await session.push.addApnsToken({ appid: 'com.example.chat', token: 'c0ffee' });
     */
    addApnsToken: (parameters: { appid: string; token: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a device by its token at Apple's service.
     *
     * The device gets no more push notifications.
     *
     * @param parameters
     * - `token`: Token of the device at the push service, 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired
     *
     * @example
     * await session.push.removeApnsToken({ token: 'c0ffee' });
     */
    removeApnsToken: (parameters: { token: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add a device for unencrypted push notifications by its token at Google's service.
     *
     * Notifications are not encrypted. Clients that support encryption use push.register. If the push relay cannot be reached, it gets the token later.
     *
     * @param parameters
     * - `token`: Token of the device at the push service, 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired
     *
     * @example
     * await session.push.addFcmToken({ token: 'fcm-token' });
     */
    addFcmToken: (parameters: { token: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a device by its token at Google's service.
     *
     * The device gets no more push notifications.
     *
     * @param parameters
     * - `token`: Token of the device at the push service, 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired
     *
     * @example
     * await session.push.removeFcmToken({ token: 'fcm-token' });
     */
    removeFcmToken: (parameters: { token: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Send an unencrypted test notification to your own devices.
     *
     * For devices with a token. The push relay notifies all of them, also if `token` names one. Returns when the relay has accepted the notification.
     *
     * @param parameters
     * - `token` (optional): Token of the device at the push service, 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired
     *
     * @example
     * await session.push.sendPlainTest({ token: 'fcm-token' });
     */
    sendPlainTest: (parameters?: { token?: string | undefined }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  organization: {
    /**
     * Change the organization's name, settings and permissions.
     *
     * All given changes are applied, or none. The answer has the changed settings; a text is `updated`. Only owners can change can_invite_users_group, create_multiuse_invite_group, emails_restricted_to_domains, message_retention_days and waiting_period_threshold.
     *
     * @param parameters
     * - `name` (optional): At most 40 characters.
     * - `description` (optional): Markdown.
     * - `allow_message_editing` (optional): Whether users can edit their messages.
     * - `avatar_changes_disabled` (optional): Whether only administrators can change avatars.
     * - `default_avatar_source` (optional): Default avatar. J: generated by the server. G: from Gravatar, which receives a hash of the e-mail address.
     * - `default_code_block_language` (optional): Language of code blocks without a language. Empty: plain text.
     * - `disallow_disposable_email_addresses` (optional): Refuse new accounts with disposable e-mail addresses.
     * - `emails_restricted_to_domains` (optional): Whether to accept only e-mail addresses of the allowed domains (`allowedDomains`). Existing accounts keep their addresses. disallow_disposable_email_addresses then has no effect.
     * - `enable_read_receipts` (optional): Whether users can see who has read a message.
     * - `enable_spectator_access` (optional): Whether web-public channels can be read without an account.
     * - `max_invites` (optional): How many people each user, except administrators, can invite a day.
     * - `message_content_delete_limit_seconds` (optional): How long users can delete their messages, in seconds, or unlimited.
     * - `message_content_edit_limit_seconds` (optional): How long users can edit their messages, in seconds, or unlimited.
     * - `message_edit_history_visibility_policy` (optional): Edit history shown to users.
     * - `message_retention_days` (optional): Days after which messages are deleted, including starred messages, or unlimited. Channels can override it.
     * - `moderation_request_channel_id` (optional): ID of the private channel for reported messages; -1: none.
     * - `move_messages_between_streams_limit_seconds` (optional): How long messages can be moved to another channel, in seconds, or unlimited.
     * - `move_messages_within_stream_limit_seconds` (optional): How long messages can be moved to another topic, in seconds, or unlimited.
     * - `name_changes_disabled` (optional): Whether only administrators can change names.
     * - `new_stream_announcements_stream_id` (optional): ID of the channel that announces new channels; -1: none.
     * - `presence_disabled` (optional): Whether to hide the presence of all users.
     * - `require_e2ee_push_notifications` (optional): Omit the message text in push notifications without encryption.
     * - `require_unique_names` (optional): Whether names must be unique.
     * - `send_channel_events_messages` (optional): Whether the notification bot posts changes of a channel in it.
     * - `topics_policy` (optional): Whether messages need a topic.
     * - `waiting_period_threshold` (optional): Days until a new member becomes a full member.
     * - `welcome_message_custom_text` (optional): Markdown text that the welcome bot sends to users who accept an invitation. Empty: no message. Visible only to administrators.
     * - `can_access_all_users_group` (optional): Who can see all users. role:everyone includes guests. With role:members, guests see only users they share a conversation with.
     * - `can_add_custom_emoji_group` (optional): Who can add custom emoji.
     * - `can_add_subscribers_group` (optional): Who can subscribe others to channels.
     * - `can_create_bots_group` (optional): Who can create bots.
     * - `can_create_groups` (optional): Who can create user groups.
     * - `can_create_private_channel_group` (optional): Who can create private channels.
     * - `can_create_public_channel_group` (optional): Who can create public channels.
     * - `can_create_web_public_channel_group` (optional): Who can create web-public channels.
     * - `can_create_write_only_bots_group` (optional): Who can create bots that only send messages.
     * - `can_delete_any_message_group` (optional): Who can delete any message.
     * - `can_delete_own_message_group` (optional): Who can delete their own messages.
     * - `can_invite_users_group` (optional): Who can invite people by e-mail.
     * - `can_manage_all_groups` (optional): Who can manage all user groups.
     * - `can_mention_many_users_group` (optional): Who can use wildcard mentions in large channels and topics.
     * - `can_move_messages_between_channels_group` (optional): Who can move messages to another channel.
     * - `can_move_messages_between_topics_group` (optional): Who can move messages to another topic.
     * - `can_resolve_topics_group` (optional): Who can resolve topics.
     * - `can_set_delete_message_policy_group` (optional): Who can set who deletes messages in a channel.
     * - `can_set_topics_policy_group` (optional): Who can set topics policies of channels.
     * - `create_multiuse_invite_group` (optional): Who can create multi-use invitation links.
     * - `direct_message_initiator_group` (optional): Who can start direct message conversations.
     * - `direct_message_permission_group` (optional): Direct messages need a participant from this group.
     *
     * @throws BadRequest, UnauthorizedPrincipal, ExpectationMismatch, SystemGroupRequired
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
      moderation_request_channel_id?: number | undefined;
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
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  linkifiers: {
    /**
     * List linkifiers in the order in which they are applied.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ linkifiers: LinkifierObject[] }>>;
    /**
     * Create a linkifier, which turns text that matches a pattern into links.
     *
     * Applies to new messages and topics, after all other linkifiers. Existing messages do not change.
     *
     * @param parameters
     * - `pattern`: RE2 pattern such as `#(?P<id>[0-9]+)`. Unique. Matches whole words.
     * - `url_template`: RFC 6570 URL template with the groups of the pattern, for example `https://issues.example.com/{id}`.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, IdempotencyKeyReused
     *
     * @example
     * await session.linkifiers.create({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' });
     */
    create: (parameters: { idempotency_key?: string | undefined; pattern: string; url_template: string }, options?: CallOptions) => Promise<Answer<{
      id: number;
    }>>;
    /**
     * Change a linkifier.
     *
     * It keeps its position in the list. Existing messages do not change.
     *
     * @param parameters
     * - `filter_id`
     * - `pattern`: RE2 pattern such as `#(?P<id>[0-9]+)`. Unique. Matches whole words.
     * - `url_template`: RFC 6570 URL template with the groups of the pattern, for example `https://issues.example.com/{id}`.
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
    edit: (parameters: { filter_id: number; pattern: string; url_template: string }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a linkifier.
     *
     * Existing messages keep their links.
     *
     * @param parameters
     * - `filter_id`
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.linkifiers.remove({ filter_id: 1 });
     */
    remove: (parameters: { filter_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Change the order in which linkifiers are applied.
     *
     * @param parameters
     * - `ordered_linkifier_ids`: The IDs of all linkifiers, each once.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.linkifiers.reorder({ ordered_linkifier_ids: [ 2, 1 ] });
     */
    reorder: (parameters: { ordered_linkifier_ids: readonly number[] }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  playgrounds: {
    /**
     * List code playgrounds.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{ realm_playgrounds: PlaygroundObject[] }>>;
    /**
     * Create a code playground: a site that runs code of a language.
     *
     * Clients show a link to it at code blocks of the language. A language can have several playgrounds.
     *
     * @param parameters
     * - `name`: Display name. Unique within the language.
     * - `url_template`: RFC 6570 URL template with the variable `code`, for example `https://play.example.com/?code={code}`.
     * - `pygments_language`: Name of the Pygments lexer of the language, for example `Python`.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, IdempotencyKeyReused
     *
     * @example
     * await session.playgrounds.create({
     *   name: 'Rust',
     *   pygments_language: 'Rust',
     *   url_template: 'https://play.example.com/?code={code}'
     * });
     */
    create: (parameters: {
      idempotency_key?: string | undefined;
      name: string;
      url_template: string;
      pygments_language: string;
    }, options?: CallOptions) => Promise<Answer<{ id: number }>>;
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
    remove: (parameters: { playground_id: number }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  allowedDomains: {
    /**
     * List the allowed e-mail domains.
     *
     * The list takes effect if `emails_restricted_to_domains` is set.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      domains: { domain: string; allow_subdomains: boolean }[];
    }>>;
    /**
     * Allow e-mail addresses of a domain.
     *
     * The list takes effect if `emails_restricted_to_domains` is set.
     *
     * @param parameters
     * - `domain`: Domain, such as example.com. Case is ignored.
     * - `allow_subdomains`: Whether to allow subdomains too.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.allowedDomains.add({ domain: 'example.com', allow_subdomains: true });
     */
    add: (parameters: { domain: string; allow_subdomains: boolean }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Allow or disallow the subdomains of an allowed domain.
     *
     * @param parameters
     * - `domain`: Domain, such as example.com. Case is ignored.
     * - `allow_subdomains`: Whether to allow subdomains too.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.allowedDomains.edit({ domain: 'example.com', allow_subdomains: false });
     */
    edit: (parameters: { domain: string; allow_subdomains: boolean }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a domain from the allowed e-mail domains.
     *
     * Accounts keep their addresses. Removing the last domain also turns off `emails_restricted_to_domains`.
     *
     * @param parameters
     * - `domain`: Domain, such as example.com. Case is ignored.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.allowedDomains.remove({ domain: 'example.com' });
     */
    remove: (parameters: { domain: string }, options?: CallOptions) => Promise<Answer<{}>>;
  };
}

/** What happened, as clients receive it, by `type` or `type/op`. */
export interface Events {
  /** The poll timed out without events. Poll again. */
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
    stream_name?: string | undefined;
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
  /** Messages were deleted, or moved to a place that you cannot read. Older clients get one event per message. */
  delete_message: {
    message_ids?: number[] | undefined;
    message_id?: number | undefined;
    message_type: 'private' | 'stream';
    stream_id?: number | undefined;
    topic?: string | undefined;
    type: 'delete_message';
  };
  /** One of your flags was set on messages. */
  'update_message_flags/add': {
    operation: 'add' | 'remove';
    flag: string;
    messages: number[];
    all: boolean;
    type: 'update_message_flags';
    op: 'add';
  };
  /** One of your flags was cleared on messages. */
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
            unmuted_stream_msg?: boolean | undefined;
            user_ids?: number[] | undefined;
          };
        }
      | undefined;
    type: 'update_message_flags';
    op: 'remove';
  };
  /** A user added a reaction to a message. */
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
  /** A reaction was removed from a message. */
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
  /** A user voted in a poll, or changed a poll or a to-do list. */
  submessage: {
    message_id: number;
    sender_id: number;
    msg_type: string;
    content: string;
    submessage_id: number;
    type: 'submessage';
  };
  /** You scheduled a message. */
  'scheduled_messages/add': { scheduled_messages: ScheduledMessageObject[]; type: 'scheduled_messages'; op: 'add' };
  /** One of your scheduled messages was edited, or could not be sent. */
  'scheduled_messages/update': { scheduled_message: ScheduledMessageObject; type: 'scheduled_messages'; op: 'update' };
  /** One of your scheduled messages was sent or deleted. */
  'scheduled_messages/remove': { scheduled_message_id: number; type: 'scheduled_messages'; op: 'remove' };
  /** You set a reminder for a message. */
  'reminders/add': { reminders: ReminderObject[]; type: 'reminders'; op: 'add' };
  /** One of your reminders was sent or deleted. */
  'reminders/remove': { reminder_id: number; type: 'reminders'; op: 'remove' };
  /** All topics that you have muted. For older clients. */
  muted_topics: { muted_topics: [string, string, number][]; type: 'muted_topics' };
  /** You muted, unmuted or followed a topic, or removed this setting. */
  user_topic: {
    stream_id: number;
    topic_name: string;
    last_updated: number;
    visibility_policy: 0 | 1 | 2 | 3;
    type: 'user_topic';
  };
  /** A user is typing a message. Expires after `server_typing_started_expiry_period_milliseconds`. */
  'typing/start': {
    message_type: 'direct' | 'stream';
    sender: { user_id: number; email: string };
    recipients?: { user_id: number; email: string }[] | undefined;
    stream_id?: number | undefined;
    topic?: string | undefined;
    type: 'typing';
    op: 'start';
  };
  /** A user stopped typing. */
  'typing/stop': {
    message_type: 'direct' | 'stream';
    sender: { user_id: number; email: string };
    recipients?: { user_id: number; email: string }[] | undefined;
    stream_id?: number | undefined;
    topic?: string | undefined;
    type: 'typing';
    op: 'stop';
  };
  /** A user is editing one of their messages. */
  'typing_edit_message/start': {
    sender_id: number;
    message_id: number;
    recipient: { type: 'channel'; channel_id: number; topic: string } | { type: 'direct'; user_ids: number[] };
    type: 'typing_edit_message';
    op: 'start';
  };
  /** A user stopped editing a message. */
  'typing_edit_message/stop': {
    sender_id: number;
    message_id: number;
    recipient: { type: 'channel'; channel_id: number; topic: string } | { type: 'direct'; user_ids: number[] };
    type: 'typing_edit_message';
    op: 'stop';
  };
  /** You saved drafts in another client. */
  'drafts/add': { drafts: DraftObject[]; type: 'drafts'; op: 'add' };
  /** You changed a draft in another client. Contains the complete draft. */
  'drafts/update': { draft: DraftObject; type: 'drafts'; op: 'update' };
  /** You deleted a draft in another client. */
  'drafts/remove': { draft_id: number; type: 'drafts'; op: 'remove' };
  /** You saved a snippet. */
  'saved_snippets/add': { saved_snippet: SnippetObject; type: 'saved_snippets'; op: 'add' };
  /** You changed a saved snippet. Contains the complete snippet. */
  'saved_snippets/update': { saved_snippet: SnippetObject; type: 'saved_snippets'; op: 'update' };
  /** You removed a saved snippet. */
  'saved_snippets/remove': { saved_snippet_id: number; type: 'saved_snippets'; op: 'remove' };
  /** You added a view to your sidebar. */
  'navigation_view/add': { navigation_view: NavigationViewObject; type: 'navigation_view'; op: 'add' };
  /** You renamed, pinned or unpinned a view. Contains the changed fields. */
  'navigation_view/update': {
    fragment: string;
    data: { name?: string | undefined; is_pinned?: boolean | undefined };
    type: 'navigation_view';
    op: 'update';
  };
  /** You removed a view from your sidebar. */
  'navigation_view/remove': { fragment: string; type: 'navigation_view'; op: 'remove' };
  /** The reader uploaded a file. */
  'attachment/add': { attachment: AttachmentObject; upload_space_used: number; type: 'attachment'; op: 'add' };
  /** The messages that link to a file of the reader changed. */
  'attachment/update': { attachment: AttachmentObject; upload_space_used: number; type: 'attachment'; op: 'update' };
  /** A file of the reader was removed. */
  'attachment/remove': { attachment: { id: number }; upload_space_used: number; type: 'attachment'; op: 'remove' };
  /** A custom emoji was added or deactivated. Contains all custom emoji by ID. */
  'realm_emoji/update': { realm_emoji: { [key: string]: CustomEmojiObject }; type: 'realm_emoji'; op: 'update' };
  /** Channels were created, or became visible to you. */
  'stream/create': { streams: ChannelObject[]; type: 'stream'; op: 'create' };
  /** Channels were archived (older clients only), or are no longer visible to you. */
  'stream/delete': { streams: { stream_id: number }[]; stream_ids: number[]; type: 'stream'; op: 'delete' };
  /** A property of a channel changed. */
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
  /** The default channels for new users changed. Contains the complete list. */
  default_streams: { default_streams: number[]; type: 'default_streams' };
  /** A channel folder was created. */
  'channel_folder/add': { channel_folder: ChannelFolderObject; type: 'channel_folder'; op: 'add' };
  /** A channel folder was changed, archived or unarchived. Contains the fields that changed. */
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
  /** The order of the channel folders changed. */
  'channel_folder/reorder': { order: number[]; type: 'channel_folder'; op: 'reorder' };
  /** You were subscribed to channels. */
  'subscription/add': { subscriptions: SubscriptionObject[]; type: 'subscription'; op: 'add' };
  /** You were unsubscribed from channels. */
  'subscription/remove': { subscriptions: { stream_id: number; name: string }[]; type: 'subscription'; op: 'remove' };
  /** One of your personal settings for a channel changed. */
  'subscription/update': { stream_id: number; property: string; value: unknown; type: 'subscription'; op: 'update' };
  /** Other users were subscribed to channels that are visible to you. */
  'subscription/peer_add': { stream_ids: number[]; user_ids: number[]; type: 'subscription'; op: 'peer_add' };
  /** Other users were unsubscribed from channels that are visible to you. */
  'subscription/peer_remove': { stream_ids: number[]; user_ids: number[]; type: 'subscription'; op: 'peer_remove' };
  /** An account was created, or the reader can see it now. It then replaces the placeholder account with this ID. */
  'realm_user/add': { person: UserObject; type: 'realm_user'; op: 'add' };
  /** An account changed. Contains its ID and the changed fields. */
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
  /** The reader can no longer see an account. It is replaced by a placeholder account or removed. */
  'realm_user/remove': { person: { user_id: number; full_name: 'Unknown user' }; type: 'realm_user'; op: 'remove' };
  /** The invitations that the reader can list have changed. Fetch the list again. */
  invites_changed: { type: 'invites_changed' };
  /** Custom profile fields were added, changed, removed or reordered. Contains all fields. Values of removed fields and options are removed from profiles without further events. */
  custom_profile_fields: { fields: ProfileFieldObject[]; type: 'custom_profile_fields' };
  /** One of the reader's own settings changed. */
  'user_settings/update': {
    property: string;
    value: unknown;
    language_name?: string | undefined;
    type: 'user_settings';
    op: 'update';
  };
  /** One of the reader's display settings changed. Only for clients without `user_settings_object`. */
  update_display_settings: {
    user: string;
    setting_name: string;
    setting: unknown;
    language_name?: string | undefined;
    type: 'update_display_settings';
  };
  /** One of the reader's notification settings changed. Only for clients without `user_settings_object`. */
  update_global_notifications: { user: string; notification_name: string; setting: unknown; type: 'update_global_notifications' };
  /** A default setting of new accounts changed. */
  'realm_user_settings_defaults/update': { property: string; value: unknown; type: 'realm_user_settings_defaults'; op: 'update' };
  /** The status of a user changed, or the reader can see it now. Contains the changed parts. */
  user_status: {
    away?: boolean | undefined;
    status_text?: string | undefined;
    emoji_name?: string | undefined;
    emoji_code?: string | undefined;
    reaction_type?: string | undefined;
    user_id: number;
    type: 'user_status';
  };
  /** The reader's list of muted users changed. Contains the whole list. */
  muted_users: { muted_users: { id: number; timestamp: number }[]; type: 'muted_users' };
  /** The reader's alert words changed. Contains all of them. */
  alert_words: { alert_words: string[]; type: 'alert_words' };
  /** A user came online. Sent if at most 100 users would get it. Otherwise, clients see the change in the response to their next report. */
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
  /** A user group was created. Clients without deactivated groups also get it on reactivation. */
  'user_group/add': { group: GroupObject; type: 'user_group'; op: 'add' };
  /** A property of a user group changed. */
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
  /** A user group was deactivated. Only for clients without support for deactivated groups. */
  'user_group/remove': { group_id: number; type: 'user_group'; op: 'remove' };
  /** Users became direct members of a group, or members were reactivated. */
  'user_group/add_members': { group_id: number; user_ids: number[]; type: 'user_group'; op: 'add_members' };
  /** Users were removed as direct members of a group, or members were deactivated. */
  'user_group/remove_members': { group_id: number; user_ids: number[]; type: 'user_group'; op: 'remove_members' };
  /** Direct subgroups were added to a group. */
  'user_group/add_subgroups': { group_id: number; direct_subgroup_ids: number[]; type: 'user_group'; op: 'add_subgroups' };
  /** Direct subgroups were removed from a group. */
  'user_group/remove_subgroups': { group_id: number; direct_subgroup_ids: number[]; type: 'user_group'; op: 'remove_subgroups' };
  /** The reader owns or administers a new bot. Never contains the API key. */
  'realm_bot/add': { bot: BotObject; type: 'realm_bot'; op: 'add' };
  /** A bot changed. Contains its ID and the changed fields. */
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
  /** The reader can no longer administer a bot. */
  'realm_bot/delete': { bot: { user_id: number }; type: 'realm_bot'; op: 'delete' };
  /** The status of one of the reader's device registrations changed. */
  push_device: {
    push_account_id: string;
    status: 'active' | 'failed' | 'pending';
    error_code?: string | undefined;
    type: 'push_device';
  };
  /** A setting of the organization changed. */
  'realm/update': { property: string; value: unknown; type: 'realm'; op: 'update' };
  /** Settings of the organization changed. Contains the new values by name. */
  'realm/update_dict': { property: 'default'; data: { [key: string]: unknown }; type: 'realm'; op: 'update_dict' };
  /** Linkifiers were added, changed, removed or reordered. Contains all linkifiers in order. */
  realm_linkifiers: { realm_linkifiers: LinkifierObject[]; type: 'realm_linkifiers' };
  /** A code playground was added or removed. Contains all playgrounds. */
  realm_playgrounds: { realm_playgrounds: PlaygroundObject[]; type: 'realm_playgrounds' };
  /** A domain was added to the allowed domains. */
  'realm_domains/add': { realm_domain: { domain: string; allow_subdomains: boolean }; type: 'realm_domains'; op: 'add' };
  /** The subdomains of an allowed domain were allowed or disallowed. */
  'realm_domains/change': { realm_domain: { domain: string; allow_subdomains: boolean }; type: 'realm_domains'; op: 'change' };
  /** A domain was removed from the allowed domains. Accounts keep their addresses. */
  'realm_domains/remove': { domain: string; type: 'realm_domains'; op: 'remove' };
}

/** An event of a queue, with its id there. */
export type AnyEvent = Events[keyof Events] & { id: number };

/** The state a client starts from, by fetch type. */
export interface States {
  onboarding_steps: { onboarding_steps: never[] };
  realm_filters: { realm_filters: never[] };
  stop_words: { stop_words: string[] };
  message: { max_message_id: number };
  update_message_flags: {
    unread_msgs: {
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
    never_subscribed?: ChannelObject[];
  };
  realm_user: {
    avatar_source: 'G' | 'J' | 'U';
    avatar_url: string;
    avatar_url_medium: string;
    realm_users: UserObject[];
    realm_non_active_users: UserObject[];
    cross_realm_bots: UserObject[];
    user_id: number;
    email: string;
    delivery_email: string;
    full_name: string;
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
  update_display_settings: {
    allow_private_data_export?: boolean;
    automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    automatically_follow_topics_where_mentioned?: boolean;
    automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    color_scheme?: 1 | 2 | 3;
    default_language?: string;
    demote_inactive_streams?: 1 | 2 | 3;
    desktop_icon_count_display?: 1 | 2 | 3 | 4;
    display_emoji_reaction_users?: boolean;
    email_notifications_batching_period_seconds?: number;
    emojiset?: 'google' | 'google-blob' | 'text' | 'twitter';
    enable_desktop_notifications?: boolean;
    enable_digest_emails?: boolean;
    enable_drafts_synchronization?: boolean;
    enable_followed_topic_audible_notifications?: boolean;
    enable_followed_topic_desktop_notifications?: boolean;
    enable_followed_topic_email_notifications?: boolean;
    enable_followed_topic_push_notifications?: boolean;
    enable_followed_topic_wildcard_mentions_notify?: boolean;
    enable_login_emails?: boolean;
    enable_marketing_emails?: boolean;
    enable_offline_email_notifications?: boolean;
    enable_offline_push_notifications?: boolean;
    enable_online_push_notifications?: boolean;
    enable_sounds?: boolean;
    enable_stream_audible_notifications?: boolean;
    enable_stream_desktop_notifications?: boolean;
    enable_stream_email_notifications?: boolean;
    enable_stream_push_notifications?: boolean;
    enter_sends?: boolean;
    fluid_layout_width?: boolean;
    hide_ai_features?: boolean;
    high_contrast_mode?: boolean;
    left_side_userlist?: boolean;
    message_content_in_email_notifications?: boolean;
    notification_sound?: string;
    pm_content_in_desktop_notifications?: boolean;
    presence_enabled?: boolean;
    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    receives_typing_notifications?: boolean;
    resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
    send_private_typing_notifications?: boolean;
    send_read_receipts?: boolean;
    send_stream_typing_notifications?: boolean;
    starred_message_counts?: boolean;
    translate_emoticons?: boolean;
    twenty_four_hour_time?: boolean;
    user_list_style?: 1 | 2 | 3;
    web_animate_image_previews?: 'always' | 'never' | 'on_hover';
    web_channel_default_view?: 1 | 2 | 3 | 4;
    web_escape_navigates_to_home_view?: boolean;
    web_font_size_px?: number;
    web_home_view?: 'all_messages' | 'inbox' | 'recent_topics';
    web_inbox_show_channel_folders?: boolean;
    web_left_sidebar_show_channel_folders?: boolean;
    web_left_sidebar_unreads_count_summary?: boolean;
    web_line_height_percent?: number;
    web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    web_navigate_to_sent_message?: boolean;
    web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    web_suggest_update_timezone?: boolean;
    wildcard_mentions_notify?: boolean;
    timezone?: string;
    emojiset_choices?: readonly [{ key: 'google'; text: 'Google' }, { key: 'google-blob'; text: 'Google (old style)' }, { key: 'twitter'; text: 'Twitter' }, { key: 'text'; text: 'Plain text' }];
    available_notification_sounds?: never[];
  };
  update_global_notifications: {
    allow_private_data_export?: boolean;
    automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    automatically_follow_topics_where_mentioned?: boolean;
    automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    color_scheme?: 1 | 2 | 3;
    default_language?: string;
    demote_inactive_streams?: 1 | 2 | 3;
    desktop_icon_count_display?: 1 | 2 | 3 | 4;
    display_emoji_reaction_users?: boolean;
    email_notifications_batching_period_seconds?: number;
    emojiset?: 'google' | 'google-blob' | 'text' | 'twitter';
    enable_desktop_notifications?: boolean;
    enable_digest_emails?: boolean;
    enable_drafts_synchronization?: boolean;
    enable_followed_topic_audible_notifications?: boolean;
    enable_followed_topic_desktop_notifications?: boolean;
    enable_followed_topic_email_notifications?: boolean;
    enable_followed_topic_push_notifications?: boolean;
    enable_followed_topic_wildcard_mentions_notify?: boolean;
    enable_login_emails?: boolean;
    enable_marketing_emails?: boolean;
    enable_offline_email_notifications?: boolean;
    enable_offline_push_notifications?: boolean;
    enable_online_push_notifications?: boolean;
    enable_sounds?: boolean;
    enable_stream_audible_notifications?: boolean;
    enable_stream_desktop_notifications?: boolean;
    enable_stream_email_notifications?: boolean;
    enable_stream_push_notifications?: boolean;
    enter_sends?: boolean;
    fluid_layout_width?: boolean;
    hide_ai_features?: boolean;
    high_contrast_mode?: boolean;
    left_side_userlist?: boolean;
    message_content_in_email_notifications?: boolean;
    notification_sound?: string;
    pm_content_in_desktop_notifications?: boolean;
    presence_enabled?: boolean;
    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    receives_typing_notifications?: boolean;
    resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
    send_private_typing_notifications?: boolean;
    send_read_receipts?: boolean;
    send_stream_typing_notifications?: boolean;
    starred_message_counts?: boolean;
    translate_emoticons?: boolean;
    twenty_four_hour_time?: boolean;
    user_list_style?: 1 | 2 | 3;
    web_animate_image_previews?: 'always' | 'never' | 'on_hover';
    web_channel_default_view?: 1 | 2 | 3 | 4;
    web_escape_navigates_to_home_view?: boolean;
    web_font_size_px?: number;
    web_home_view?: 'all_messages' | 'inbox' | 'recent_topics';
    web_inbox_show_channel_folders?: boolean;
    web_left_sidebar_show_channel_folders?: boolean;
    web_left_sidebar_unreads_count_summary?: boolean;
    web_line_height_percent?: number;
    web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    web_navigate_to_sent_message?: boolean;
    web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    web_suggest_update_timezone?: boolean;
    wildcard_mentions_notify?: boolean;
    timezone?: string;
    emojiset_choices?: readonly [{ key: 'google'; text: 'Google' }, { key: 'google-blob'; text: 'Google (old style)' }, { key: 'twitter'; text: 'Twitter' }, { key: 'text'; text: 'Plain text' }];
    available_notification_sounds?: never[];
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
      emojiset: 'google' | 'google-blob' | 'text' | 'twitter';
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
      emojiset_choices: readonly [{ key: 'google'; text: 'Google' }, { key: 'google-blob'; text: 'Google (old style)' }, { key: 'twitter'; text: 'Twitter' }, { key: 'text'; text: 'Plain text' }];
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
      emojiset: 'google' | 'google-blob' | 'text' | 'twitter';
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
      emojiset_choices: readonly [{ key: 'google'; text: 'Google' }, { key: 'google-blob'; text: 'Google (old style)' }, { key: 'twitter'; text: 'Twitter' }, { key: 'text'; text: 'Plain text' }];
    };
  };
  user_status: { user_status: { [key: string]: StatusObject } };
  muted_users: { muted_users: { id: number; timestamp: number }[] };
  alert_words: { alert_words: string[] };
  presence: { presences: Presences; presence_last_update_id: number; server_timestamp: number };
  realm_user_groups: { realm_user_groups: GroupObject[] };
  realm_bot: { realm_bots: BotObject[] };
  realm_embedded_bots: { realm_embedded_bots: never[] };
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: never[] };
  push_device: { push_devices: { [key: string]: { status: 'active' | 'failed' | 'pending'; error_code: string | null } } };
  realm: {
    realm_allow_message_editing: boolean;
    realm_avatar_changes_disabled: boolean;
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
    realm_default_avatar_source: 'G' | 'J';
    realm_default_code_block_language: string;
    realm_direct_message_initiator_group: GroupSetting;
    realm_direct_message_permission_group: GroupSetting;
    realm_disallow_disposable_email_addresses: boolean;
    realm_email_changes_disabled: boolean;
    realm_emails_restricted_to_domains: boolean;
    realm_empty_topic_display_name: string;
    realm_enable_read_receipts: boolean;
    realm_enable_spectator_access: boolean;
    realm_invite_required: boolean;
    realm_message_content_delete_limit_seconds: number | null;
    realm_message_content_edit_limit_seconds: number | null;
    realm_message_edit_history_visibility_policy: 'all' | 'moves' | 'none';
    realm_message_retention_days: number;
    realm_move_messages_between_streams_limit_seconds: number | null;
    realm_move_messages_within_stream_limit_seconds: number | null;
    realm_name_changes_disabled: boolean;
    realm_presence_disabled: boolean;
    realm_push_notifications_enabled_end_timestamp: number | null;
    realm_require_e2ee_push_notifications: boolean;
    realm_require_unique_names: boolean;
    realm_send_channel_events_messages: boolean;
    realm_send_welcome_emails: boolean;
    realm_topics_policy: 'allow_empty_topic' | 'disable_empty_topic';
    realm_waiting_period_threshold: number;
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
    realm_mandatory_topics: boolean;
    realm_welcome_message_custom_text?: string;
    realm_max_invites?: number;
    realm_push_notifications_enabled: boolean;
    realm_new_stream_announcements_stream_id: number;
    realm_signup_announcements_stream_id: number;
    realm_moderation_request_channel_id: number;
    realm_default_external_accounts: { [key: string]: { text: string; name: string; hint: string; url_pattern: string } };
    realm_wildcard_mention_policy: number;
    realm_digest_emails_enabled: boolean;
    realm_digest_weekday: number;
    realm_enable_guest_user_indicator: boolean;
    realm_message_content_allowed_in_email_notifications: boolean;
    realm_want_advertise_in_communities_directory: boolean;
    realm_zulip_update_announcements_stream_id: number;
    realm_jitsi_server_url: string | null;
    realm_inline_image_preview: boolean;
    realm_inline_url_embed_preview: boolean;
    realm_video_chat_provider: number;
    realm_available_video_chat_providers: {};
    realm_giphy_rating: number;
    realm_upload_quota_mib: number | null;
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
    zulip_plan_is_not_limited: boolean;
    upgrade_text_for_wide_organization_logo: string;
    giphy_rating_options: { disabled: { id: number; name: string } };
    server_can_summarize_topics: boolean;
    server_report_message_types: { key: string; name: string }[];
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
    settings_send_digest_emails: boolean;
    upload_quota: number | null;
    development_environment: boolean;
    jitsi_server_url: null;
    giphy_api_key: string;
    tenor_api_key: string;
  };
  realm_linkifiers: { realm_linkifiers: { id: number; pattern: string; url_template: string }[] };
  realm_playgrounds: { realm_playgrounds: PlaygroundObject[] };
  realm_domains: { realm_domains: { domain: string; allow_subdomains: boolean }[] };
}

export type RegisterParameters = {
  apply_markdown?: boolean | undefined;
  client_gravatar?: boolean | null | undefined;
  include_subscribers?: boolean | 'partial' | undefined;
  include_never_subscribed?: boolean | undefined;
  slim_presence?: boolean | undefined;
  presence_history_limit_days?: number | undefined;
  all_public_streams?: boolean | undefined;
  narrow?: NarrowParam | null | undefined;
  client_capabilities?: { [key: string]: unknown } | undefined;
  queue_lifespan_secs?: number | undefined;
  idle_queue_timeout?: 'mobile' | number | undefined;
};

export type Registered = {
  queue_id: string;
  last_event_id: number;
  user_id: number;
  zulip_version: string;
  zulip_feature_level: number;
  zulip_merge_base: string;
};

/** A file in the API, for its owner. */
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

/** A channel as shown to all users who may know of it. */
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

export type ChannelsToJoinParam = readonly { name: string; description?: string | null | undefined; color?: string | null | undefined }[];

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

/** A draft in a request. Unknown keys are an error, because they would be lost. */
export type DraftParam = {
  type: '' | 'channel' | 'direct' | 'private' | 'stream';
  to: readonly number[];
  topic: string;
  content: string;
  timestamp?: number | null | undefined;
};

export type FieldData = { [key: string]: { text: string; order: string } } | { subtype: string; url_pattern?: string | undefined };

/** A user group in the API. `members` contains only active direct members. */
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

/** Value of a permission: a group ID, or lists of users and groups. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** Value of a permission: a group ID, or lists of users and groups. */
export type GroupSettingParam = number | { direct_members: readonly number[]; direct_subgroups: readonly number[] };

/** New value of a permission. If `old` is set, the current value must equal it. */
export type GroupSettingUpdateParam = { new: GroupSettingParam; old?: GroupSettingParam | undefined };

export type LinkifierObject = { pattern: string; url_template: string; id: number };

/** The schema does not distinguish channel and direct messages, because it would have to repeat every field. */
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
      submessages: { id: number; message_id: number; sender_id: number; msg_type: string; content: string }[];
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
      submessages: { id: number; message_id: number; sender_id: number; msg_type: string; content: string }[];
      flags?: string[] | undefined;
      match_content?: string | undefined;
      match_subject?: string | undefined;
      type: 'stream';
      stream_id: number;
      display_recipient: string;
    };

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

export type ProfileDataParam = readonly { id: number; value: string | readonly number[] | null }[];

export type ProfileFieldObject = {
  id: number;
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  order: number;
  name: string;
  hint: string;
  field_data: string;
  display_in_profile_summary?: boolean | undefined;
  required: boolean;
  editable_by_user: boolean;
};

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

export type SignInResult = { api_key: string; email: string; user_id: number };

export type SnippetObject = { id: number; title: string; content: string; date_created: number };

/** A status. Absent parts are not set. */
export type StatusObject = {
  away?: boolean | undefined;
  status_text?: string | undefined;
  emoji_name?: string | undefined;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
};

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

/** Buttons that bots add to a message. */
export type ZformParam = {
  widget_type: 'zform';
  extra_data: {
    type: 'choices';
    heading: string;
    choices: readonly { short_name: string; long_name: string; reply: string }[];
  };
};

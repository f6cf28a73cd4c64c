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
      /** Ways to log in, by name, and whether they are available. */
      authentication_methods: { [key: string]: boolean };
      /** Identity providers of the server. */
      external_authentication_methods: {
        /** Such as `oidc:sso`. */
        name: string;
        /** For a button. */
        display_name: string;
        /** Always null. */
        display_icon: string | null;
        /** An app adds `mobile_flow_otp` to it, and opens it in a browser. */
        login_url: string;
        /** The same page. */
        signup_url: string;
      }[];
      /** Version of the API that the server speaks. */
      zulip_version: string;
      /** Feature level of the API. */
      zulip_feature_level: number;
      /** The same as `zulip_version`. */
      zulip_merge_base: string;
      /** Whether push notifications are available. */
      push_notifications_enabled: boolean;
      /** Always false. */
      is_incompatible: boolean;
      /** Whether users can log in with a password. */
      email_auth_enabled: boolean;
      /** Always true. */
      require_email_format_usernames: boolean;
      /** Public URL of the organization. */
      realm_url: string;
      /** The same as `realm_url`, for older clients. */
      realm_uri: string;
      /** Name of the organization. */
      realm_name: string;
      /** URL of the icon. */
      realm_icon: string;
      /** Description of the organization in Markdown. */
      realm_description: string;
      /** Whether channels can be read without an account. */
      realm_web_public_access_enabled: boolean;
    }>>;
  };
  /**
   * Get your API key with your password.
   *
   * An account with a second factor also needs `code`. Failed attempts are limited per user name. An e-mail tells the user of a login from a new device or network, unless `enable_login_emails` is off.
   *
   * @param parameters
   * - `username`: The account's e-mail address, or the login name in the directory of the server.
   * - `password`: Password of the account.
   * - `code` (optional): Code of the authenticator app, or a recovery code. Required if the account has a second factor.
   *
   * @throws BadRequest, AdoptionRefused, AuthenticationFailed, PasswordAuthDisabled, RateLimitHit, SecondFactorNeeded, UserDeactivated
   *
   * @example
   * await session.fetchApiKey({ username: 'ada@example.com', password: 'correct horse battery staple' });
   */
  fetchApiKey: (parameters: {
    /** The account's e-mail address, or the login name in the directory of the server. */
    username: string;
    /** Password of the account. */
    password: string;
    /** Code of the authenticator app, or a recovery code. Required if the account has a second factor. */
    code?: string | undefined;
  }, options?: CallOptions) => Promise<Answer<SignInResult>>;
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
  devFetchApiKey: (parameters: {
    /** The account's e-mail address. */
    username: string;
  }, options?: CallOptions) => Promise<Answer<SignInResult>>;
  /**
   * List the accounts of a development server for its login page.
   *
   * Works only if development mode is enabled. Clients offer these accounts for `devFetchApiKey`.
   *
   * @throws BadRequest
   */
  devListUsers: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
    /** Active owners and administrators, oldest account first. */
    direct_admins: {
      /** The real e-mail address. */
      email: string;
      /** Public URL of the organization. */
      realm_url: string;
    }[];
    /** The other active people, oldest account first. */
    direct_users: {
      /** The real e-mail address. */
      email: string;
      /** Public URL of the organization. */
      realm_url: string;
    }[];
  }>>;
  users: {
    /**
     * Set the password of another user.
     *
     * Administrators only; owners only, if the user is an owner. Replaces the API key, which signs out all clients, unless `keep_api_key` is set. Notifies the user by e-mail and resets the count of wrong passwords. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `password`: At least 8 characters, and not the name or e-mail address.
     * - `keep_api_key` (optional): Keep the API key, so that clients stay signed in.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, UnauthorizedPrincipal, PasswordTooWeak, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.setPassword({ user_id: 9, password: 'correct horse battery staple' });
     */
    setPassword: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** At least 8 characters, and not the name or e-mail address. */
      password: string;
      /** Keep the API key, so that clients stay signed in. */
      keep_api_key?: boolean | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Get the API key of another user.
     *
     * Administrators only; owners only, if the user is an owner. Anyone with the key can act as the user. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.getApiKey({ user_id: 9 });
     */
    getApiKey: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** API key. Keep it secret: it gives full access to the account. */
      api_key: string;
    }>>;
    /**
     * Unlock an account after too many wrong passwords.
     *
     * Owners only, if the user is an owner. Resets the counts of wrong passwords and codes on all servers. For your own account, it does not reset the count of wrong codes. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.unlock({ user_id: 9 });
     */
    unlock: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * End all logins of another user.
     *
     * Administrators only; owners only, if the user is an owner. Signs out all browsers, apps and phones, and ends all tokens. Replaces the API key. A pending change of the e-mail address ends. The password stays. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.users.endLogins({ user_id: 9 });
     */
    endLogins: (parameters: {
      /** ID of the user. */
      user_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove the second factor of a user who lost the phone.
     *
     * Administrators only; owners only, if the user is an owner. Not for your own account, also not with your bot: `secondFactor.remove` asks for a code. Make sure first that the request comes from the user. The next login needs only the password, or a new set-up if the role needs a second factor. Notifies the user by e-mail. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.resetSecondFactor({ user_id: 9 });
     */
    resetSecondFactor: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Create a password reset link to give to a user.
     *
     * Administrators only; owners only, if the user is an owner. The link works once, within 24 hours. Anyone with the link can sign in as the user. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.createResetLink({ user_id: 9 });
     */
    createResetLink: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** URL of the page. */
      reset_link: string;
    }>>;
    /**
     * List the accounts of the organization.
     *
     * People and bots, active and deactivated. Restricted guests get placeholders for people they cannot see. Callers without an account get all accounts, but no profile fields. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     * - `include_external_ids` (optional): Include `external_id`. Only administrators get it.
     * - `include_second_factor` (optional): Include `has_second_factor`. Only administrators get it.
     * - `user_ids` (optional): Return only these accounts. Unknown IDs are skipped.
     *
     * @throws BadRequest
     */
    list: (parameters?: {
      /** Return null as `avatar_url` of Gravatar avatars. The client then computes the URL. */
      client_gravatar?: boolean | undefined;
      /** Include `profile_data`. */
      include_custom_profile_fields?: boolean | undefined;
      /** Return only these accounts. Unknown IDs are skipped. */
      user_ids?: readonly number[] | undefined;
      /** Include `has_second_factor`. Only administrators get it. */
      include_second_factor?: boolean | undefined;
      /** Include `external_id`. Only administrators get it. */
      include_external_ids?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The users. */
      members: {
        /** Whether logins with a password need a code. Only with `include_second_factor`, and absent for bots. */
        has_second_factor?: boolean | undefined;
        /** ID in the embedding program (`chat.sync`). Only with `include_external_ids`, and absent if there is none. */
        external_id?: string | undefined;
        /** ID of the user. */
        user_id: number;
        /** Real e-mail address; null if the caller cannot see it. */
        delivery_email: string | null;
        /** API e-mail address: the real address, or a placeholder that works only in the API. */
        email: string;
        /** Display name of the user. */
        full_name: string;
        /** ISO 8601. */
        date_joined: string;
        /** False if the account is deactivated. */
        is_active: boolean;
        /** Whether the user is an owner. */
        is_owner: boolean;
        /** Whether the user is an administrator or owner. */
        is_admin: boolean;
        /** Whether the user is a guest. */
        is_guest: boolean;
        /** Whether the account is a bot. */
        is_bot: boolean;
        /** null: a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
        bot_type: number | null;
        /** User ID of the owner of a bot; null for people and for bots without an owner. */
        bot_owner_id: number | null;
        /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
        role: number;
        /** IANA time zone; can be empty. Absent for callers without an account. */
        timezone?: string | undefined;
        /** URL of the avatar. null: the client computes the Gravatar URL. */
        avatar_url: string | null;
        /** Rises with every new avatar. */
        avatar_version: number;
        /** Values by the ID of the custom profile field. Absent for bots. */
        profile_data?: { [key: string]: ProfileValue } | undefined;
        /** Whether the account is a bot of the software. Absent: false. */
        is_system_bot?: boolean | undefined;
      }[];
    }>>;
    /**
     * Find up to 20 accounts by name or e-mail address.
     *
     * For suggestions while a user types. Finds accounts whose name has words that start with the words of the query, without regard to case and accents. Then accounts whose e-mail address starts with the query, if you can see the address. An exact match comes first, then names that start with the query. An empty query finds every account. Tokens that are limited to rooms can call it.
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
      /** Start of a name, of words of a name, or of an e-mail address. */
      query: string;
      /** Put subscribers of this channel before others, for mentions. */
      stream_id?: number | undefined;
      /** Include bots. */
      include_bots?: boolean | undefined;
      /** Include deactivated accounts. */
      include_deactivated?: boolean | undefined;
      /** Return null as `avatar_url` of Gravatar avatars. The client then computes the URL. */
      client_gravatar?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The users. */
      members: UserObject[];
    }>>;
    /**
     * Get your own account.
     *
     * Tokens that are limited to rooms can call it.
     */
    me: (parameters?: { [key: string]: unknown }, options?: CallOptions) => Promise<Answer<{
      /** ID of the newest message; -1 if there is none. */
      max_message_id: number;
      /** ID of the user. */
      user_id: number;
      /** Real e-mail address; null if the caller cannot see it. */
      delivery_email: string | null;
      /** API e-mail address: the real address, or a placeholder that works only in the API. */
      email: string;
      /** Display name of the user. */
      full_name: string;
      /** ISO 8601. */
      date_joined: string;
      /** False if the account is deactivated. */
      is_active: boolean;
      /** Whether the user is an owner. */
      is_owner: boolean;
      /** Whether the user is an administrator or owner. */
      is_admin: boolean;
      /** Whether the user is a guest. */
      is_guest: boolean;
      /** Whether the account is a bot. */
      is_bot: boolean;
      /** null: a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
      bot_type: number | null;
      /** User ID of the owner of a bot; null for people and for bots without an owner. */
      bot_owner_id: number | null;
      /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
      role: number;
      /** IANA time zone; can be empty. Absent for callers without an account. */
      timezone?: string | undefined;
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url: string | null;
      /** Rises with every new avatar. */
      avatar_version: number;
      /** Values by the ID of the custom profile field. Absent for bots. */
      profile_data?: { [key: string]: ProfileValue } | undefined;
      /** Whether the account is a bot of the software. Absent: false. */
      is_system_bot?: boolean | undefined;
    }>>;
    /**
     * Get an account by its ID.
     *
     * Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     * - `include_external_ids` (optional): Include `external_id`. Only administrators get it.
     * - `include_second_factor` (optional): Include `has_second_factor`. Only administrators get it.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.get({ user_id: 9 });
     */
    get: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** Include `has_second_factor`. Only administrators get it. */
      include_second_factor?: boolean | undefined;
      /** Include `external_id`. Only administrators get it. */
      include_external_ids?: boolean | undefined;
      /** Return null as `avatar_url` of Gravatar avatars. The client then computes the URL. */
      client_gravatar?: boolean | undefined;
      /** Include `profile_data`. */
      include_custom_profile_fields?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The user. */
      user: {
        /** Until then, the account gets no e-mail notifications, because its address bounces. UNIX time in seconds. Only for administrators. */
        email_paused_until?: number | undefined;
        /** Whether logins with a password need a code. Only with `include_second_factor`, and absent for bots. */
        has_second_factor?: boolean | undefined;
        /** ID in the embedding program (`chat.sync`). Only with `include_external_ids`, and absent if there is none. */
        external_id?: string | undefined;
        /** ID of the user. */
        user_id: number;
        /** Real e-mail address; null if the caller cannot see it. */
        delivery_email: string | null;
        /** API e-mail address: the real address, or a placeholder that works only in the API. */
        email: string;
        /** Display name of the user. */
        full_name: string;
        /** ISO 8601. */
        date_joined: string;
        /** False if the account is deactivated. */
        is_active: boolean;
        /** Whether the user is an owner. */
        is_owner: boolean;
        /** Whether the user is an administrator or owner. */
        is_admin: boolean;
        /** Whether the user is a guest. */
        is_guest: boolean;
        /** Whether the account is a bot. */
        is_bot: boolean;
        /** null: a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
        bot_type: number | null;
        /** User ID of the owner of a bot; null for people and for bots without an owner. */
        bot_owner_id: number | null;
        /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
        role: number;
        /** IANA time zone; can be empty. Absent for callers without an account. */
        timezone?: string | undefined;
        /** URL of the avatar. null: the client computes the Gravatar URL. */
        avatar_url: string | null;
        /** Rises with every new avatar. */
        avatar_version: number;
        /** Values by the ID of the custom profile field. Absent for bots. */
        profile_data?: { [key: string]: ProfileValue } | undefined;
        /** Whether the account is a bot of the software. Absent: false. */
        is_system_bot?: boolean | undefined;
      };
    }>>;
    /**
     * Get an account by its e-mail address.
     *
     * `email` is the real address if you may see it, or the placeholder address. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `email`: Real or placeholder e-mail address.
     * - `client_gravatar` (optional): Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.
     * - `include_custom_profile_fields` (optional): Include `profile_data`.
     * - `include_external_ids` (optional): Include `external_id`. Only administrators get it.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.getByEmail({ email: 'ada@example.com' });
     */
    getByEmail: (parameters: {
      /** Real or placeholder e-mail address. */
      email: string;
      /** Include `external_id`. Only administrators get it. */
      include_external_ids?: boolean | undefined;
      /** Return null as `avatar_url` of Gravatar avatars. The client then computes the URL. */
      client_gravatar?: boolean | undefined;
      /** Include `profile_data`. */
      include_custom_profile_fields?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The user. */
      user: {
        /** Until then, the account gets no e-mail notifications, because its address bounces. UNIX time in seconds. Only for administrators. */
        email_paused_until?: number | undefined;
        /** ID in the embedding program (`chat.sync`). Only with `include_external_ids`, and absent if there is none. */
        external_id?: string | undefined;
        /** ID of the user. */
        user_id: number;
        /** Real e-mail address; null if the caller cannot see it. */
        delivery_email: string | null;
        /** API e-mail address: the real address, or a placeholder that works only in the API. */
        email: string;
        /** Display name of the user. */
        full_name: string;
        /** ISO 8601. */
        date_joined: string;
        /** False if the account is deactivated. */
        is_active: boolean;
        /** Whether the user is an owner. */
        is_owner: boolean;
        /** Whether the user is an administrator or owner. */
        is_admin: boolean;
        /** Whether the user is a guest. */
        is_guest: boolean;
        /** Whether the account is a bot. */
        is_bot: boolean;
        /** null: a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
        bot_type: number | null;
        /** User ID of the owner of a bot; null for people and for bots without an owner. */
        bot_owner_id: number | null;
        /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
        role: number;
        /** IANA time zone; can be empty. Absent for callers without an account. */
        timezone?: string | undefined;
        /** URL of the avatar. null: the client computes the Gravatar URL. */
        avatar_url: string | null;
        /** Rises with every new avatar. */
        avatar_version: number;
        /** Values by the ID of the custom profile field. Absent for bots. */
        profile_data?: { [key: string]: ProfileValue } | undefined;
        /** Whether the account is a bot of the software. Absent: false. */
        is_system_bot?: boolean | undefined;
      };
    }>>;
    /**
     * Create an account.
     *
     * Administrators only. Without a password, the account can sign in only by API key. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `email`: Real e-mail address. Unique; case is ignored.
     * - `full_name`: Display name, 2 to 100 characters.
     * - `password` (optional): At least 8 characters, and not the name or e-mail address.
     * - `role` (optional): Default: member, or guest if the audience of the organization are customers. Only owners can create owners.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, IdempotencyKeyReused, EmailAlreadyInUse, PasswordTooWeak, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.create({ email: 'ben@example.com', full_name: 'Ben' });
     */
    create: (parameters: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Real e-mail address. Unique; case is ignored. */
      email: string;
      /** Display name, 2 to 100 characters. */
      full_name: string;
      /** At least 8 characters, and not the name or e-mail address. */
      password?: string | undefined;
      /** Default: member, or guest if the audience of the organization are customers. Only owners can create owners. */
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the user. */
      user_id: number;
    }>>;
    /**
     * Get the account with an e-mail address, or create it.
     *
     * Safe to repeat and to call concurrently. Does not change or reactivate an existing account. Refuses an account whose address is not verified: it may belong to another user. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `email`: Real e-mail address. Unique; case is ignored.
     * - `full_name`: Display name, 2 to 100 characters.
     * - `role` (optional): Role of a new account. Default: member, or guest if the audience of the organization are customers. An existing account keeps its role.
     * - `adopt` (optional): What to do with an existing account. `verified`: refuse it if its address is not verified. `reset`: then end its password, API key, tokens, logins, bots, invitations and scheduled messages. `never`: refuse it.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, UnauthorizedPrincipal, AdoptionRefused, EmailAlreadyInUse, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.ensure({ email: 'ben@example.com', full_name: 'Ben' });
     */
    ensure: (parameters: {
      /** Real e-mail address. Unique; case is ignored. */
      email: string;
      /** Display name, 2 to 100 characters. */
      full_name: string;
      /** Role of a new account. Default: member, or guest if the audience of the organization are customers. An existing account keeps its role. */
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      /** What to do with an existing account. `verified`: refuse it if its address is not verified. `reset`: then end its password, API key, tokens, logins, bots, invitations and scheduled messages. `never`: refuse it. */
      adopt?: 'never' | 'reset' | 'verified' | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the user. */
      user_id: number;
      /** Whether this call created the account. */
      is_new: boolean;
      /** false: the account exists but is deactivated. */
      is_active: boolean;
      /** Of an existing account. `verified`: its address was verified. `reset`: the access of its earlier user has ended. */
      adopted?: 'reset' | 'verified' | undefined;
    }>>;
    /**
     * Create accounts for many people at once.
     *
     * Administrators only. Each row is created, exists already or fails with its own reason. A failed row does not stop the others. Existing accounts are not changed. Rows for accounts with an unverified address fail, since these may belong to another user: see `users.ensure`. Sets no passwords: with `invite`, each new account gets a link to set one. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     * - `people`: At most 2000 rows: e-mail address, name, role, channels to join besides the default channels, by name, and values of custom profile fields. The default role is 400, or 600 if the audience of the organization are customers.
     * - `invite` (optional): Send each new account an e-mail with a link to set a password. The link works for 7 days.
     *
     * @throws BadRequest, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.createMany({
     *   people: [ { email: 'ben@example.com', full_name: 'Ben', channels: [ 'general' ] } ]
     * });
     */
    createMany: (parameters: {
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
      /** At most 2000 rows: e-mail address, name, role, channels to join besides the default channels, by name, and values of custom profile fields. The default role is 400, or 600 if the audience of the organization are customers. */
      people: readonly {
        /** E-mail address as the API shows it: the real one, or a placeholder. */
        email: string;
        /** Display name of the user. */
        full_name: string;
        /** Role: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
        role?: 100 | 200 | 300 | 400 | 600 | undefined;
        /** IDs of channels. */
        channels?: readonly string[] | undefined;
        /** Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`. */
        profile_data?: ProfileDataParam | undefined;
      }[];
      /** Send each new account an e-mail with a link to set a password. The link works for 7 days. */
      invite?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** One result per row, in the order of the request. */
      people: {
        /** null if there is no account. */
        user_id: number | null;
        /** deactivated: exists, but inactive. */
        outcome: 'created' | 'deactivated' | 'exists' | 'failed';
        /** Why the row failed. */
        reason?: string | undefined;
      }[];
    }>>;
    /**
     * Edit an account: name, role, e-mail address, profile data.
     *
     * For administrators and the owner of a bot. All given changes are applied, or none. Bearer tokens cannot set `role` or `new_email`.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `full_name` (optional): Display name, 2 to 100 characters. A blank name changes nothing.
     * - `role` (optional): Only owners can grant or revoke the owner role. Guests cannot become administrators.
     * - `profile_data` (optional): Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     * - `new_email` (optional): New real e-mail address. Only for owners with the permission can_change_user_emails.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, FieldLocked, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.edit({ user_id: 9, role: 300 });
     */
    edit: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** Display name, 2 to 100 characters. A blank name changes nothing. */
      full_name?: string | undefined;
      /** Only owners can grant or revoke the owner role. Guests cannot become administrators. */
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      /** Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`. */
      profile_data?: ProfileDataParam | undefined;
      /** New real e-mail address. Only for owners with the permission can_change_user_emails. */
      new_email?: string | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Edit an account, found by its e-mail address.
     *
     * Administrators only. `email` is the real address if you may see it, or the placeholder address. Bearer tokens cannot set `role` or `new_email`.
     *
     * @param parameters
     * - `email`: Real or placeholder e-mail address.
     * - `full_name` (optional): Display name, 2 to 100 characters. A blank name changes nothing.
     * - `role` (optional): Only owners can grant or revoke the owner role. Guests cannot become administrators.
     * - `profile_data` (optional): Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.
     * - `new_email` (optional): New real e-mail address. Only for owners with the permission can_change_user_emails.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, FieldLocked, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.editByEmail({ email: 'ben@example.com', role: 300 });
     */
    editByEmail: (parameters: {
      /** Real or placeholder e-mail address. */
      email: string;
      /** Display name, 2 to 100 characters. A blank name changes nothing. */
      full_name?: string | undefined;
      /** Only owners can grant or revoke the owner role. Guests cannot become administrators. */
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      /** Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`. */
      profile_data?: ProfileDataParam | undefined;
      /** New real e-mail address. Only for owners with the permission can_change_user_emails. */
      new_email?: string | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate an account and the bots it owns.
     *
     * For administrators. Nothing is deleted: messages, names and subscriptions stay. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     *
     * @throws BadRequest, FieldLocked, UnauthorizedPrincipal
     *
     * @example
     * await session.users.deactivate({ user_id: 9 });
     */
    deactivate: (parameters: {
      /** ID of the user. */
      user_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate your own account.
     *
     * Only an administrator can reactivate it. Bearer tokens cannot call it.
     *
     * @throws BadRequest, FieldLocked
     */
    deactivateMe: (parameters?: {}, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Reactivate an account.
     *
     * For administrators. Also for the owner of a bot who may create bots of its type. The account keeps its role, subscriptions and permissions. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, FieldLocked, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.users.reactivate({ user_id: 9 });
     */
    reactivate: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Replace your API key.
     *
     * The old key stops working. Your phones get no push notifications until they sign in again. A link that confirms a new e-mail address stops working. Bearer tokens cannot call it.
     */
    regenerateApiKey: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** API key. Keep it secret: it gives full access to the account. */
      api_key: string;
    }>>;
    /**
     * Permanently erase the data of a person.
     *
     * Deactivates the account and the bots it owns, and removes name, addresses, profile, settings, drafts, devices and sessions at once. The account stays as "Deleted user ID". A background job then removes messages and files as `messages` says, the name in mentions, and copies in events, the search index and the outbox. Deletes all exports of the organization. Administrators only. Only owners can erase owners. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `messages` (optional): `keep`: messages stay, with the files in them. `anonymize`: texts stay, without the name, the address, files and earlier versions. `delete`: removes all messages and files.
     *
     * @throws BadRequest, UnauthorizedPrincipal, FieldLocked
     *
     * @example
     * await session.users.erase({ user_id: 9, messages: 'delete' });
     */
    erase: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** `keep`: messages stay, with the files in them. `anonymize`: texts stay, without the name, the address, files and earlier versions. `delete`: removes all messages and files. */
      messages?: 'anonymize' | 'delete' | 'keep' | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Messages of the person. */
      message_count: number;
      /** Files that the call deletes. */
      file_count: number;
      /** Exports of the organization (`exports.create`) that the call deletes: all, since each may contain the person. */
      export_count: number;
      /** Bots of the person. The call deactivates them, but does not erase them. */
      bot_ids: number[];
    }>>;
    /**
     * Block a user.
     *
     * The blocked user and their bots cannot send you direct messages, nor start group conversations with you. In your conversation of two, they cannot edit messages or react either. Their messages arrive as read, and clients hide them. They do not notify you, and you do not see them typing. The user gets no notice. You cannot block moderators, administrators, owners and the staff of your rooms. Safe to repeat.
     *
     * @param parameters
     * - `user_id`: ID of the user to block.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.block({ user_id: 9 });
     */
    block: (parameters: {
      /** ID of the user to block. */
      user_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Unblock a user.
     *
     * Also ends the mute. Messages sent while the user was blocked stay read. Safe to repeat.
     *
     * @param parameters
     * - `user_id`: ID of the blocked user.
     *
     * @throws BadRequest
     *
     * @example
     * await session.users.unblock({ user_id: 9 });
     */
    unblock: (parameters: {
      /** ID of the blocked user. */
      user_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the users that you block.
     */
    listBlocked: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Ordered by ID. */
      blocked_users: {
        /** ID of the blocked user. */
        id: number;
        /** When you blocked the user; UNIX seconds. */
        timestamp: number;
      }[];
    }>>;
  };
  secondFactor: {
    /**
     * Show whether your logins need a second factor.
     *
     * @throws BadRequest
     */
    get: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Whether a login with your password needs a code. */
      is_on: boolean;
      /** Whether your role needs a second factor (`second_factor_required_for`). */
      is_required: boolean;
      /** Number of unused recovery codes. */
      recovery_codes_left: number;
    }>>;
    /**
     * Get the secret for an authenticator app.
     *
     * Add the secret to an authenticator app, then call `secondFactor.confirm` with its code, within 10 minutes. Until then nothing changes. A second call replaces the secret. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `password`: Your password. Without it, a stolen login could lock you out.
     *
     * @throws BadRequest
     *
     * @example
     * await session.secondFactor.begin({ password: 'correct horse battery staple' });
     */
    begin: (parameters: {
      /** Your password. Without it, a stolen login could lock you out. */
      password: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** In base32, to type into the app. */
      secret: string;
      /** The same as an `otpauth:` URL, for a QR code. */
      url: string;
    }>>;
    /**
     * Turn on your second factor with a code of the app.
     *
     * From then on, a login with your password needs a code. Logins and API keys that exist keep working. Returns recovery codes for the case that you lose your phone: each works once. The server cannot show them again. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `code`: The code that the app shows now.
     *
     * @throws BadRequest, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.secondFactor.confirm({ code: '492039' });
     */
    confirm: (parameters: {
      /** The code that the app shows now. */
      code: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** Each replaces a code of the app once. */
      recovery_codes: string[];
    }>>;
    /**
     * Replace your recovery codes.
     *
     * The earlier recovery codes stop working. The server cannot show the new ones again. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `code`: Code of the authenticator app, or one of the earlier recovery codes.
     *
     * @throws BadRequest, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.secondFactor.renewCodes({ code: '492039' });
     */
    renewCodes: (parameters: {
      /** Code of the authenticator app, or one of the earlier recovery codes. */
      code: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** Each replaces a code of the app once. */
      recovery_codes: string[];
    }>>;
    /**
     * Turn off your second factor.
     *
     * For a new phone, remove the second factor and set it up again. If your role needs one, your next login asks for it. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `code`: Code of the authenticator app, or a recovery code.
     *
     * @throws BadRequest, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.secondFactor.remove({ code: '492039' });
     */
    remove: (parameters: {
      /** Code of the authenticator app, or a recovery code. */
      code: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  tokens: {
    /**
     * Create a token: a login for a limited time.
     *
     * Send it as "Authorization: Bearer …". It works for pages of other sites too. It gets and creates no secrets that outlive it. It cannot change who can log in. It ends early with `tokens.revoke`, if the account is deactivated, or if its API key is replaced. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `ttl_seconds` (optional): Seconds until it expires.
     * - `scopes` (optional): What it allows: `read`, or `write`, which includes reading. Default: everything.
     * - `rooms` (optional): External IDs of at most 20 rooms. The token reads and writes only their messages, as a guest.
     *
     * @throws BadRequest
     *
     * @example
     * await session.tokens.create({ ttl_seconds: 600 });
     */
    create: (parameters?: {
      /** Seconds until it expires. */
      ttl_seconds?: number | undefined;
      /** What it allows: `read`, or `write`, which includes reading. Default: everything. */
      scopes?: readonly ('read' | 'write')[] | undefined;
      /** External IDs of at most 20 rooms. The token reads and writes only their messages, as a guest. */
      rooms?: readonly string[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The token. Only this response contains it. */
      token: string;
      /** Ends the token early, with `tokens.revoke`. */
      token_id: string;
      /** UNIX timestamp in seconds. */
      expires_at: number;
      /** ID of the user. */
      user_id: number;
    }>>;
    /**
     * End a token, or all tokens and browser logins.
     *
     * Without `token_id`, it ends all tokens of your account, and logs out all browsers. Their push notifications end too. API keys continue to work. The same happens if more than 100 tokens that have not expired are ended one by one. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `token_id` (optional): The `token_id` from `tokens.create`. Default: all.
     *
     * @throws BadRequest
     *
     * @example
     * await session.tokens.revoke();
     */
    revoke: (parameters?: {
      /** The `token_id` from `tokens.create`. Default: all. */
      token_id?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    requestReset: (parameters: {
      /** E-mail address of the account. */
      email: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    checkReset: (parameters: {
      /** The last part of the link. */
      token: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email: string;
      /** Display name of the user. */
      full_name: string;
      /** Name of the organization. */
      realm_name: string;
      /** Whether the account has a second factor: `passwords.reset` needs a code. */
      needs_code: boolean;
    }>>;
    /**
     * Set a new password with a reset link, and sign in.
     *
     * All reset links of the account stop working. Without `keep_api_key`, replaces the API key, which signs out all clients. Resets the count of wrong passwords. An account with a second factor also needs `code`. A mailed link verifies the address. If it was not verified before and there was no `code`, this ends everything that the earlier user of the account holds (`users.ensure` with `reset`).
     *
     * @param parameters
     * - `token`: The last part of the link.
     * - `new_password`: At least 8 characters, and not the name or e-mail address.
     * - `code` (optional): Code of the authenticator app, or a recovery code. Required if the account has a second factor.
     * - `keep_api_key` (optional): Keep the API key, so that clients stay signed in.
     *
     * @throws BadRequest, PasswordTooWeak, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.passwords.reset({ token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc', new_password: 'correct horse battery staple' });
     */
    reset: (parameters: {
      /** The last part of the link. */
      token: string;
      /** At least 8 characters, and not the name or e-mail address. */
      new_password: string;
      /** Code of the authenticator app, or a recovery code. Required if the account has a second factor. */
      code?: string | undefined;
      /** Keep the API key, so that clients stay signed in. */
      keep_api_key?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<NewPasswordResult>>;
  };
  /**
   * Register an event queue and get the initial state.
   *
   * The queue starts exactly at the returned state: apply its events to keep the state up to date. Queues survive restarts and expire when you do not poll them. An account can have 1,000 queues. A new queue above this limit ends the least recently used queue. Tokens that are limited to rooms can call it.
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
   * - `narrow` (optional): Only send messages that match all these terms: objects, or pairs like `["channel", "general"]`. Members also get matching messages of public channels without a subscription, unless a term selects only their own messages, like `is:mentioned` or `dm`.
   * - `client_capabilities` (optional): Optional features that the client supports, by name. Typing in channels needs `stream_typing_notifications`. With `strict_content`, the HTML of messages in events has no `style` attributes. With `time_format_null`, `twenty_four_hour_time` of `user_settings` is null until the user chooses a format.
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
     * `last_event_id` acknowledges all events up to this ID. If there are no events, the call waits and then returns a heartbeat. A newer call on the same queue ends the waiting call. `GET /events/stream` takes the same parameters and sends server-sent events. Tokens that are limited to rooms can call it.
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
    list: (parameters: {
      /** Queue ID from `register`. */
      queue_id: string;
      /** ID of the newest event you have received, or -1. */
      last_event_id: number;
      /** Return immediately, even without events. */
      dont_block?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The events, oldest first. Heartbeats included. */
      events: AnyEvent[];
      /** ID of the event queue. */
      queue_id: string;
    }>>;
    /**
     * Delete an event queue.
     *
     * A poll that waits on the queue fails with BAD_EVENT_QUEUE_ID. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `queue_id`: ID of the event queue.
     *
     * @throws BadRequest, BadEventQueueId
     *
     * @example
     * await session.events.delete({ queue_id: 'd2b1…' });
     */
    delete: (parameters: {
      /** ID of the event queue. */
      queue_id: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  messages: {
    /**
     * Send a message to a channel or to users.
     *
     * `/poll QUESTION` and `/todo TITLE` start a poll or a to-do list. Each further line is an option, or a task with an optional description (`TASK: DESCRIPTION`). If a bot addresses a channel that is missing or has no subscribers, its owner gets a direct message, at most once in 5 minutes. A call repeated with an `idempotency_key` may have another `queue_id` and `local_id`. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `type`: `channel` or `direct`. `stream` and `private` are deprecated names of them.
     * - `topic` (optional): Topic of a channel message, at most 60 characters.
     * - `content`: Message content in Markdown, at most 10,000 characters.
     * - `read_by_sender` (optional): Mark the message as read for the sender. The default depends on the client name.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     * - `to`: For a channel: its ID, name or `external:` ID. For a direct message: a list of user IDs or of e-mail addresses.
     * - `subject` (optional): Old name of `topic`.
     * - `queue_id` (optional): Event queue of the sending client. Only this queue gets the `local_id`.
     * - `local_id` (optional): ID that the client gives the message. Returned in the message event of `queue_id`.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     * - `widget_content` (optional): Buttons below the message. Clients send the `reply` of a button that is clicked.
     *
     * @throws BadRequest, IdempotencyKeyReused, StreamDoesNotExist, RequestConfusingVariable, DirectMessageRefused, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup **today**' });
     */
    send: (parameters:
      | {
          /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
          idempotency_key?: string | undefined;
          /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
          truncate?: boolean | undefined;
          /** Message content in Markdown, at most 10,000 characters. */
          content: string;
          /** Mark the message as read for the sender. The default depends on the client name. */
          read_by_sender?: boolean | undefined;
          /** `channel` or `direct`. `stream` and `private` are deprecated names of them. */
          type: 'channel' | 'stream';
          /** Topic of a channel message, at most 60 characters. */
          topic: string;
          /** For a channel: its ID, name or `external:` ID. For a direct message: a list of user IDs or of e-mail addresses. */
          to: number | string | readonly number[] | readonly string[];
          /** @deprecated Old name of `topic`. */
          subject?: string | undefined;
          /** Event queue of the sending client. Only this queue gets the `local_id`. */
          queue_id?: string | undefined;
          /** ID that the client gives the message. Returned in the message event of `queue_id`. */
          local_id?: string | undefined;
          /** Buttons below the message. Clients send the `reply` of a button that is clicked. */
          widget_content?: ZformParam | undefined;
        }
      | {
          /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
          idempotency_key?: string | undefined;
          /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
          truncate?: boolean | undefined;
          /** Topic of a channel message, at most 60 characters. */
          topic?: string | undefined;
          /** Message content in Markdown, at most 10,000 characters. */
          content: string;
          /** Mark the message as read for the sender. The default depends on the client name. */
          read_by_sender?: boolean | undefined;
          /** `channel` or `direct`. `stream` and `private` are deprecated names of them. */
          type: 'direct' | 'private';
          /** For a channel: its ID, name or `external:` ID. For a direct message: a list of user IDs or of e-mail addresses. */
          to: number | string | readonly number[] | readonly string[];
          /** @deprecated Old name of `topic`. */
          subject?: string | undefined;
          /** Event queue of the sending client. Only this queue gets the `local_id`. */
          queue_id?: string | undefined;
          /** ID that the client gives the message. Returned in the message event of `queue_id`. */
          local_id?: string | undefined;
          /** Buttons below the message. Clients send the `reply` of a button that is clicked. */
          widget_content?: ZformParam | undefined;
        }, options?: CallOptions) => Promise<Answer<{
      /** ID of the message. */
      id: number;
      /** Set if sending unmuted the topic for you (2) or made you follow it (3). */
      automatic_new_visibility_policy?: 2 | 3 | undefined;
    }>>;
    /**
     * Render Markdown as HTML without sending a message.
     *
     * Stores nothing and notifies no user. Also renders mentions that you are not allowed to send. Tokens that are limited to rooms can call it.
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
      /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
      truncate?: boolean | undefined;
      /** Markdown, at most 10,000 characters. */
      content: string;
      /** Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`. */
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** HTML. */
      rendered: string;
    }>>;
    /**
     * List messages around an anchor, filtered by a narrow.
     *
     * Operators of a narrow: channel, channels, topic, dm, dm-including, sender, is, has, id, with, near and search. Each operator can be negated. Without a narrow, all messages you received are listed. A search finds all forms of a word in content and topic, and words that begin with it. Phrases in quotation marks match literally. Matches are highlighted in match_content and match_subject. You may narrow to a channel that you have left and cannot read. It has the messages that you received, unless they have changed since. A response contains at most about 10 MB of text. If there is more, it contains the messages nearest to the anchor, and found_oldest or found_newest is false. Tokens that are limited to rooms can call it.
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
      /** Message ID, `newest`, `oldest` or `first_unread`. */
      anchor?: 'first_unread' | 'newest' | 'oldest' | number | undefined;
      /** Legacy form of anchor=first_unread. */
      use_first_unread_anchor?: boolean | undefined;
      /** Include the message at the anchor. */
      include_anchor?: boolean | undefined;
      /** Number of messages before the anchor. */
      num_before?: number | undefined;
      /** Number of messages after the anchor. Both numbers together can be at most 5000. */
      num_after?: number | undefined;
      /** Terms that must all match: objects, or pairs like `["channel", "general"]`. */
      narrow?: NarrowParam | null | undefined;
      /** List exactly these messages. Ignores anchor and narrow. */
      message_ids?: readonly number[] | null | undefined;
      /** Return content as HTML. If false, return Markdown. */
      apply_markdown?: boolean | undefined;
      /** Return null as `avatar_url` of Gravatar avatars. The client then computes the URL. */
      client_gravatar?: boolean | undefined;
      /** Return the empty topic as "" instead of its display name. */
      allow_empty_topic_name?: boolean | undefined;
      /** Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`. */
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The messages, oldest first. */
      messages: MessageObject[];
      /** ID of the message that the search started from. */
      anchor?: number | undefined;
      /** Whether the newest matching message is included. */
      found_newest?: boolean | undefined;
      /** Whether the oldest matching message is included. */
      found_oldest?: boolean | undefined;
      /** Whether the message with the ID `anchor` is among the messages. */
      found_anchor?: boolean | undefined;
      /** Always false. */
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
      /** Message IDs. */
      msg_ids: readonly number[];
      /** As for `messages.list`. */
      narrow: NarrowParam;
      /** Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`. */
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Matching messages by ID: content and topic as HTML, with search matches highlighted. */
      messages: {
        [key: string]: {
          /** The content as HTML with highlighted words. Only in searches. */
          match_content: string;
          /** The topic as HTML with highlighted words. Only in searches. */
          match_subject: string;
        };
      };
    }>>;
    /**
     * Get a message by its ID.
     *
     * Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `message_id`: ID of the message.
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
      /** ID of the message. */
      message_id: number;
      /** Return content as HTML. If false, return Markdown. */
      apply_markdown?: boolean | undefined;
      /** Return null as `avatar_url` of Gravatar avatars. The client then computes the URL. */
      client_gravatar?: boolean | undefined;
      /** Return the empty topic as "" instead of its display name. */
      allow_empty_topic_name?: boolean | undefined;
      /** Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`. */
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The message. */
      message: MessageObject;
      /** Content in Markdown. Deprecated: use apply_markdown=false. */
      raw_content: string;
    }>>;
    /**
     * Edit a message's content, or move messages to another topic or channel.
     *
     * You can edit the content of your own messages for a limited time. The server allows 20 seconds more than the limits, so that an editor that opened in time can send its text. Empty content becomes "(deleted)". Unchanged content also counts as an edit. You cannot edit the content of polls and to-do lists. A whole topic moves in one transaction if the target topic has no messages. Other moves of more than 2,500 messages take several transactions, newest messages first, each with its own event. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     * - `topic` (optional): New topic, at most 60 characters.
     * - `propagate_mode` (optional): Messages to move: only this message, also later messages in its topic, or the whole topic.
     * - `send_notification_to_old_thread` (optional): Let the notification bot post in the old topic where the messages went.
     * - `send_notification_to_new_thread` (optional): Let the notification bot post in the new topic where the messages came from.
     * - `content` (optional): New content in Markdown, at most 10,000 characters.
     * - `stream_id` (optional): ID of the channel to move to.
     * - `prev_content_sha256` (optional): SHA-256 (hex) of the content you know. The edit fails if the content has changed.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     *
     * @throws BadRequest, ExpectationMismatch, MoveMessagesTimeLimitExceeded, DirectMessageRefused, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.messages.edit({ message_id: 7, content: 'Soup tomorrow' });
     */
    edit: (parameters: {
      /** ID of the message. */
      message_id: number;
      /** New topic, at most 60 characters. */
      topic?: string | undefined;
      /** Messages to move: only this message, also later messages in its topic, or the whole topic. */
      propagate_mode?: 'change_all' | 'change_later' | 'change_one' | undefined;
      /** Let the notification bot post in the old topic where the messages went. */
      send_notification_to_old_thread?: boolean | undefined;
      /** Let the notification bot post in the new topic where the messages came from. */
      send_notification_to_new_thread?: boolean | undefined;
      /** New content in Markdown, at most 10,000 characters. */
      content?: string | undefined;
      /** ID of the channel to move to. */
      stream_id?: number | undefined;
      /** SHA-256 (hex) of the content you know. The edit fails if the content has changed. */
      prev_content_sha256?: string | undefined;
      /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
      truncate?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Your files that no message links to anymore. */
      detached_uploads: AttachmentObject[];
    }>>;
    /**
     * Permanently delete a message.
     *
     * You can delete your own messages for a limited time, and any message if you have permission. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.delete({ message_id: 7 });
     */
    delete: (parameters: {
      /** ID of the message. */
      message_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Get a message's edit history.
     *
     * Oldest entry first. The first entry is the original message. If there are more than 250 edits or several megabytes, only the newest edits are listed, and the first entry is the message before them. The organization can limit the history to moves, or turn it off.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     * - `allow_empty_topic_name` (optional): Return the empty topic as "" instead of its display name.
     * - `strict_content` (optional): Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.history({ message_id: 7 });
     */
    history: (parameters: {
      /** ID of the message. */
      message_id: number;
      /** Return the empty topic as "" instead of its display name. */
      allow_empty_topic_name?: boolean | undefined;
      /** Return HTML without `style` attributes, as with the client capability: formulas as MathML only, and alignment in tables as a class such as `align-center`. */
      strict_content?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The versions, oldest first. */
      message_history: {
        /** Topic after the edit. */
        topic: string;
        /** Markdown after the edit. */
        content: string;
        /** The text as HTML. */
        rendered_content: string;
        /** HTML with the changes since the previous version. */
        content_html_diff?: string | undefined;
        /** ID of the user. */
        user_id: number | null;
        /** UNIX time in seconds. */
        timestamp: number;
        /** Topic before the move. Absent if the topic did not change. */
        prev_topic?: string | undefined;
        /** Channel ID before the move. Absent if the channel did not change. */
        prev_stream?: number | undefined;
        /** ID or record of the channel. */
        stream?: number | undefined;
        /** Markdown before the edit. Absent if the content did not change. */
        prev_content?: string | undefined;
        /** HTML before the edit. Absent if the content did not change. */
        prev_rendered_content?: string | undefined;
      }[];
    }>>;
    /**
     * Mark messages as read, unread, starred or collapsed.
     *
     * Marking messages as unread, starred or collapsed fails if you cannot read one of them. Other changes skip messages you cannot read. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `messages`: Message IDs, at most 5000.
     * - `op`: What happened: together with `type`, the kind of the event.
     * - `flag`: Name of the flag.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.updateFlags({ messages: [ 7, 8 ], op: 'add', flag: 'starred' });
     */
    updateFlags: (parameters: {
      /** What happened: together with `type`, the kind of the event. */
      op: 'add' | 'remove';
      /** Name of the flag. */
      flag: 'collapsed' | 'read' | 'starred';
      /** Message IDs, at most 5000. */
      messages: readonly number[];
    }, options?: CallOptions) => Promise<Answer<{
      /** The requested messages that you can read. */
      messages: number[];
      /** IDs of channels whose messages stay read, because you are not subscribed. */
      ignored_because_not_subscribed_channels: number[];
    }>>;
    /**
     * Mark messages in a narrow as read, unread, starred or collapsed.
     *
     * Changes messages in a window around an anchor. To change all newer messages, repeat the call with `last_processed_id` as the anchor until `found_newest` is true. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `anchor`: Message ID, `newest`, `oldest` or `first_unread`.
     * - `include_anchor` (optional): Include the message at the anchor.
     * - `num_before`: Number of messages before the anchor.
     * - `num_after`: Number of messages after the anchor. Both numbers together can be at most 5000.
     * - `narrow`: Terms that must all match: objects, or pairs like `["channel", "general"]`.
     * - `op`: What happened: together with `type`, the kind of the event.
     * - `flag`: Name of the flag.
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
      /** What happened: together with `type`, the kind of the event. */
      op: 'add' | 'remove';
      /** Name of the flag. */
      flag: 'collapsed' | 'read' | 'starred';
      /** Message ID, `newest`, `oldest` or `first_unread`. */
      anchor: 'first_unread' | 'newest' | 'oldest' | number;
      /** Include the message at the anchor. */
      include_anchor?: boolean | undefined;
      /** Number of messages before the anchor. */
      num_before: number;
      /** Number of messages after the anchor. Both numbers together can be at most 5000. */
      num_after: number;
      /** Terms that must all match: objects, or pairs like `["channel", "general"]`. */
      narrow: NarrowParam | null;
    }, options?: CallOptions) => Promise<Answer<{
      /** Number of messages in the window. */
      processed_count: number;
      /** Number of messages whose flag changed. */
      updated_count: number;
      /** ID of the first message that was processed; null if none was. */
      first_processed_id: number | null;
      /** ID of the last message that was processed; null if none was. */
      last_processed_id: number | null;
      /** Whether the oldest matching message is included. */
      found_oldest: boolean;
      /** Whether the newest matching message is included. */
      found_newest: boolean;
      /** IDs of channels whose messages stay read, because you are not subscribed. */
      ignored_because_not_subscribed_channels: number[];
    }>>;
    /**
     * Mark all messages as read.
     *
     * If you have very many unread messages, repeat the call until `complete` is true.
     *
     * @throws BadRequest
     */
    markAllRead: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** False if unread messages are left. Then call again. */
      complete: boolean;
    }>>;
    /**
     * Mark all messages in a channel as read.
     *
     * Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.markChannelRead({ stream_id: 3 });
     */
    markChannelRead: (parameters: {
      /** ID of the channel. */
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Mark all messages in a topic as read.
     *
     * Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     * - `topic_name`: Topic name. The topic must have messages.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.markTopicRead({ stream_id: 3, topic_name: 'lunch' });
     */
    markTopicRead: (parameters: {
      /** ID of the channel. */
      stream_id: number;
      /** Topic name. The topic must have messages. */
      topic_name: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the users who have read a message.
     *
     * Leaves out the sender, users who have turned off read receipts, users that you have muted, and users who have muted you or the sender.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.readReceipts({ message_id: 7 });
     */
    readReceipts: (parameters: {
      /** ID of the message. */
      message_id: number;
    }, options?: CallOptions) => Promise<Answer<{
      /** Sorted user IDs. */
      user_ids: number[];
    }>>;
    /**
     * Add an emoji reaction to a message.
     *
     * If the message already has a reaction with this emoji code and type, your reaction uses the name of that reaction. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     * - `emoji_name`: Emoji name without colons, for example `tada`.
     * - `emoji_code` (optional): ID of the emoji within its `reaction_type`. Default: looked up by name.
     * - `reaction_type` (optional): `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. Default: looked up by name.
     *
     * @throws BadRequest, ReactionAlreadyExists, DirectMessageRefused
     *
     * @example
     * await session.messages.addReaction({ message_id: 7, emoji_name: 'tada' });
     */
    addReaction: (parameters: {
      /** ID of the message. */
      message_id: number;
      /** Emoji name without colons, for example `tada`. */
      emoji_name: string;
      /** ID of the emoji within its `reaction_type`. Default: looked up by name. */
      emoji_code?: string | undefined;
      /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. Default: looked up by name. */
      reaction_type?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove your emoji reaction from a message.
     *
     * Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `message_id`: ID of the message.
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
      /** ID of the message. */
      message_id: number;
      /** Emoji name. Set this or `emoji_code`. */
      emoji_name?: string | undefined;
      /** ID of the emoji within its `reaction_type`. */
      emoji_code?: string | undefined;
      /** `unicode_emoji` (default with `emoji_code`), `realm_emoji` or `zulip_extra_emoji`. */
      reaction_type?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Vote in a poll, or change a poll or a to-do list.
     *
     * Polls accept `{"type":"vote","key":"canned,0","vote":1}` (-1 withdraws it) and `{"type":"new_option","option":"Soup","idx":1}`. The sender can also use `{"type":"question","question":"Lunch?"}`. To-do lists accept `{"type":"new_task","key":1,"task":"Shop","desc":"","completed":false}` and `{"type":"strike","key":"0,canned"}`. The sender can also use `{"type":"new_task_list_title","title":"Party"}`. Options of the message have the keys `canned,0`, `canned,1`, and so on; options that a user adds have `USER_ID,IDX`. Tasks have `0,canned` and `KEY,USER_ID`. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     * - `msg_type` (optional): `widget` for changes of polls and to-do lists.
     * - `content`: The change as JSON, at most 10000 characters.
     *
     * @throws BadRequest, DirectMessageRefused
     *
     * @example
     * await session.messages.addSubmessage({ message_id: 7, content: '{"type":"vote","key":"canned,0","vote":1}' });
     */
    addSubmessage: (parameters: {
      /** ID of the message. */
      message_id: number;
      /** `widget` for changes of polls and to-do lists. */
      msg_type?: string | undefined;
      /** The change as JSON, at most 10000 characters. */
      content: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Report a message to the moderators.
     *
     * Moderators see your name, your reason and the text of the message (`reports.list`), also if it is deleted later. If the organization has chosen a private channel for reports (`moderation_request_channel_id`), the notification bot posts the report there, unless the sender can read the channel. Safe to repeat while the report is open. At most 50 reports in 24 hours.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     * - `report_type`: Reason. `other` needs a description.
     * - `description` (optional): Details, at most 1000 characters.
     *
     * @throws BadRequest
     *
     * @example
     * await session.messages.report({ message_id: 7, report_type: 'spam' });
     */
    report: (parameters: {
      /** ID of the message. */
      message_id: number;
      /** Reason. `other` needs a description. */
      report_type: 'harassment' | 'inappropriate' | 'norms' | 'other' | 'spam';
      /** Details, at most 1000 characters. */
      description?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  webhooks: {
    /**
     * Send what another program posts in its own format.
     *
     * Only for incoming-webhook bots. Over HTTP, a JSON body is the payload, and a form has it as `payload`. The other parameters are in the URL, with the `api_key` of the bot. Mentions in the payload notify no user. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `format`: `slack_incoming`: as for incoming webhooks of Slack. `json`: any JSON, shown as code. `github`: events of GitHub.
     * - `payload`: JSON text, at most 1,048,576 characters.
     * - `channel` (optional): Channel ID, name or `external:` ID. Without it, the owner of the bot gets a direct message.
     * - `stream` (optional): Old name of `channel`.
     * - `topic` (optional): Topic, cut to 60 characters. Default: depends on the payload, or is the name of the bot.
     * - `event` (optional): Name of the event. GitHub sends it as `X-GitHub-Event`.
     * - `only_events` (optional): Patterns of the events to send, such as `["push", "check_run.*"]`. Only for formats with events.
     * - `exclude_events` (optional): Patterns of the events to ignore.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, StreamDoesNotExist, RequestConfusingVariable, DirectMessageRefused
     *
     * @example
     * await session.webhooks.receive({
     *   format: 'slack_incoming',
     *   payload: '{"text": "The disk is *full*."}',
     *   channel: 'general',
     *   topic: 'alerts'
     * });
     */
    receive: (parameters: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** `slack_incoming`: as for incoming webhooks of Slack. `json`: any JSON, shown as code. `github`: events of GitHub. */
      format: 'github' | 'json' | 'slack_incoming';
      /** JSON text, at most 1,048,576 characters. */
      payload: string;
      /** Channel ID, name or `external:` ID. Without it, the owner of the bot gets a direct message. */
      channel?: number | string | undefined;
      /** @deprecated Old name of `channel`. */
      stream?: number | string | undefined;
      /** Topic, cut to 60 characters. Default: depends on the payload, or is the name of the bot. */
      topic?: string | undefined;
      /** Name of the event. GitHub sends it as `X-GitHub-Event`. */
      event?: string | undefined;
      /** Patterns of the events to send, such as `["push", "check_run.*"]`. Only for formats with events. */
      only_events?: readonly string[] | undefined;
      /** Patterns of the events to ignore. */
      exclude_events?: readonly string[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Programs that send to Slack expect it. */
      ok: true;
      /** ID of the message. Absent if the payload reports an event that is not sent. */
      id?: number | undefined;
    }>>;
  };
  reports: {
    /**
     * List reports of messages (moderators).
     *
     * Newest first, at most 100 reports. For older reports, pass the last ID as `before_id`. Shows the text of the message also if you cannot read its conversation, but nothing else of it. Leaves out reports of your own messages and those of your bots.
     *
     * @param parameters
     * - `status` (optional): `open` or `resolved`.
     * - `before_id` (optional): Only reports with lower IDs.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     */
    list: (parameters?: {
      /** `open` or `resolved`. */
      status?: 'open' | 'resolved' | undefined;
      /** Only reports with lower IDs. */
      before_id?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Newest first. */
      reports: {
        /** ID of the report. */
        id: number;
        /** The message. It may be deleted, or you may not be able to read it. */
        message_id: number;
        /** Sender of the message. */
        sender_id: number;
        /** User who reported it. */
        reporter_id: number;
        /** Reason, as in `messages.report`. */
        report_type: string;
        /** Details that the reporter gave. */
        description: string;
        /** Markdown of the message when it was reported. */
        content: string;
        /** When it was reported; UNIX seconds. */
        timestamp: number;
        /** null while the report is open. */
        resolved_timestamp: number | null;
        /** User who resolved it. null for the program that embeds the chat. */
        resolver_id: number | null;
        /** What was decided. null while the report is open. */
        outcome: string | null;
      }[];
      /** Whether the list contains the oldest report. */
      found_oldest: boolean;
    }>>;
    /**
     * Resolve a report of a message (moderators).
     *
     * Stores what was decided. Does not change the message. The reporter and the sender get no notice.
     *
     * @param parameters
     * - `report_id`: ID of the report.
     * - `outcome`: What was decided, at most 1000 characters.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.reports.resolve({ report_id: 1, outcome: 'Deleted the message.' });
     */
    resolve: (parameters: {
      /** ID of the report. */
      report_id: number;
      /** What was decided, at most 1000 characters. */
      outcome: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  scheduledMessages: {
    /**
     * Schedule a message.
     *
     * The server checks the message now, and again when it sends it. You can have at most 1000 scheduled messages.
     *
     * @param parameters
     * - `type`: `channel` or `direct`. `stream` and `private` are deprecated names of them.
     * - `topic` (optional): Topic of a channel message, at most 60 characters.
     * - `content`: Message content in Markdown, at most 10,000 characters.
     * - `read_by_sender` (optional): Mark the message as read for the sender. The default depends on the client name.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     * - `to`: For a channel: its ID. For a direct message: a list of user IDs.
     * - `scheduled_delivery_timestamp`: Time to send the message: UNIX time in seconds.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, StreamDoesNotExist, DirectMessageRefused, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
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
          /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
          idempotency_key?: string | undefined;
          /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
          truncate?: boolean | undefined;
          /** Message content in Markdown, at most 10,000 characters. */
          content: string;
          /** Mark the message as read for the sender. The default depends on the client name. */
          read_by_sender?: boolean | undefined;
          /** `channel` or `direct`. `stream` and `private` are deprecated names of them. */
          type: 'channel' | 'stream';
          /** Topic of a channel message, at most 60 characters. */
          topic: string;
          /** For a channel: its ID. For a direct message: a list of user IDs. */
          to: number | readonly number[];
          /** Time to send the message: UNIX time in seconds. */
          scheduled_delivery_timestamp: number;
        }
      | {
          /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
          idempotency_key?: string | undefined;
          /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
          truncate?: boolean | undefined;
          /** Topic of a channel message, at most 60 characters. */
          topic?: string | undefined;
          /** Message content in Markdown, at most 10,000 characters. */
          content: string;
          /** Mark the message as read for the sender. The default depends on the client name. */
          read_by_sender?: boolean | undefined;
          /** `channel` or `direct`. `stream` and `private` are deprecated names of them. */
          type: 'direct' | 'private';
          /** For a channel: its ID. For a direct message: a list of user IDs. */
          to: number | readonly number[];
          /** Time to send the message: UNIX time in seconds. */
          scheduled_delivery_timestamp: number;
        }, options?: CallOptions) => Promise<Answer<{
      /** ID of the scheduled message. */
      scheduled_message_id: number;
    }>>;
    /**
     * Change the content, recipients or time of a scheduled message.
     *
     * A message that could not be sent needs a new time.
     *
     * @param parameters
     * - `scheduled_message_id`: ID of the scheduled message.
     * - `type` (optional): `channel` or `direct`. `stream` and `private` are deprecated names of them.
     * - `to` (optional): For a channel: its ID. For a direct message: a list of user IDs.
     * - `topic` (optional): Topic of a channel message, at most 60 characters.
     * - `content` (optional): Message content in Markdown, at most 10,000 characters.
     * - `scheduled_delivery_timestamp` (optional): Time to send the message: UNIX time in seconds.
     * - `truncate` (optional): Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.
     *
     * @throws BadRequest, DoesNotExist, StreamDoesNotExist, DirectMessageRefused, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed
     *
     * @example
     * await session.scheduledMessages.edit({
     *   scheduled_message_id: 1,
     *   content: 'Soup **tomorrow**',
     *   scheduled_delivery_timestamp: 4102444800
     * });
     */
    edit: (parameters: {
      /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
      truncate?: boolean | undefined;
      /** ID of the scheduled message. */
      scheduled_message_id: number;
      /** `channel` or `direct`. `stream` and `private` are deprecated names of them. */
      type?: 'channel' | 'direct' | 'private' | 'stream' | undefined;
      /** For a channel: its ID. For a direct message: a list of user IDs. */
      to?: number | readonly number[] | undefined;
      /** Topic of a channel message, at most 60 characters. */
      topic?: string | undefined;
      /** Message content in Markdown, at most 10,000 characters. */
      content?: string | undefined;
      /** Time to send the message: UNIX time in seconds. */
      scheduled_delivery_timestamp?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List your scheduled messages.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Sorted by time. Includes messages that could not be sent, until you edit or delete them. */
      scheduled_messages: ScheduledMessageObject[];
    }>>;
    /**
     * Delete a scheduled message without sending it.
     *
     * A sent message stays in its conversation.
     *
     * @param parameters
     * - `scheduled_message_id`: ID of the scheduled message.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.scheduledMessages.delete({ scheduled_message_id: 1 });
     */
    delete: (parameters: {
      /** ID of the scheduled message. */
      scheduled_message_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Message to be reminded of. */
      message_id: number;
      /** Time of the reminder: UNIX time in seconds. */
      scheduled_delivery_timestamp: number;
      /** Note for yourself, at most 500 characters. */
      note?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the reminder. */
      reminder_id: number;
    }>>;
    /**
     * List your reminders.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Sorted by time. */
      reminders: ReminderObject[];
    }>>;
    /**
     * Delete a reminder.
     *
     * @param parameters
     * - `reminder_id`: ID of the reminder.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.reminders.delete({ reminder_id: 1 });
     */
    delete: (parameters: {
      /** ID of the reminder. */
      reminder_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  userTopics: {
    /**
     * Mute, unmute or follow a topic, or remove its setting.
     *
     * The topic needs no messages.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     * - `topic`: Topic name, ignoring case.
     * - `visibility_policy`: 0 none, 1 muted, 2 unmuted (even if its channel is muted), 3 followed.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userTopics.set({ stream_id: 3, topic: 'lunch', visibility_policy: 3 });
     */
    set: (parameters: {
      /** ID of the channel. */
      stream_id: number;
      /** Topic name, ignoring case. */
      topic: string;
      /** 0 none, 1 muted, 2 unmuted (even if its channel is muted), 3 followed. */
      visibility_policy: 0 | 1 | 2 | 3;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
      /** Channel ID. */
      stream_id?: number | undefined;
      /** Channel name. */
      stream?: string | undefined;
      /** Topic name, ignoring case. The topic needs no messages. */
      topic: string;
      /** `add` mutes the topic. `remove` removes any setting: muted, unmuted or followed. */
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
    list: (parameters?: {
      /** Return the empty topic as "" instead of its display name. */
      allow_empty_topic_name?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Your settings for topics. */
      user_topics: {
        /** ID of the channel. */
        stream_id: number;
        /** Topic. */
        topic_name: string;
        /** Time of the change: UNIX time in seconds. */
        last_updated: number;
        /** 0 none, 1 muted, 2 unmuted, 3 followed. */
        visibility_policy: 0 | 1 | 2 | 3;
      }[];
    }>>;
  };
  typing: {
    /**
     * Show others that you started or stopped typing.
     *
     * Repeat it while you type. Sent only to users who want typing notifications. Sent to no user if there are more than 100 users. In a channel, only sent to event queues with the client capability `stream_typing_notifications`. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `op`: What happened: together with `type`, the kind of the event.
     * - `type` (optional): `direct` or `channel`. `private` and `stream` are deprecated names of them.
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
      /** What happened: together with `type`, the kind of the event. */
      op: 'start' | 'stop';
      /** `direct` or `channel`. `private` and `stream` are deprecated names of them. */
      type?: 'channel' | 'direct' | 'private' | 'stream' | undefined;
      /** For a direct message: user IDs of the recipients. */
      to?: readonly number[] | undefined;
      /** For a channel message: the channel ID. */
      stream_id?: number | undefined;
      /** For a channel message: the topic. Truncated to 60 characters. */
      topic?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Show others that you started or stopped editing a message.
     *
     * Sent only to users who want typing notifications. Sent to no user if there are more than 100 users. In a channel, only sent to event queues with the client capability `stream_typing_notifications`.
     *
     * @param parameters
     * - `message_id`: ID of the message.
     * - `op`: What happened: together with `type`, the kind of the event.
     *
     * @throws BadRequest
     *
     * @example
     * await session.typing.sendEdit({ message_id: 7, op: 'start' });
     */
    sendEdit: (parameters: {
      /** ID of the message. */
      message_id: number;
      /** What happened: together with `type`, the kind of the event. */
      op: 'start' | 'stop';
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  drafts: {
    /**
     * List your drafts.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Number of items. */
      count: number;
      /** Most recently edited first. */
      drafts: DraftObject[];
    }>>;
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
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** At most 100 drafts. */
      drafts: readonly DraftParam[];
      /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
      truncate?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Draft IDs in the order of the request. */
      ids: number[];
    }>>;
    /**
     * Replace a draft.
     *
     * Your other clients get an event.
     *
     * @param parameters
     * - `draft_id`: ID of the draft.
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
    edit: (parameters: {
      /** ID of the draft. */
      draft_id: number;
      /** The complete new draft. */
      draft: DraftParam;
      /** Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process. */
      truncate?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Delete a draft.
     *
     * Sending a message does not delete its draft: delete it yourself. Your other clients get an event.
     *
     * @param parameters
     * - `draft_id`: ID of the draft.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.drafts.remove({ draft_id: 4 });
     */
    remove: (parameters: {
      /** ID of the draft. */
      draft_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  savedSnippets: {
    /**
     * List your saved snippets.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Oldest first. */
      saved_snippets: SnippetObject[];
    }>>;
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
    create: (parameters: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Title, at most 60 characters. Several snippets can have the same title. */
      title: string;
      /** Markdown, at most 10000 characters. */
      content: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the snippet. */
      saved_snippet_id: number;
    }>>;
    /**
     * Change the title or content of a saved snippet.
     *
     * @param parameters
     * - `saved_snippet_id`: ID of the snippet.
     * - `title` (optional): Title, at most 60 characters. Several snippets can have the same title.
     * - `content` (optional): Markdown, at most 10000 characters.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.savedSnippets.edit({ saved_snippet_id: 2, title: 'Welcome' });
     */
    edit: (parameters: {
      /** ID of the snippet. */
      saved_snippet_id: number;
      /** Title, at most 60 characters. Several snippets can have the same title. */
      title?: string | undefined;
      /** Markdown, at most 10000 characters. */
      content?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a saved snippet.
     *
     * @param parameters
     * - `saved_snippet_id`: ID of the snippet.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.savedSnippets.remove({ saved_snippet_id: 2 });
     */
    remove: (parameters: {
      /** ID of the snippet. */
      saved_snippet_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  navigationViews: {
    /**
     * List the views in your sidebar.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Your navigation views. */
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
    add: (parameters: {
      /** The part of the view URL after "#". */
      fragment: string;
      /** `true`: show it in the sidebar. `false`: show it in the menu of other views. */
      is_pinned: boolean;
      /** Name of a custom view, unique among your views. Built-in views have no name. */
      name?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Rename, pin or unpin a view in your sidebar.
     *
     * @param parameters
     * - `fragment`: The part of the view URL after "#".
     * - `is_pinned` (optional): Whether it is pinned.
     * - `name` (optional): Name of a custom view, unique among your views. Built-in views have no name.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.navigationViews.edit({ fragment: 'narrow/is/alerted', is_pinned: false });
     */
    edit: (parameters: {
      /** The part of the view URL after "#". */
      fragment: string;
      /** Whether it is pinned. */
      is_pinned?: boolean | undefined;
      /** Name of a custom view, unique among your views. Built-in views have no name. */
      name?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    remove: (parameters: {
      /** The part of the view URL after "#". */
      fragment: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  uploads: {
    /**
     * Upload a file.
     *
     * Other users can read it once a message contains its URL: `[name](url)`. Files that no message links to are removed after five weeks. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `file`: The file. `register` returns the maximum size. In a form, other parameters precede it.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, RealmUploadQuota
     */
    send: (parameters: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** The file. `register` returns the maximum size. In a form, other parameters precede it. */
      file:
        | BlobLike
        | {
            /** File name with extension. */
            name: string;
            /** Media type. Default: derived from the name. */
            type?: string;
            /** Size in bytes, if known. */
            size?: number;
            /** The bytes. Pass a `RereadableContent` to resume a large upload after a broken connection. */
            content: AsyncIterable<Uint8Array> | BlobLike | Uint8Array;
          };
    }, options?: UploadOptions) => Promise<Answer<{
      /** Path of the file below the URL of the organization. */
      url: string;
      /** Same as `url`; deprecated. */
      uri: string;
      /** Original file name. */
      filename: string;
    }>>;
    /**
     * Get a temporary URL of a file that works without login for one minute.
     *
     * For your own files and for files that a message you can read links to. It works no longer than the bearer token that requested it. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `realm_id_str`: The first part of the URL path after `/user_uploads/`.
     * - `filename`: The rest of the URL path.
     *
     * @throws BadRequest, NoSuchFile
     *
     * @example
     * await session.uploads.getTemporaryUrl({ realm_id_str: '1', filename: '4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png' });
     */
    getTemporaryUrl: (parameters: {
      /** The first part of the URL path after `/user_uploads/`. */
      realm_id_str: string;
      /** The rest of the URL path. */
      filename: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** Path below the URL of the organization. */
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
    list: (parameters?: {
      /** Only files with lower IDs. */
      before_id?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The files. */
      attachments: AttachmentObject[];
      /** Size of all files of the organization in bytes. */
      upload_space_used: number;
      /** Whether the list contains your oldest file. */
      found_oldest: boolean;
    }>>;
    /**
     * Permanently delete an uploaded file.
     *
     * Links in messages stay but no longer work.
     *
     * @param parameters
     * - `attachment_id`: ID of the file.
     *
     * @throws BadRequest
     *
     * @example
     * await session.uploads.remove({ attachment_id: 4 });
     */
    remove: (parameters: {
      /** ID of the file. */
      attachment_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  customEmoji: {
    /**
     * List custom emoji.
     *
     * By ID. Includes deactivated emoji, because messages and reactions still show them.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Custom emoji by ID. */
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
    upload: (parameters: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Lowercase letters, digits, hyphens, underscores. Spaces become underscores. */
      emoji_name: string;
      /** PNG, JPEG, GIF, WebP or AVIF. */
      file: BlobLike;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate a custom emoji.
     *
     * For administrators and the user who added it. Messages keep it. Its name can be used again.
     *
     * @param parameters
     * - `emoji_name`: Name of the emoji.
     *
     * @throws BadRequest, DoesNotExist
     *
     * @example
     * await session.customEmoji.deactivate({ emoji_name: 'gruel' });
     */
    deactivate: (parameters: {
      /** Name of the emoji. */
      emoji_name: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
     * - `include_external_ids` (optional): Include `external_id`. Only administrators get it.
     *
     * @throws BadRequest
     */
    list: (parameters?: {
      /** Include public channels. Has no effect for guests. */
      include_public?: boolean | undefined;
      /** Include web-public channels. */
      include_web_public?: boolean | undefined;
      /** Include channels you are subscribed to. */
      include_subscribed?: boolean | undefined;
      /** Leave out archived channels. */
      exclude_archived?: boolean | undefined;
      /** Include every channel that is visible to you. */
      include_all?: boolean | undefined;
      /** Include every active channel. Administrators only. */
      include_all_active?: boolean | undefined;
      /** Add `is_default` to each channel. */
      include_default?: boolean | undefined;
      /** For bots: include channels that the owner is subscribed to. */
      include_owner_subscribed?: boolean | undefined;
      /** Include every channel whose messages you can read. */
      include_can_access_content?: boolean | undefined;
      /** Include `external_id`. Only administrators get it. */
      include_external_ids?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The channels. */
      streams: {
        /** Who can add subscribers. */
        can_add_subscribers_group: GroupSetting;
        /** Who can administer the channel. */
        can_administer_channel_group: GroupSetting;
        /** Who can delete any message in it. */
        can_delete_any_message_group: GroupSetting;
        /** Who can delete their own messages in it. */
        can_delete_own_message_group: GroupSetting;
        /** Who can move messages out. */
        can_move_messages_out_of_channel_group: GroupSetting;
        /** Who can move messages in it. */
        can_move_messages_within_channel_group: GroupSetting;
        /** Who can remove subscribers. */
        can_remove_subscribers_group: GroupSetting;
        /** Who can resolve topics. */
        can_resolve_topics_group: GroupSetting;
        /** Who can post. */
        can_send_message_group: GroupSetting;
        /** Who can subscribe if the channel is private. */
        can_subscribe_group: GroupSetting;
        /** ID of the channel. */
        stream_id: number;
        /** Name of the channel. */
        name: string;
        /** Whether it is archived. */
        is_archived: boolean;
        /** Markdown. */
        description: string;
        /** The description as HTML. */
        rendered_description: string;
        /** Time of creation: UNIX time in seconds. */
        date_created: number;
        /** User ID of the creator; null if none is known. */
        creator_id: number | null;
        /** Whether the channel is private. */
        invite_only: boolean;
        /** Whether the channel can be read without an account. */
        is_web_public: boolean;
        /** Whether new subscribers can read earlier messages. */
        history_public_to_subscribers: boolean;
        /** Who can post, for older clients: 1 everyone or other, 2 administrators, 3 full members, 4 moderators. */
        stream_post_policy: number;
        /** Whether only administrators can post, for older clients. */
        is_announcement_only: boolean;
        /** Days to keep messages; -1 forever, null as in the organization. */
        message_retention_days: number | null;
        /** Whether messages need a topic, or have none. */
        topics_policy: string;
        /** ID of the first message; null if there is none. */
        first_message_id: number | null;
        /** ID of the channel folder; null if the channel is in none. */
        folder_id: number | null;
        /** Whether the channel was created or had a message within 180 days. */
        is_recently_active: boolean;
        /** Number of active subscribers. */
        subscriber_count: number;
        /** Always null. */
        stream_weekly_traffic: number | null;
        /** Whether new users are subscribed. */
        is_default?: boolean | undefined;
        /** User IDs of the subscribers. */
        subscribers?: number[] | undefined;
        /** Empty, if there are too many. Use `channels.subscribers`. */
        partial_subscribers?: number[] | undefined;
        /** ID in the embedding program (`chat.sync`). Only with `include_external_ids`, and absent if there is none. */
        external_id?: string | undefined;
      }[];
    }>>;
    /**
     * Find up to 20 channels by name.
     *
     * For suggestions while a user types. Finds channels that you can see, subscribed or not. Words of their names start with the words of the query, without regard to case and accents. An exact match comes first, then channels you are subscribed to, then names that start with the query. Leaves out archived channels. An empty query finds every channel. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `query`: Start of a name, or of words of a name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.search({ query: 'gen' });
     */
    search: (parameters: {
      /** Start of a name, or of words of a name. */
      query: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** The channels. */
      streams: ChannelObject[];
    }>>;
    /**
     * Get a channel by its ID.
     *
     * Also returns archived channels. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     * - `include_external_ids` (optional): Include `external_id`. Only administrators get it.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.get({ stream_id: 3 });
     */
    get: (parameters: {
      /** ID of the channel. */
      stream_id: number;
      /** Include `external_id`. Only administrators get it. */
      include_external_ids?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID or record of the channel. */
      stream: {
        /** Who can add subscribers. */
        can_add_subscribers_group: GroupSetting;
        /** Who can administer the channel. */
        can_administer_channel_group: GroupSetting;
        /** Who can delete any message in it. */
        can_delete_any_message_group: GroupSetting;
        /** Who can delete their own messages in it. */
        can_delete_own_message_group: GroupSetting;
        /** Who can move messages out. */
        can_move_messages_out_of_channel_group: GroupSetting;
        /** Who can move messages in it. */
        can_move_messages_within_channel_group: GroupSetting;
        /** Who can remove subscribers. */
        can_remove_subscribers_group: GroupSetting;
        /** Who can resolve topics. */
        can_resolve_topics_group: GroupSetting;
        /** Who can post. */
        can_send_message_group: GroupSetting;
        /** Who can subscribe if the channel is private. */
        can_subscribe_group: GroupSetting;
        /** ID of the channel. */
        stream_id: number;
        /** Name of the channel. */
        name: string;
        /** Whether it is archived. */
        is_archived: boolean;
        /** Markdown. */
        description: string;
        /** The description as HTML. */
        rendered_description: string;
        /** Time of creation: UNIX time in seconds. */
        date_created: number;
        /** User ID of the creator; null if none is known. */
        creator_id: number | null;
        /** Whether the channel is private. */
        invite_only: boolean;
        /** Whether the channel can be read without an account. */
        is_web_public: boolean;
        /** Whether new subscribers can read earlier messages. */
        history_public_to_subscribers: boolean;
        /** Who can post, for older clients: 1 everyone or other, 2 administrators, 3 full members, 4 moderators. */
        stream_post_policy: number;
        /** Whether only administrators can post, for older clients. */
        is_announcement_only: boolean;
        /** Days to keep messages; -1 forever, null as in the organization. */
        message_retention_days: number | null;
        /** Whether messages need a topic, or have none. */
        topics_policy: string;
        /** ID of the first message; null if there is none. */
        first_message_id: number | null;
        /** ID of the channel folder; null if the channel is in none. */
        folder_id: number | null;
        /** Whether the channel was created or had a message within 180 days. */
        is_recently_active: boolean;
        /** Number of active subscribers. */
        subscriber_count: number;
        /** Always null. */
        stream_weekly_traffic: number | null;
        /** Whether new users are subscribed. */
        is_default?: boolean | undefined;
        /** User IDs of the subscribers. */
        subscribers?: number[] | undefined;
        /** Empty, if there are too many. Use `channels.subscribers`. */
        partial_subscribers?: number[] | undefined;
        /** ID in the embedding program (`chat.sync`). Only with `include_external_ids`, and absent if there is none. */
        external_id?: string | undefined;
      };
    }>>;
    /**
     * Get the ID of a channel by its name.
     *
     * Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `stream`: Channel name, ignoring case. Or `external:` with its external ID, such as `external:order-17`.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.getId({ stream: 'general' });
     */
    getId: (parameters: {
      /** Channel name, ignoring case. Or `external:` with its external ID, such as `external:order-17`. */
      stream: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the channel. */
      stream_id: number;
    }>>;
    /**
     * Get the e-mail address of a channel.
     *
     * Needs the permission to post there. Mail to the address is posted with its subject as the topic, while you have this permission, to everyone who knows the address. Replacing your API key ends it. You may append `+show-sender`, `+include-footer`, `+include-quotes` and `+prefer-html` to the part before the @. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     * - `sender_id` (optional): The account as which mail is posted: yourself, a bot that you own, or Email Gateway. Default: the account with the address of the sender, if the mail server has authenticated it, else Email Gateway.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.getEmailAddress({ stream_id: 3 });
     */
    getEmailAddress: (parameters: {
      /** ID of the channel. */
      stream_id: number;
      /** The account as which mail is posted: yourself, a bot that you own, or Email Gateway. Default: the account with the address of the sender, if the mail server has authenticated it, else Email Gateway. */
      sender_id?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Empty if the server does not receive mail. */
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
      /** Who can add subscribers. */
      can_add_subscribers_group?: GroupSettingParam | undefined;
      /** Who can administer the channel. */
      can_administer_channel_group?: GroupSettingParam | undefined;
      /** Who can delete any message in it. */
      can_delete_any_message_group?: GroupSettingParam | undefined;
      /** Who can delete their own messages in it. */
      can_delete_own_message_group?: GroupSettingParam | undefined;
      /** Who can move messages out. */
      can_move_messages_out_of_channel_group?: GroupSettingParam | undefined;
      /** Who can move messages in it. */
      can_move_messages_within_channel_group?: GroupSettingParam | undefined;
      /** Who can remove subscribers. */
      can_remove_subscribers_group?: GroupSettingParam | undefined;
      /** Who can resolve topics. */
      can_resolve_topics_group?: GroupSettingParam | undefined;
      /** Who can post. */
      can_send_message_group?: GroupSettingParam | undefined;
      /** Who can subscribe if the channel is private. */
      can_subscribe_group?: GroupSettingParam | undefined;
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Announce the new channel. This also reveals the name of a private channel. */
      announce?: boolean | undefined;
      /** Make it private. */
      invite_only?: boolean | undefined;
      /** Let anyone on the web read it without logging in. */
      is_web_public?: boolean | undefined;
      /** Subscribe new users to it. */
      is_default_stream?: boolean | undefined;
      /** Channel folder to add it to. */
      folder_id?: number | undefined;
      /** Whether the empty topic can, cannot or must be used. */
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      /** Let new subscribers read earlier messages. Default: false for private channels. Always true for other channels. */
      history_public_to_subscribers?: boolean | undefined;
      /** Days to keep messages, `realm_default` (default) or `unlimited`. */
      message_retention_days?: number | string | undefined;
      /** At most 60 characters. Unique, ignoring case. */
      name: string;
      /** Markdown, one line. */
      description?: string | undefined;
      /** Users to subscribe. Can be empty. */
      subscribers: readonly number[];
      /** Accepted for compatibility and ignored. */
      send_new_subscription_messages?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the channel. */
      id: number;
    }>>;
    /**
     * Change a channel.
     *
     * You must be allowed to administer the channel. If one change fails, nothing is changed.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     * - `new_name` (optional): At most 60 characters.
     * - `description` (optional): Markdown, one line.
     * - `is_private` (optional): Whether the channel becomes private.
     * - `is_web_public` (optional): Whether the channel can be read without an account.
     * - `history_public_to_subscribers` (optional): Whether new subscribers can read earlier messages.
     * - `is_default_stream` (optional): Whether new users are subscribed.
     * - `is_archived` (optional): `true` archives the channel, `false` unarchives it.
     * - `topics_policy` (optional): Whether messages need a topic, or have none.
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
      /** Who can add subscribers. */
      can_add_subscribers_group?: GroupSettingUpdateParam | undefined;
      /** Who can administer the channel. */
      can_administer_channel_group?: GroupSettingUpdateParam | undefined;
      /** Who can delete any message in it. */
      can_delete_any_message_group?: GroupSettingUpdateParam | undefined;
      /** Who can delete their own messages in it. */
      can_delete_own_message_group?: GroupSettingUpdateParam | undefined;
      /** Who can move messages out. */
      can_move_messages_out_of_channel_group?: GroupSettingUpdateParam | undefined;
      /** Who can move messages in it. */
      can_move_messages_within_channel_group?: GroupSettingUpdateParam | undefined;
      /** Who can remove subscribers. */
      can_remove_subscribers_group?: GroupSettingUpdateParam | undefined;
      /** Who can resolve topics. */
      can_resolve_topics_group?: GroupSettingUpdateParam | undefined;
      /** Who can post. */
      can_send_message_group?: GroupSettingUpdateParam | undefined;
      /** Who can subscribe if the channel is private. */
      can_subscribe_group?: GroupSettingUpdateParam | undefined;
      /** At most 60 characters. */
      new_name?: string | undefined;
      /** Markdown, one line. */
      description?: string | undefined;
      /** Whether the channel becomes private. */
      is_private?: boolean | undefined;
      /** Whether the channel can be read without an account. */
      is_web_public?: boolean | undefined;
      /** Whether new subscribers can read earlier messages. */
      history_public_to_subscribers?: boolean | undefined;
      /** Whether new users are subscribed. */
      is_default_stream?: boolean | undefined;
      /** `true` archives the channel, `false` unarchives it. */
      is_archived?: boolean | undefined;
      /** Whether messages need a topic, or have none. */
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      /** `null` removes the channel from its folder. */
      folder_id?: number | null | undefined;
      /** Days to keep messages, `realm_default` or `unlimited`. */
      message_retention_days?: number | string | undefined;
      /** ID of the channel. */
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Archive a channel.
     *
     * Messages stay readable. The name stays reserved. To unarchive, use PATCH with is_archived=false.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     *
     * @throws BadRequest, FieldLocked
     *
     * @example
     * await session.channels.archive({ stream_id: 3 });
     */
    archive: (parameters: {
      /** ID of the channel. */
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the subscribers of a channel.
     *
     * Returns the IDs of active accounts in ascending order.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     *
     * @throws BadRequest
     *
     * @example
     * await session.channels.subscribers({ stream_id: 3 });
     */
    subscribers: (parameters: {
      /** ID of the channel. */
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{
      /** User IDs of the subscribers. */
      subscribers: number[];
    }>>;
  };
  topics: {
    /**
     * List the topics of a channel, newest first.
     *
     * Lists only topics with messages that you can read. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     * - `allow_empty_topic_name` (optional): Return the empty topic as "" instead of its display name.
     *
     * @throws BadRequest
     *
     * @example
     * await session.topics.list({ stream_id: 3 });
     */
    list: (parameters: {
      /** ID of the channel. */
      stream_id: number;
      /** Return the empty topic as "" instead of its display name. */
      allow_empty_topic_name?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The topics, newest message first. */
      topics: {
        /** Display name. */
        name: string;
        /** ID of the newest message. */
        max_id: number;
      }[];
    }>>;
    /**
     * Permanently delete a topic and its messages.
     *
     * Deletes all messages in the topic that you can read, newest first. Messages sent during the call are kept. For very long topics, repeat the call until `complete` is true. Administrators only.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     * - `topic_name`: Topic name, ignoring case. A topic without messages is not an error.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.topics.delete({ stream_id: 3, topic_name: 'lunch' });
     */
    delete: (parameters: {
      /** ID of the channel. */
      stream_id: number;
      /** Topic name, ignoring case. A topic without messages is not an error. */
      topic_name: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** False if messages are left. Then call again. */
      complete: boolean;
    }>>;
  };
  defaultChannels: {
    /**
     * Add a default channel for new users.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.defaultChannels.add({ stream_id: 3 });
     */
    add: (parameters: {
      /** ID of the channel. */
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a default channel for new users.
     *
     * @param parameters
     * - `stream_id`: ID of the channel.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.defaultChannels.remove({ stream_id: 3 });
     */
    remove: (parameters: {
      /** ID of the channel. */
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    list: (parameters?: {
      /** Include archived folders. */
      include_archived?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The channel folders in their order. */
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
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Unique among folders that are not archived, ignoring case. */
      name: string;
      /** Markdown, one line. */
      description?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the channel folder. */
      channel_folder_id: number;
    }>>;
    /**
     * Rename, describe, archive or unarchive a channel folder.
     *
     * A folder that contains channels cannot be archived. Administrators only.
     *
     * @param parameters
     * - `channel_folder_id`: ID of the channel folder.
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
      /** ID of the channel folder. */
      channel_folder_id: number;
      /** Unique among folders that are not archived, ignoring case. */
      name?: string | undefined;
      /** Markdown, one line. */
      description?: string | undefined;
      /** `true` archives the folder, `false` unarchives it. */
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
    reorder: (parameters: {
      /** IDs of all folders, including archived folders, each exactly once. */
      order: readonly number[];
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  rooms: {
    /**
     * Find or create a private conversation of members and staff.
     *
     * A room is a private channel with one topic, which is empty. Its subscribers are exactly the members and the staff. Other subscribers leave, the name follows, and a closed room opens again. Members read the whole history. Safe to repeat and to call concurrently. Posts no notices. If another channel has the name, the call fails with `CHANNEL_ALREADY_EXISTS`. If a channel that is not a room has the external ID, it fails with `EXTERNAL_ID_IN_USE`.
     *
     * @param parameters
     * - `external_id`: ID of the room in your program: 1 to 255 characters.
     * - `name`: At most 60 characters. Unique among all channels, ignoring case.
     * - `members`: All members: user IDs, e-mail addresses, or objects with `external_id` or `user_id`. Users who are not in the list leave the room.
     * - `staff` (optional): User group that joins and administers the room: its external ID or its name. Guests in the group do not join.
     *
     * @throws BadRequest, UnauthorizedPrincipal, ChannelAlreadyExists, ExternalIdInUse
     *
     * @example
     * await session.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [ 9 ], staff: 'support' });
     */
    ensure: (parameters: {
      /** ID of the room in your program: 1 to 255 characters. */
      external_id: string;
      /** At most 60 characters. Unique among all channels, ignoring case. */
      name: string;
      /** All members: user IDs, e-mail addresses, or objects with `external_id` or `user_id`. Users who are not in the list leave the room. */
      members: readonly (
        | number
        | string
        | {
            /** ID of the user in your program. */
            external_id: string;
          }
        | {
            /** ID of the user. */
            user_id: number;
          })[];
      /** User group that joins and administers the room: its external ID or its name. Guests in the group do not join. */
      staff?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the channel. */
      stream_id: number;
      /** Whether this call created the room. */
      is_new: boolean;
    }>>;
    /**
     * Close a room.
     *
     * Archives its channel. Members and staff can still read it, but not write. Safe to repeat. `rooms.ensure` opens it again.
     *
     * @param parameters
     * - `external_id`: ID of the room in your program: 1 to 255 characters.
     *
     * @throws BadRequest, UnauthorizedPrincipal, ExternalIdInUse
     *
     * @example
     * await session.rooms.close({ external_id: 'order-17' });
     */
    close: (parameters: {
      /** ID of the room in your program: 1 to 255 characters. */
      external_id: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the channel. */
      stream_id: number;
    }>>;
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
    list: (parameters?: {
      /** Include the IDs of all subscribers of each channel. */
      include_subscribers?: boolean | 'partial' | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Channels with your settings for them. */
      subscriptions: SubscriptionObject[];
    }>>;
    /**
     * Check whether a user is subscribed to a channel.
     *
     * Works for users and channels that are visible to you.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     * - `stream_id`: ID of the channel.
     *
     * @throws BadRequest
     *
     * @example
     * await session.subscriptions.get({ user_id: 9, stream_id: 3 });
     */
    get: (parameters: {
      /** ID of the user. */
      user_id: number;
      /** ID of the channel. */
      stream_id: number;
    }, options?: CallOptions) => Promise<Answer<{
      /** Whether the user is subscribed. */
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
      /** Who can add subscribers. */
      can_add_subscribers_group?: GroupSettingParam | undefined;
      /** Who can administer the channel. */
      can_administer_channel_group?: GroupSettingParam | undefined;
      /** Who can delete any message in it. */
      can_delete_any_message_group?: GroupSettingParam | undefined;
      /** Who can delete their own messages in it. */
      can_delete_own_message_group?: GroupSettingParam | undefined;
      /** Who can move messages out. */
      can_move_messages_out_of_channel_group?: GroupSettingParam | undefined;
      /** Who can move messages in it. */
      can_move_messages_within_channel_group?: GroupSettingParam | undefined;
      /** Who can remove subscribers. */
      can_remove_subscribers_group?: GroupSettingParam | undefined;
      /** Who can resolve topics. */
      can_resolve_topics_group?: GroupSettingParam | undefined;
      /** Who can post. */
      can_send_message_group?: GroupSettingParam | undefined;
      /** Who can subscribe if the channel is private. */
      can_subscribe_group?: GroupSettingParam | undefined;
      /** Announce the new channel. This also reveals the name of a private channel. */
      announce?: boolean | undefined;
      /** Make it private. */
      invite_only?: boolean | undefined;
      /** Let anyone on the web read it without logging in. */
      is_web_public?: boolean | undefined;
      /** Subscribe new users to it. */
      is_default_stream?: boolean | undefined;
      /** Channel folder to add it to. */
      folder_id?: number | undefined;
      /** Whether the empty topic can, cannot or must be used. */
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only' | 'inherit' | undefined;
      /** Let new subscribers read earlier messages. Default: false for private channels. Always true for other channels. */
      history_public_to_subscribers?: boolean | undefined;
      /** Days to keep messages, `realm_default` (default) or `unlimited`. */
      message_retention_days?: number | string | undefined;
      /** Channels by name. Descriptions and settings only apply to new channels. */
      subscriptions: ChannelsToJoinParam;
      /** User IDs (preferred) or e-mail addresses. Default: you. */
      principals?: readonly number[] | readonly string[] | undefined;
      /** Fail completely if you are not allowed to subscribe to a channel. */
      authorization_errors_fatal?: boolean | undefined;
      /** Message the users you subscribe, unless more than 100. */
      send_new_subscription_messages?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Channel names by user ID. */
      subscribed: { [key: string]: string[] };
      /** Names of channels by user ID, in which the users were subscribed before. */
      already_subscribed: { [key: string]: string[] };
      /** Names of channels that you may not subscribe to. */
      unauthorized?: string[] | undefined;
      /** Whether the subscribed users got a message from the notification bot. */
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
      /** Channel names. */
      subscriptions: readonly string[];
      /** User IDs (preferred) or e-mail addresses. Default: you. */
      principals?: readonly number[] | readonly string[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Channel names, once per user who was unsubscribed. */
      removed: string[];
      /** Channel names, once per user who was not subscribed. */
      not_removed: string[];
    }>>;
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
    update: (parameters?: {
      /** Channels to subscribe to, by name. Descriptions only apply to new channels. */
      add?: ChannelsToJoinParam | undefined;
      /** Names of channels to unsubscribe from. */
      delete?: readonly string[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Channel names by user ID. */
      subscribed: { [key: string]: string[] };
      /** Names of channels by user ID, in which the users were subscribed before. */
      already_subscribed: { [key: string]: string[] };
      /** Names of channels you were unsubscribed from. */
      removed: string[];
      /** Names of channels you were not subscribed to. */
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
      /** List of changes, each with stream_id, property and value. */
      subscription_data: readonly {
        /** ID of the channel. */
        stream_id: number;
        /** Name of the changed setting. */
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
        /** The new value. */
        value: boolean | string;
      }[];
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  invites: {
    /**
     * List pending invitations.
     *
     * Your own invitations; for administrators, all invitations. Excludes expired and revoked invitations. Without `code`, invitations to roles that need one have no links.
     *
     * @param parameters
     * - `include_links` (optional): Include the links of invitations by e-mail. Only administrators get them.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, RateLimitHit, SecondFactorNeeded
     */
    list: (parameters?: {
      /** Include the links of invitations by e-mail. Only administrators get them. */
      include_links?: boolean | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The invitations. */
      invites: {
        /** ID of the invitation. Links have their own numbers. */
        id: number;
        /** ID of the user who created the invitation. */
        invited_by_user_id: number;
        /** When the invitation was created; UNIX seconds. */
        invited: number;
        /** UNIX seconds; null: never. */
        expiry_date: number | null;
        /** Role of the new account. */
        invited_as: number;
        /** Whether it is a multi-use link. */
        is_multiuse: boolean;
        /** The invited address. Absent for multi-use links. */
        email?: string | undefined;
        /** Whether the inviting user is notified when the invited user joins. */
        notify_referrer_on_join?: boolean | undefined;
        /** Link to share. For invitations by e-mail only with `include_links`. Absent for bearer tokens. */
        link_url?: string | undefined;
        /** State of the latest e-mail; `none` if the server sent none. Absent for multi-use links. */
        email_state?: 'failed' | 'none' | 'sent' | 'waiting' | undefined;
        /** Error of the latest attempt to send the e-mail. */
        email_error?: string | undefined;
      }[];
    }>>;
    /**
     * Invite people by e-mail.
     *
     * Each person gets a personal link by e-mail. If the server sends no e-mail, get the links with `invites.list` and share them. Skips addresses that already have an account and then fails with INVITATION_FAILED; all other invitations are sent. If any address is invalid, sends nothing. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
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
     * @throws BadRequest, IdempotencyKeyReused, InvitationFailed, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.invites.send({ invitee_emails: 'ben@example.com, Cleo <cleo@example.com>', stream_ids: [] });
     */
    send: (parameters: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
      /** User groups to join. You need permission to add members to them. */
      group_ids?: readonly number[] | undefined;
      /** Also subscribe to the default channels when joining. */
      include_realm_default_subscriptions?: boolean | undefined;
      /** Role of the new account. It cannot be more powerful than yours. */
      invite_as?: 100 | 200 | 300 | 400 | 600 | undefined;
      /** null: never. Default: usually 10 days. */
      invite_expires_in_minutes?: number | null | undefined;
      /** Default channels, or channels to which you can add subscribers. */
      stream_ids: readonly number[];
      /** Message from the welcome bot; administrators only. null: the default message of the organization. Empty: no message. */
      welcome_message_custom_text?: string | null | undefined;
      /** At most 1000 addresses, separated by commas, semicolons or line breaks, optionally as `Name <address>`. */
      invitee_emails: string;
      /** Get a message from the notification bot when a person joins. */
      notify_referrer_on_join?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Create a multi-use invitation link.
     *
     * Everyone with the link can join until it expires or is revoked. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     * - `group_ids` (optional): User groups to join. You need permission to add members to them.
     * - `include_realm_default_subscriptions` (optional): Also subscribe to the default channels when joining.
     * - `invite_as` (optional): Role of the new account. It cannot be more powerful than yours.
     * - `invite_expires_in_minutes` (optional): null: never. Default: usually 10 days.
     * - `stream_ids` (optional): Default channels, or channels to which you can add subscribers.
     * - `welcome_message_custom_text` (optional): Message from the welcome bot; administrators only. null: the default message of the organization. Empty: no message.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, IdempotencyKeyReused, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.invites.createMultiuse({ invite_expires_in_minutes: 1440 });
     */
    createMultiuse: (parameters?: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Default channels, or channels to which you can add subscribers. */
      stream_ids?: readonly number[] | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
      /** User groups to join. You need permission to add members to them. */
      group_ids?: readonly number[] | undefined;
      /** Also subscribe to the default channels when joining. */
      include_realm_default_subscriptions?: boolean | undefined;
      /** Role of the new account. It cannot be more powerful than yours. */
      invite_as?: 100 | 200 | 300 | 400 | 600 | undefined;
      /** null: never. Default: usually 10 days. */
      invite_expires_in_minutes?: number | null | undefined;
      /** Message from the welcome bot; administrators only. null: the default message of the organization. Empty: no message. */
      welcome_message_custom_text?: string | null | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** URL to share. */
      invite_link: string;
    }>>;
    /**
     * Send the e-mail of an invitation again.
     *
     * Your own invitations; for administrators, all invitations. Only owners can resend invitations with the owner role. The expiry time does not change. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `invite_id`: ID of the invitation.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, InvitationFailed, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.invites.resend({ invite_id: 7 });
     */
    resend: (parameters: {
      /** ID of the invitation. */
      invite_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Link to share. Only for administrators, if the server sends no e-mail. */
      link_url?: string | undefined;
    }>>;
    /**
     * Revoke an invitation sent by e-mail.
     *
     * Your own invitations; for administrators, all invitations. Only owners can revoke invitations with the owner role. The link stops working.
     *
     * @param parameters
     * - `invite_id`: ID of the invitation.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.revoke({ invite_id: 7 });
     */
    revoke: (parameters: {
      /** ID of the invitation. */
      invite_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Revoke a multi-use invitation link.
     *
     * Your own links; for administrators, all links. Only owners can revoke links with the owner role. Accounts created with the link stay.
     *
     * @param parameters
     * - `invite_id`: ID of the invitation.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.invites.revokeMultiuse({ invite_id: 7 });
     */
    revokeMultiuse: (parameters: {
      /** ID of the invitation. */
      invite_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    preview: (parameters: {
      /** The last part of the invitation link. */
      key: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** Name of the organization. */
      realm_name: string;
      /** Markdown. */
      realm_description: string;
      /** Name of the inviter. */
      invited_by: string;
      /** Role of the new account. */
      invited_as: number;
      /** E-mail address of the new account; null: the new user chooses it. */
      email: string | null;
      /** Whether to call `invites.confirmAddress` before accepting. */
      must_confirm_address: boolean;
      /** UNIX seconds; null: never. */
      expiry_date: number | null;
      /** Names of the channels that the new user will be subscribed to. */
      channels: string[];
      /** Names of the user groups that the new user will join. */
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
    confirmAddress: (parameters: {
      /** The last part of the invitation link. */
      key: string;
      /** Your e-mail address. */
      email: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Accept an invitation and create an account.
     *
     * Needs only the key of the link. The account gets the role, channels and groups of the invitation that the inviter can still give. Without a password, it has only its API key. If the role needs a second factor, the answer has no key: the first login with the password sets it up. If passwords are turned off, it has no key either: the person logs in elsewhere. For a multi-use link on a server that sends e-mail, confirm the address first (`invites.confirmAddress`). Then pass the key from that e-mail.
     *
     * @param parameters
     * - `key`: The last part of the invitation link.
     * - `email` (optional): Your e-mail address. Required for a multi-use link on a server that sends no e-mail.
     * - `full_name`: Your name, 2 to 100 characters.
     * - `password` (optional): At least 8 characters, and not the name or e-mail address.
     * - `timezone` (optional): IANA time zone, such as Europe/Copenhagen.
     * - `default_language` (optional): Code of your language, such as de or pt-BR.
     *
     * @throws BadRequest, AddressNotConfirmed, EmailAlreadyInUse, InvitationUnusable, PasswordAuthDisabled, PasswordTooWeak
     *
     * @example
     * await session.invites.accept({
     *   key: 'q1Zc7P0aXw9RkT3mB8vYdL2s',
     *   full_name: 'Ben Ngo',
     *   password: 'correct horse battery staple'
     * });
     */
    accept: (parameters: {
      /** The last part of the invitation link. */
      key: string;
      /** Your e-mail address. Required for a multi-use link on a server that sends no e-mail. */
      email?: string | undefined;
      /** Your name, 2 to 100 characters. */
      full_name: string;
      /** At least 8 characters, and not the name or e-mail address. */
      password?: string | undefined;
      /** IANA time zone, such as Europe/Copenhagen. */
      timezone?: string | undefined;
      /** Code of your language, such as de or pt-BR. */
      default_language?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<NewPasswordResult>>;
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
    tryWelcome: (parameters: {
      /** Text of the message from the welcome bot. */
      welcome_message_custom_text: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the message. */
      message_id: number;
    }>>;
  };
  profileFields: {
    /**
     * List the organization's custom profile fields.
     *
     * In the order of profiles.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The custom profile fields in their order. */
      custom_fields: ProfileFieldObject[];
    }>>;
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
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns. */
      field_type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
      /** For a list, the options by key: `{"0":{"text":"Vegan","order":"1"}}`. For an external account: `{"subtype":"github"}` or `{"subtype":"custom","url_pattern":"https://example.com/%(username)s"}`. */
      field_data?: FieldData | undefined;
      /** At most 40 characters; unique. Fixed for external accounts on known sites. */
      name?: string | undefined;
      /** Help text for the field, at most 80 characters. */
      hint?: string | undefined;
      /** Show it in profile summaries: at most 2 short fields. */
      display_in_profile_summary?: boolean | undefined;
      /** Whether clients remind users to fill it in. */
      required?: boolean | undefined;
      /** Whether users can edit it. If false, only administrators can. */
      editable_by_user?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the field. */
      id: number;
    }>>;
    /**
     * Change a custom profile field.
     *
     * Administrators only. The type cannot change. Removing an option of a list also removes it from all profiles. For external accounts on a known site, name, hint and data cannot change either.
     *
     * @param parameters
     * - `field_id`: ID of the custom profile field.
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
      /** ID of the custom profile field. */
      field_id: number;
      /** For a list, the options by key: `{"0":{"text":"Vegan","order":"1"}}`. For an external account: `{"subtype":"github"}` or `{"subtype":"custom","url_pattern":"https://example.com/%(username)s"}`. */
      field_data?: FieldData | undefined;
      /** At most 40 characters; unique. Fixed for external accounts on known sites. */
      name?: string | undefined;
      /** Help text for the field, at most 80 characters. */
      hint?: string | undefined;
      /** Show it in profile summaries: at most 2 short fields. */
      display_in_profile_summary?: boolean | undefined;
      /** Whether clients remind users to fill it in. */
      required?: boolean | undefined;
      /** Whether users can edit it. If false, only administrators can. */
      editable_by_user?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a custom profile field and its values in all profiles.
     *
     * Administrators only. This cannot be undone.
     *
     * @param parameters
     * - `field_id`: ID of the custom profile field.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.profileFields.remove({ field_id: 4 });
     */
    remove: (parameters: {
      /** ID of the custom profile field. */
      field_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    reorder: (parameters: {
      /** The IDs of all fields, each once. */
      order: readonly number[];
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    set: (parameters: {
      /** Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`. */
      data: ProfileDataParam;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    unset: (parameters: {
      /** IDs of the fields. */
      data: readonly number[];
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    upload: (parameters: {
      /** PNG, JPEG, GIF, WebP or AVIF. */
      file: BlobLike;
    }, options?: CallOptions) => Promise<Answer<{
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url: string;
    }>>;
    /**
     * Remove your avatar.
     *
     * You get the default avatar: generated by the server or from Gravatar (`default_avatar_source`).
     *
     * @throws BadRequest
     */
    remove: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url: string;
    }>>;
  };
  settings: {
    /**
     * Change your own name and settings.
     *
     * Most settings are preferences that the server only stores for clients. All given changes are applied, or none. A new password keeps your API key, invalidates password reset links and is reported to you by e-mail. Bearer tokens cannot set `email` or `new_password`.
     *
     * @param parameters
     * - `full_name` (optional): Display name, 2 to 100 characters.
     * - `email` (optional): New real e-mail address. It changes when you open the link in the e-mail to it. At most 2 e-mails per hour, 5 per day.
     * - `timezone` (optional): IANA time zone, such as Europe/Copenhagen; empty: unknown.
     * - `email_address_visibility` (optional): Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 no one, 5 moderators.
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
     * - `web_home_view` (optional): View to show first. `recent` is the newer name of `recent_topics`.
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
     * - `notification_sound` (optional): One of `available_notification_sounds`, or `none`.
     * - `desktop_icon_count_display` (optional): What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count.
     * - `email_notifications_batching_period_seconds` (optional): How long to collect messages before an e-mail notification, in seconds.
     * - `realm_name_in_email_notifications_policy` (optional): Name the organization in e-mail: 1 automatically, 2 always, 3 never.
     * - `enable_digest_emails` (optional): E-mail once a week about unread messages, if the organization has turned it on.
     * - `enable_login_emails` (optional): E-mail about logins from a new device or network.
     * - `enable_marketing_emails` (optional): Occasional announcements by e-mail.
     * - `automatically_follow_topics_policy` (optional): Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_unmute_topics_in_muted_streams_policy` (optional): Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never.
     * - `automatically_follow_topics_where_mentioned` (optional): Follow topics in which you are mentioned.
     * - `resolved_topic_notice_auto_read_policy` (optional): Whether notices of resolved topics are marked as read.
     * - `old_password` (optional): Your current password, if any. Required with new_password.
     * - `new_password` (optional): New password: at least 8 characters, and not your name or e-mail address. An empty string changes nothing.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required with `email` if your role is above member and needs a second factor.
     *
     * @throws BadRequest, FieldLocked, PasswordTooWeak, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.settings.edit({ timezone: 'Europe/Copenhagen' });
     */
    edit: (parameters?: {
      /** Allow exports to contain your private data. */
      allow_private_data_export?: boolean | undefined;
      /** Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined;
      /** Follow topics in which you are mentioned. */
      automatically_follow_topics_where_mentioned?: boolean | undefined;
      /** Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined;
      /** 1 automatic, 2 dark, 3 light. */
      color_scheme?: 1 | 2 | 3 | undefined;
      /** Code of the language, such as de or pt-BR. */
      default_language?: string | undefined;
      /** Move inactive channels down: 1 automatically, 2 always, 3 never. */
      demote_inactive_streams?: 1 | 2 | 3 | undefined;
      /** What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count. */
      desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined;
      /** Show the names of users who reacted. */
      display_emoji_reaction_users?: boolean | undefined;
      /** How long to collect messages before an e-mail notification, in seconds. */
      email_notifications_batching_period_seconds?: number | undefined;
      /** Emoji style. */
      emojiset?: 'google' | 'google-blob' | 'text' | 'twitter' | undefined;
      /** Desktop notifications of direct messages and mentions. */
      enable_desktop_notifications?: boolean | undefined;
      /** E-mail once a week about unread messages, if the organization has turned it on. */
      enable_digest_emails?: boolean | undefined;
      /** Store drafts on the server. Turning this off deletes the stored drafts. */
      enable_drafts_synchronization?: boolean | undefined;
      /** Sounds of followed topics. */
      enable_followed_topic_audible_notifications?: boolean | undefined;
      /** Desktop notifications of followed topics. */
      enable_followed_topic_desktop_notifications?: boolean | undefined;
      /** E-mail about followed topics. */
      enable_followed_topic_email_notifications?: boolean | undefined;
      /** Push notifications of followed topics. */
      enable_followed_topic_push_notifications?: boolean | undefined;
      /** Notify of wildcard mentions in followed topics. */
      enable_followed_topic_wildcard_mentions_notify?: boolean | undefined;
      /** E-mail about logins from a new device or network. */
      enable_login_emails?: boolean | undefined;
      /** Occasional announcements by e-mail. */
      enable_marketing_emails?: boolean | undefined;
      /** E-mail about direct messages and mentions while you are away. */
      enable_offline_email_notifications?: boolean | undefined;
      /** Push notifications of direct messages and mentions while you are away. */
      enable_offline_push_notifications?: boolean | undefined;
      /** Push notifications also while you are online. */
      enable_online_push_notifications?: boolean | undefined;
      /** Sounds of direct messages and mentions. */
      enable_sounds?: boolean | undefined;
      /** Sounds of channel messages. */
      enable_stream_audible_notifications?: boolean | undefined;
      /** Desktop notifications of channel messages. */
      enable_stream_desktop_notifications?: boolean | undefined;
      /** E-mail about channel messages. */
      enable_stream_email_notifications?: boolean | undefined;
      /** Push notifications of channel messages. */
      enable_stream_push_notifications?: boolean | undefined;
      /** Send messages with the Enter key. */
      enter_sends?: boolean | undefined;
      /** Use the whole width of the window. */
      fluid_layout_width?: boolean | undefined;
      /** Hide AI features. */
      hide_ai_features?: boolean | undefined;
      /** Use high contrast. */
      high_contrast_mode?: boolean | undefined;
      /** Show the list of people on the left. */
      left_side_userlist?: boolean | undefined;
      /** Show the text of messages in e-mail notifications. */
      message_content_in_email_notifications?: boolean | undefined;
      /** One of `available_notification_sounds`, or `none`. */
      notification_sound?: string | undefined;
      /** Show the text of direct messages in desktop notifications. */
      pm_content_in_desktop_notifications?: boolean | undefined;
      /** Let others see whether you are online. */
      presence_enabled?: boolean | undefined;
      /** Name the organization in e-mail: 1 automatically, 2 always, 3 never. */
      realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined;
      /** See that others type. */
      receives_typing_notifications?: boolean | undefined;
      /** Whether notices of resolved topics are marked as read. */
      resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined;
      /** Let others see that you type in direct messages. */
      send_private_typing_notifications?: boolean | undefined;
      /** Let others see which messages you have read. */
      send_read_receipts?: boolean | undefined;
      /** Let others see that you type in channels. */
      send_stream_typing_notifications?: boolean | undefined;
      /** Show how many messages are starred. */
      starred_message_counts?: boolean | undefined;
      /** Turn emoticons such as :) into emoji in your messages. */
      translate_emoticons?: boolean | undefined;
      /** Show times as 14:00 instead of 2:00 PM. */
      twenty_four_hour_time?: boolean | undefined;
      /** People in lists: 1 compact, 2 with status, 3 with picture and status. */
      user_list_style?: 1 | 2 | 3 | undefined;
      /** When to animate images. */
      web_animate_image_previews?: 'always' | 'never' | 'on_hover' | undefined;
      /** What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic. */
      web_channel_default_view?: 1 | 2 | 3 | 4 | undefined;
      /** Go to the home view with Escape. */
      web_escape_navigates_to_home_view?: boolean | undefined;
      /** Font size in pixels. Clients use 12 to 20. */
      web_font_size_px?: number | undefined;
      /** View to show first. `recent` is the newer name of `recent_topics`. */
      web_home_view?: 'all_messages' | 'inbox' | 'recent' | 'recent_topics' | undefined;
      /** Group channels by folder in the inbox. */
      web_inbox_show_channel_folders?: boolean | undefined;
      /** Group channels by folder in the sidebar. */
      web_left_sidebar_show_channel_folders?: boolean | undefined;
      /** Show the count of unread messages in the sidebar. */
      web_left_sidebar_unreads_count_summary?: boolean | undefined;
      /** Line height in percent of the font size. Clients use 122 to 158. */
      web_line_height_percent?: number | undefined;
      /** Mark read on scrolling: 1 always, 2 in conversations, 3 never. */
      web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined;
      /** Go to the conversation of a sent message. */
      web_navigate_to_sent_message?: boolean | undefined;
      /** Unread counts of channels: 1 all, 2 unmuted, 3 none. */
      web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined;
      /** Suggest updating the time zone if the device uses another. */
      web_suggest_update_timezone?: boolean | undefined;
      /** Notify of wildcard mentions, such as `@**all**`. */
      wildcard_mentions_notify?: boolean | undefined;
      /** Display name, 2 to 100 characters. */
      full_name?: string | undefined;
      /** New real e-mail address. It changes when you open the link in the e-mail to it. At most 2 e-mails per hour, 5 per day. */
      email?: string | undefined;
      /** IANA time zone, such as Europe/Copenhagen; empty: unknown. */
      timezone?: string | undefined;
      /** Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 no one, 5 moderators. */
      email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined;
      /** Your current password, if any. Required with new_password. */
      old_password?: string | undefined;
      /** New password: at least 8 characters, and not your name or e-mail address. An empty string changes nothing. */
      new_password?: string | undefined;
      /** Code of your authenticator app, or a recovery code. Required with `email` if your role is above member and needs a second factor. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Confirm a new e-mail address with the link in the e-mail to it.
     *
     * No login needed. The link works once, within 24 hours. The previous address gets a notice.
     *
     * @param parameters
     * - `token`: The last part of the link.
     *
     * @throws BadRequest, FieldLocked
     *
     * @example
     * await session.settings.confirmEmail({ token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc' });
     */
    confirmEmail: (parameters: {
      /** The last part of the link. */
      token: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** The new address of the account. */
      email: string;
    }>>;
    /**
     * Turn off e-mail notifications with the link in one of them.
     *
     * No login needed. Turns off e-mails of the same kind for the account: direct messages and mentions, followed topics, one channel, or the weekly e-mail. The link works until the account is deactivated.
     *
     * @param parameters
     * - `token`: The last part of the link.
     * - `is_undone` (optional): Turn these e-mails on again.
     *
     * @throws BadRequest
     *
     * @example
     * await session.settings.unsubscribe({ token: '5f0c1d2e3a4b5c6d7e8f90a1' });
     */
    unsubscribe: (parameters: {
      /** The last part of the link. */
      token: string;
      /** Turn these e-mails on again. */
      is_undone?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The e-mails that the link is about. */
      kind: 'channel' | 'digest' | 'followed topics' | 'mentions';
      /** Name of the channel, for the kind `channel`. */
      channel_name?: string | undefined;
      /** Whether the account gets such e-mails now. */
      is_on: boolean;
    }>>;
  };
  userSettingsDefaults: {
    /**
     * Change the default settings of new accounts.
     *
     * Existing accounts are not changed. All given changes are applied, or none.
     *
     * @param parameters
     * - `email_address_visibility` (optional): Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 no one, 5 moderators.
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
     * - `web_home_view` (optional): View to show first. `recent` is the newer name of `recent_topics`.
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
     * - `notification_sound` (optional): One of `available_notification_sounds`, or `none`.
     * - `desktop_icon_count_display` (optional): What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count.
     * - `email_notifications_batching_period_seconds` (optional): How long to collect messages before an e-mail notification, in seconds.
     * - `realm_name_in_email_notifications_policy` (optional): Name the organization in e-mail: 1 automatically, 2 always, 3 never.
     * - `enable_digest_emails` (optional): E-mail once a week about unread messages, if the organization has turned it on.
     * - `enable_login_emails` (optional): E-mail about logins from a new device or network.
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
      /** Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined;
      /** Follow topics in which you are mentioned. */
      automatically_follow_topics_where_mentioned?: boolean | undefined;
      /** Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined;
      /** 1 automatic, 2 dark, 3 light. */
      color_scheme?: 1 | 2 | 3 | undefined;
      /** Code of the language, such as de or pt-BR. */
      default_language?: string | undefined;
      /** Move inactive channels down: 1 automatically, 2 always, 3 never. */
      demote_inactive_streams?: 1 | 2 | 3 | undefined;
      /** What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count. */
      desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined;
      /** Show the names of users who reacted. */
      display_emoji_reaction_users?: boolean | undefined;
      /** How long to collect messages before an e-mail notification, in seconds. */
      email_notifications_batching_period_seconds?: number | undefined;
      /** Emoji style. */
      emojiset?: 'google' | 'google-blob' | 'text' | 'twitter' | undefined;
      /** Desktop notifications of direct messages and mentions. */
      enable_desktop_notifications?: boolean | undefined;
      /** E-mail once a week about unread messages, if the organization has turned it on. */
      enable_digest_emails?: boolean | undefined;
      /** Store drafts on the server. Turning this off deletes the stored drafts. */
      enable_drafts_synchronization?: boolean | undefined;
      /** Sounds of followed topics. */
      enable_followed_topic_audible_notifications?: boolean | undefined;
      /** Desktop notifications of followed topics. */
      enable_followed_topic_desktop_notifications?: boolean | undefined;
      /** E-mail about followed topics. */
      enable_followed_topic_email_notifications?: boolean | undefined;
      /** Push notifications of followed topics. */
      enable_followed_topic_push_notifications?: boolean | undefined;
      /** Notify of wildcard mentions in followed topics. */
      enable_followed_topic_wildcard_mentions_notify?: boolean | undefined;
      /** E-mail about logins from a new device or network. */
      enable_login_emails?: boolean | undefined;
      /** Occasional announcements by e-mail. */
      enable_marketing_emails?: boolean | undefined;
      /** E-mail about direct messages and mentions while you are away. */
      enable_offline_email_notifications?: boolean | undefined;
      /** Push notifications of direct messages and mentions while you are away. */
      enable_offline_push_notifications?: boolean | undefined;
      /** Push notifications also while you are online. */
      enable_online_push_notifications?: boolean | undefined;
      /** Sounds of direct messages and mentions. */
      enable_sounds?: boolean | undefined;
      /** Sounds of channel messages. */
      enable_stream_audible_notifications?: boolean | undefined;
      /** Desktop notifications of channel messages. */
      enable_stream_desktop_notifications?: boolean | undefined;
      /** E-mail about channel messages. */
      enable_stream_email_notifications?: boolean | undefined;
      /** Push notifications of channel messages. */
      enable_stream_push_notifications?: boolean | undefined;
      /** Send messages with the Enter key. */
      enter_sends?: boolean | undefined;
      /** Use the whole width of the window. */
      fluid_layout_width?: boolean | undefined;
      /** Hide AI features. */
      hide_ai_features?: boolean | undefined;
      /** Use high contrast. */
      high_contrast_mode?: boolean | undefined;
      /** Show the list of people on the left. */
      left_side_userlist?: boolean | undefined;
      /** Show the text of messages in e-mail notifications. */
      message_content_in_email_notifications?: boolean | undefined;
      /** One of `available_notification_sounds`, or `none`. */
      notification_sound?: string | undefined;
      /** Show the text of direct messages in desktop notifications. */
      pm_content_in_desktop_notifications?: boolean | undefined;
      /** Let others see whether you are online. */
      presence_enabled?: boolean | undefined;
      /** Name the organization in e-mail: 1 automatically, 2 always, 3 never. */
      realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined;
      /** See that others type. */
      receives_typing_notifications?: boolean | undefined;
      /** Whether notices of resolved topics are marked as read. */
      resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined;
      /** Let others see that you type in direct messages. */
      send_private_typing_notifications?: boolean | undefined;
      /** Let others see which messages you have read. */
      send_read_receipts?: boolean | undefined;
      /** Let others see that you type in channels. */
      send_stream_typing_notifications?: boolean | undefined;
      /** Show how many messages are starred. */
      starred_message_counts?: boolean | undefined;
      /** Turn emoticons such as :) into emoji in your messages. */
      translate_emoticons?: boolean | undefined;
      /** Show times as 14:00 instead of 2:00 PM. */
      twenty_four_hour_time?: boolean | undefined;
      /** People in lists: 1 compact, 2 with status, 3 with picture and status. */
      user_list_style?: 1 | 2 | 3 | undefined;
      /** When to animate images. */
      web_animate_image_previews?: 'always' | 'never' | 'on_hover' | undefined;
      /** What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic. */
      web_channel_default_view?: 1 | 2 | 3 | 4 | undefined;
      /** Go to the home view with Escape. */
      web_escape_navigates_to_home_view?: boolean | undefined;
      /** Font size in pixels. Clients use 12 to 20. */
      web_font_size_px?: number | undefined;
      /** View to show first. `recent` is the newer name of `recent_topics`. */
      web_home_view?: 'all_messages' | 'inbox' | 'recent' | 'recent_topics' | undefined;
      /** Group channels by folder in the inbox. */
      web_inbox_show_channel_folders?: boolean | undefined;
      /** Group channels by folder in the sidebar. */
      web_left_sidebar_show_channel_folders?: boolean | undefined;
      /** Show the count of unread messages in the sidebar. */
      web_left_sidebar_unreads_count_summary?: boolean | undefined;
      /** Line height in percent of the font size. Clients use 122 to 158. */
      web_line_height_percent?: number | undefined;
      /** Mark read on scrolling: 1 always, 2 in conversations, 3 never. */
      web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined;
      /** Go to the conversation of a sent message. */
      web_navigate_to_sent_message?: boolean | undefined;
      /** Unread counts of channels: 1 all, 2 unmuted, 3 none. */
      web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined;
      /** Suggest updating the time zone if the device uses another. */
      web_suggest_update_timezone?: boolean | undefined;
      /** Notify of wildcard mentions, such as `@**all**`. */
      wildcard_mentions_notify?: boolean | undefined;
      /** Who can see your e-mail address: 1 everyone, 2 members, 3 administrators, 4 no one, 5 moderators. */
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
      /** At most 60 characters, one line. Empty: removes the text. */
      status_text?: string | undefined;
      /** Name without colons, such as tada. Empty: removes the emoji. */
      emoji_name?: string | undefined;
      /** Code of the emoji within its `reaction_type`. Default: found by name. */
      emoji_code?: string | undefined;
      /** unicode_emoji, realm_emoji or zulip_extra_emoji. Default: found by name. */
      reaction_type?: string | undefined;
      /** Legacy: turns presence off, like the setting presence_enabled. */
      away?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Get the status of a user.
     *
     * @param parameters
     * - `user_id`: ID of the user.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userStatus.get({ user_id: 9 });
     */
    get: (parameters: {
      /** ID of the user. */
      user_id: number;
    }, options?: CallOptions) => Promise<Answer<{
      /** The status. */
      status: StatusObject;
    }>>;
    /**
     * Change or clear the status of a user.
     *
     * Omitted parts stay unchanged. Bots have no status.
     *
     * @param parameters
     * - `user_id`: ID of the user.
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
      /** At most 60 characters, one line. Empty: removes the text. */
      status_text?: string | undefined;
      /** Name without colons, such as tada. Empty: removes the emoji. */
      emoji_name?: string | undefined;
      /** Code of the emoji within its `reaction_type`. Default: found by name. */
      emoji_code?: string | undefined;
      /** unicode_emoji, realm_emoji or zulip_extra_emoji. Default: found by name. */
      reaction_type?: string | undefined;
      /** ID of the user. */
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
     * - `muted_user_id`: ID of the user to mute.
     *
     * @throws BadRequest
     *
     * @example
     * await session.mutedUsers.add({ muted_user_id: 9 });
     */
    add: (parameters: {
      /** ID of the user to mute. */
      muted_user_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Unmute a user.
     *
     * Messages sent while the user was muted stay read. Blocked users stay muted: use `users.unblock`.
     *
     * @param parameters
     * - `muted_user_id`: ID of the user to mute.
     *
     * @throws BadRequest
     *
     * @example
     * await session.mutedUsers.remove({ muted_user_id: 9 });
     */
    remove: (parameters: {
      /** ID of the user to mute. */
      muted_user_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  alertWords: {
    /**
     * List your alert words.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** In alphabetical order. */
      alert_words: string[];
    }>>;
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
    add: (parameters: {
      /** Words or phrases of at most 100 characters each. Empty strings are skipped. */
      alert_words: readonly string[];
    }, options?: CallOptions) => Promise<Answer<{
      /** All your alert words. */
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
    remove: (parameters: {
      /** Case is ignored. Unknown words are skipped. */
      alert_words: readonly string[];
    }, options?: CallOptions) => Promise<Answer<{
      /** Your remaining alert words. */
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
      /** Time of this response; UNIX seconds with a fraction. */
      server_timestamp: number;
      /** By API e-mail address. */
      presences: {
        [key: string]: {
          /** The newest report of all clients. */
          aggregated: {
            /** Name of the client that sent it. */
            client: 'website';
            /** Status in the last report. A user without a report for 200 seconds is offline. */
            status: 'active' | 'idle';
            /** Time of the last report; UNIX seconds. */
            timestamp: number;
          };
          /** The newest report of all clients. */
          website: {
            /** Name of the client that sent it. */
            client: 'website';
            /** Status in the last report. A user without a report for 200 seconds is offline. */
            status: 'active' | 'idle';
            /** Time of the last report; UNIX seconds. */
            timestamp: number;
            /** Always false. */
            pushable: false;
          };
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
      /** active: the user has used this client recently. */
      status: 'active' | 'idle';
      /** Only report; the response contains no presences. */
      ping_only?: boolean | undefined;
      /** Whether there was input since the last report. Not stored. */
      new_user_input?: boolean | undefined;
      /** Return presences by user ID, with two times each. */
      slim_presence?: boolean | undefined;
      /** Return only changes after this update, in the slim form; -1: all. */
      last_update_id?: number | undefined;
      /** Only users seen in this many days. Default: 14; with last_update_id: all. */
      history_limit_days?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** By API e-mail address, with the status. In the slim form: by user ID, with two times. */
      presences?: Presences | undefined;
      /** Time of this response; UNIX seconds with a fraction. */
      server_timestamp?: number | undefined;
      /** ID of the latest update included; -1 if there are no updates. */
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
    get: (parameters: {
      /** User ID, or real or placeholder e-mail address. */
      user_id_or_email: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** Presence by client. */
      presence: {
        /** The newest report of all clients. */
        aggregated: {
          /** offline: no report for 200 seconds. */
          status: 'active' | 'idle' | 'offline';
          /** Time of the last report; UNIX seconds. */
          timestamp: number;
        };
        /** The newest report of all clients. */
        website: {
          /** Status in the last report. */
          status: 'active' | 'idle';
          /** Time of the last report; UNIX seconds. */
          timestamp: number;
        };
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
     * - `include_external_ids` (optional): Include `external_id`. Only administrators get it.
     *
     * @throws BadRequest
     */
    list: (parameters?: {
      /** Include deactivated groups. */
      include_deactivated_groups?: boolean | undefined;
      /** Include `external_id`. Only administrators get it. */
      include_external_ids?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** The user groups. */
      user_groups: {
        /** Who can add members. */
        can_add_members_group: GroupSetting;
        /** Who can join the group. */
        can_join_group: GroupSetting;
        /** Who can leave the group. */
        can_leave_group: GroupSetting;
        /** Who can manage the group: settings and members. */
        can_manage_group: GroupSetting;
        /** Who can mention the group. */
        can_mention_group: GroupSetting;
        /** Who can remove members. */
        can_remove_members_group: GroupSetting;
        /** ID of the group. */
        id: number;
        /** Name. System groups have names such as `role:members`. */
        name: string;
        /** Plain text. */
        description: string;
        /** Time of creation: UNIX time in seconds. */
        date_created: number | null;
        /** User ID of the creator; null if none is known. */
        creator_id: number | null;
        /** The users. */
        members: number[];
        /** IDs of groups whose members also belong to the group. */
        direct_subgroup_ids: number[];
        /** Whether the software maintains the group. */
        is_system_group: boolean;
        /** Whether it is deactivated. */
        deactivated: boolean;
        /** ID in the embedding program (`chat.sync`). Only with `include_external_ids`, and absent if there is none. */
        external_id?: string | undefined;
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
      /** Who can add members. */
      can_add_members_group?: GroupSettingParam | undefined;
      /** Who can join the group. */
      can_join_group?: GroupSettingParam | undefined;
      /** Who can leave the group. */
      can_leave_group?: GroupSettingParam | undefined;
      /** Who can manage the group: settings and members. */
      can_manage_group?: GroupSettingParam | undefined;
      /** Who can mention the group. */
      can_mention_group?: GroupSettingParam | undefined;
      /** Who can remove members. */
      can_remove_members_group?: GroupSettingParam | undefined;
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Unique, ignoring case. At most 100 characters, without prefixes such as @ or role:. */
      name: string;
      /** At most 1024 characters. */
      description: string;
      /** Members of the group. Can be empty. */
      members: readonly number[];
      /** Groups whose members also belong to this group. */
      subgroups?: readonly number[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the new group. */
      group_id: number;
    }>>;
    /**
     * Change or reactivate a user group.
     *
     * Requires the permission to manage the group. All given changes are applied, or none.
     *
     * @param parameters
     * - `user_group_id`: ID of the user group.
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
      /** Who can add members. */
      can_add_members_group?: GroupSettingUpdateParam | undefined;
      /** Who can join the group. */
      can_join_group?: GroupSettingUpdateParam | undefined;
      /** Who can leave the group. */
      can_leave_group?: GroupSettingUpdateParam | undefined;
      /** Who can manage the group: settings and members. */
      can_manage_group?: GroupSettingUpdateParam | undefined;
      /** Who can mention the group. */
      can_mention_group?: GroupSettingUpdateParam | undefined;
      /** Who can remove members. */
      can_remove_members_group?: GroupSettingUpdateParam | undefined;
      /** At most 100 characters. */
      name?: string | undefined;
      /** At most 1024 characters. */
      description?: string | undefined;
      /** false reactivates a deactivated group. true has no effect. */
      deactivated?: boolean | undefined;
      /** ID of the user group. */
      user_group_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Deactivate a user group.
     *
     * Fails with a list of uses if an active group or permission contains it. Its members are kept.
     *
     * @param parameters
     * - `user_group_id`: ID of the user group.
     *
     * @throws BadRequest, CannotDeactivateGroupInUse, FieldLocked
     *
     * @example
     * await session.userGroups.deactivate({ user_group_id: 9 });
     */
    deactivate: (parameters: {
      /** ID of the user group. */
      user_group_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add users and groups to a user group, or remove them.
     *
     * All changes are applied, or none. Fails if a user to add is already a member or a user to remove is not. The notification bot messages the users, unless there are more than 1000.
     *
     * @param parameters
     * - `user_group_id`: ID of the user group.
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
      /** ID of the user group. */
      user_group_id: number;
      /** Users to add. Deactivated users are refused. */
      add?: readonly number[] | undefined;
      /** Users to remove. */
      delete?: readonly number[] | undefined;
      /** Groups to add. */
      add_subgroups?: readonly number[] | undefined;
      /** Groups to remove. */
      delete_subgroups?: readonly number[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add groups to a user group, or remove them.
     *
     * All changes are applied, or none. A group cannot contain itself, not even indirectly.
     *
     * @param parameters
     * - `user_group_id`: ID of the user group.
     * - `add` (optional): Groups to add. Deactivated groups are refused.
     * - `delete` (optional): Groups to remove.
     *
     * @throws BadRequest, FieldLocked
     *
     * @example
     * await session.userGroups.updateSubgroups({ user_group_id: 9, add: [ 10 ] });
     */
    updateSubgroups: (parameters: {
      /** ID of the user group. */
      user_group_id: number;
      /** Groups to add. Deactivated groups are refused. */
      add?: readonly number[] | undefined;
      /** Groups to remove. */
      delete?: readonly number[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List the members of a user group.
     *
     * Active accounts only. Includes members of subgroups.
     *
     * @param parameters
     * - `user_group_id`: ID of the user group.
     * - `direct_member_only` (optional): List only direct members.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.members({ user_group_id: 9 });
     */
    members: (parameters: {
      /** ID of the user group. */
      user_group_id: number;
      /** List only direct members. */
      direct_member_only?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** User IDs in ascending order. */
      members: number[];
    }>>;
    /**
     * List the subgroups of a user group.
     *
     * Includes indirect subgroups.
     *
     * @param parameters
     * - `user_group_id`: ID of the user group.
     * - `direct_subgroup_only` (optional): List only direct subgroups.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.subgroups({ user_group_id: 9 });
     */
    subgroups: (parameters: {
      /** ID of the user group. */
      user_group_id: number;
      /** List only direct subgroups. */
      direct_subgroup_only?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Group IDs in ascending order. */
      subgroups: number[];
    }>>;
    /**
     * Check whether a user is in a user group.
     *
     * Counts direct members and members of subgroups.
     *
     * @param parameters
     * - `user_group_id`: ID of the user group.
     * - `user_id`: ID of the user.
     * - `direct_member_only` (optional): Count only direct members.
     *
     * @throws BadRequest
     *
     * @example
     * await session.userGroups.isMember({ user_group_id: 9, user_id: 10 });
     */
    isMember: (parameters: {
      /** ID of the user group. */
      user_group_id: number;
      /** ID of the user. */
      user_id: number;
      /** Count only direct members. */
      direct_member_only?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Whether the user is a member. */
      is_user_group_member: boolean;
    }>>;
  };
  bots: {
    /**
     * List the bots that you own, with their API keys.
     *
     * Bearer tokens get the bots without keys. So do you for a bot with a role that needs a second factor, above member: call `bots.getApiKey`.
     *
     * @throws BadRequest
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The bots. */
      bots: BotObject[];
    }>>;
    /**
     * Create a bot that you own.
     *
     * Requires can_create_bots_group. For incoming-webhook bots, can_create_write_only_bots_group is enough. Bearer tokens cannot call it.
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
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Display name, 2 to 100 characters. */
      full_name: string;
      /** Becomes the e-mail address: <short_name>-bot@<host>. */
      short_name: string;
      /** 1: generic. 2: incoming webhook (can only send messages). 3: outgoing webhook (called for mentions and direct messages). */
      bot_type?: 1 | 2 | 3 | undefined;
      /** Outgoing webhooks only: the URL (http or https) to post messages to. */
      payload_url?: string | undefined;
      /** Outgoing webhooks: 1 JSON, 2 Slack. */
      interface_type?: 1 | 2 | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the user. */
      user_id: number;
      /** E-mail address of the bot. */
      username: string;
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email: string;
      /** Display name of the user. */
      full_name: string;
      /** Kind of the bot: 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
      bot_type: number;
      /** User ID of the owner; null if there is none. */
      owner_id: number | null;
      /** False if the account is deactivated. */
      is_active: boolean;
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url: string;
      /** Always null. */
      default_sending_stream: string | null;
      /** Always null. */
      default_events_register_stream: string | null;
      /** Always false. */
      default_all_public_streams: boolean;
      /** What the bot calls. Only for outgoing webhooks. */
      services: {
        /** URL that is called. */
        base_url: string;
        /** Format of the calls: 1 native, 2 Slack-compatible. */
        interface: number;
        /** Sent with each webhook call, to verify the caller. Only together with `api_key`. */
        token?: string | undefined;
      }[];
      /** API key. Keep it secret: it gives full access to the account. */
      api_key: string;
    }>>;
    /**
     * Change the name, role, owner, webhook or activation of a bot.
     *
     * For its owner and administrators. All changes are applied, or none. The API key stays the same. Bearer tokens cannot set `role` or `bot_owner_id` or `service_payload_url` or `is_active`.
     *
     * @param parameters
     * - `bot_id`: User ID of the bot.
     * - `full_name` (optional): Display name, 2 to 100 characters.
     * - `role` (optional): Administrators only. Only owners can change the owner role.
     * - `bot_owner_id` (optional): New owner: an active person who is not a guest.
     * - `service_payload_url` (optional): Outgoing webhooks only: the URL (http or https) to post messages to.
     * - `service_interface` (optional): Outgoing webhooks: 1 JSON, 2 Slack.
     * - `is_active` (optional): Reactivating requires the permission to create bots of its type.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, UnauthorizedPrincipal, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.bots.edit({ bot_id: 12, service_payload_url: 'https://example.com/ask' });
     */
    edit: (parameters: {
      /** Outgoing webhooks only: the URL (http or https) to post messages to. */
      service_payload_url?: string | undefined;
      /** Outgoing webhooks: 1 JSON, 2 Slack. */
      service_interface?: 1 | 2 | undefined;
      /** User ID of the bot. */
      bot_id: number;
      /** Display name, 2 to 100 characters. */
      full_name?: string | undefined;
      /** Administrators only. Only owners can change the owner role. */
      role?: 100 | 200 | 300 | 400 | 600 | undefined;
      /** New owner: an active person who is not a guest. */
      bot_owner_id?: number | undefined;
      /** Reactivating requires the permission to create bots of its type. */
      is_active?: boolean | undefined;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the user. */
      user_id: number;
      /** E-mail address of the bot. */
      username: string;
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email: string;
      /** Display name of the user. */
      full_name: string;
      /** Kind of the bot: 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
      bot_type: number;
      /** User ID of the owner; null if there is none. */
      owner_id: number | null;
      /** False if the account is deactivated. */
      is_active: boolean;
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url: string;
      /** Always null. */
      default_sending_stream: string | null;
      /** Always null. */
      default_events_register_stream: string | null;
      /** Always false. */
      default_all_public_streams: boolean;
      /** What the bot calls. Only for outgoing webhooks. */
      services: {
        /** URL that is called. */
        base_url: string;
        /** Format of the calls: 1 native, 2 Slack-compatible. */
        interface: number;
        /** Sent with each webhook call, to verify the caller. Only together with `api_key`. */
        token?: string | undefined;
      }[];
      /** API key. Keep it secret: it gives full access to the account. */
      api_key?: string | undefined;
      /** API e-mail address of the owner. */
      bot_owner?: string | undefined;
      /** URL that is called. */
      service_payload_url: string | null;
      /** Format of the calls: 1 native, 2 Slack-compatible. */
      service_interface: number;
      /** Configuration of the bot. */
      config_data: { [key: string]: string } | null;
    }>>;
    /**
     * Get the API key of a bot.
     *
     * For its owner and administrators. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `bot_id`: User ID of the bot.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.bots.getApiKey({ bot_id: 12 });
     */
    getApiKey: (parameters: {
      /** User ID of the bot. */
      bot_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** API key. Keep it secret: it gives full access to the account. */
      api_key: string;
    }>>;
    /**
     * Replace the API key of a bot.
     *
     * For its owner and administrators. The old key stops working immediately. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `bot_id`: User ID of the bot.
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.
     *
     * @throws BadRequest, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.bots.regenerateApiKey({ bot_id: 12 });
     */
    regenerateApiKey: (parameters: {
      /** User ID of the bot. */
      bot_id: number;
      /** Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** API key. Keep it secret: it gives full access to the account. */
      api_key: string;
    }>>;
    /**
     * Deactivate a bot.
     *
     * For its owner and administrators. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `bot_id`: User ID of the bot.
     *
     * @throws BadRequest
     *
     * @example
     * await session.bots.deactivate({ bot_id: 12 });
     */
    deactivate: (parameters: {
      /** User ID of the bot. */
      bot_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    get: (parameters?: {
      /** At most 5000 keys. Default: all keys. */
      keys?: readonly string[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Stored texts by key. */
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
    set: (parameters: {
      /** Object with at most 5000 keys. Values are strings. Keys have at most 500 characters, values 1000000. */
      storage: { [key: string]: string };
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    remove: (parameters?: {
      /** At most 5000 keys. Default: removes all keys. */
      keys?: readonly string[] | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  push: {
    /**
     * Register a device for encrypted push notifications.
     *
     * The push services cannot read the notifications. The server registers the device at the push relay in the background and reports the result in a push_device event. Repeating a registration changes nothing, unless it has failed. Bearer tokens cannot call it.
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
      /** Push service of the device: Google (fcm) or Apple (apns). */
      token_kind: 'apns' | 'fcm';
      /** Random number chosen by the client for this account. Notifications contain it. */
      push_account_id: number;
      /** Public Curve25519 key of the client: 32 bytes in base64. */
      push_public_key: string;
      /** Public key of the push relay, used to encrypt the registration. */
      bouncer_public_key: string;
      /** Token and metadata of the device, encrypted for the push relay, in base64. */
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
    sendTest: (parameters?: {
      /** Send to this device only. Default: all your devices. */
      push_account_id?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Get the public key for push notifications in browsers.
     *
     * Pass it to `pushManager.subscribe` of the browser as `applicationServerKey`. Then call push.addBrowser. Tokens that are limited to rooms can call it.
     *
     * @throws BadRequest, PushServiceNotConfigured
     *
     * @example
     * await session.push.getWebKey();
     */
    getWebKey: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The `applicationServerKey` for `pushManager.subscribe`, in base64url. */
      public_key: string;
    }>>;
    /**
     * Replace the keys for push notifications in browsers.
     *
     * Removes all browsers, because their subscriptions are for the old key. A browser subscribes again when it opens a page of the chat.
     *
     * @throws BadRequest, UnauthorizedPrincipal, PushServiceNotConfigured
     *
     * @example
     * await session.push.regenerateWebKey();
     */
    regenerateWebKey: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The `applicationServerKey` for `pushManager.subscribe`, in base64url. */
      public_key: string;
    }>>;
    /**
     * Add a browser for push notifications.
     *
     * Pass the subscription of the browser for the key of push.getWebKey. Call it whenever a page opens: the browser gets notifications for 30 days after the last call, or until its login cookie or token expires. If another account added the endpoint, it moves to your account. A new API key, a new password and `tokens.revoke` remove the browser. At most 10 browsers per account: a new one replaces the oldest. With a token for rooms, the browser gets only messages of these rooms, also after the token has expired. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `endpoint`: URL at the push service of the browser: `endpoint` of its subscription. At most 1000 characters.
     * - `public_key`: Public key of the subscription (`p256dh`), in base64url.
     * - `auth_secret`: Secret of the subscription (`auth`), in base64url.
     *
     * @throws BadRequest, PushServiceNotConfigured
     *
     * @example
     * await session.push.addBrowser({
     *   endpoint: 'https://push.example.com/send/c0ffee',
     *   public_key: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
     *   auth_secret: 'FPssNDTKnInHVndSTdbKFw'
     * });
     */
    addBrowser: (parameters: {
      /** URL at the push service of the browser: `endpoint` of its subscription. At most 1000 characters. */
      endpoint: string;
      /** Public key of the subscription (`p256dh`), in base64url. */
      public_key: string;
      /** Secret of the subscription (`auth`), in base64url. */
      auth_secret: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a browser from push notifications.
     *
     * Changes nothing if you have no browser with this endpoint. Tokens that are limited to rooms can call it.
     *
     * @param parameters
     * - `endpoint`: URL at the push service of the browser: `endpoint` of its subscription. At most 1000 characters.
     *
     * @throws BadRequest
     *
     * @example
     * await session.push.removeBrowser({ endpoint: 'https://push.example.com/send/c0ffee' });
     */
    removeBrowser: (parameters: {
      /** URL at the push service of the browser: `endpoint` of its subscription. At most 1000 characters. */
      endpoint: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add a device for unencrypted push notifications by its token at Apple's service.
     *
     * Notifications are not encrypted. Clients that support encryption use push.register. If the push relay cannot be reached, it gets the token later. Bearer tokens cannot call it.
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
    addApnsToken: (parameters: {
      /** ID of the app: letters, digits, dots and hyphens. */
      appid: string;
      /** Token of the device at the push service, 1 to 4096 characters. */
      token: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    removeApnsToken: (parameters: {
      /** Token of the device at the push service, 1 to 4096 characters. */
      token: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Add a device for unencrypted push notifications by its token at Google's service.
     *
     * Notifications are not encrypted. Clients that support encryption use push.register. If the push relay cannot be reached, it gets the token later. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `token`: Token of the device at the push service, 1 to 4096 characters.
     *
     * @throws BadRequest, AdminActionRequired
     *
     * @example
     * await session.push.addFcmToken({ token: 'fcm-token' });
     */
    addFcmToken: (parameters: {
      /** Token of the device at the push service, 1 to 4096 characters. */
      token: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    removeFcmToken: (parameters: {
      /** Token of the device at the push service, 1 to 4096 characters. */
      token: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Send an unencrypted test notification to your own devices.
     *
     * For devices with a token. The push relay notifies all of them, also if `token` names one. Returns when the relay has accepted the notification. Without a push relay, fails with 403 ADMIN_ACTION_REQUIRED, unless you have no device.
     *
     * @param parameters
     * - `token` (optional): Token of the device at the push service, 1 to 4096 characters.
     *
     * @throws BadRequest, InvalidPushDeviceToken, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer
     *
     * @example
     * await session.push.sendPlainTest({ token: 'fcm-token' });
     */
    sendPlainTest: (parameters?: {
      /** Token of the device at the push service, 1 to 4096 characters. */
      token?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  organization: {
    /**
     * Upload the icon of the organization.
     *
     * Crops the image to a centered square, in 100x100 and 500x500 pixels. Uses the first frame. Everyone can see it, also without an account: apps and the login page show it.
     *
     * @param parameters
     * - `file`: PNG, JPEG, GIF, WebP or AVIF.
     *
     * @throws BadRequest, UnauthorizedPrincipal, BadImage
     */
    uploadIcon: (parameters: {
      /** PNG, JPEG, GIF, WebP or AVIF. */
      file: BlobLike;
    }, options?: CallOptions) => Promise<Answer<{
      /** URL of the icon of the organization. */
      icon_url: string;
    }>>;
    /**
     * Remove the icon of the organization.
     *
     * The default icon of the server returns.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     */
    removeIcon: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** URL of the icon of the organization. */
      icon_url: string;
    }>>;
    /**
     * Upload the logo of the organization.
     *
     * Scales the image to at most 800x100 pixels. Uses the first frame. The web app shows it in place of the name of the organization.
     *
     * @param parameters
     * - `file`: PNG, JPEG, GIF, WebP or AVIF.
     * - `night` (optional): The logo for dark backgrounds. Without one, clients show the other logo there.
     *
     * @throws BadRequest, UnauthorizedPrincipal, BadImage
     */
    uploadLogo: (parameters: {
      /** PNG, JPEG, GIF, WebP or AVIF. */
      file: BlobLike;
      /** The logo for dark backgrounds. Without one, clients show the other logo there. */
      night?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** URL of the logo. */
      logo_url: string;
    }>>;
    /**
     * Remove the logo of the organization.
     *
     * The web app shows the name of the organization again.
     *
     * @param parameters
     * - `night` (optional): The logo for dark backgrounds. Without one, clients show the other logo there.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     */
    removeLogo: (parameters?: {
      /** The logo for dark backgrounds. Without one, clients show the other logo there. */
      night?: boolean | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** URL of the logo. */
      logo_url: string;
    }>>;
    /**
     * Change the organization's name, settings and permissions.
     *
     * All given changes are applied, or none. The answer has the changed settings; a text is `updated`. Only owners can change can_invite_users_group, create_multiuse_invite_group, emails_restricted_to_domains, message_retention_days, password_login and waiting_period_threshold. To require a second factor of fewer roles, or to turn off passwords, you may need `code`. Bearer tokens cannot set `can_create_bots_group` or `can_invite_users_group` or `create_multiuse_invite_group` or `disallow_disposable_email_addresses` or `emails_restricted_to_domains` or `password_login` or `second_factor_required_for`.
     *
     * @param parameters
     * - `name` (optional): At most 40 characters.
     * - `description` (optional): Markdown.
     * - `allow_message_editing` (optional): Whether users can edit their messages.
     * - `avatar_changes_disabled` (optional): Whether only administrators can change avatars.
     * - `default_avatar_source` (optional): Default avatar. J: generated by the server. G: from Gravatar, which receives a hash of the e-mail address.
     * - `default_code_block_language` (optional): Language of code blocks without a language. Empty: plain text.
     * - `digest_emails_enabled` (optional): Send an e-mail about unread messages to users who are away, once a week.
     * - `digest_weekday` (optional): Day of the weekly e-mail, at 9:00 UTC. 0: Monday.
     * - `disallow_disposable_email_addresses` (optional): Refuse new accounts with disposable e-mail addresses.
     * - `email_changes_disabled` (optional): Whether only administrators can change their e-mail addresses.
     * - `emails_restricted_to_domains` (optional): Whether to accept only e-mail addresses of the allowed domains (`allowedDomains`). Existing accounts keep their addresses. disallow_disposable_email_addresses then has no effect.
     * - `enable_read_receipts` (optional): Whether users can see who has read a message.
     * - `enable_spectator_access` (optional): Whether people without an account can read web-public channels.
     * - `inline_url_embed_preview` (optional): Show title, description and picture of linked pages below messages. The server then fetches the pages. No effect if the operator has turned it off (`server_inline_url_embed_preview`).
     * - `max_invites` (optional): How many people each user, except administrators, can invite a day.
     * - `message_content_allowed_in_email_notifications` (optional): Whether e-mail notifications may contain the text of messages.
     * - `message_content_delete_limit_seconds` (optional): How long users can delete their messages, in seconds, or unlimited.
     * - `message_content_edit_limit_seconds` (optional): How long users can edit their messages, in seconds, or unlimited.
     * - `message_edit_history_visibility_policy` (optional): Edit history shown to users.
     * - `message_retention_days` (optional): Days after which messages are deleted, including starred messages, or unlimited. Channels can override it.
     * - `moderation_request_channel_id` (optional): ID of the private channel for reported messages; -1: none.
     * - `move_messages_between_streams_limit_seconds` (optional): How long messages can be moved to another channel, in seconds, or unlimited.
     * - `move_messages_within_stream_limit_seconds` (optional): How long messages can be moved to another topic, in seconds, or unlimited.
     * - `name_changes_disabled` (optional): Whether only administrators can change names.
     * - `new_stream_announcements_stream_id` (optional): ID of the channel that announces new channels; -1: none.
     * - `password_login` (optional): Whether users can log in with passwords of the chat. Passwords in a directory, identity providers and API keys work in any case.
     * - `presence_disabled` (optional): Whether to hide the presence of all users.
     * - `require_e2ee_push_notifications` (optional): Omit the message text in push notifications without encryption.
     * - `require_unique_names` (optional): Whether names must be unique.
     * - `second_factor_required_for` (optional): Roles that need a second factor for passwords, with all higher roles. Users without one set it up at their next login. Logins and API keys that exist keep working.
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
     * - `code` (optional): Code of your authenticator app, or a recovery code. Required to weaken `second_factor_required_for`, or to turn off passwords while it is not `nobody`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, ExpectationMismatch, SystemGroupRequired, RateLimitHit, SecondFactorNeeded
     *
     * @example
     * await session.organization.edit({ message_content_edit_limit_seconds: 3600 });
     */
    edit: (parameters?: {
      /** Who can see all users. role:everyone includes guests. With role:members, guests see only users they share a conversation with. */
      can_access_all_users_group?: GroupSettingUpdateParam | undefined;
      /** Who can add custom emoji. */
      can_add_custom_emoji_group?: GroupSettingUpdateParam | undefined;
      /** Who can subscribe others to channels. */
      can_add_subscribers_group?: GroupSettingUpdateParam | undefined;
      /** Who can create bots. */
      can_create_bots_group?: GroupSettingUpdateParam | undefined;
      /** Who can create user groups. */
      can_create_groups?: GroupSettingUpdateParam | undefined;
      /** Who can create private channels. */
      can_create_private_channel_group?: GroupSettingUpdateParam | undefined;
      /** Who can create public channels. */
      can_create_public_channel_group?: GroupSettingUpdateParam | undefined;
      /** Who can create web-public channels. */
      can_create_web_public_channel_group?: GroupSettingUpdateParam | undefined;
      /** Who can create bots that only send messages. */
      can_create_write_only_bots_group?: GroupSettingUpdateParam | undefined;
      /** Who can delete any message. */
      can_delete_any_message_group?: GroupSettingUpdateParam | undefined;
      /** Who can delete their own messages. */
      can_delete_own_message_group?: GroupSettingUpdateParam | undefined;
      /** Who can invite people by e-mail. */
      can_invite_users_group?: GroupSettingUpdateParam | undefined;
      /** Who can manage all user groups. */
      can_manage_all_groups?: GroupSettingUpdateParam | undefined;
      /** Who can use wildcard mentions in large channels and topics. */
      can_mention_many_users_group?: GroupSettingUpdateParam | undefined;
      /** Who can move messages to another channel. */
      can_move_messages_between_channels_group?: GroupSettingUpdateParam | undefined;
      /** Who can move messages to another topic. */
      can_move_messages_between_topics_group?: GroupSettingUpdateParam | undefined;
      /** Who can resolve topics. */
      can_resolve_topics_group?: GroupSettingUpdateParam | undefined;
      /** Who can set who deletes messages in a channel. */
      can_set_delete_message_policy_group?: GroupSettingUpdateParam | undefined;
      /** Who can set topics policies of channels. */
      can_set_topics_policy_group?: GroupSettingUpdateParam | undefined;
      /** Who can create multi-use invitation links. */
      create_multiuse_invite_group?: GroupSettingUpdateParam | undefined;
      /** Who can start direct message conversations. */
      direct_message_initiator_group?: GroupSettingUpdateParam | undefined;
      /** Direct messages need a participant from this group. */
      direct_message_permission_group?: GroupSettingUpdateParam | undefined;
      /** At most 40 characters. */
      name?: string | undefined;
      /** Markdown. */
      description?: string | undefined;
      /** Whether users can edit their messages. */
      allow_message_editing?: boolean | undefined;
      /** Whether only administrators can change avatars. */
      avatar_changes_disabled?: boolean | undefined;
      /** Default avatar. J: generated by the server. G: from Gravatar, which receives a hash of the e-mail address. */
      default_avatar_source?: 'G' | 'J' | undefined;
      /** Language of code blocks without a language. Empty: plain text. */
      default_code_block_language?: string | undefined;
      /** Send an e-mail about unread messages to users who are away, once a week. */
      digest_emails_enabled?: boolean | undefined;
      /** Day of the weekly e-mail, at 9:00 UTC. 0: Monday. */
      digest_weekday?: number | undefined;
      /** Refuse new accounts with disposable e-mail addresses. */
      disallow_disposable_email_addresses?: boolean | undefined;
      /** Whether only administrators can change their e-mail addresses. */
      email_changes_disabled?: boolean | undefined;
      /** Whether to accept only e-mail addresses of the allowed domains (`allowedDomains`). Existing accounts keep their addresses. disallow_disposable_email_addresses then has no effect. */
      emails_restricted_to_domains?: boolean | undefined;
      /** Whether users can see who has read a message. */
      enable_read_receipts?: boolean | undefined;
      /** Whether people without an account can read web-public channels. */
      enable_spectator_access?: boolean | undefined;
      /** Show title, description and picture of linked pages below messages. The server then fetches the pages. No effect if the operator has turned it off (`server_inline_url_embed_preview`). */
      inline_url_embed_preview?: boolean | undefined;
      /** How many people each user, except administrators, can invite a day. */
      max_invites?: number | undefined;
      /** Whether e-mail notifications may contain the text of messages. */
      message_content_allowed_in_email_notifications?: boolean | undefined;
      /** How long users can delete their messages, in seconds, or unlimited. */
      message_content_delete_limit_seconds?: 'unlimited' | number | undefined;
      /** How long users can edit their messages, in seconds, or unlimited. */
      message_content_edit_limit_seconds?: 'unlimited' | number | undefined;
      /** Edit history shown to users. */
      message_edit_history_visibility_policy?: 'all' | 'moves' | 'none' | undefined;
      /** Days after which messages are deleted, including starred messages, or unlimited. Channels can override it. */
      message_retention_days?: 'unlimited' | number | undefined;
      /** ID of the private channel for reported messages; -1: none. */
      moderation_request_channel_id?: number | undefined;
      /** How long messages can be moved to another channel, in seconds, or unlimited. */
      move_messages_between_streams_limit_seconds?: 'unlimited' | number | undefined;
      /** How long messages can be moved to another topic, in seconds, or unlimited. */
      move_messages_within_stream_limit_seconds?: 'unlimited' | number | undefined;
      /** Whether only administrators can change names. */
      name_changes_disabled?: boolean | undefined;
      /** ID of the channel that announces new channels; -1: none. */
      new_stream_announcements_stream_id?: number | undefined;
      /** Whether users can log in with passwords of the chat. Passwords in a directory, identity providers and API keys work in any case. */
      password_login?: boolean | undefined;
      /** Whether to hide the presence of all users. */
      presence_disabled?: boolean | undefined;
      /** Omit the message text in push notifications without encryption. */
      require_e2ee_push_notifications?: boolean | undefined;
      /** Whether names must be unique. */
      require_unique_names?: boolean | undefined;
      /** Roles that need a second factor for passwords, with all higher roles. Users without one set it up at their next login. Logins and API keys that exist keep working. */
      second_factor_required_for?: 'administrators' | 'everyone' | 'members' | 'moderators' | 'nobody' | 'owners' | undefined;
      /** Whether the notification bot posts changes of a channel in it. */
      send_channel_events_messages?: boolean | undefined;
      /** Whether messages need a topic. */
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | undefined;
      /** Days until a new member becomes a full member. */
      waiting_period_threshold?: number | undefined;
      /** Markdown text that the welcome bot sends to users who accept an invitation. Empty: no message. Visible only to administrators. */
      welcome_message_custom_text?: string | undefined;
      /** Code of your authenticator app, or a recovery code. Required to weaken `second_factor_required_for`, or to turn off passwords while it is not `nobody`. */
      code?: string | undefined;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Say what guests, members and callers without an account can see and do.
     *
     * Marks what is unusual for the audience of the organization, for example customers who can read the messages of other customers.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     */
    audit: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** From `createOrganization`. */
      audience: 'customers' | 'team';
      /** First of callers without an account, then of guests and members. */
      findings: {
        /** `anonymous`: a caller without an account. */
        caller: 'anonymous' | 'guest' | 'member';
        /** What the caller can see or do. */
        text: string;
        /** Whether this is unusual for the audience of the organization. */
        is_unusual: boolean;
      }[];
    }>>;
    /**
     * Read the audit log (owners).
     *
     * Actions of administrators and owners, deleted and moved messages of others, logins, and refused requests. Entries contain the numbers of a request but not its texts. Refusals appear after a few seconds. For older entries, pass the lowest ID as `before_id`.
     *
     * @param parameters
     * - `before_id` (optional): Only entries with lower IDs.
     * - `since` (optional): Only entries since this time; UNIX seconds.
     * - `user_id` (optional): Only actions of this user, and logins to the account.
     * - `action` (optional): Only this operation, such as `users.edit`.
     * - `stream_id` (optional): Only actions in this channel.
     * - `limit` (optional): At most this number of entries, up to 1000.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     */
    auditLog: (parameters?: {
      /** Only entries with lower IDs. */
      before_id?: number | undefined;
      /** Only entries since this time; UNIX seconds. */
      since?: number | undefined;
      /** Only actions of this user, and logins to the account. */
      user_id?: number | undefined;
      /** Only this operation, such as `users.edit`. */
      action?: string | undefined;
      /** Only actions in this channel. */
      stream_id?: number | undefined;
      /** At most this number of entries, up to 1000. */
      limit?: number | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** Newest first. */
      entries: {
        /** Number of the entry. Numbers have gaps. */
        id: number;
        /** UNIX seconds. For repeated refusals: the last time. */
        timestamp: number;
        /** Name of the operation, or `authenticate` for a wrong API key. */
        action: string;
        /** User who did it; for a sign-in, the account. null if unknown. */
        user_id: number | null;
        /** HTTP status: 200, or that of the error. */
        status: number;
        /** Error code. null for a success. */
        code: string | null;
        /** Numbers of the request, and which texts it had. */
        details: { [key: string]: unknown };
        /** Name of the client program. */
        client: string;
        /** Network address of a refused caller. null for a success. */
        network: string | null;
        /** How often it happened: equal refusals share one entry. */
        times: number;
      }[];
      /** Whether the list contains the oldest entry. */
      found_oldest: boolean;
    }>>;
  };
  linkifiers: {
    /**
     * List linkifiers in the order in which they are applied.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The linkifiers in their order. */
      linkifiers: LinkifierObject[];
    }>>;
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
    create: (parameters: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** RE2 pattern such as `#(?P<id>[0-9]+)`. Unique. Matches whole words. */
      pattern: string;
      /** RFC 6570 URL template with the groups of the pattern, for example `https://issues.example.com/{id}`. */
      url_template: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the linkifier. */
      id: number;
    }>>;
    /**
     * Change a linkifier.
     *
     * It keeps its position in the list. Existing messages do not change.
     *
     * @param parameters
     * - `filter_id`: ID of the linkifier.
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
    edit: (parameters: {
      /** ID of the linkifier. */
      filter_id: number;
      /** RE2 pattern such as `#(?P<id>[0-9]+)`. Unique. Matches whole words. */
      pattern: string;
      /** RFC 6570 URL template with the groups of the pattern, for example `https://issues.example.com/{id}`. */
      url_template: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a linkifier.
     *
     * Existing messages keep their links.
     *
     * @param parameters
     * - `filter_id`: ID of the linkifier.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.linkifiers.remove({ filter_id: 1 });
     */
    remove: (parameters: {
      /** ID of the linkifier. */
      filter_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
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
    reorder: (parameters: {
      /** The IDs of all linkifiers, each once. */
      ordered_linkifier_ids: readonly number[];
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  playgrounds: {
    /**
     * List code playgrounds.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The playgrounds. */
      realm_playgrounds: PlaygroundObject[];
    }>>;
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
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** Display name. Unique within the language. */
      name: string;
      /** RFC 6570 URL template with the variable `code`, for example `https://play.example.com/?code={code}`. */
      url_template: string;
      /** Name of the Pygments lexer of the language, for example `Python`. */
      pygments_language: string;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the playground. */
      id: number;
    }>>;
    /**
     * Remove a code playground.
     *
     * @param parameters
     * - `playground_id`: ID of the playground.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.playgrounds.remove({ playground_id: 1 });
     */
    remove: (parameters: {
      /** ID of the playground. */
      playground_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  allowedDomains: {
    /**
     * List the allowed e-mail domains.
     *
     * The list takes effect if `emails_restricted_to_domains` is set.
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The allowed domains. */
      domains: {
        /** The domain, in lower case. */
        domain: string;
        /** Whether subdomains are allowed too. */
        allow_subdomains: boolean;
      }[];
    }>>;
    /**
     * Allow e-mail addresses of a domain.
     *
     * The list takes effect if `emails_restricted_to_domains` is set. Bearer tokens cannot call it.
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
    add: (parameters: {
      /** Domain, such as example.com. Case is ignored. */
      domain: string;
      /** Whether to allow subdomains too. */
      allow_subdomains: boolean;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Allow or disallow the subdomains of an allowed domain.
     *
     * Bearer tokens cannot call it.
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
    edit: (parameters: {
      /** Domain, such as example.com. Case is ignored. */
      domain: string;
      /** Whether to allow subdomains too. */
      allow_subdomains: boolean;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * Remove a domain from the allowed e-mail domains.
     *
     * Accounts keep their addresses. Removing the last domain also turns off `emails_restricted_to_domains`. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `domain`: Domain, such as example.com. Case is ignored.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.allowedDomains.remove({ domain: 'example.com' });
     */
    remove: (parameters: {
      /** Domain, such as example.com. Case is ignored. */
      domain: string;
    }, options?: CallOptions) => Promise<Answer<{}>>;
  };
  exports: {
    /**
     * Start an export of the organization (administrators).
     *
     * A background job makes a ZIP file of JSON Lines and uploaded files. You get a `realm_export` event and a direct message when it ends. At most 5 exports in 7 days. Bearer tokens cannot call it.
     *
     * @param parameters
     * - `export_type` (optional): 1: data that all members can see. 2: also private data of users who allow it with `allow_private_data_export`.
     * - `idempotency_key` (optional): Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`.
     *
     * @throws BadRequest, UnauthorizedPrincipal, IdempotencyKeyReused
     *
     * @example
     * await session.exports.create({ export_type: 1 });
     */
    create: (parameters?: {
      /** Makes a retry safe. Repeated with the same key within 24 hours, the call changes nothing and returns the first answer. Over HTTP also as the header `Idempotency-Key`. */
      idempotency_key?: string | undefined;
      /** 1: data that all members can see. 2: also private data of users who allow it with `allow_private_data_export`. */
      export_type?: 1 | 2 | undefined;
    }, options?: CallOptions) => Promise<Answer<{
      /** ID of the export. */
      id: number;
    }>>;
    /**
     * List exports of the organization (administrators).
     *
     * Download a file with a login of an administrator. Bearer tokens cannot call it.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     */
    list: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** The newest first, at most 100. */
      exports: DataExportList;
    }>>;
    /**
     * Delete the file of an export (administrators).
     *
     * Bearer tokens cannot call it.
     *
     * @param parameters
     * - `export_id`: ID of a finished export.
     *
     * @throws BadRequest, UnauthorizedPrincipal
     *
     * @example
     * await session.exports.remove({ export_id: 1 });
     */
    remove: (parameters: {
      /** ID of a finished export. */
      export_id: number;
    }, options?: CallOptions) => Promise<Answer<{}>>;
    /**
     * List which users allow exports of their private data (administrators).
     *
     * @throws BadRequest, UnauthorizedPrincipal
     */
    listConsents: (parameters?: {}, options?: CallOptions) => Promise<Answer<{
      /** Active users, without bots. */
      export_consents: {
        /** The user. */
        user_id: number;
        /** Value of `allow_private_data_export`. */
        consented: boolean;
      }[];
    }>>;
  };
}

/** What happened, as clients receive it, by `type` or `type/op`. */
export interface Events {
  /** The poll timed out without events. Poll again. */
  heartbeat: {
    /** Kind of the object or event. */
    type: 'heartbeat';
  };
  /** A message was sent. */
  message: {
    /** The message. */
    message: MessageObject;
    /** Your flags on the message, for example `read` or `mentioned`. */
    flags: string[];
    /** The `local_id` from the request. Only in the queue of the sending client. */
    local_message_id?: string | undefined;
    /** Kind of the object or event. */
    type: 'message';
  };
  /** A message's content was edited, or messages were moved to another topic or channel. */
  update_message: {
    /** User who made the change. */
    user_id: number | null;
    /** True if the user changed nothing: the server added previews of links, or erased the name of an account. Such messages do not count as edited. If only previews changed, the fields `orig_content` and `orig_rendered_content` are absent. */
    rendering_only: boolean;
    /** The edited message, or the message that the move started from. */
    message_id: number;
    /** IDs of all edited or moved messages, ascending. */
    message_ids: number[];
    /** Your flags on `message_id` after the change. */
    flags: string[];
    /** UNIX time in seconds. */
    edit_timestamp: number;
    /** Channel before the change. Absent for direct messages. */
    stream_id?: number | undefined;
    /** Name of this channel. */
    stream_name?: string | undefined;
    /** New channel. Without a subscription, the messages count as read. */
    new_stream_id?: number | undefined;
    /** Which part of the topic moved. Absent if nothing moved. */
    propagate_mode?: 'change_all' | 'change_later' | 'change_one' | undefined;
    /** Topic before the move. Absent if nothing moved. */
    orig_subject?: string | undefined;
    /** New topic, if the topic changed. */
    subject?: string | undefined;
    /** Links that linkifiers find in `subject`. */
    topic_links?:
      | {
          /** URL. */
          url: string;
          /** Text to show. */
          text: string;
        }[]
      | undefined;
    /** Markdown before the edit. This and the next fields are absent if the content was not edited. */
    orig_content?: string | undefined;
    /** HTML before the edit. */
    orig_rendered_content?: string | undefined;
    /** The text. */
    content?: string | undefined;
    /** The text as HTML. */
    rendered_content?: string | undefined;
    /** Whether the message begins with `/me`. */
    is_me_message?: boolean | undefined;
    /** Kind of the object or event. */
    type: 'update_message';
  };
  /** Messages were deleted, or moved to a place that you cannot read. Older clients get one event per message. */
  delete_message: {
    /** IDs in ascending order. Only for clients with `bulk_message_deletion`. */
    message_ids?: number[] | undefined;
    /** For other clients, which get one event per message. */
    message_id?: number | undefined;
    /** `stream` or `channel` for channel messages, `private` or `direct` for direct messages. */
    message_type: 'private' | 'stream';
    /** Channel of the messages. Absent for direct messages. */
    stream_id?: number | undefined;
    /** Topic of the messages. Absent for direct messages. */
    topic?: string | undefined;
    /** Kind of the object or event. */
    type: 'delete_message';
  };
  /** One of your flags was set on messages. */
  'update_message_flags/add': {
    /** Same as `op`, for older clients. */
    operation: 'add' | 'remove';
    /** `read`, `starred` or `collapsed`. */
    flag: string;
    /** Message IDs. */
    messages: number[];
    /** You marked all messages as read. Then `messages` is empty. Otherwise it is complete. */
    all: boolean;
    /** Kind of the object or event. */
    type: 'update_message_flags';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** One of your flags was cleared on messages. */
  'update_message_flags/remove': {
    /** Same as `op`, for older clients. */
    operation: 'add' | 'remove';
    /** `read`, `starred` or `collapsed`. */
    flag: string;
    /** Message IDs. */
    messages: number[];
    /** You marked all messages as read. Then `messages` is empty. Otherwise it is complete. */
    all: boolean;
    /** Messages that became unread, by ID, so that clients need not fetch them. */
    message_details?:
      | {
          [key: string]: {
            /** Kind of the object or event. */
            type: 'private' | 'stream';
            /** The message mentions you, directly or with a wildcard mention. */
            mentioned?: true | undefined;
            /** For channel messages. */
            stream_id?: number | undefined;
            /** For channel messages. */
            topic?: string | undefined;
            /** For channel messages: neither muted channel nor muted topic. */
            unmuted_stream_msg?: boolean | undefined;
            /** For direct messages: all participants except you. */
            user_ids?: number[] | undefined;
          };
        }
      | undefined;
    /** Kind of the object or event. */
    type: 'update_message_flags';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** A user added a reaction to a message. */
  'reaction/add': {
    /** ID of the message. */
    message_id: number;
    /** User who reacted. */
    user_id: number;
    /** The same user, for clients that do not read `user_id`. Some guests get a placeholder name. */
    user: {
      /** ID of the user. */
      user_id: number;
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email: string;
      /** Display name of the user. */
      full_name: string;
    };
    /** Name of the emoji. */
    emoji_name: string;
    /** ID of the emoji within its `reaction_type`. */
    emoji_code: string;
    /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
    reaction_type: ReactionType;
    /** Kind of the object or event. */
    type: 'reaction';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** A reaction was removed from a message. */
  'reaction/remove': {
    /** ID of the message. */
    message_id: number;
    /** User who reacted. */
    user_id: number;
    /** The same user, for clients that do not read `user_id`. Some guests get a placeholder name. */
    user: {
      /** ID of the user. */
      user_id: number;
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email: string;
      /** Display name of the user. */
      full_name: string;
    };
    /** Name of the emoji. */
    emoji_name: string;
    /** ID of the emoji within its `reaction_type`. */
    emoji_code: string;
    /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
    reaction_type: ReactionType;
    /** Kind of the object or event. */
    type: 'reaction';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** A user voted in a poll, or changed a poll or a to-do list. */
  submessage: {
    /** ID of the message. */
    message_id: number;
    /** User ID of the sender. */
    sender_id: number;
    /** `widget` for polls, to-do lists and their changes. */
    msg_type: string;
    /** JSON. */
    content: string;
    /** ID of the submessage. */
    submessage_id: number;
    /** Kind of the object or event. */
    type: 'submessage';
  };
  /** You scheduled a message. */
  'scheduled_messages/add': {
    /** The scheduled messages. */
    scheduled_messages: ScheduledMessageObject[];
    /** Kind of the object or event. */
    type: 'scheduled_messages';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** One of your scheduled messages was edited, or could not be sent. */
  'scheduled_messages/update': {
    /** The scheduled message. */
    scheduled_message: ScheduledMessageObject;
    /** Kind of the object or event. */
    type: 'scheduled_messages';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** One of your scheduled messages was sent or deleted. */
  'scheduled_messages/remove': {
    /** ID of the scheduled message. */
    scheduled_message_id: number;
    /** Kind of the object or event. */
    type: 'scheduled_messages';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** You set a reminder for a message. */
  'reminders/add': {
    /** Your reminders. */
    reminders: ReminderObject[];
    /** Kind of the object or event. */
    type: 'reminders';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** One of your reminders was sent or deleted. */
  'reminders/remove': {
    /** ID of the reminder. */
    reminder_id: number;
    /** Kind of the object or event. */
    type: 'reminders';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** All topics that you have muted. For older clients. */
  muted_topics: {
    /** Muted topics, for older clients: channel name, topic, and UNIX time. */
    muted_topics: [string, string, number][];
    /** Kind of the object or event. */
    type: 'muted_topics';
  };
  /** You muted, unmuted or followed a topic, or removed this setting. */
  user_topic: {
    /** ID of the channel. */
    stream_id: number;
    /** Topic. */
    topic_name: string;
    /** Time of the change: UNIX time in seconds. */
    last_updated: number;
    /** 0 none, 1 muted, 2 unmuted, 3 followed. */
    visibility_policy: 0 | 1 | 2 | 3;
    /** Kind of the object or event. */
    type: 'user_topic';
  };
  /** A user is typing a message. Expires after `server_typing_started_expiry_period_milliseconds`. */
  'typing/start': {
    /** `stream` or `channel` for channel messages, `private` or `direct` for direct messages. */
    message_type: 'direct' | 'stream';
    /** User who is typing. */
    sender: {
      /** ID of the user. */
      user_id: number;
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email: string;
    };
    /** For direct messages: all participants, including the sender. */
    recipients?:
      | {
          /** ID of the user. */
          user_id: number;
          /** E-mail address as the API shows it: the real one, or a placeholder. */
          email: string;
        }[]
      | undefined;
    /** For channel messages. */
    stream_id?: number | undefined;
    /** For channel messages. */
    topic?: string | undefined;
    /** Kind of the object or event. */
    type: 'typing';
    /** What happened: together with `type`, the kind of the event. */
    op: 'start';
  };
  /** A user stopped typing. */
  'typing/stop': {
    /** `stream` or `channel` for channel messages, `private` or `direct` for direct messages. */
    message_type: 'direct' | 'stream';
    /** User who is typing. */
    sender: {
      /** ID of the user. */
      user_id: number;
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email: string;
    };
    /** For direct messages: all participants, including the sender. */
    recipients?:
      | {
          /** ID of the user. */
          user_id: number;
          /** E-mail address as the API shows it: the real one, or a placeholder. */
          email: string;
        }[]
      | undefined;
    /** For channel messages. */
    stream_id?: number | undefined;
    /** For channel messages. */
    topic?: string | undefined;
    /** Kind of the object or event. */
    type: 'typing';
    /** What happened: together with `type`, the kind of the event. */
    op: 'stop';
  };
  /** A user is editing one of their messages. */
  'typing_edit_message/start': {
    /** User who is editing. */
    sender_id: number;
    /** ID of the message. */
    message_id: number;
    /** The conversation. */
    recipient:
      | {
          /** Kind of the object or event. */
          type: 'channel';
          /** ID of the channel. */
          channel_id: number;
          /** Topic. */
          topic: string;
        }
      | {
          /** Kind of the object or event. */
          type: 'direct';
          /** All participants. */
          user_ids: number[];
        };
    /** Kind of the object or event. */
    type: 'typing_edit_message';
    /** What happened: together with `type`, the kind of the event. */
    op: 'start';
  };
  /** A user stopped editing a message. */
  'typing_edit_message/stop': {
    /** User who is editing. */
    sender_id: number;
    /** ID of the message. */
    message_id: number;
    /** The conversation. */
    recipient:
      | {
          /** Kind of the object or event. */
          type: 'channel';
          /** ID of the channel. */
          channel_id: number;
          /** Topic. */
          topic: string;
        }
      | {
          /** Kind of the object or event. */
          type: 'direct';
          /** All participants. */
          user_ids: number[];
        };
    /** Kind of the object or event. */
    type: 'typing_edit_message';
    /** What happened: together with `type`, the kind of the event. */
    op: 'stop';
  };
  /** You saved drafts in another client. */
  'drafts/add': {
    /** Your drafts. */
    drafts: DraftObject[];
    /** Kind of the object or event. */
    type: 'drafts';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** You changed a draft in another client. Contains the complete draft. */
  'drafts/update': {
    /** The draft. */
    draft: DraftObject;
    /** Kind of the object or event. */
    type: 'drafts';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** You deleted a draft in another client. */
  'drafts/remove': {
    /** ID of the draft. */
    draft_id: number;
    /** Kind of the object or event. */
    type: 'drafts';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** You saved a snippet. */
  'saved_snippets/add': {
    /** The snippet. */
    saved_snippet: SnippetObject;
    /** Kind of the object or event. */
    type: 'saved_snippets';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** You changed a saved snippet. Contains the complete snippet. */
  'saved_snippets/update': {
    /** The snippet. */
    saved_snippet: SnippetObject;
    /** Kind of the object or event. */
    type: 'saved_snippets';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** You removed a saved snippet. */
  'saved_snippets/remove': {
    /** ID of the snippet. */
    saved_snippet_id: number;
    /** Kind of the object or event. */
    type: 'saved_snippets';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** You added a view to your sidebar. */
  'navigation_view/add': {
    /** The navigation view. */
    navigation_view: NavigationViewObject;
    /** Kind of the object or event. */
    type: 'navigation_view';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** You renamed, pinned or unpinned a view. Contains the changed fields. */
  'navigation_view/update': {
    /** Part of the URL after `#`, which identifies the view. */
    fragment: string;
    /** What changed, by name. */
    data: {
      /** Display name. */
      name?: string | undefined;
      /** Whether it is pinned. */
      is_pinned?: boolean | undefined;
    };
    /** Kind of the object or event. */
    type: 'navigation_view';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** You removed a view from your sidebar. */
  'navigation_view/remove': {
    /** Part of the URL after `#`, which identifies the view. */
    fragment: string;
    /** Kind of the object or event. */
    type: 'navigation_view';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** The reader uploaded a file. */
  'attachment/add': {
    /** The file. */
    attachment: AttachmentObject;
    /** Size of all files of the organization in bytes. */
    upload_space_used: number;
    /** Kind of the object or event. */
    type: 'attachment';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** The messages that link to a file of the reader changed. */
  'attachment/update': {
    /** The file. */
    attachment: AttachmentObject;
    /** Size of all files of the organization in bytes. */
    upload_space_used: number;
    /** Kind of the object or event. */
    type: 'attachment';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** A file of the reader was removed. */
  'attachment/remove': {
    /** The file. */
    attachment: {
      /** ID of the file. */
      id: number;
    };
    /** Size of all files of the organization in bytes. */
    upload_space_used: number;
    /** Kind of the object or event. */
    type: 'attachment';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** A custom emoji was added or deactivated. Contains all custom emoji by ID. */
  'realm_emoji/update': {
    /** Custom emoji by ID. */
    realm_emoji: { [key: string]: CustomEmojiObject };
    /** Kind of the object or event. */
    type: 'realm_emoji';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** Channels were created, or became visible to you. */
  'stream/create': {
    /** The channels. */
    streams: ChannelObject[];
    /** Kind of the object or event. */
    type: 'stream';
    /** What happened: together with `type`, the kind of the event. */
    op: 'create';
  };
  /** Channels were archived (older clients only), or are no longer visible to you. */
  'stream/delete': {
    /** The channels. */
    streams: {
      /** ID of the channel. */
      stream_id: number;
    }[];
    /** The same channels. */
    stream_ids: number[];
    /** Kind of the object or event. */
    type: 'stream';
    /** What happened: together with `type`, the kind of the event. */
    op: 'delete';
  };
  /** A property of a channel changed. */
  'stream/update': {
    /** Kind of the object or event. */
    type: 'stream';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
    /** ID of the channel. */
    stream_id: number;
    /** Name of the channel; the old name if the name changed. */
    name: string;
    /** Name of the changed property. */
    property: string;
    /** The new value. */
    value: unknown;
    /** With the property `description`. */
    rendered_description?: string | undefined;
    /** With the property `invite_only`. */
    history_public_to_subscribers?: boolean | undefined;
    /** With the property `invite_only`. */
    is_web_public?: boolean | undefined;
  };
  /** The default channels for new users changed. Contains the complete list. */
  default_streams: {
    /** IDs of channels that new users are subscribed to. */
    default_streams: number[];
    /** Kind of the object or event. */
    type: 'default_streams';
  };
  /** A channel folder was created. */
  'channel_folder/add': {
    /** The channel folder. */
    channel_folder: ChannelFolderObject;
    /** Kind of the object or event. */
    type: 'channel_folder';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** A channel folder was changed, archived or unarchived. Contains the fields that changed. */
  'channel_folder/update': {
    /** ID of the channel folder. */
    channel_folder_id: number;
    /** What changed, by name. */
    data: {
      /** Name of the folder. */
      name?: string | undefined;
      /** Markdown. */
      description?: string | undefined;
      /** The description as HTML. */
      rendered_description?: string | undefined;
      /** Whether it is archived. */
      is_archived?: boolean | undefined;
    };
    /** Kind of the object or event. */
    type: 'channel_folder';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** The order of the channel folders changed. */
  'channel_folder/reorder': {
    /** IDs of all folders in the new order. */
    order: number[];
    /** Kind of the object or event. */
    type: 'channel_folder';
    /** What happened: together with `type`, the kind of the event. */
    op: 'reorder';
  };
  /** You were subscribed to channels. */
  'subscription/add': {
    /** Channels with your settings for them. */
    subscriptions: SubscriptionObject[];
    /** Kind of the object or event. */
    type: 'subscription';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** You were unsubscribed from channels. */
  'subscription/remove': {
    /** Channels with your settings for them. */
    subscriptions: {
      /** ID of the channel. */
      stream_id: number;
      /** Display name. */
      name: string;
    }[];
    /** Kind of the object or event. */
    type: 'subscription';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** One of your personal settings for a channel changed. */
  'subscription/update': {
    /** ID of the channel. */
    stream_id: number;
    /** The field of the subscription that changed. */
    property: string;
    /** The new value. */
    value: unknown;
    /** Kind of the object or event. */
    type: 'subscription';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** Other users were subscribed to channels that are visible to you. */
  'subscription/peer_add': {
    /** IDs of the channels. */
    stream_ids: number[];
    /** IDs of the users. */
    user_ids: number[];
    /** Kind of the object or event. */
    type: 'subscription';
    /** What happened: together with `type`, the kind of the event. */
    op: 'peer_add';
  };
  /** Other users were unsubscribed from channels that are visible to you. */
  'subscription/peer_remove': {
    /** IDs of the channels. */
    stream_ids: number[];
    /** IDs of the users. */
    user_ids: number[];
    /** Kind of the object or event. */
    type: 'subscription';
    /** What happened: together with `type`, the kind of the event. */
    op: 'peer_remove';
  };
  /** An account was created, or the reader can see it now. It then replaces the placeholder account with this ID. */
  'realm_user/add': {
    /** Kind of the object or event. */
    type: 'realm_user';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
    /** The account. An update contains only what changed, and the ID. */
    person: UserObject;
  };
  /** An account changed. Contains its ID and the changed fields. */
  'realm_user/update': {
    /** The account. An update contains only what changed, and the ID. */
    person: {
      /** ID of the user. */
      user_id: number;
      /** U: uploaded. G: Gravatar. J: generated by the server. */
      avatar_source?: 'G' | 'J' | 'U' | undefined;
      /** URL of the avatar in 500 pixels. */
      avatar_url_medium?: string | undefined;
      /** The new value of one profile field; null if it was removed. */
      custom_profile_field?:
        | {
            /** ID, unique among records of this kind. */
            id: number;
            /** A string; also for a list of users, such as `[7,9]`. */
            value: string | null;
            /** HTML. Only for fields with Markdown. */
            rendered_value?: string | undefined;
          }
        | undefined;
      /** The new API e-mail address of the account. */
      new_email?: string | undefined;
      /** Real e-mail address; null if the caller cannot see it. */
      delivery_email?: string | null | undefined;
      /** API e-mail address: the real address, or a placeholder that works only in the API. */
      email?: string | undefined;
      /** Display name of the user. */
      full_name?: string | undefined;
      /** ISO 8601. */
      date_joined?: string | undefined;
      /** False if the account is deactivated. */
      is_active?: boolean | undefined;
      /** Whether the user is an owner. */
      is_owner?: boolean | undefined;
      /** Whether the user is an administrator or owner. */
      is_admin?: boolean | undefined;
      /** Whether the user is a guest. */
      is_guest?: boolean | undefined;
      /** Whether the account is a bot. */
      is_bot?: boolean | undefined;
      /** null: a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
      bot_type?: number | null | undefined;
      /** User ID of the owner of a bot; null for people and for bots without an owner. */
      bot_owner_id?: number | null | undefined;
      /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
      role?: number | undefined;
      /** IANA time zone; can be empty. Absent for callers without an account. */
      timezone?: string | undefined;
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url?: string | null | undefined;
      /** Rises with every new avatar. */
      avatar_version?: number | undefined;
      /** Values by the ID of the custom profile field. Absent for bots. */
      profile_data?: { [key: string]: ProfileValue } | undefined;
      /** Whether the account is a bot of the software. Absent: false. */
      is_system_bot?: boolean | undefined;
    };
    /** Kind of the object or event. */
    type: 'realm_user';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** The reader can no longer see an account. It is replaced by a placeholder account or removed. */
  'realm_user/remove': {
    /** Kind of the object or event. */
    type: 'realm_user';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
    /** The account. An update contains only what changed, and the ID. */
    person: {
      /** ID of the user. */
      user_id: number;
      /** Name of the placeholder account. */
      full_name: 'Unknown user';
    };
  };
  /** The invitations that the reader can list have changed. Fetch the list again. */
  invites_changed: {
    /** Kind of the object or event. */
    type: 'invites_changed';
  };
  /** Custom profile fields were added, changed, removed or reordered. Contains all fields. Values of removed fields and options are removed from profiles without further events. */
  custom_profile_fields: {
    /** All custom profile fields in their order. */
    fields: ProfileFieldObject[];
    /** Kind of the object or event. */
    type: 'custom_profile_fields';
  };
  /** A user allowed exports of private data, or does not allow them any more. Only for administrators. */
  realm_export_consent: {
    /** The user. */
    user_id: number;
    /** Value of `allow_private_data_export`. */
    consented: boolean;
    /** Kind of the object or event. */
    type: 'realm_export_consent';
  };
  /** One of the reader's own settings changed. */
  'user_settings/update': {
    /** Name of the changed setting. */
    property: string;
    /** The new value. */
    value: unknown;
    /** Name of the language, if the language changed. */
    language_name?: string | undefined;
    /** Kind of the object or event. */
    type: 'user_settings';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** One of the reader's display settings changed. Only for clients without `user_settings_object`. */
  update_display_settings: {
    /** The reader's e-mail address, as other users see it. */
    user: string;
    /** Name of the changed setting. */
    setting_name: string;
    /** The new value. */
    setting: unknown;
    /** Name of the language, if the language changed. */
    language_name?: string | undefined;
    /** Kind of the object or event. */
    type: 'update_display_settings';
  };
  /** One of the reader's notification settings changed. Only for clients without `user_settings_object`. */
  update_global_notifications: {
    /** The reader's e-mail address, as other users see it. */
    user: string;
    /** Name of the changed setting. */
    notification_name: string;
    /** The new value. */
    setting: unknown;
    /** Kind of the object or event. */
    type: 'update_global_notifications';
  };
  /** A default setting of new accounts changed. */
  'realm_user_settings_defaults/update': {
    /** Name of the changed setting. */
    property: string;
    /** The new value. */
    value: unknown;
    /** Kind of the object or event. */
    type: 'realm_user_settings_defaults';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** The status of a user changed, or the reader can see it now. Contains the changed parts. */
  user_status: {
    /** Kind of the object or event. */
    type: 'user_status';
    /** Legacy: whether presence is turned off. */
    away?: boolean | undefined;
    /** Empty: the text was removed. */
    status_text?: string | undefined;
    /** Empty, like emoji_code: the emoji was removed. */
    emoji_name?: string | undefined;
    /** Code points of a Unicode emoji, or ID of a custom emoji. */
    emoji_code?: string | undefined;
    /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
    reaction_type?: string | undefined;
    /** ID of the user. */
    user_id: number;
  };
  /** The reader's list of muted and blocked users changed. Contains the whole list. */
  muted_users: {
    /** The users that you muted. */
    muted_users: {
      /** ID of the muted user. */
      id: number;
      /** When the user was muted; UNIX seconds. */
      timestamp: number;
      /** You also block this user (`users.block`). */
      is_blocked?: true | undefined;
    }[];
    /** Kind of the object or event. */
    type: 'muted_users';
  };
  /** The reader's alert words changed. Contains all of them. */
  alert_words: {
    /** Your alert words. */
    alert_words: string[];
    /** Kind of the object or event. */
    type: 'alert_words';
  };
  /** A user came online. Sent if at most 100 users would get it. Otherwise, clients see the change in the response to their next report. */
  presence: {
    /** By user ID, for clients with simplified_presence_events. */
    presences?:
      | {
          [key: string]: {
            /** Time of the last report with the status active; UNIX seconds. */
            active_timestamp: number;
            /** Time of the last report; UNIX seconds. */
            idle_timestamp: number;
          };
        }
      | undefined;
    /** ID of the user. */
    user_id?: number | undefined;
    /** API e-mail address. */
    email?: string | undefined;
    /** UNIX seconds with a fraction. */
    server_timestamp?: number | undefined;
    /** Presence by client. */
    presence?:
      | {
          /** The newest report of all clients. */
          website: {
            /** Name of the client that sent it. */
            client: 'website';
            /** Status in the last report. A user without a report for 200 seconds is offline. */
            status: 'active' | 'idle';
            /** Time of the last report; UNIX seconds. */
            timestamp: number;
            /** Always false. */
            pushable: false;
          };
        }
      | undefined;
    /** Kind of the object or event. */
    type: 'presence';
  };
  /** A user group was created. Clients without deactivated groups also get it on reactivation. */
  'user_group/add': {
    /** The user group. */
    group: GroupObject;
    /** Kind of the object or event. */
    type: 'user_group';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** A property of a user group changed. */
  'user_group/update': {
    /** ID of the user group. */
    group_id: number;
    /** The new value by the name of the property. */
    data: {
      /** Who can add members. */
      can_add_members_group?: GroupSetting | undefined;
      /** Who can join the group. */
      can_join_group?: GroupSetting | undefined;
      /** Who can leave the group. */
      can_leave_group?: GroupSetting | undefined;
      /** Who can manage the group: settings and members. */
      can_manage_group?: GroupSetting | undefined;
      /** Who can mention the group. */
      can_mention_group?: GroupSetting | undefined;
      /** Who can remove members. */
      can_remove_members_group?: GroupSetting | undefined;
      /** Name. System groups have names such as `role:members`. */
      name?: string | undefined;
      /** Plain text. */
      description?: string | undefined;
      /** Whether it is deactivated. */
      deactivated?: boolean | undefined;
    };
    /** Kind of the object or event. */
    type: 'user_group';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** A user group was deactivated. Only for clients without support for deactivated groups. */
  'user_group/remove': {
    /** ID of the user group. */
    group_id: number;
    /** Kind of the object or event. */
    type: 'user_group';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** Users became direct members of a group, or members were reactivated. */
  'user_group/add_members': {
    /** Kind of the object or event. */
    type: 'user_group';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add_members';
    /** ID of the user group. */
    group_id: number;
    /** IDs of the users. */
    user_ids: number[];
  };
  /** Users were removed as direct members of a group, or members were deactivated. */
  'user_group/remove_members': {
    /** Kind of the object or event. */
    type: 'user_group';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove_members';
    /** ID of the user group. */
    group_id: number;
    /** IDs of the users. */
    user_ids: number[];
  };
  /** Direct subgroups were added to a group. */
  'user_group/add_subgroups': {
    /** ID of the user group. */
    group_id: number;
    /** IDs of groups whose members also belong to the group. */
    direct_subgroup_ids: number[];
    /** Kind of the object or event. */
    type: 'user_group';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add_subgroups';
  };
  /** Direct subgroups were removed from a group. */
  'user_group/remove_subgroups': {
    /** ID of the user group. */
    group_id: number;
    /** IDs of groups whose members also belong to the group. */
    direct_subgroup_ids: number[];
    /** Kind of the object or event. */
    type: 'user_group';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove_subgroups';
  };
  /** The reader owns or administers a new bot. Never contains the API key. */
  'realm_bot/add': {
    /** The bot. */
    bot: BotObject;
    /** Kind of the object or event. */
    type: 'realm_bot';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** A bot changed. Contains its ID and the changed fields. */
  'realm_bot/update': {
    /** The bot. */
    bot: {
      /** E-mail address of the bot. */
      username?: string | undefined;
      /** E-mail address as the API shows it: the real one, or a placeholder. */
      email?: string | undefined;
      /** Display name of the user. */
      full_name?: string | undefined;
      /** Kind of the bot: 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
      bot_type?: number | undefined;
      /** User ID of the owner; null if there is none. */
      owner_id?: number | null | undefined;
      /** False if the account is deactivated. */
      is_active?: boolean | undefined;
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url?: string | undefined;
      /** Always null. */
      default_sending_stream?: string | null | undefined;
      /** Always null. */
      default_events_register_stream?: string | null | undefined;
      /** Always false. */
      default_all_public_streams?: boolean | undefined;
      /** What the bot calls. Only for outgoing webhooks. */
      services?:
        | {
            /** URL that is called. */
            base_url: string;
            /** Format of the calls: 1 native, 2 Slack-compatible. */
            interface: number;
            /** Sent with each webhook call, to verify the caller. Only together with `api_key`. */
            token?: string | undefined;
          }[]
        | undefined;
      /** API key. Keep it secret: it gives full access to the account. */
      api_key?: string | undefined;
      /** ID of the user. */
      user_id: number;
    };
    /** Kind of the object or event. */
    type: 'realm_bot';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** The reader can no longer administer a bot. */
  'realm_bot/delete': {
    /** The bot. */
    bot: {
      /** ID of the user. */
      user_id: number;
    };
    /** Kind of the object or event. */
    type: 'realm_bot';
    /** What happened: together with `type`, the kind of the event. */
    op: 'delete';
  };
  /** The status of one of the reader's device registrations changed. */
  push_device: {
    /** The `push_account_id` of the registration, as a string. */
    push_account_id: string;
    /** The status. */
    status: 'active' | 'failed' | 'pending';
    /** Why it failed. Only if `status` is failed. */
    error_code?: string | undefined;
    /** Kind of the object or event. */
    type: 'push_device';
  };
  /** A setting of the organization changed. */
  'realm/update': {
    /** Name of the changed setting. */
    property: string;
    /** The new value. */
    value: unknown;
    /** Kind of the object or event. */
    type: 'realm';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update';
  };
  /** Settings of the organization changed. Contains the new values by name. */
  'realm/update_dict': {
    /** Name of the changed setting. */
    property: 'default' | 'icon' | 'logo' | 'night_logo';
    /** What changed, by name. */
    data: { [key: string]: unknown };
    /** Kind of the object or event. */
    type: 'realm';
    /** What happened: together with `type`, the kind of the event. */
    op: 'update_dict';
  };
  /** Linkifiers were added, changed, removed or reordered. Contains all linkifiers in order. */
  realm_linkifiers: {
    /** The linkifiers in their order. */
    realm_linkifiers: LinkifierObject[];
    /** Kind of the object or event. */
    type: 'realm_linkifiers';
  };
  /** A code playground was added or removed. Contains all playgrounds. */
  realm_playgrounds: {
    /** The playgrounds. */
    realm_playgrounds: PlaygroundObject[];
    /** Kind of the object or event. */
    type: 'realm_playgrounds';
  };
  /** A domain was added to the allowed domains. */
  'realm_domains/add': {
    /** The allowed domain. */
    realm_domain: {
      /** The domain, in lower case. */
      domain: string;
      /** Whether subdomains are allowed too. */
      allow_subdomains: boolean;
    };
    /** Kind of the object or event. */
    type: 'realm_domains';
    /** What happened: together with `type`, the kind of the event. */
    op: 'add';
  };
  /** The subdomains of an allowed domain were allowed or disallowed. */
  'realm_domains/change': {
    /** The allowed domain. */
    realm_domain: {
      /** The domain, in lower case. */
      domain: string;
      /** Whether subdomains are allowed too. */
      allow_subdomains: boolean;
    };
    /** Kind of the object or event. */
    type: 'realm_domains';
    /** What happened: together with `type`, the kind of the event. */
    op: 'change';
  };
  /** A domain was removed from the allowed domains. Accounts keep their addresses. */
  'realm_domains/remove': {
    /** The domain, in lower case. */
    domain: string;
    /** Kind of the object or event. */
    type: 'realm_domains';
    /** What happened: together with `type`, the kind of the event. */
    op: 'remove';
  };
  /** An export of the organization was started, finished, failed or was deleted. */
  realm_export: {
    /** The newest first, at most 100. */
    exports: DataExportList;
    /** Kind of the object or event. */
    type: 'realm_export';
  };
}

/** An event of a queue, with its id there. */
export type AnyEvent = Events[keyof Events] & {
  /** ID in the queue. Rises with every event. */
  id: number;
};

/** The state a client starts from, by fetch type. */
export interface States {
  onboarding_steps: {
    /** Always empty. */
    onboarding_steps: never[];
  };
  realm_filters: {
    /** Always empty. Replaced by `realm_linkifiers`. */
    realm_filters: never[];
  };
  stop_words: {
    /** Words that searches ignore. */
    stop_words: string[];
  };
  message: {
    /** ID of the newest message; -1 if there is none. */
    max_message_id: number;
  };
  update_message_flags: {
    /** Your unread messages. Contains the newest 50,000. */
    unread_msgs: {
      /** Number of items. */
      count: number;
      /** Unread messages of conversations with one other user. */
      pms: {
        /** ID of the other user of the conversation; your own ID for notes to yourself. */
        other_user_id: number;
        /** User ID of the sender. */
        sender_id: number;
        /** IDs of the unread messages, ascending. */
        unread_message_ids: number[];
      }[];
      /** The channels. */
      streams: {
        /** ID of the channel. */
        stream_id: number;
        /** Topic. */
        topic: string;
        /** IDs of the unread messages, ascending. */
        unread_message_ids: number[];
      }[];
      /** Unread messages of group conversations. */
      huddles: {
        /** User IDs of all participants, ascending, with commas between. */
        user_ids_string: string;
        /** IDs of the unread messages, ascending. */
        unread_message_ids: number[];
      }[];
      /** IDs of unread messages that mention you. */
      mentions: number[];
      /** Whether there are older unread messages than listed. */
      old_unreads_missing: boolean;
    };
  };
  recent_private_conversations: {
    /** Your recent direct conversations. */
    recent_private_conversations: {
      /** ID of the newest message; -1 if there is none. */
      max_message_id: number;
      /** IDs of the users. */
      user_ids: number[];
    }[];
  };
  starred_messages: {
    /** IDs of the messages that you starred. */
    starred_messages: number[];
  };
  scheduled_messages: {
    /** Sorted by time. Includes messages that could not be sent, until you edit or delete them. */
    scheduled_messages: ScheduledMessageObject[];
  };
  reminders: {
    /** Sorted by time. */
    reminders: ReminderObject[];
  };
  user_topic: {
    /** Your settings for topics. */
    user_topics: {
      /** ID of the channel. */
      stream_id: number;
      /** Topic. */
      topic_name: string;
      /** Time of the last change: UNIX time in seconds. */
      last_updated: number;
      /** Visibility: 1 muted, 2 unmuted, 3 followed. */
      visibility_policy: 1 | 2 | 3;
    }[];
  };
  muted_topics: {
    /** Muted topics, for older clients: channel name, topic, and UNIX time. */
    muted_topics: [string, string, number][];
  };
  drafts: {
    /** Your drafts. */
    drafts: DraftObject[];
  };
  saved_snippets: {
    /** Oldest first. */
    saved_snippets: SnippetObject[];
  };
  navigation_views: {
    /** Your navigation views. */
    navigation_views: NavigationViewObject[];
  };
  realm_emoji: {
    /** Custom emoji by ID. */
    realm_emoji: { [key: string]: CustomEmojiObject };
  };
  stream: {
    /** The channels. */
    streams: ChannelObject[];
  };
  default_streams: {
    /** IDs of channels that new users are subscribed to. */
    realm_default_streams: number[];
  };
  channel_folders: {
    /** The channel folders in their order. */
    channel_folders: ChannelFolderObject[];
  };
  subscription: {
    /** Channels with your settings for them. */
    subscriptions: SubscriptionObject[];
    /** Channels that you left and can still see. */
    unsubscribed: SubscriptionObject[];
    /** Channels that you can see and never subscribed to. */
    never_subscribed?: ChannelObject[];
  };
  realm_user: {
    /** Active accounts. */
    realm_users: UserObject[];
    /** Deactivated accounts. */
    realm_non_active_users: UserObject[];
    /** Bots of the software. */
    cross_realm_bots: UserObject[];
    /** ID of the user. */
    user_id: number;
    /** E-mail address as the API shows it: the real one, or a placeholder. */
    email: string;
    /** Real e-mail address; null if you cannot see it. */
    delivery_email: string;
    /** Display name of the user. */
    full_name: string;
    /** Whether the user is an owner. */
    is_owner: boolean;
    /** Whether the user is an administrator or owner. */
    is_admin: boolean;
    /** Whether the user is a moderator, administrator or owner. */
    is_moderator: boolean;
    /** Whether the user is a guest. */
    is_guest: boolean;
    /** Whether you can create private channels. */
    can_create_private_streams: boolean;
    /** Whether you can create public channels. */
    can_create_public_streams: boolean;
    /** Whether you can create channels of any kind. */
    can_create_streams: boolean;
    /** Whether you can create web-public channels. */
    can_create_web_public_streams: boolean;
    /** Whether you can subscribe others to channels. */
    can_subscribe_other_users: boolean;
    /** Whether you can invite people. */
    can_invite_others_to_realm: boolean;
    /** U: uploaded. G: Gravatar. J: generated by the server. */
    avatar_source: 'G' | 'J' | 'U';
    /** URL of the avatar. null: the client computes the Gravatar URL. */
    avatar_url: string;
    /** URL of the avatar in 500 pixels. */
    avatar_url_medium: string;
  };
  custom_profile_fields: {
    /** The custom profile fields in their order. */
    custom_profile_fields: ProfileFieldObject[];
    /** The types of custom profile fields. */
    custom_profile_field_types: {
      /** A short text. */
      SHORT_TEXT: {
        /** ID, unique among records of this kind. */
        id: 1;
        /** Display name. */
        name: 'Text (short)';
      };
      /** A long text with Markdown. */
      LONG_TEXT: {
        /** ID, unique among records of this kind. */
        id: 2;
        /** Display name. */
        name: 'Text (long)';
      };
      /** One of several options. */
      SELECT: {
        /** ID, unique among records of this kind. */
        id: 3;
        /** Display name. */
        name: 'List of options';
      };
      /** A date. */
      DATE: {
        /** ID, unique among records of this kind. */
        id: 4;
        /** Display name. */
        name: 'Date';
      };
      /** A link. */
      URL: {
        /** ID, unique among records of this kind. */
        id: 5;
        /** Display name. */
        name: 'Link';
      };
      /** Users. */
      USER: {
        /** ID, unique among records of this kind. */
        id: 6;
        /** Display name. */
        name: 'Users';
      };
      /** An account on another site. */
      EXTERNAL_ACCOUNT: {
        /** ID, unique among records of this kind. */
        id: 7;
        /** Display name. */
        name: 'External account';
      };
      /** Pronouns. */
      PRONOUNS: {
        /** ID, unique among records of this kind. */
        id: 8;
        /** Display name. */
        name: 'Pronouns';
      };
    };
  };
  update_display_settings: {
    /** Allow exports to contain your private data. */
    allow_private_data_export?: boolean;
    /** Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
    automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    /** Follow topics in which you are mentioned. */
    automatically_follow_topics_where_mentioned?: boolean;
    /** Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
    automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    /** 1 automatic, 2 dark, 3 light. */
    color_scheme?: 1 | 2 | 3;
    /** Code of the language, such as de or pt-BR. */
    default_language?: string;
    /** Move inactive channels down: 1 automatically, 2 always, 3 never. */
    demote_inactive_streams?: 1 | 2 | 3;
    /** What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count. */
    desktop_icon_count_display?: 1 | 2 | 3 | 4;
    /** Show the names of users who reacted. */
    display_emoji_reaction_users?: boolean;
    /** How long to collect messages before an e-mail notification, in seconds. */
    email_notifications_batching_period_seconds?: number;
    /** Emoji style. */
    emojiset?: 'google' | 'google-blob' | 'text' | 'twitter';
    /** Desktop notifications of direct messages and mentions. */
    enable_desktop_notifications?: boolean;
    /** E-mail once a week about unread messages, if the organization has turned it on. */
    enable_digest_emails?: boolean;
    /** Store drafts on the server. Turning this off deletes the stored drafts. */
    enable_drafts_synchronization?: boolean;
    /** Sounds of followed topics. */
    enable_followed_topic_audible_notifications?: boolean;
    /** Desktop notifications of followed topics. */
    enable_followed_topic_desktop_notifications?: boolean;
    /** E-mail about followed topics. */
    enable_followed_topic_email_notifications?: boolean;
    /** Push notifications of followed topics. */
    enable_followed_topic_push_notifications?: boolean;
    /** Notify of wildcard mentions in followed topics. */
    enable_followed_topic_wildcard_mentions_notify?: boolean;
    /** E-mail about logins from a new device or network. */
    enable_login_emails?: boolean;
    /** Occasional announcements by e-mail. */
    enable_marketing_emails?: boolean;
    /** E-mail about direct messages and mentions while you are away. */
    enable_offline_email_notifications?: boolean;
    /** Push notifications of direct messages and mentions while you are away. */
    enable_offline_push_notifications?: boolean;
    /** Push notifications also while you are online. */
    enable_online_push_notifications?: boolean;
    /** Sounds of direct messages and mentions. */
    enable_sounds?: boolean;
    /** Sounds of channel messages. */
    enable_stream_audible_notifications?: boolean;
    /** Desktop notifications of channel messages. */
    enable_stream_desktop_notifications?: boolean;
    /** E-mail about channel messages. */
    enable_stream_email_notifications?: boolean;
    /** Push notifications of channel messages. */
    enable_stream_push_notifications?: boolean;
    /** Send messages with the Enter key. */
    enter_sends?: boolean;
    /** Use the whole width of the window. */
    fluid_layout_width?: boolean;
    /** Hide AI features. */
    hide_ai_features?: boolean;
    /** Use high contrast. */
    high_contrast_mode?: boolean;
    /** Show the list of people on the left. */
    left_side_userlist?: boolean;
    /** Show the text of messages in e-mail notifications. */
    message_content_in_email_notifications?: boolean;
    /** One of `available_notification_sounds`, or `none`. */
    notification_sound?: string;
    /** Show the text of direct messages in desktop notifications. */
    pm_content_in_desktop_notifications?: boolean;
    /** Let others see whether you are online. */
    presence_enabled?: boolean;
    /** Name the organization in e-mail: 1 automatically, 2 always, 3 never. */
    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    /** See that others type. */
    receives_typing_notifications?: boolean;
    /** Whether notices of resolved topics are marked as read. */
    resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
    /** Let others see that you type in direct messages. */
    send_private_typing_notifications?: boolean;
    /** Let others see which messages you have read. */
    send_read_receipts?: boolean;
    /** Let others see that you type in channels. */
    send_stream_typing_notifications?: boolean;
    /** Show how many messages are starred. */
    starred_message_counts?: boolean;
    /** Turn emoticons such as :) into emoji in your messages. */
    translate_emoticons?: boolean;
    /** Show times as 14:00 instead of 2:00 PM. */
    twenty_four_hour_time?: boolean;
    /** People in lists: 1 compact, 2 with status, 3 with picture and status. */
    user_list_style?: 1 | 2 | 3;
    /** When to animate images. */
    web_animate_image_previews?: 'always' | 'never' | 'on_hover';
    /** What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic. */
    web_channel_default_view?: 1 | 2 | 3 | 4;
    /** Go to the home view with Escape. */
    web_escape_navigates_to_home_view?: boolean;
    /** Font size in pixels. Clients use 12 to 20. */
    web_font_size_px?: number;
    /** View to show first. `recent` is the newer name of `recent_topics`. */
    web_home_view?: 'all_messages' | 'inbox' | 'recent' | 'recent_topics';
    /** Group channels by folder in the inbox. */
    web_inbox_show_channel_folders?: boolean;
    /** Group channels by folder in the sidebar. */
    web_left_sidebar_show_channel_folders?: boolean;
    /** Show the count of unread messages in the sidebar. */
    web_left_sidebar_unreads_count_summary?: boolean;
    /** Line height in percent of the font size. Clients use 122 to 158. */
    web_line_height_percent?: number;
    /** Mark read on scrolling: 1 always, 2 in conversations, 3 never. */
    web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    /** Go to the conversation of a sent message. */
    web_navigate_to_sent_message?: boolean;
    /** Unread counts of channels: 1 all, 2 unmuted, 3 none. */
    web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    /** Suggest updating the time zone if the device uses another. */
    web_suggest_update_timezone?: boolean;
    /** Notify of wildcard mentions, such as `@**all**`. */
    wildcard_mentions_notify?: boolean;
    /** IANA time zone; empty if unknown. */
    timezone?: string;
    /** The emoji styles. */
    emojiset_choices?: readonly [{
      /** Name for programs. */
      key: 'google';
      /** Text to show. */
      text: 'Google';
    }, {
      /** Name for programs. */
      key: 'google-blob';
      /** Text to show. */
      text: 'Google (old style)';
    }, {
      /** Name for programs. */
      key: 'twitter';
      /** Text to show. */
      text: 'Twitter';
    }, {
      /** Name for programs. */
      key: 'text';
      /** Text to show. */
      text: 'Plain text';
    }];
    /** Names of notification sounds. Clients bring the sounds. */
    available_notification_sounds?: readonly string[];
  };
  update_global_notifications: {
    /** Allow exports to contain your private data. */
    allow_private_data_export?: boolean;
    /** Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
    automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    /** Follow topics in which you are mentioned. */
    automatically_follow_topics_where_mentioned?: boolean;
    /** Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
    automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    /** 1 automatic, 2 dark, 3 light. */
    color_scheme?: 1 | 2 | 3;
    /** Code of the language, such as de or pt-BR. */
    default_language?: string;
    /** Move inactive channels down: 1 automatically, 2 always, 3 never. */
    demote_inactive_streams?: 1 | 2 | 3;
    /** What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count. */
    desktop_icon_count_display?: 1 | 2 | 3 | 4;
    /** Show the names of users who reacted. */
    display_emoji_reaction_users?: boolean;
    /** How long to collect messages before an e-mail notification, in seconds. */
    email_notifications_batching_period_seconds?: number;
    /** Emoji style. */
    emojiset?: 'google' | 'google-blob' | 'text' | 'twitter';
    /** Desktop notifications of direct messages and mentions. */
    enable_desktop_notifications?: boolean;
    /** E-mail once a week about unread messages, if the organization has turned it on. */
    enable_digest_emails?: boolean;
    /** Store drafts on the server. Turning this off deletes the stored drafts. */
    enable_drafts_synchronization?: boolean;
    /** Sounds of followed topics. */
    enable_followed_topic_audible_notifications?: boolean;
    /** Desktop notifications of followed topics. */
    enable_followed_topic_desktop_notifications?: boolean;
    /** E-mail about followed topics. */
    enable_followed_topic_email_notifications?: boolean;
    /** Push notifications of followed topics. */
    enable_followed_topic_push_notifications?: boolean;
    /** Notify of wildcard mentions in followed topics. */
    enable_followed_topic_wildcard_mentions_notify?: boolean;
    /** E-mail about logins from a new device or network. */
    enable_login_emails?: boolean;
    /** Occasional announcements by e-mail. */
    enable_marketing_emails?: boolean;
    /** E-mail about direct messages and mentions while you are away. */
    enable_offline_email_notifications?: boolean;
    /** Push notifications of direct messages and mentions while you are away. */
    enable_offline_push_notifications?: boolean;
    /** Push notifications also while you are online. */
    enable_online_push_notifications?: boolean;
    /** Sounds of direct messages and mentions. */
    enable_sounds?: boolean;
    /** Sounds of channel messages. */
    enable_stream_audible_notifications?: boolean;
    /** Desktop notifications of channel messages. */
    enable_stream_desktop_notifications?: boolean;
    /** E-mail about channel messages. */
    enable_stream_email_notifications?: boolean;
    /** Push notifications of channel messages. */
    enable_stream_push_notifications?: boolean;
    /** Send messages with the Enter key. */
    enter_sends?: boolean;
    /** Use the whole width of the window. */
    fluid_layout_width?: boolean;
    /** Hide AI features. */
    hide_ai_features?: boolean;
    /** Use high contrast. */
    high_contrast_mode?: boolean;
    /** Show the list of people on the left. */
    left_side_userlist?: boolean;
    /** Show the text of messages in e-mail notifications. */
    message_content_in_email_notifications?: boolean;
    /** One of `available_notification_sounds`, or `none`. */
    notification_sound?: string;
    /** Show the text of direct messages in desktop notifications. */
    pm_content_in_desktop_notifications?: boolean;
    /** Let others see whether you are online. */
    presence_enabled?: boolean;
    /** Name the organization in e-mail: 1 automatically, 2 always, 3 never. */
    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    /** See that others type. */
    receives_typing_notifications?: boolean;
    /** Whether notices of resolved topics are marked as read. */
    resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
    /** Let others see that you type in direct messages. */
    send_private_typing_notifications?: boolean;
    /** Let others see which messages you have read. */
    send_read_receipts?: boolean;
    /** Let others see that you type in channels. */
    send_stream_typing_notifications?: boolean;
    /** Show how many messages are starred. */
    starred_message_counts?: boolean;
    /** Turn emoticons such as :) into emoji in your messages. */
    translate_emoticons?: boolean;
    /** Show times as 14:00 instead of 2:00 PM. */
    twenty_four_hour_time?: boolean;
    /** People in lists: 1 compact, 2 with status, 3 with picture and status. */
    user_list_style?: 1 | 2 | 3;
    /** When to animate images. */
    web_animate_image_previews?: 'always' | 'never' | 'on_hover';
    /** What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic. */
    web_channel_default_view?: 1 | 2 | 3 | 4;
    /** Go to the home view with Escape. */
    web_escape_navigates_to_home_view?: boolean;
    /** Font size in pixels. Clients use 12 to 20. */
    web_font_size_px?: number;
    /** View to show first. `recent` is the newer name of `recent_topics`. */
    web_home_view?: 'all_messages' | 'inbox' | 'recent' | 'recent_topics';
    /** Group channels by folder in the inbox. */
    web_inbox_show_channel_folders?: boolean;
    /** Group channels by folder in the sidebar. */
    web_left_sidebar_show_channel_folders?: boolean;
    /** Show the count of unread messages in the sidebar. */
    web_left_sidebar_unreads_count_summary?: boolean;
    /** Line height in percent of the font size. Clients use 122 to 158. */
    web_line_height_percent?: number;
    /** Mark read on scrolling: 1 always, 2 in conversations, 3 never. */
    web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    /** Go to the conversation of a sent message. */
    web_navigate_to_sent_message?: boolean;
    /** Unread counts of channels: 1 all, 2 unmuted, 3 none. */
    web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    /** Suggest updating the time zone if the device uses another. */
    web_suggest_update_timezone?: boolean;
    /** Notify of wildcard mentions, such as `@**all**`. */
    wildcard_mentions_notify?: boolean;
    /** IANA time zone; empty if unknown. */
    timezone?: string;
    /** The emoji styles. */
    emojiset_choices?: readonly [{
      /** Name for programs. */
      key: 'google';
      /** Text to show. */
      text: 'Google';
    }, {
      /** Name for programs. */
      key: 'google-blob';
      /** Text to show. */
      text: 'Google (old style)';
    }, {
      /** Name for programs. */
      key: 'twitter';
      /** Text to show. */
      text: 'Twitter';
    }, {
      /** Name for programs. */
      key: 'text';
      /** Text to show. */
      text: 'Plain text';
    }];
    /** Names of notification sounds. Clients bring the sounds. */
    available_notification_sounds?: readonly string[];
  };
  user_settings: {
    /** Your settings. */
    user_settings: {
      /** Allow exports to contain your private data. */
      allow_private_data_export: boolean;
      /** Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_follow_topics_policy: 1 | 2 | 3 | 4;
      /** Follow topics in which you are mentioned. */
      automatically_follow_topics_where_mentioned: boolean;
      /** Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
      /** 1 automatic, 2 dark, 3 light. */
      color_scheme: 1 | 2 | 3;
      /** Code of the language, such as de or pt-BR. */
      default_language: string;
      /** Move inactive channels down: 1 automatically, 2 always, 3 never. */
      demote_inactive_streams: 1 | 2 | 3;
      /** What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count. */
      desktop_icon_count_display: 1 | 2 | 3 | 4;
      /** Show the names of users who reacted. */
      display_emoji_reaction_users: boolean;
      /** How long to collect messages before an e-mail notification, in seconds. */
      email_notifications_batching_period_seconds: number;
      /** Emoji style. */
      emojiset: 'google' | 'google-blob' | 'text' | 'twitter';
      /** Desktop notifications of direct messages and mentions. */
      enable_desktop_notifications: boolean;
      /** E-mail once a week about unread messages, if the organization has turned it on. */
      enable_digest_emails: boolean;
      /** Store drafts on the server. Turning this off deletes the stored drafts. */
      enable_drafts_synchronization: boolean;
      /** Sounds of followed topics. */
      enable_followed_topic_audible_notifications: boolean;
      /** Desktop notifications of followed topics. */
      enable_followed_topic_desktop_notifications: boolean;
      /** E-mail about followed topics. */
      enable_followed_topic_email_notifications: boolean;
      /** Push notifications of followed topics. */
      enable_followed_topic_push_notifications: boolean;
      /** Notify of wildcard mentions in followed topics. */
      enable_followed_topic_wildcard_mentions_notify: boolean;
      /** E-mail about logins from a new device or network. */
      enable_login_emails: boolean;
      /** Occasional announcements by e-mail. */
      enable_marketing_emails: boolean;
      /** E-mail about direct messages and mentions while you are away. */
      enable_offline_email_notifications: boolean;
      /** Push notifications of direct messages and mentions while you are away. */
      enable_offline_push_notifications: boolean;
      /** Push notifications also while you are online. */
      enable_online_push_notifications: boolean;
      /** Sounds of direct messages and mentions. */
      enable_sounds: boolean;
      /** Sounds of channel messages. */
      enable_stream_audible_notifications: boolean;
      /** Desktop notifications of channel messages. */
      enable_stream_desktop_notifications: boolean;
      /** E-mail about channel messages. */
      enable_stream_email_notifications: boolean;
      /** Push notifications of channel messages. */
      enable_stream_push_notifications: boolean;
      /** Send messages with the Enter key. */
      enter_sends: boolean;
      /** Use the whole width of the window. */
      fluid_layout_width: boolean;
      /** Hide AI features. */
      hide_ai_features: boolean;
      /** Use high contrast. */
      high_contrast_mode: boolean;
      /** Show the list of people on the left. */
      left_side_userlist: boolean;
      /** Show the text of messages in e-mail notifications. */
      message_content_in_email_notifications: boolean;
      /** One of `available_notification_sounds`, or `none`. */
      notification_sound: string;
      /** Show the text of direct messages in desktop notifications. */
      pm_content_in_desktop_notifications: boolean;
      /** Let others see whether you are online. */
      presence_enabled: boolean;
      /** Name the organization in e-mail: 1 automatically, 2 always, 3 never. */
      realm_name_in_email_notifications_policy: 1 | 2 | 3;
      /** See that others type. */
      receives_typing_notifications: boolean;
      /** Whether notices of resolved topics are marked as read. */
      resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never';
      /** Let others see that you type in direct messages. */
      send_private_typing_notifications: boolean;
      /** Let others see which messages you have read. */
      send_read_receipts: boolean;
      /** Let others see that you type in channels. */
      send_stream_typing_notifications: boolean;
      /** Show how many messages are starred. */
      starred_message_counts: boolean;
      /** Turn emoticons such as :) into emoji in your messages. */
      translate_emoticons: boolean;
      /** People in lists: 1 compact, 2 with status, 3 with picture and status. */
      user_list_style: 1 | 2 | 3;
      /** When to animate images. */
      web_animate_image_previews: 'always' | 'never' | 'on_hover';
      /** What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic. */
      web_channel_default_view: 1 | 2 | 3 | 4;
      /** Go to the home view with Escape. */
      web_escape_navigates_to_home_view: boolean;
      /** Font size in pixels. Clients use 12 to 20. */
      web_font_size_px: number;
      /** View to show first. `recent` is the newer name of `recent_topics`. */
      web_home_view: 'all_messages' | 'inbox' | 'recent' | 'recent_topics';
      /** Group channels by folder in the inbox. */
      web_inbox_show_channel_folders: boolean;
      /** Group channels by folder in the sidebar. */
      web_left_sidebar_show_channel_folders: boolean;
      /** Show the count of unread messages in the sidebar. */
      web_left_sidebar_unreads_count_summary: boolean;
      /** Line height in percent of the font size. Clients use 122 to 158. */
      web_line_height_percent: number;
      /** Mark read on scrolling: 1 always, 2 in conversations, 3 never. */
      web_mark_read_on_scroll_policy: 1 | 2 | 3;
      /** Go to the conversation of a sent message. */
      web_navigate_to_sent_message: boolean;
      /** Unread counts of channels: 1 all, 2 unmuted, 3 none. */
      web_stream_unreads_count_display_policy: 1 | 2 | 3;
      /** Suggest updating the time zone if the device uses another. */
      web_suggest_update_timezone: boolean;
      /** Notify of wildcard mentions, such as `@**all**`. */
      wildcard_mentions_notify: boolean;
      /** Show times as 14:00 instead of 2:00 PM. null: the user has not chosen, with the capability `time_format_null`. */
      twenty_four_hour_time: boolean | null;
      /** IANA time zone; empty if unknown. */
      timezone: string;
      /** Who can see the address: 1 everyone, 2 members, 3 administrators, 4 no one, 5 moderators. */
      email_address_visibility: 1 | 2 | 3 | 4 | 5;
      /** Names of notification sounds. Clients bring the sounds. */
      available_notification_sounds: readonly string[];
      /** The emoji styles. */
      emojiset_choices: readonly [{
        /** Name for programs. */
        key: 'google';
        /** Text to show. */
        text: 'Google';
      }, {
        /** Name for programs. */
        key: 'google-blob';
        /** Text to show. */
        text: 'Google (old style)';
      }, {
        /** Name for programs. */
        key: 'twitter';
        /** Text to show. */
        text: 'Twitter';
      }, {
        /** Name for programs. */
        key: 'text';
        /** Text to show. */
        text: 'Plain text';
      }];
    };
  };
  realm_user_settings_defaults: {
    /** Settings of new accounts. */
    realm_user_settings_defaults: {
      /** Allow exports to contain your private data. */
      allow_private_data_export: boolean;
      /** Follow topics: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_follow_topics_policy: 1 | 2 | 3 | 4;
      /** Follow topics in which you are mentioned. */
      automatically_follow_topics_where_mentioned: boolean;
      /** Unmute topics of muted channels: 1 on taking part, 2 on sending, 3 on starting the topic, 4 never. */
      automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
      /** 1 automatic, 2 dark, 3 light. */
      color_scheme: 1 | 2 | 3;
      /** Code of the language, such as de or pt-BR. */
      default_language: string;
      /** Move inactive channels down: 1 automatically, 2 always, 3 never. */
      demote_inactive_streams: 1 | 2 | 3;
      /** What the icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 no count. */
      desktop_icon_count_display: 1 | 2 | 3 | 4;
      /** Show the names of users who reacted. */
      display_emoji_reaction_users: boolean;
      /** How long to collect messages before an e-mail notification, in seconds. */
      email_notifications_batching_period_seconds: number;
      /** Emoji style. */
      emojiset: 'google' | 'google-blob' | 'text' | 'twitter';
      /** Desktop notifications of direct messages and mentions. */
      enable_desktop_notifications: boolean;
      /** E-mail once a week about unread messages, if the organization has turned it on. */
      enable_digest_emails: boolean;
      /** Store drafts on the server. Turning this off deletes the stored drafts. */
      enable_drafts_synchronization: boolean;
      /** Sounds of followed topics. */
      enable_followed_topic_audible_notifications: boolean;
      /** Desktop notifications of followed topics. */
      enable_followed_topic_desktop_notifications: boolean;
      /** E-mail about followed topics. */
      enable_followed_topic_email_notifications: boolean;
      /** Push notifications of followed topics. */
      enable_followed_topic_push_notifications: boolean;
      /** Notify of wildcard mentions in followed topics. */
      enable_followed_topic_wildcard_mentions_notify: boolean;
      /** E-mail about logins from a new device or network. */
      enable_login_emails: boolean;
      /** Occasional announcements by e-mail. */
      enable_marketing_emails: boolean;
      /** E-mail about direct messages and mentions while you are away. */
      enable_offline_email_notifications: boolean;
      /** Push notifications of direct messages and mentions while you are away. */
      enable_offline_push_notifications: boolean;
      /** Push notifications also while you are online. */
      enable_online_push_notifications: boolean;
      /** Sounds of direct messages and mentions. */
      enable_sounds: boolean;
      /** Sounds of channel messages. */
      enable_stream_audible_notifications: boolean;
      /** Desktop notifications of channel messages. */
      enable_stream_desktop_notifications: boolean;
      /** E-mail about channel messages. */
      enable_stream_email_notifications: boolean;
      /** Push notifications of channel messages. */
      enable_stream_push_notifications: boolean;
      /** Send messages with the Enter key. */
      enter_sends: boolean;
      /** Use the whole width of the window. */
      fluid_layout_width: boolean;
      /** Hide AI features. */
      hide_ai_features: boolean;
      /** Use high contrast. */
      high_contrast_mode: boolean;
      /** Show the list of people on the left. */
      left_side_userlist: boolean;
      /** Show the text of messages in e-mail notifications. */
      message_content_in_email_notifications: boolean;
      /** One of `available_notification_sounds`, or `none`. */
      notification_sound: string;
      /** Show the text of direct messages in desktop notifications. */
      pm_content_in_desktop_notifications: boolean;
      /** Let others see whether you are online. */
      presence_enabled: boolean;
      /** Name the organization in e-mail: 1 automatically, 2 always, 3 never. */
      realm_name_in_email_notifications_policy: 1 | 2 | 3;
      /** See that others type. */
      receives_typing_notifications: boolean;
      /** Whether notices of resolved topics are marked as read. */
      resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never';
      /** Let others see that you type in direct messages. */
      send_private_typing_notifications: boolean;
      /** Let others see which messages you have read. */
      send_read_receipts: boolean;
      /** Let others see that you type in channels. */
      send_stream_typing_notifications: boolean;
      /** Show how many messages are starred. */
      starred_message_counts: boolean;
      /** Turn emoticons such as :) into emoji in your messages. */
      translate_emoticons: boolean;
      /** Show times as 14:00 instead of 2:00 PM. */
      twenty_four_hour_time: boolean;
      /** People in lists: 1 compact, 2 with status, 3 with picture and status. */
      user_list_style: 1 | 2 | 3;
      /** When to animate images. */
      web_animate_image_previews: 'always' | 'never' | 'on_hover';
      /** What to show when a channel is opened: 1 newest topic, 2 all messages, 3 list of topics, 4 first unread topic. */
      web_channel_default_view: 1 | 2 | 3 | 4;
      /** Go to the home view with Escape. */
      web_escape_navigates_to_home_view: boolean;
      /** Font size in pixels. Clients use 12 to 20. */
      web_font_size_px: number;
      /** View to show first. `recent` is the newer name of `recent_topics`. */
      web_home_view: 'all_messages' | 'inbox' | 'recent' | 'recent_topics';
      /** Group channels by folder in the inbox. */
      web_inbox_show_channel_folders: boolean;
      /** Group channels by folder in the sidebar. */
      web_left_sidebar_show_channel_folders: boolean;
      /** Show the count of unread messages in the sidebar. */
      web_left_sidebar_unreads_count_summary: boolean;
      /** Line height in percent of the font size. Clients use 122 to 158. */
      web_line_height_percent: number;
      /** Mark read on scrolling: 1 always, 2 in conversations, 3 never. */
      web_mark_read_on_scroll_policy: 1 | 2 | 3;
      /** Go to the conversation of a sent message. */
      web_navigate_to_sent_message: boolean;
      /** Unread counts of channels: 1 all, 2 unmuted, 3 none. */
      web_stream_unreads_count_display_policy: 1 | 2 | 3;
      /** Suggest updating the time zone if the device uses another. */
      web_suggest_update_timezone: boolean;
      /** Notify of wildcard mentions, such as `@**all**`. */
      wildcard_mentions_notify: boolean;
      /** Who can see the address: 1 everyone, 2 members, 3 administrators, 4 no one, 5 moderators. */
      email_address_visibility: 1 | 2 | 3 | 4 | 5;
      /** Names of notification sounds. Clients bring the sounds. */
      available_notification_sounds: readonly string[];
      /** The emoji styles. */
      emojiset_choices: readonly [{
        /** Name for programs. */
        key: 'google';
        /** Text to show. */
        text: 'Google';
      }, {
        /** Name for programs. */
        key: 'google-blob';
        /** Text to show. */
        text: 'Google (old style)';
      }, {
        /** Name for programs. */
        key: 'twitter';
        /** Text to show. */
        text: 'Twitter';
      }, {
        /** Name for programs. */
        key: 'text';
        /** Text to show. */
        text: 'Plain text';
      }];
    };
  };
  user_status: {
    /** Status by user ID. */
    user_status: { [key: string]: StatusObject };
  };
  muted_users: {
    /** The users that you muted. */
    muted_users: {
      /** ID of the muted user. */
      id: number;
      /** When the user was muted; UNIX seconds. */
      timestamp: number;
      /** You also block this user (`users.block`). */
      is_blocked?: true | undefined;
    }[];
  };
  alert_words: {
    /** Your alert words. */
    alert_words: string[];
  };
  presence: {
    /** Presence by user. */
    presences: Presences;
    /** Pass it as `last_update_id` to get only later changes. -1 if there is none. */
    presence_last_update_id: number;
    /** Time of the server: UNIX time in seconds. */
    server_timestamp: number;
  };
  realm_user_groups: {
    /** The user groups. */
    realm_user_groups: GroupObject[];
  };
  realm_bot: {
    /** Bots that you own or administer. */
    realm_bots: BotObject[];
  };
  realm_embedded_bots: {
    /** Always empty. */
    realm_embedded_bots: never[];
  };
  realm_incoming_webhook_bots: {
    /** Always empty. */
    realm_incoming_webhook_bots: never[];
  };
  push_device: {
    /** Your registered devices by their ID. */
    push_devices: {
      [key: string]: {
        /** The status. */
        status: 'active' | 'failed' | 'pending';
        /** Why the registration failed; null if it did not. */
        error_code: string | null;
      };
    };
  };
  realm: {
    /** Whether users can edit their messages. */
    realm_allow_message_editing: boolean;
    /** Always empty. */
    realm_authentication_methods: {};
    /** Whether only administrators can change avatars. */
    realm_avatar_changes_disabled: boolean;
    /** Who can see all users. role:everyone includes guests. With role:members, guests see only users they share a conversation with. */
    realm_can_access_all_users_group: GroupSetting;
    /** Who can add custom emoji. */
    realm_can_add_custom_emoji_group: GroupSetting;
    /** Who can subscribe others to channels. */
    realm_can_add_subscribers_group: GroupSetting;
    /** Who can create bots. */
    realm_can_create_bots_group: GroupSetting;
    /** Who can create user groups. */
    realm_can_create_groups: GroupSetting;
    /** Who can create private channels. */
    realm_can_create_private_channel_group: GroupSetting;
    /** Who can create public channels. */
    realm_can_create_public_channel_group: GroupSetting;
    /** Who can create web-public channels. */
    realm_can_create_web_public_channel_group: GroupSetting;
    /** Who can create bots that only send messages. */
    realm_can_create_write_only_bots_group: GroupSetting;
    /** Who can delete any message. */
    realm_can_delete_any_message_group: GroupSetting;
    /** Who can delete their own messages. */
    realm_can_delete_own_message_group: GroupSetting;
    /** Who can invite people by e-mail. */
    realm_can_invite_users_group: GroupSetting;
    /** Who can manage all user groups. */
    realm_can_manage_all_groups: GroupSetting;
    /** For compatibility with clients. There is no billing. */
    realm_can_manage_billing_group: GroupSetting;
    /** Who can use wildcard mentions in large channels and topics. */
    realm_can_mention_many_users_group: GroupSetting;
    /** Who can move messages to another channel. */
    realm_can_move_messages_between_channels_group: GroupSetting;
    /** Who can move messages to another topic. */
    realm_can_move_messages_between_topics_group: GroupSetting;
    /** Who can resolve topics. */
    realm_can_resolve_topics_group: GroupSetting;
    /** Who can set who deletes messages in a channel. */
    realm_can_set_delete_message_policy_group: GroupSetting;
    /** Who can set topics policies of channels. */
    realm_can_set_topics_policy_group: GroupSetting;
    /** For compatibility with clients. There are no summaries. */
    realm_can_summarize_topics_group: GroupSetting;
    /** Who can create multi-use invitation links. */
    realm_create_multiuse_invite_group: GroupSetting;
    /** Default avatar. J: generated by the server. G: from Gravatar, which receives a hash of the e-mail address. */
    realm_default_avatar_source: 'G' | 'J';
    /** Language of code blocks without a language. Empty: plain text. */
    realm_default_code_block_language: string;
    /** Always `en`. */
    realm_default_language: string;
    /** Send an e-mail about unread messages to users who are away, once a week. */
    realm_digest_emails_enabled: boolean;
    /** Day of the weekly e-mail, at 9:00 UTC. 0: Monday. */
    realm_digest_weekday: number;
    /** Who can start direct message conversations. */
    realm_direct_message_initiator_group: GroupSetting;
    /** Direct messages need a participant from this group. */
    realm_direct_message_permission_group: GroupSetting;
    /** Refuse new accounts with disposable e-mail addresses. */
    realm_disallow_disposable_email_addresses: boolean;
    /** Whether only administrators can change their e-mail addresses. */
    realm_email_changes_disabled: boolean;
    /** Whether to accept only e-mail addresses of the allowed domains (`allowedDomains`). Existing accounts keep their addresses. disallow_disposable_email_addresses then has no effect. */
    realm_emails_restricted_to_domains: boolean;
    /** Name to show for the empty topic. */
    realm_empty_topic_display_name: string;
    /** Always true. */
    realm_enable_guest_user_indicator: boolean;
    /** Whether users can see who has read a message. */
    realm_enable_read_receipts: boolean;
    /** Whether people without an account can read web-public channels. */
    realm_enable_spectator_access: boolean;
    /** Always 0: no GIFs. */
    realm_giphy_rating: number;
    /** Always true. */
    realm_inline_image_preview: boolean;
    /** Show title, description and picture of linked pages below messages. The server then fetches the pages. No effect if the operator has turned it off (`server_inline_url_embed_preview`). */
    realm_inline_url_embed_preview: boolean;
    /** Always true. */
    realm_invite_required: boolean;
    /** Always null. */
    realm_jitsi_server_url: string | null;
    /** Whether e-mail notifications may contain the text of messages. */
    realm_message_content_allowed_in_email_notifications: boolean;
    /** How long users can delete their messages, in seconds, or unlimited. */
    realm_message_content_delete_limit_seconds: number | null;
    /** How long users can edit their messages, in seconds, or unlimited. */
    realm_message_content_edit_limit_seconds: number | null;
    /** Edit history shown to users. */
    realm_message_edit_history_visibility_policy: 'all' | 'moves' | 'none';
    /** Days after which messages are deleted, including starred messages, or unlimited. Channels can override it. */
    realm_message_retention_days: number;
    /** How long messages can be moved to another channel, in seconds, or unlimited. */
    realm_move_messages_between_streams_limit_seconds: number | null;
    /** How long messages can be moved to another topic, in seconds, or unlimited. */
    realm_move_messages_within_stream_limit_seconds: number | null;
    /** Whether only administrators can change names. */
    realm_name_changes_disabled: boolean;
    /** Always 0: not specified. */
    realm_org_type: number;
    /** Whether to hide the presence of all users. */
    realm_presence_disabled: boolean;
    /** When the push relay stops accepting notifications: UNIX time in seconds. null: not known to stop. */
    realm_push_notifications_enabled_end_timestamp: number | null;
    /** Omit the message text in push notifications without encryption. */
    realm_require_e2ee_push_notifications: boolean;
    /** Whether names must be unique. */
    realm_require_unique_names: boolean;
    /** Roles that need a second factor for passwords, with all higher roles. Users without one set it up at their next login. Logins and API keys that exist keep working. */
    realm_second_factor_required_for: 'administrators' | 'everyone' | 'members' | 'moderators' | 'nobody' | 'owners';
    /** Whether the notification bot posts changes of a channel in it. */
    realm_send_channel_events_messages: boolean;
    /** Always false. */
    realm_send_welcome_emails: boolean;
    /** Always -1: none. */
    realm_signup_announcements_stream_id: number;
    /** Whether messages need a topic. */
    realm_topics_policy: 'allow_empty_topic' | 'disable_empty_topic';
    /** Always 0: none. */
    realm_video_chat_provider: number;
    /** Days until a new member becomes a full member. */
    realm_waiting_period_threshold: number;
    /** Always false. */
    realm_want_advertise_in_communities_directory: boolean;
    /** Always -1. */
    realm_zulip_update_announcements_stream_id: number;
    /** Name of the organization. */
    realm_name: string;
    /** Description of the organization in Markdown. */
    realm_description: string;
    /** Public URL of the organization. */
    realm_url: string;
    /** The same as `realm_url`, for older clients. */
    realm_uri: string;
    /** Host and port of the public URL. */
    realm_host: string;
    /** Time of creation: UNIX time in seconds. */
    realm_date_created: number;
    /** URL of the icon. */
    realm_icon_url: string;
    /** U: uploaded. D: the default icon. */
    realm_icon_source: 'D' | 'U';
    /** URL of the logo. */
    realm_logo_url: string;
    /** U: uploaded. D: there is no logo. */
    realm_logo_source: 'D' | 'U';
    /** URL of the logo on a dark background. */
    realm_night_logo_url: string;
    /** U: uploaded. D: show the other logo on a dark background too. */
    realm_night_logo_source: 'D' | 'U';
    /** Domain of the e-mail addresses of bots. */
    realm_bot_domain: string;
    /** Always false. */
    realm_is_zephyr_mirror_realm: boolean;
    /** Always 1: self-hosted. */
    realm_plan_type: number;
    /** Whether users can log in with a password. */
    realm_password_auth_enabled: boolean;
    /** Whether users can log in with a password. */
    realm_email_auth_enabled: boolean;
    /** Whether users can see edit histories. */
    realm_allow_edit_history: boolean;
    /** Whether channel messages need a topic. */
    realm_mandatory_topics: boolean;
    /** Markdown text that the welcome bot sends to users who accept an invitation. Empty: no message. Visible only to administrators. */
    realm_welcome_message_custom_text?: string;
    /** How many people each user, except administrators, can invite a day. */
    realm_max_invites?: number;
    /** Whether push notifications are available. */
    realm_push_notifications_enabled: boolean;
    /** ID of the channel that announces new channels; -1: none. */
    realm_new_stream_announcements_stream_id: number;
    /** ID of the private channel for reported messages; -1: none. */
    realm_moderation_request_channel_id: number;
    /** Known sites of external accounts, by `subtype`. */
    realm_default_external_accounts: {
      [key: string]: {
        /** Name in the list from which administrators choose. */
        text: string;
        /** Name of the field. */
        name: string;
        /** Help text. */
        hint: string;
        /** `%(username)s` is replaced with the value of the field. */
        url_pattern: string;
      };
    };
    /** Always 5. Replaced by `realm_can_mention_many_users_group`. */
    realm_wildcard_mention_policy: number;
    /** Always empty. */
    realm_available_video_chat_providers: {};
    /** Space for files in MiB; null: no limit. */
    realm_upload_quota_mib: number | null;
    /** How often clients should report presence, in seconds. */
    server_presence_ping_interval_seconds: number;
    /** After this time without a report, a user counts as offline, in seconds. */
    server_presence_offline_threshold_seconds: number;
    /** After this time without another event, a user no longer types, in milliseconds. */
    server_typing_started_expiry_period_milliseconds: number;
    /** After this time without input, clients should report the end of typing, in milliseconds. */
    server_typing_stopped_wait_period_milliseconds: number;
    /** How often clients should report typing, in milliseconds. */
    server_typing_started_wait_period_milliseconds: number;
    /** Always 14. */
    server_min_deactivated_realm_deletion_days: number;
    /** Always null. */
    server_max_deactivated_realm_deletion_days: null;
    /** Time of the server: UNIX time in seconds. */
    server_timestamp: number;
    /** Constant for the life of the organization. */
    server_generation: number;
    /** Always true. */
    server_inline_image_preview: boolean;
    /** Whether the server can fetch linked pages. */
    server_inline_url_embed_preview: boolean;
    /** Always false. */
    server_avatar_changes_disabled: boolean;
    /** Always false. */
    server_name_changes_disabled: boolean;
    /** Always false. */
    server_needs_upgrade: boolean;
    /** Whether the server allows web-public channels. */
    server_web_public_streams_enabled: boolean;
    /** URL of the names of all emoji, as JSON. */
    server_emoji_data_url: string;
    /** Sizes of thumbnails. */
    server_thumbnail_formats: {
      /** Display name. */
      name: string;
      /** Greatest width in pixels. */
      max_width: 840;
      /** Greatest height in pixels. */
      max_height: 560;
      /** Image format. */
      format: string;
      /** Whether it is animated. */
      animated: boolean;
    }[];
    /** Always null. */
    server_jitsi_server_url: null;
    /** Always true. */
    zulip_plan_is_not_limited: boolean;
    /** Always empty. */
    upgrade_text_for_wide_organization_logo: string;
    /** Ratings of GIFs. Only `disabled`. */
    giphy_rating_options: {
      /** The rating without GIFs. */
      disabled: {
        /** ID, unique among records of this kind. */
        id: number;
        /** Display name. */
        name: string;
      };
    };
    /** Always false. */
    server_can_summarize_topics: boolean;
    /** Reasons to report a message. */
    server_report_message_types: {
      /** Name for programs. */
      key: string;
      /** Display name. */
      name: string;
    }[];
    /** What values each permission may have. */
    server_supported_permission_settings: {
      /** Settings of the organization. */
      realm: {
        [key: string]: {
          /** Whether the value must be a system group. */
          require_system_group: boolean;
          /** Always false. */
          allow_internet_group: boolean;
          /** Whether the group `role:nobody` is allowed. */
          allow_nobody_group: boolean;
          /** Whether the group `role:everyone` is allowed. */
          allow_everyone_group: boolean;
          /** Name of the default group. */
          default_group_name: string;
          /** Always null. */
          default_for_system_groups: null;
          /** Names of the allowed system groups. Empty: all. */
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
      /** ID or record of the channel. */
      stream: {
        [key: string]: {
          /** Whether the value must be a system group. */
          require_system_group: boolean;
          /** Always false. */
          allow_internet_group: boolean;
          /** Whether the group `role:nobody` is allowed. */
          allow_nobody_group: boolean;
          /** Whether the group `role:everyone` is allowed. */
          allow_everyone_group: boolean;
          /** Name of the default group. */
          default_group_name: string;
          /** Always null. */
          default_for_system_groups: null;
          /** Names of the allowed system groups. Empty: all. */
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
      /** The user group. */
      group: {
        [key: string]: {
          /** Whether the value must be a system group. */
          require_system_group: boolean;
          /** Always false. */
          allow_internet_group: boolean;
          /** Whether the group `role:nobody` is allowed. */
          allow_nobody_group: boolean;
          /** Whether the group `role:everyone` is allowed. */
          allow_everyone_group: boolean;
          /** Name of the default group. */
          default_group_name: string;
          /** Always null. */
          default_for_system_groups: null;
          /** Names of the allowed system groups. Empty: all. */
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
    /** Timeout for clients that wait for events, in seconds. */
    event_queue_longpoll_timeout_seconds: number;
    /** Longest content of a message, in characters. */
    max_message_length: number;
    /** Longest topic, in characters. */
    max_topic_length: number;
    /** Longest name of a channel, in characters. */
    max_stream_name_length: number;
    /** Longest description of a channel, in characters. */
    max_stream_description_length: number;
    /** Longest name of a channel folder, in characters. */
    max_channel_folder_name_length: number;
    /** Longest description of a channel folder, in characters. */
    max_channel_folder_description_length: number;
    /** Longest note of a reminder, in characters. */
    max_reminder_note_length: number;
    /** Always 100. */
    max_bulk_new_subscription_messages: number;
    /** Largest file, in MiB; 0 if the server stores no files. */
    max_file_upload_size_mib: number;
    /** Largest avatar, in MiB. */
    max_avatar_file_size_mib: number;
    /** Largest icon, in MiB. */
    max_icon_file_size_mib: number;
    /** Largest logo, in MiB. */
    max_logo_file_size_mib: number;
    /** Shortest password, in characters. */
    password_min_length: number;
    /** Longest password, in characters. */
    password_max_length: number;
    /** Always 0. */
    password_min_guesses: number;
    /** Whether the server can send the weekly e-mail about unread messages. */
    settings_send_digest_emails: boolean;
    /** Space for files in bytes; null: no limit. */
    upload_quota: number | null;
    /** Whether the server is in development mode. */
    development_environment: boolean;
    /** Always null. */
    jitsi_server_url: null;
    /** Always empty. */
    giphy_api_key: string;
    /** Always empty. */
    tenor_api_key: string;
  };
  realm_linkifiers: {
    /** The linkifiers in their order. */
    realm_linkifiers: {
      /** ID, unique among records of this kind. */
      id: number;
      /** RE2 syntax with named groups `(?P<id>…)`. Unique. */
      pattern: string;
      /** URI template (RFC 6570) with the groups of the pattern as variables. */
      url_template: string;
    }[];
  };
  realm_playgrounds: {
    /** The playgrounds. */
    realm_playgrounds: PlaygroundObject[];
  };
  realm_domains: {
    /** The allowed domains. */
    realm_domains: {
      /** In lower case. */
      domain: string;
      /** Whether subdomains are allowed too. */
      allow_subdomains: boolean;
    }[];
  };
}

export type RegisterParameters = {
  /** Send message content as HTML instead of Markdown. */
  apply_markdown?: boolean | undefined;
  /** Return null as `avatar_url` of Gravatar avatars. Default, and null: true. */
  client_gravatar?: boolean | null | undefined;
  /** Include the subscribers of channels. With `partial`, the largest channels get `partial_subscribers` if the response would be too large. */
  include_subscribers?: boolean | 'partial' | undefined;
  /** With `false`, the response has no `never_subscribed`, which lists all other channels that you can see. */
  include_never_subscribed?: boolean | undefined;
  /** Send presence by user ID, in the short format. */
  slim_presence?: boolean | undefined;
  /** Include the presence of users who were active in this many days. */
  presence_history_limit_days?: number | undefined;
  /** Include messages of public channels you are not subscribed to. */
  all_public_streams?: boolean | undefined;
  /** Only send messages that match all these terms: objects, or pairs like `["channel", "general"]`. Members also get matching messages of public channels without a subscription, unless a term selects only their own messages, like `is:mentioned` or `dm`. */
  narrow?: NarrowParam | null | undefined;
  /** Optional features that the client supports, by name. Typing in channels needs `stream_typing_notifications`. With `strict_content`, the HTML of messages in events has no `style` attributes. With `time_format_null`, `twenty_four_hour_time` of `user_settings` is null until the user chooses a format. */
  client_capabilities?: { [key: string]: unknown } | undefined;
  /** @deprecated Old name of `idle_queue_timeout`. */
  queue_lifespan_secs?: number | undefined;
  /** Seconds without a poll until the queue expires: 600 (default) to 604,800, or `mobile` for 7 days. */
  idle_queue_timeout?: 'mobile' | number | undefined;
};

export type Registered = {
  /** Queue ID for GET /events. */
  queue_id: string;
  /** ID of the last event of the queue. */
  last_event_id: number;
  /** Your own ID, whatever `fetch_event_types` selects. */
  user_id: number;
  /** Version of the API that the server speaks. */
  zulip_version: string;
  /** Feature level of the API. */
  zulip_feature_level: number;
  /** The same as `zulip_version`. */
  zulip_merge_base: string;
};

/** A file in the API, for its owner. */
export type AttachmentObject = {
  /** ID of the file. */
  id: number;
  /** Original file name. */
  name: string;
  /** The part of its URL after `/user_uploads/`. */
  path_id: string;
  /** Size in bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  create_time: number;
  /** The newest messages that link to it, newest first. At most 100 messages. */
  messages: {
    /** ID of the message. */
    id: number;
    /** Milliseconds since the epoch. */
    date_sent: number;
  }[];
};

/** A bot as its owner and administrators see it. */
export type BotObject = {
  /** ID of the user. */
  user_id: number;
  /** E-mail address of the bot. */
  username: string;
  /** E-mail address as the API shows it: the real one, or a placeholder. */
  email: string;
  /** Display name of the user. */
  full_name: string;
  /** Kind of the bot: 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number;
  /** User ID of the owner; null if there is none. */
  owner_id: number | null;
  /** False if the account is deactivated. */
  is_active: boolean;
  /** URL of the avatar. null: the client computes the Gravatar URL. */
  avatar_url: string;
  /** Always null. */
  default_sending_stream: string | null;
  /** Always null. */
  default_events_register_stream: string | null;
  /** Always false. */
  default_all_public_streams: boolean;
  /** What the bot calls. Only for outgoing webhooks. */
  services: {
    /** URL that is called. */
    base_url: string;
    /** Format of the calls: 1 native, 2 Slack-compatible. */
    interface: number;
    /** Sent with each webhook call, to verify the caller. Only together with `api_key`. */
    token?: string | undefined;
  }[];
  /** API key. Keep it secret: it gives full access to the account. */
  api_key?: string | undefined;
};

export type ChannelFolderObject = {
  /** ID of the folder. */
  id: number;
  /** Name of the folder. */
  name: string;
  /** Markdown. */
  description: string;
  /** The description as HTML. */
  rendered_description: string;
  /** User ID of the creator; null if none is known. */
  creator_id: number | null;
  /** Time of creation: UNIX time in seconds. */
  date_created: number;
  /** Whether it is archived. */
  is_archived: boolean;
  /** Position among the folders, starting at 0. */
  order: number;
};

/** A channel as shown to all users who may know of it. */
export type ChannelObject = {
  /** Who can add subscribers. */
  can_add_subscribers_group: GroupSetting;
  /** Who can administer the channel. */
  can_administer_channel_group: GroupSetting;
  /** Who can delete any message in it. */
  can_delete_any_message_group: GroupSetting;
  /** Who can delete their own messages in it. */
  can_delete_own_message_group: GroupSetting;
  /** Who can move messages out. */
  can_move_messages_out_of_channel_group: GroupSetting;
  /** Who can move messages in it. */
  can_move_messages_within_channel_group: GroupSetting;
  /** Who can remove subscribers. */
  can_remove_subscribers_group: GroupSetting;
  /** Who can resolve topics. */
  can_resolve_topics_group: GroupSetting;
  /** Who can post. */
  can_send_message_group: GroupSetting;
  /** Who can subscribe if the channel is private. */
  can_subscribe_group: GroupSetting;
  /** ID of the channel. */
  stream_id: number;
  /** Name of the channel. */
  name: string;
  /** Whether it is archived. */
  is_archived: boolean;
  /** Markdown. */
  description: string;
  /** The description as HTML. */
  rendered_description: string;
  /** Time of creation: UNIX time in seconds. */
  date_created: number;
  /** User ID of the creator; null if none is known. */
  creator_id: number | null;
  /** Whether the channel is private. */
  invite_only: boolean;
  /** Whether the channel can be read without an account. */
  is_web_public: boolean;
  /** Whether new subscribers can read earlier messages. */
  history_public_to_subscribers: boolean;
  /** Who can post, for older clients: 1 everyone or other, 2 administrators, 3 full members, 4 moderators. */
  stream_post_policy: number;
  /** Whether only administrators can post, for older clients. */
  is_announcement_only: boolean;
  /** Days to keep messages; -1 forever, null as in the organization. */
  message_retention_days: number | null;
  /** Whether messages need a topic, or have none. */
  topics_policy: string;
  /** ID of the first message; null if there is none. */
  first_message_id: number | null;
  /** ID of the channel folder; null if the channel is in none. */
  folder_id: number | null;
  /** Whether the channel was created or had a message within 180 days. */
  is_recently_active: boolean;
  /** Number of active subscribers. */
  subscriber_count: number;
  /** Always null. */
  stream_weekly_traffic: number | null;
  /** Whether new users are subscribed. */
  is_default?: boolean | undefined;
  /** User IDs of the subscribers. */
  subscribers?: number[] | undefined;
  /** Empty, if there are too many. Use `channels.subscribers`. */
  partial_subscribers?: number[] | undefined;
};

export type ChannelsToJoinParam = readonly {
  /** Display name. */
  name: string;
  /** Description. */
  description?: string | null | undefined;
  /** Color as `#rrggbb`. */
  color?: string | null | undefined;
}[];

export type CustomEmojiObject = {
  /** The `emoji_code` of reactions. */
  id: string;
  /** Name, as in `:name:`. */
  name: string;
  /** Path of the image on the server. */
  source_url: string;
  /** Path of the first frame; null if it is not animated. */
  still_url: string | null;
  /** Deactivated emoji stay in existing messages and reactions. */
  deactivated: boolean;
  /** User ID of the author. */
  author_id: number | null;
};

export type DataExportList = {
  /** ID of the export. */
  id: number;
  /** Administrator who started it. */
  acting_user_id: number;
  /** When it was started; UNIX seconds. */
  export_time: number;
  /** When it was deleted; UNIX seconds. null if it is not deleted. */
  deleted_timestamp: number | null;
  /** When it failed; UNIX seconds. null if it has not failed. */
  failed_timestamp: number | null;
  /** URL of the ZIP file, for administrators. null if there is no file. */
  export_url: string | null;
  /** Whether it is waiting or running. */
  pending: boolean;
  /** 1: public data. 2: also private data of users who allow it. */
  export_type: number;
}[];

export type DraftObject = {
  /** ID of the draft. */
  id: number;
  /** Empty if the draft has no recipient yet. */
  type: '' | 'private' | 'stream';
  /** Channel ID, or user IDs of the recipients. */
  to: number[];
  /** Topic of a channel message. Empty for direct messages. */
  topic: string;
  /** Markdown. */
  content: string;
  /** Time of the last edit: UNIX time in seconds. */
  timestamp: number;
};

/** A draft in a request. Unknown keys are an error, because they would be lost. */
export type DraftParam = {
  /** `stream` (or `channel`), `private` (or `direct`), or empty if there is no recipient yet. */
  type: '' | 'channel' | 'direct' | 'private' | 'stream';
  /** Channel ID, or user IDs of the recipients. Ignored if `type` is empty. */
  to: readonly number[];
  /** Topic of a channel message, at most 60 characters. Ignored for direct messages. */
  topic: string;
  /** Markdown, at most 10000 characters. */
  content: string;
  /** Time of the last edit: UNIX time in seconds, rounded down. Default: now. */
  timestamp?: number | null | undefined;
};

export type FieldData =
  | {
      [key: string]: {
        /** Text to show. */
        text: string;
        /** Position among the options, as a string. */
        order: string;
      };
    }
  | {
      /** Name of a known site, or `custom`. */
      subtype: string;
      /** URL of an account, with `%(username)s` for the user name. */
      url_pattern?: string | undefined;
    };

/** A user group in the API. `members` contains only active direct members. */
export type GroupObject = {
  /** Who can add members. */
  can_add_members_group: GroupSetting;
  /** Who can join the group. */
  can_join_group: GroupSetting;
  /** Who can leave the group. */
  can_leave_group: GroupSetting;
  /** Who can manage the group: settings and members. */
  can_manage_group: GroupSetting;
  /** Who can mention the group. */
  can_mention_group: GroupSetting;
  /** Who can remove members. */
  can_remove_members_group: GroupSetting;
  /** ID of the group. */
  id: number;
  /** Name. System groups have names such as `role:members`. */
  name: string;
  /** Plain text. */
  description: string;
  /** Time of creation: UNIX time in seconds. */
  date_created: number | null;
  /** User ID of the creator; null if none is known. */
  creator_id: number | null;
  /** The users. */
  members: number[];
  /** IDs of groups whose members also belong to the group. */
  direct_subgroup_ids: number[];
  /** Whether the software maintains the group. */
  is_system_group: boolean;
  /** Whether it is deactivated. */
  deactivated: boolean;
};

/** Value of a permission: a group ID, or lists of users and groups. */
export type GroupSetting =
  | number
  | {
      /** IDs of users. */
      direct_members: number[];
      /** IDs of user groups. */
      direct_subgroups: number[];
    };

/** Value of a permission: a group ID, or lists of users and groups. */
export type GroupSettingParam =
  | number
  | {
      /** IDs of users. */
      direct_members: readonly number[];
      /** IDs of user groups. */
      direct_subgroups: readonly number[];
    };

/** New value of a permission. If `old` is set, the current value must equal it. */
export type GroupSettingUpdateParam = {
  /** The new value. */
  new: GroupSettingParam;
  /** The value that you expect now. The call fails if it differs. */
  old?: GroupSettingParam | undefined;
};

export type LinkifierObject = {
  /** Regular expression in the syntax of RE2. */
  pattern: string;
  /** URL template of RFC 6570. */
  url_template: string;
  /** ID of the linkifier. */
  id: number;
};

/** The schema does not distinguish channel and direct messages, because it would have to repeat every field. */
export type MessageObject =
  | {
      /** ID of the message. */
      id: number;
      /** User ID of the sender. */
      sender_id: number;
      /** E-mail address of the sender as the API shows it. */
      sender_email: string;
      /** Display name of the sender. */
      sender_full_name: string;
      /** Always empty. */
      sender_realm_str: string;
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url: string | null;
      /** Name of the client that sent it. */
      client: string;
      /** The text. */
      content: string;
      /** Format of `content`. */
      content_type: 'text/html' | 'text/x-markdown';
      /** ID of the conversation, for compatibility with older clients. */
      recipient_id: number;
      /** Topic of a channel message; empty for direct messages. */
      subject: string;
      /** Links that linkifiers find in the topic. */
      topic_links: {
        /** URL. */
        url: string;
        /** Text to show. */
        text: string;
      }[];
      /** UNIX time in seconds. */
      timestamp: number;
      /** Time of the last edit of the content. Absent if it was never edited. */
      last_edit_timestamp?: number | undefined;
      /** Time of the last move. Absent if it was never moved. */
      last_moved_timestamp?: number | undefined;
      /** Edits and moves, newest first. Absent if there are none or you cannot see them. */
      edit_history?:
        | {
            /** ID of the user. */
            user_id: number | null;
            /** UNIX time in seconds. */
            timestamp: number;
            /** Topic before the move. Absent if the topic did not change. */
            prev_topic?: string | undefined;
            /** Topic. */
            topic?: string | undefined;
            /** Channel ID before the move. Absent if the channel did not change. */
            prev_stream?: number | undefined;
            /** ID or record of the channel. */
            stream?: number | undefined;
            /** Markdown before the edit. Absent if the content did not change. */
            prev_content?: string | undefined;
            /** HTML before the edit. Absent if the content did not change. */
            prev_rendered_content?: string | undefined;
          }[]
        | undefined;
      /** Whether the message begins with `/me`. */
      is_me_message: boolean;
      /** Emoji reactions. */
      reactions: {
        /** Name of the emoji. */
        emoji_name: string;
        /** Code points of a Unicode emoji, or ID of a custom emoji. */
        emoji_code: string;
        /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
        reaction_type: string;
        /** ID of the user. */
        user_id: number;
      }[];
      /** A poll or to-do list, followed by its changes. */
      submessages: {
        /** ID of the submessage. */
        id: number;
        /** ID of the message. */
        message_id: number;
        /** User ID of the sender. */
        sender_id: number;
        /** `widget` for polls, to-do lists and their changes. */
        msg_type: string;
        /** JSON. */
        content: string;
      }[];
      /** Your flags on the message, for example `read` or `mentioned`. */
      flags?: string[] | undefined;
      /** The content as HTML with highlighted words. Only in searches. */
      match_content?: string | undefined;
      /** The topic as HTML with highlighted words. Only in searches. */
      match_subject?: string | undefined;
      /** Kind of the object or event. */
      type: 'private';
      /** ID of the channel. */
      stream_id?: undefined;
      /** Name of the channel, or the participants of a direct conversation. */
      display_recipient: {
        /** ID of the user. */
        id: number;
        /** E-mail address as the API shows it: the real one, or a placeholder. */
        email: string;
        /** Display name of the user. */
        full_name: string;
        /** Always false. */
        is_mirror_dummy: boolean;
      }[];
    }
  | {
      /** ID of the message. */
      id: number;
      /** User ID of the sender. */
      sender_id: number;
      /** E-mail address of the sender as the API shows it. */
      sender_email: string;
      /** Display name of the sender. */
      sender_full_name: string;
      /** Always empty. */
      sender_realm_str: string;
      /** URL of the avatar. null: the client computes the Gravatar URL. */
      avatar_url: string | null;
      /** Name of the client that sent it. */
      client: string;
      /** The text. */
      content: string;
      /** Format of `content`. */
      content_type: 'text/html' | 'text/x-markdown';
      /** ID of the conversation, for compatibility with older clients. */
      recipient_id: number;
      /** Topic of a channel message; empty for direct messages. */
      subject: string;
      /** Links that linkifiers find in the topic. */
      topic_links: {
        /** URL. */
        url: string;
        /** Text to show. */
        text: string;
      }[];
      /** UNIX time in seconds. */
      timestamp: number;
      /** Time of the last edit of the content. Absent if it was never edited. */
      last_edit_timestamp?: number | undefined;
      /** Time of the last move. Absent if it was never moved. */
      last_moved_timestamp?: number | undefined;
      /** Edits and moves, newest first. Absent if there are none or you cannot see them. */
      edit_history?:
        | {
            /** ID of the user. */
            user_id: number | null;
            /** UNIX time in seconds. */
            timestamp: number;
            /** Topic before the move. Absent if the topic did not change. */
            prev_topic?: string | undefined;
            /** Topic. */
            topic?: string | undefined;
            /** Channel ID before the move. Absent if the channel did not change. */
            prev_stream?: number | undefined;
            /** ID or record of the channel. */
            stream?: number | undefined;
            /** Markdown before the edit. Absent if the content did not change. */
            prev_content?: string | undefined;
            /** HTML before the edit. Absent if the content did not change. */
            prev_rendered_content?: string | undefined;
          }[]
        | undefined;
      /** Whether the message begins with `/me`. */
      is_me_message: boolean;
      /** Emoji reactions. */
      reactions: {
        /** Name of the emoji. */
        emoji_name: string;
        /** Code points of a Unicode emoji, or ID of a custom emoji. */
        emoji_code: string;
        /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
        reaction_type: string;
        /** ID of the user. */
        user_id: number;
      }[];
      /** A poll or to-do list, followed by its changes. */
      submessages: {
        /** ID of the submessage. */
        id: number;
        /** ID of the message. */
        message_id: number;
        /** User ID of the sender. */
        sender_id: number;
        /** `widget` for polls, to-do lists and their changes. */
        msg_type: string;
        /** JSON. */
        content: string;
      }[];
      /** Your flags on the message, for example `read` or `mentioned`. */
      flags?: string[] | undefined;
      /** The content as HTML with highlighted words. Only in searches. */
      match_content?: string | undefined;
      /** The topic as HTML with highlighted words. Only in searches. */
      match_subject?: string | undefined;
      /** Kind of the object or event. */
      type: 'stream';
      /** ID of the channel. */
      stream_id: number;
      /** Name of the channel, or the participants of a direct conversation. */
      display_recipient: string;
    };

/** Filters of messages. All must match. */
export type NarrowParam = readonly (
  | readonly [string, boolean | number | string | readonly number[] | readonly string[]]
  | {
      /** Name of the filter. */
      operator: string;
      /** Value of the filter. */
      operand: boolean | number | string | readonly number[] | readonly string[];
      /** Whether to invert the filter. */
      negated?: boolean | undefined;
    })[];

export type NavigationViewObject = {
  /** Part of the URL after `#`, which identifies the view. */
  fragment: string;
  /** Whether it is pinned. */
  is_pinned: boolean;
  /** Null for built-in views. Clients name them. */
  name: string | null;
};

/** The result of operations that set a password. Like a login, they give no key before the set-up of a second factor. */
export type NewPasswordResult = {
  /** E-mail address as the API shows it: the real one, or a placeholder. */
  email: string;
  /** ID of the user. */
  user_id: number;
  /** API key. Absent if the role needs a second factor: log in with a browser to set it up. Also absent if passwords are turned off. */
  api_key?: string | undefined;
};

export type PlaygroundObject = {
  /** ID of the playground. */
  id: number;
  /** Display name. */
  name: string;
  /** Name of the programming language. */
  pygments_language: string;
  /** URL template of RFC 6570. */
  url_template: string;
};

export type Presences =
  | {
      [key: string]: {
        /** Time of the last report with the status active; UNIX seconds. */
        active_timestamp: number;
        /** Time of the last report; UNIX seconds. */
        idle_timestamp: number;
      };
    }
  | {
      [key: string]: {
        /** The newest report of all clients. */
        aggregated: {
          /** Name of the client that sent it. */
          client: 'website';
          /** Status in the last report. A user without a report for 200 seconds is offline. */
          status: 'active' | 'idle';
          /** Time of the last report; UNIX seconds. */
          timestamp: number;
        };
        /** The newest report of all clients. */
        website: {
          /** Name of the client that sent it. */
          client: 'website';
          /** Status in the last report. A user without a report for 200 seconds is offline. */
          status: 'active' | 'idle';
          /** Time of the last report; UNIX seconds. */
          timestamp: number;
          /** Always false. */
          pushable: false;
        };
      };
    };

export type ProfileDataParam = readonly {
  /** ID of the field. */
  id: number;
  /** Depends on the type of the field. null, an empty string or an empty list removes the value. */
  value: string | readonly number[] | null;
}[];

export type ProfileFieldObject = {
  /** ID of the field. */
  id: number;
  /** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns. */
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** Position among the fields, starting at 1. */
  order: number;
  /** Display name. */
  name: string;
  /** Help text for the field. */
  hint: string;
  /** JSON object for types 3 and 7; empty for other types. */
  field_data: string;
  /** Absent: false. */
  display_in_profile_summary?: boolean | undefined;
  /** Clients remind users who have no value. The server does not enforce it. */
  required: boolean;
  /** Whether users can edit it. If false, only administrators can. */
  editable_by_user: boolean;
};

export type ProfileValue = {
  /** A string; also for a list of users, such as `[7,9]`. */
  value: string;
  /** HTML. Only for fields with Markdown. */
  rendered_value?: string | undefined;
};

export type ReactionType = 'realm_emoji' | 'unicode_emoji' | 'zulip_extra_emoji';

export type ReminderObject = {
  /** ID of the reminder. */
  reminder_id: number;
  /** Kind of the object or event. */
  type: 'private';
  /** Your user ID. */
  to: number[];
  /** Markdown with a link to the message and your note. */
  content: string;
  /** The same as HTML. */
  rendered_content: string;
  /** UNIX time in seconds. */
  scheduled_delivery_timestamp: number;
  /** True if the reminder could not be sent. */
  failed: boolean;
  /** Message of the reminder. */
  reminder_target_message_id: number;
};

export type ScheduledMessageObject = {
  /** Not the ID that the message gets when it is sent. */
  scheduled_message_id: number;
  /** `stream` for a channel message, `private` for a direct message. */
  type: 'private' | 'stream';
  /** Channel ID, or the user IDs of all recipients except you. Your own ID if you are the only recipient. */
  to: number | number[];
  /** Only for channel messages. */
  topic?: string | undefined;
  /** Markdown. */
  content: string;
  /** HTML. Rendered again when the message is sent. */
  rendered_content: string;
  /** UNIX time in seconds. */
  scheduled_delivery_timestamp: number;
  /** True if the message could not be sent. Set a new time to send it. */
  failed: boolean;
};

export type SignInResult = {
  /** API key. Keep it secret: it gives full access to the account. */
  api_key: string;
  /** E-mail address as the API shows it: the real one, or a placeholder. */
  email: string;
  /** ID of the user. */
  user_id: number;
};

export type SnippetObject = {
  /** ID of the snippet. */
  id: number;
  /** Title in lists. */
  title: string;
  /** Markdown. */
  content: string;
  /** UNIX time in seconds. */
  date_created: number;
};

/** A status. Absent parts are not set. */
export type StatusObject = {
  /** Legacy: whether presence is turned off. */
  away?: boolean | undefined;
  /** Empty: the text was removed. */
  status_text?: string | undefined;
  /** Empty, like emoji_code: the emoji was removed. */
  emoji_name?: string | undefined;
  /** Code points of a Unicode emoji, or ID of a custom emoji. */
  emoji_code?: string | undefined;
  /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  reaction_type?: string | undefined;
};

export type SubscriptionObject = {
  /** Who can add subscribers. */
  can_add_subscribers_group: GroupSetting;
  /** Who can administer the channel. */
  can_administer_channel_group: GroupSetting;
  /** Who can delete any message in it. */
  can_delete_any_message_group: GroupSetting;
  /** Who can delete their own messages in it. */
  can_delete_own_message_group: GroupSetting;
  /** Who can move messages out. */
  can_move_messages_out_of_channel_group: GroupSetting;
  /** Who can move messages in it. */
  can_move_messages_within_channel_group: GroupSetting;
  /** Who can remove subscribers. */
  can_remove_subscribers_group: GroupSetting;
  /** Who can resolve topics. */
  can_resolve_topics_group: GroupSetting;
  /** Who can post. */
  can_send_message_group: GroupSetting;
  /** Who can subscribe if the channel is private. */
  can_subscribe_group: GroupSetting;
  /** ID of the channel. */
  stream_id: number;
  /** Name of the channel. */
  name: string;
  /** Whether it is archived. */
  is_archived: boolean;
  /** Markdown. */
  description: string;
  /** The description as HTML. */
  rendered_description: string;
  /** Time of creation: UNIX time in seconds. */
  date_created: number;
  /** User ID of the creator; null if none is known. */
  creator_id: number | null;
  /** Whether the channel is private. */
  invite_only: boolean;
  /** Whether the channel can be read without an account. */
  is_web_public: boolean;
  /** Whether new subscribers can read earlier messages. */
  history_public_to_subscribers: boolean;
  /** Who can post, for older clients: 1 everyone or other, 2 administrators, 3 full members, 4 moderators. */
  stream_post_policy: number;
  /** Whether only administrators can post, for older clients. */
  is_announcement_only: boolean;
  /** Days to keep messages; -1 forever, null as in the organization. */
  message_retention_days: number | null;
  /** Whether messages need a topic, or have none. */
  topics_policy: string;
  /** ID of the first message; null if there is none. */
  first_message_id: number | null;
  /** ID of the channel folder; null if the channel is in none. */
  folder_id: number | null;
  /** Whether the channel was created or had a message within 180 days. */
  is_recently_active: boolean;
  /** Number of active subscribers. */
  subscriber_count: number;
  /** Always null. */
  stream_weekly_traffic: number | null;
  /** Whether new users are subscribed. */
  is_default?: boolean | undefined;
  /** User IDs of the subscribers. */
  subscribers?: number[] | undefined;
  /** Empty, if there are too many. Use `channels.subscribers`. */
  partial_subscribers?: number[] | undefined;
  /** Color as `#rrggbb`. */
  color: string;
  /** Whether you muted the channel. */
  is_muted: boolean;
  /** The opposite of `is_muted`, for older clients. */
  in_home_view: boolean;
  /** Whether you pinned the channel. */
  pin_to_top: boolean;
  /** Desktop notifications of its messages; null as in your settings. */
  desktop_notifications: boolean | null;
  /** Sounds of its messages; null as in your settings. */
  audible_notifications: boolean | null;
  /** Push notifications of its messages; null as in your settings. */
  push_notifications: boolean | null;
  /** E-mail about its messages; null as in your settings. */
  email_notifications: boolean | null;
  /** Notifications of wildcard mentions in it; null as in your settings. */
  wildcard_mentions_notify: boolean | null;
};

export type UserObject = {
  /** ID of the user. */
  user_id: number;
  /** Real e-mail address; null if the caller cannot see it. */
  delivery_email: string | null;
  /** API e-mail address: the real address, or a placeholder that works only in the API. */
  email: string;
  /** Display name of the user. */
  full_name: string;
  /** ISO 8601. */
  date_joined: string;
  /** False if the account is deactivated. */
  is_active: boolean;
  /** Whether the user is an owner. */
  is_owner: boolean;
  /** Whether the user is an administrator or owner. */
  is_admin: boolean;
  /** Whether the user is a guest. */
  is_guest: boolean;
  /** Whether the account is a bot. */
  is_bot: boolean;
  /** null: a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number | null;
  /** User ID of the owner of a bot; null for people and for bots without an owner. */
  bot_owner_id: number | null;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  role: number;
  /** IANA time zone; can be empty. Absent for callers without an account. */
  timezone?: string | undefined;
  /** URL of the avatar. null: the client computes the Gravatar URL. */
  avatar_url: string | null;
  /** Rises with every new avatar. */
  avatar_version: number;
  /** Values by the ID of the custom profile field. Absent for bots. */
  profile_data?: { [key: string]: ProfileValue } | undefined;
  /** Whether the account is a bot of the software. Absent: false. */
  is_system_bot?: boolean | undefined;
};

/** Buttons that bots add to a message. */
export type ZformParam = {
  /** Kind of the widget. */
  widget_type: 'zform';
  /** Data of the widget. */
  extra_data: {
    /** Kind of the object or event. */
    type: 'choices';
    /** Text above the buttons. */
    heading: string;
    /** The buttons. */
    choices: readonly {
      /** Short label of the button. */
      short_name: string;
      /** Label of the button. */
      long_name: string;
      /** Text that a click sends. */
      reply: string;
    }[];
  };
};

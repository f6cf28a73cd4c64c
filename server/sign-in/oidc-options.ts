/** The name of a role. */
export type RoleName = 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';

/**
 * An OpenID Connect provider on whose login the chat relies. Register the chat there as a web application with the
 * redirect URI `BASE_URL/login/oidc/ID/callback`.
 */
export interface OidcOptions {
  /** ID in the URLs of the chat: 1 to 30 of a-z, 0-9 and hyphens. Default: `sso`. Each provider needs another one. */
  id?: string;
  /** Name on the button. Default: the host of the issuer. */
  name?: string;
  /** Issuer URL, such as `https://login.example.com/realms/example`. Plain HTTP only on this machine. */
  issuer: string;
  /** ID of the chat at the provider. */
  clientId: string;
  /** Secret of the chat at the provider. Default: none, for a public client. PKCE is always used. */
  clientSecret?: string;
  /** What to ask for, with spaces between. Default: `openid email profile`. */
  scope?: string;
  /**
   * Create an account for everyone who logs in at the provider. Default: only for people with an invitation, and for
   * addresses in the allowed domains of the organization. Never set it for a provider where anyone can register.
   */
  open?: boolean;
  /**
   * Whether each address of this provider counts as verified. Default: only with the claim `email_verified`. Set it only
   * if users cannot choose their address at the provider.
   */
  trustEmail?: boolean;
  /**
   * Domains whose addresses the provider may name, such as `['partner.example']`. People with other addresses can only use
   * logins that they have used before. `['*']` is all domains: then the operator of the provider can open any account that
   * has a verified address. Default: all domains. Several providers have no default, so each needs this option.
   */
  emailDomains?: readonly string[];
  /**
   * Claim with the roles, such as `groups` or `realm_access.roles`. Each login sets the role of the account: the highest
   * role that the claim names, otherwise that of new accounts. Default: logins change no roles.
   */
  roleClaim?: string;
  /** Role for a value of `roleClaim`, such as `{ 'chat-admins': 'administrator' }`. Default: the values are names of roles. */
  roles?: Readonly<Record<string, RoleName>>;
  /**
   * Claim with user groups, by name or external ID. Each login joins those that exist. It leaves those with an external
   * ID that the claim does not name. Default: logins change no groups.
   */
  groupClaim?: string;
}

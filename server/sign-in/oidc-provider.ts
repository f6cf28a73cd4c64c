import type { Configuration, IDToken } from 'openid-client';
import type { Logger } from '../../lib/index.ts';
import { type ExternalPerson, type LoginAttempt, ROLE_NAMES } from '../../lib/internal.ts';
import type { OidcOptions } from './oidc-options.ts';
import { ProviderCalls } from './provider-calls.ts';

/** Seconds for each answer of a provider. */
const TIMEOUT_S = 10;
/** Milliseconds for the login page to learn whether a provider answers. */
const LOOK_MS = 1_000;
/** Milliseconds after which the login page asks again. */
const FRESH_MS = 5 * 60_000;
const RETRY_MS = 10_000;

/** A message for the user. */
export class ProviderFailed extends Error {
  constructor(
    message: string,
    readonly status: 400 | 503,
  ) {
    super(message);
  }
}

/** Loaded when a provider is used. */
const library = () => import('openid-client');

/** An OpenID Connect provider: unknown -> reachable <-> unreachable. The server starts without it. */
export class OidcProvider {
  readonly id: string;
  readonly name: string;
  readonly rules: { isOpen: boolean };
  readonly #calls: ProviderCalls;
  #configuration: Configuration | undefined;
  /** The last attempt to read the description: when it ended, and the error. */
  #read: { atMs: number; error?: unknown } | undefined;
  #reading: Promise<Configuration> | undefined;

  /** @throws TypeError if an option is invalid */
  constructor(
    private readonly options: OidcOptions,
    private readonly logger: Logger,
    /** Without a slash at its end. It may change until the server listens. */
    private readonly baseUrl: () => string,
  ) {
    const { id = 'sso', issuer, clientId, name, open = false } = options;
    if (!/^[a-z0-9-]{1,30}$/.test(id)) throw new TypeError('The ID of a provider must be 1 to 30 of a-z, 0-9 and -.');
    if (clientId.trim() === '') throw new TypeError(`The provider "${id}" needs a client ID.`);
    this.id = id;
    this.#calls = new ProviderCalls(issuerUrl(issuer));
    this.name = name ?? issuerUrl(issuer).host;
    this.rules = { isOpen: open };
  }

  /** Path of the page where a login begins. */
  get path(): string {
    return `/login/oidc/${this.id}`;
  }

  /** Whether the provider answers. Waits a second at most, then assumes what was true before. */
  async isReachable(): Promise<boolean> {
    const { atMs = Number.NEGATIVE_INFINITY, error } = this.#read ?? {};
    const age = performance.now() - atMs;
    if (age < (error === undefined ? FRESH_MS : RETRY_MS)) return error === undefined;
    const reading = this.#readDescription().then(
      () => true,
      () => false,
    );
    const look = new Promise<boolean>((resolve) =>
      setTimeout(resolve, LOOK_MS, this.#configuration !== undefined).unref(),
    );
    return Promise.race([reading, look]);
  }

  /** Where the login continues. @throws ProviderFailed */
  async loginUrl({ state, nonce, verifier }: LoginAttempt): Promise<string> {
    const [client, configuration] = [await library(), await this.#described()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri(),
      scope: this.options.scope ?? 'openid email profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * The person that the provider has logged in.
   * @param query of the request to the redirect URI
   * @throws ProviderFailed
   */
  async personOf(query: string, { state, nonce, verifier }: LoginAttempt): Promise<ExternalPerson> {
    const [client, configuration] = [await library(), await this.#described()];
    const answer = new URL(this.#redirectUri());
    answer.search = query;
    try {
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
      // Many providers keep the ID token short.
      const more = endpoint && (await client.fetchUserInfo(configuration, tokens.access_token, claims.sub));
      // An address and whether it is verified come from the same place.
      const { email, email_verified } = typeof claims.email === 'string' ? claims : { ...more };
      return this.#personWith({ ...more, ...claims, email, email_verified });
    } catch (error) {
      throw this.#failure(error, client);
    }
  }

  /** Where users log out of the provider too. Undefined if it has no such page. */
  async logoutUrl(): Promise<string | undefined> {
    const [client, configuration] = [await library(), await this.#described()];
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${this.baseUrl()}/login` }).href;
  }

  /** Whether the provider has a page to log out. False while it is unknown. */
  get hasLogout(): boolean {
    return this.#configuration?.serverMetadata().end_session_endpoint !== undefined;
  }

  readonly #redirectUri = () => `${this.baseUrl()}${this.path}/callback`;

  async #described(): Promise<Configuration> {
    if (this.#configuration) return this.#configuration;
    try {
      return await this.#readDescription();
    } catch {
      throw new ProviderFailed(`${this.name} does not answer.`, 503);
    }
  }

  #readDescription(): Promise<Configuration> {
    this.#reading ??= this.#discover().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.options;
    const url = issuerUrl(issuer);
    try {
      const client = await library();
      const configuration = await client.discovery(url, clientId, undefined, authentication(client, clientSecret), {
        timeout: TIMEOUT_S,
        [client.customFetch]: this.#calls.fetch,
        execute: [
          client.enableNonRepudiationChecks,
          ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      });
      this.#configuration = configuration;
      this.#read = { atMs: performance.now() };
      return configuration;
    } catch (error) {
      if (!this.#read?.error) this.logger.warn({ error, issuer }, 'an identity provider does not answer');
      this.#read = { atMs: performance.now(), error };
      throw error;
    }
  }

  /** Claims come from outside, so each may have any type. */
  #personWith(claims: Readonly<Record<string, unknown>> & Pick<IDToken, 'iss' | 'sub'>): ExternalPerson {
    const { trustEmail = false, emailDomains, roleClaim, roles, groupClaim } = this.options;
    const { iss: issuer, sub: subject, email, email_verified, name, preferred_username } = claims;
    if (!/^[\x20-\x7e]{1,255}$/.test(subject))
      throw new ProviderFailed(`${this.name} sent a malformed ID of you.`, 400);
    const address = typeof email === 'string' ? email.trim() : undefined;
    const isVerified =
      (trustEmail || email_verified === true || email_verified === 'true') && isInDomains(address, emailDomains);
    return {
      issuer,
      subject,
      email: isVerified ? address : undefined,
      name: [name, preferred_username].find((text) => typeof text === 'string') ?? '',
      role: roleClaim === undefined ? undefined : highestRole(textsAt(claims, roleClaim), roles),
      groups: groupClaim === undefined ? undefined : textsAt(claims, groupClaim),
    };
  }

  #failure(error: unknown, client: Awaited<ReturnType<typeof library>>): Error {
    if (error instanceof ProviderFailed) return error;
    const { code, message, ...answer } = error as Error & Record<string, unknown>;
    const facts = { provider: this.id, code, error: answer.error, description: answer.error_description };
    // The rest of the error may contain codes and tokens.
    this.logger.warn({ ...facts, problem: message }, 'a login at an identity provider failed');
    if (error instanceof client.AuthorizationResponseError)
      return new ProviderFailed(`${this.name} did not log you in.`, 400);
    const isNetwork = error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT';
    return isNetwork
      ? new ProviderFailed(`${this.name} does not answer.`, 503)
      : new ProviderFailed(`The answer of ${this.name} is not valid, or was already used.`, 400);
  }
}

function isInDomains(address: string | undefined, domains: OidcOptions['emailDomains']): boolean {
  const domain = address?.split('@').at(-1)?.toLowerCase();
  return domains === undefined || domains.some((own) => own === '*' || own.toLowerCase() === domain);
}

/** @throws TypeError */
function issuerUrl(issuer: string): URL {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLocal = url && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (!url || url.search || url.hash || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    throw new TypeError(`The issuer "${issuer}" must be an HTTPS URL.`);
  return url;
}

/** Basic authentication is the default of the standard. */
function authentication(client: Awaited<ReturnType<typeof library>>, secret: string | undefined) {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  const authenticate: typeof basic = (server, ...call) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...call);
  };
  return authenticate;
}

/** The texts of a claim. The name may be a path, such as `realm_access.roles`. */
function textsAt(claims: Readonly<Record<string, unknown>>, name: string): string[] {
  const at = (value: unknown, key: string) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined;
  const found = at(claims, name) ?? name.split('.').reduce<unknown>(at, claims);
  const values = Array.isArray(found) ? found : [found];
  return values.filter((value) => typeof value === 'string');
}

function highestRole(values: readonly string[], roles: OidcOptions['roles']): ExternalPerson['role'] {
  const named = values.flatMap((value) => {
    if (!roles) return ROLE_NAMES.get(value) ?? [];
    return Object.hasOwn(roles, value) ? (ROLE_NAMES.get(roles[value] ?? '') ?? []) : [];
  });
  return named.sort((a, b) => a - b)[0] ?? 'default';
}

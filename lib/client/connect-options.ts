/** Options of `connect`. */
export interface ConnectOptions {
  /** Address of the server: `https://chat.example.com`. In browsers also a path on the same host: `/chat`. */
  site: string;
  /** E-mail address of the account. Leave it out for operations that need no login. */
  email?: string;
  /** API key of the account. */
  api_key?: string;
  /** User-Agent header. The server records its first word. Default `Parlance`. */
  client?: string;
  /**
   * Timeout of a call in milliseconds, including its response. Default 15000. Long polls have no limit but that of the
   * server. For uploads it limits the time in which the server accepts no data; in browsers uploads have no timeout.
   */
  timeoutMs?: number;
  /**
   * Time in milliseconds for which `listen` and `register` retry if the server is unreachable, overloaded or
   * rate-limits. `listen` continues without losing events as long as its queue exists. Default 0; in browsers no limit.
   */
  patienceMs?: number;
  /** Skip the check of TLS certificates. Only for your own tests. Default false. Browsers always check. */
  insecure?: boolean;
}

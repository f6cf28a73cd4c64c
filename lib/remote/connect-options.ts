/** Which server, and as whom. */
export interface ConnectOptions {
  /** Address of the server, e.g. `https://chat.example.com`; in a page also a path of its own server, `/chat`. */
  site: string;
  /** Address of the account; left out for what needs no credentials. */
  email?: string;
  /** The API key of the account with that address. */
  api_key?: string;
  /** Name sent as User-Agent; the server records its first word. Default `Parlance`. */
  client?: string;
  /**
   * Milliseconds that a call may take, its answer included. Long polls wait as long as the server holds them; a file
   * takes as long as it takes, where a server that takes nothing of it for so long is given up (in browsers, never).
   * Default 15000.
   */
  timeoutMs?: number;
  /**
   * Milliseconds for which `listen` and `register` go on asking a server that cannot be reached any more, or has no
   * time. `listen` goes on where it was, so that nothing is missed that the server keeps. Default 0; in browsers
   * without end.
   */
  patienceMs?: number;
  /** Whether certificates are not checked; only for tests of your own. Default false; browsers always check. */
  insecure?: boolean;
}

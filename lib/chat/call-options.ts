import type { AbortSignalLike } from '../base/platform-types.ts';

/** The second argument of every method of a session. */
export interface CallOptions {
  /**
   * Cancels the call. It rejects with the reason of the signal, an `AbortError` by default. Over HTTP, this ends the
   * request; the server may still finish it. In process, a read stops waiting for its turn, and a write that has begun
   * commits and resolves.
   */
  signal?: AbortSignalLike | undefined;
}

/** The second argument of `uploads.send`. */
export interface UploadOptions extends CallOptions {
  /**
   * Called with the number of bytes that the server has accepted, and the size of the file. The number falls if the
   * connection broke and the server did not store all of it. Not called for small files, which one request sends: up to
   * 1 MiB in browsers and 25 MiB in Node. Not called in process.
   */
  onProgress?: ((sent: number, of: number) => void) | undefined;
}

/** The second argument of `register`. */
export interface RegisterOptions extends CallOptions {
  /** Called when the state of the connection changes, and before every retry. */
  onState?: ((state: ConnectionState) => void) | undefined;
}

/**
 * The connection of one `listen` or `register`.
 * - `connecting`: the server has not answered yet.
 * - `catching-up`: connected again. The events since the interruption are on their way.
 * - `live`: the server has answered, also if there are no events.
 * - `offline`: the last request failed with `error`, and the next one begins at `retryAt`.
 *
 * The other states have the error that last interrupted the connection as `lastError`.
 */
export type ConnectionState =
  | { state: 'connecting' | 'catching-up' | 'live'; lastError?: Error | undefined }
  | {
      state: 'offline';
      /** Why the last request failed: `Unreachable` or `ChatError`. */
      error: Error;
      /** Milliseconds since the epoch. */
      retryAt: number;
      /** Retries now. Browsers do so by themselves when their network is back. */
      retryNow: () => void;
    };

/**
 * How the events of `listen` arrive.
 * - `stream`: one response brings all events as they happen.
 * - `poll`: each response brings the next events. The server has no streams, or a proxy holds them back.
 * - `local`: in process, without HTTP.
 */
export type EventTransport = 'stream' | 'poll' | 'local';

/**
 * Runs a call, and rejects with the reason of the signal if that caused its failure.
 * @throws the reason of the signal, before the call, if it is aborted already
 */
export async function cancellable<A>(signal: AbortSignalLike | undefined, run: () => Promise<A>): Promise<A> {
  signal?.throwIfAborted();
  try {
    return await run();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

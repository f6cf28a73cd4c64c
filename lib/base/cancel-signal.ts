/** Signals that the client has left: an `AbortSignal`, or the part of it that a call needs. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: CancelListener): void;
  removeEventListener(type: 'abort', listener: CancelListener): void;
}

/** A listener of an `EventTarget`. An object needs no closure. */
export type CancelListener = (() => void) | { handleEvent(): void };

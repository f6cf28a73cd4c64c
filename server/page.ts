/** What is shown at an address beside the API. */
export interface Page {
  /** Default 200. */
  readonly status?: number;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

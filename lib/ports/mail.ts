/** A letter to one person. */
export interface Letter {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

/** Carries letters out of the process; `smtp()` is the real one. */
export interface Mail {
  send(letter: Letter): Promise<void>;
  close(): Promise<void>;
}

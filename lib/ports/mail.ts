/** An e-mail to one person. */
export interface Email {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

/** Carries e-mail out of the process; `smtp()` is the real one. */
export interface Mail {
  send(email: Email): Promise<void>;
  close(): Promise<void>;
}

import { recognizeCopies } from '../base/across-copies.ts';

/** An e-mail to one recipient. */
export interface Email {
  /** Address of the recipient. */
  to: string;
  /** Subject, one line. */
  subject: string;
  /** Body as plain text. */
  text: string;
  /** Body as HTML. */
  html?: string;
  /** Message ID without domain. A retry has the same ID, so that mail programs can detect duplicates. */
  id?: string;
}

/**
 * The recipient does not exist: a retry would not help. Throw it from `send` of your `Mail`. After other errors, the
 * e-mail is sent again later.
 * @example if (answer.status === 422) throw new UndeliverableEmail(`There is no ${email.to}.`);
 */
export class UndeliverableEmail extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UndeliverableEmail';
  }
}

recognizeCopies(UndeliverableEmail, 'UndeliverableEmail');

/** Sends e-mail. Use `smtp()`, or write your own. */
export interface Mail {
  /**
   * Resolves when a mail server has accepted the e-mail.
   * @throws UndeliverableEmail if the recipient does not exist; after any other error, the chat retries later
   */
  send(email: Email): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

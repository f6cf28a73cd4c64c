/** An e-mail to one person. */
export interface Email {
  /** Address of whoever receives it. */
  to: string;
  /** One line. */
  subject: string;
  /** Plain text. */
  text: string;
  /** The same for programs that show HTML. */
  html?: string;
  /** The same whenever this e-mail is sent again, so that whoever receives it twice can tell. */
  id?: string;
}

/** The mail server says that there is no such recipient: sending it again would not help. */
export class UndeliverableEmail extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UndeliverableEmail';
  }
}

/** Carries e-mail out of the process; `smtp()` is the real one. */
export interface Mail {
  /** Resolves once somebody else has taken it on; a rejection is tried again. */
  send(email: Email): Promise<void>;
  /** Lets connections go. */
  close(): Promise<void>;
}

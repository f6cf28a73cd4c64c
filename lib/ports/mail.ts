/** An e-mail to one person. */
export interface Email {
  to: string;
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
  send(email: Email): Promise<void>;
  close(): Promise<void>;
}

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

/** The same in every copy of the package. */
const BRAND: unique symbol = Symbol.for('parlance.UndeliverableEmail');

/**
 * The mail server says that there is no such recipient: sending it again would not help. What else `send` of a `Mail`
 * rejects with is tried again.
 * @example if (answer.status === 422) throw new UndeliverableEmail(`There is no ${email.to}.`);
 */
export class UndeliverableEmail extends Error {
  readonly [BRAND] = true;

  /** The transport may be of another copy than the chat that it works for. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true;
  }

  constructor(message: string) {
    super(message);
    this.name = 'UndeliverableEmail';
  }
}

/** Carries e-mail out of the process; `smtp()` is the real one. */
export interface Mail {
  /**
   * Resolves once somebody else has taken it on. Whatever it rejects with is tried again later, but for an
   * `UndeliverableEmail`.
   */
  send(email: Email): Promise<void>;
  /** Lets connections go. */
  close(): Promise<void>;
}

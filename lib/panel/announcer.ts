/** The least time between two texts, so that a screen reader can finish the first. */
const ANNOUNCEMENT_MS = 2000;
/** Texts that wait at most; leaves out more. */
const MAX_QUEUED_TEXTS = 20;

/**
 * Says texts to screen readers, one each 2 seconds. Counts new messages that wait.
 *
 * States: silent -> spoken (timer runs) -> spoken again, or silent when nothing waits.
 */
export class Announcer {
  readonly #say: (text: string) => void;
  readonly #countOf: (messages: number) => string;
  #texts: string[] = [];
  #messages: string[] = [];
  #messageCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param say puts the text into the live region
   * @param countOf `5 new messages`
   */
  constructor(say: (text: string) => void, countOf: (messages: number) => string) {
    this.#say = say;
    this.#countOf = countOf;
  }

  text(text: string): void {
    if (this.#texts.length < MAX_QUEUED_TEXTS) this.#texts.push(text);
    this.#next();
  }

  /** A new message; several in a row are counted instead. */
  message(text: string): void {
    this.#messages = [text];
    this.#messageCount += 1;
    this.#next();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#texts = [];
    this.#messages = [];
    this.#messageCount = 0;
  }

  #next(): void {
    if (this.#timer !== undefined) return;
    const text = this.#texts.shift() ?? this.#takeMessages();
    if (text === undefined) return;
    this.#say(text);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#next();
    }, ANNOUNCEMENT_MS);
  }

  #takeMessages(): string | undefined {
    const [only] = this.#messages;
    const count = this.#messageCount;
    this.#messages = [];
    this.#messageCount = 0;
    return count > 1 ? this.#countOf(count) : only;
  }
}

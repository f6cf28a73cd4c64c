interface AnchorOptions {
  /** Whether the end of the list is the end of the conversation. */
  mayFollow(): boolean;
  /** Following the end does not move this element out of sight, while the reader is away. */
  limit(): HTMLElement | null;
}

/**
 * Keeps the reader's place to the pixel while rows above change: older messages, images, edits, trimmed rows. Browsers
 * anchor too, except Safari, and not at the top edge. So the style sheet turns that off.
 *
 * States: at the end (follows the end) <-> at a row (keeps its distance from the top). The reader's scrolling changes
 * the state; own corrections do not, so rounding does not add up.
 */
export class ScrollAnchor {
  readonly #scroller: HTMLElement;
  /** Visible rows with their distance from the top. If the first disappears, the next one counts. */
  #rows: { id: string; offset: number }[] = [];
  #isAtEnd = true;
  /** Where an own correction led. */
  #corrected = -1;
  /** Where the list was when its rows were remembered or corrected. */
  #last = 0;
  readonly #options: AnchorOptions;

  constructor(scroller: HTMLElement, options: AnchorOptions) {
    this.#scroller = scroller;
    this.#options = options;
  }

  /** Whether the list follows its end. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** ID of the topmost visible message. */
  get topId(): number | undefined {
    const id = this.#rows[0]?.id;
    return id === undefined ? undefined : Number(id);
  }

  /** After the reader scrolled. */
  onScroll(): void {
    const { scrollTop } = this.#scroller;
    if (Math.abs(scrollTop - this.#corrected) < 1) return;
    this.#corrected = -1;
    this.remember();
  }

  /** After the layout changed. */
  restore(): void {
    this.#followReader();
    if (this.#isAtEnd) return this.toEnd();
    const top = this.#top();
    for (const { id, offset } of this.#rows) {
      const element = rowElement(this.#scroller, id);
      if (!element) continue;
      const drift = anchored(element).getBoundingClientRect().top - top - offset;
      if (Math.abs(drift) >= 0.5) this.#scrollTo(this.#scroller.scrollTop + drift);
      return;
    }
    this.remember();
  }

  toEnd(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    const limit = this.#options.limit();
    const end = scrollHeight - clientHeight;
    const distance = limit ? limit.getBoundingClientRect().top - this.#top() : -1;
    // Out of sight already.
    const isFree = distance < 0;
    this.#scrollTo(isFree ? end : Math.min(end, this.#scroller.scrollTop + distance - LINE_DISTANCE));
    this.remember();
    this.#isAtEnd = true;
  }

  /** Places an element below the top, at a part of the height. */
  toElement(element: HTMLElement, part: number): void {
    const distance = element.getBoundingClientRect().top - this.#top();
    this.#scrollTo(this.#scroller.scrollTop + distance - this.#scroller.clientHeight * part);
    this.remember();
  }

  /** The browser lost the place: the element moved in the document. `restore` finds it again. */
  ignoreMove(): void {
    this.#last = this.#scroller.scrollTop;
  }

  /** A rendering can come between the reader's scrolling and its event. */
  #followReader(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const moved = scrollTop - this.#last;
    // A list that became shorter ends earlier.
    const isCut = moved < 0 && scrollTop >= scrollHeight - clientHeight - 1;
    if (Math.abs(moved) < 1 || isCut) return;
    this.#isAtEnd = false;
    this.#rows = this.#rows.map(({ id, offset }) => ({ id, offset: offset - moved }));
    this.#last = scrollTop;
  }

  #top(): number {
    return this.#scroller.getBoundingClientRect().top;
  }

  #scrollTo(place: number): void {
    this.#scroller.scrollTop = place;
    this.#corrected = this.#scroller.scrollTop;
    this.#last = this.#corrected;
  }

  /** Takes the place that the reader has now as the one to keep. */
  remember(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    this.#isAtEnd = this.#options.mayFollow() && scrollHeight - clientHeight - scrollTop < END_DISTANCE;
    this.#last = scrollTop;
    const top = this.#top();
    this.#rows = visibleRows(this.#scroller).map((element) => ({
      id: element.dataset.id ?? '',
      offset: anchored(element).getBoundingClientRect().top - top,
    }));
  }
}

/** Pixels from the end that still count as the end. */
const END_DISTANCE = 24;
const LINE_DISTANCE = 24;

export const rowElement = (scroller: HTMLElement, id: string | number) =>
  scroller.querySelector<HTMLElement>(`article[data-id="${id}"]`);

export const rowOf = (target: EventTarget | null) =>
  (target as Element | null)?.closest<HTMLElement>('article[data-id]');

/** The field for messages beside the list. */
export const composerOf = (inList: Element | null) =>
  inList?.closest('.conversation')?.querySelector<HTMLElement>('.composer textarea');

/** The text of a row: its heading appears and disappears with the rows above. */
const anchored = (row: HTMLElement) => row.querySelector<HTMLElement>('.body') ?? row;

/** Messages that are at least partly in sight, from the top. */
export function visibleRows(scroller: HTMLElement): HTMLElement[] {
  const rows = scroller.querySelectorAll<HTMLElement>('article[data-id]');
  const { top, bottom } = scroller.getBoundingClientRect();
  // The first row that ends below the top.
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) <= top) from = middle + 1;
    else to = middle;
  }
  const visible: HTMLElement[] = [];
  for (let at = from; at < rows.length; at++) {
    const row = rows[at];
    if (!row || row.getBoundingClientRect().top >= bottom) break;
    visible.push(row);
  }
  return visible;
}

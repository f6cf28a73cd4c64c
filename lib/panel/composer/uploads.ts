import type { ChatStore } from '../../client/store/types.ts';
import { reasonOf } from '../reasons.ts';
import type { ConversationWords, TextsOf } from '../words/conversation-words.ts';
import type { TOOLS_WORDS } from '../words/tools-words.ts';
import type { EditedText } from './text.ts';

/** waiting -> sending -> failed -> waiting. The list has no uploads that have ended. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Bytes. */
  readonly sent: number;
  readonly size: number;
  readonly error?: string;
  /** False for files that the server would refuse again. */
  readonly mayRetry: boolean;
}

interface UploadContext {
  readonly store: ChatStore;
  readonly words: ConversationWords & TextsOf<typeof TOOLS_WORDS>;
  announce(text: string): void;
}

interface Running extends Upload {
  readonly file: Blob;
  /** Stands in the text until the file has an address. Undefined: the file was refused at once. */
  readonly placeholder: string | undefined;
  readonly abort: AbortController;
}

const MAX_AT_ONCE = 3;
export const MAX_FILES = 20;
const BYTES_PER_MIB = 1024 * 1024;
/** A placeholder, which is a link without an address. */
const PLACEHOLDER = /\[[^\]\n]{1,300} …\]\(\)\n?/g;

/** Files on their way into a text. They continue while the user reads another conversation. */
export class Uploads {
  #uploads: readonly Running[] = [];
  readonly #listeners = new Set<() => void>();
  #lastId = 0;

  constructor(
    private readonly text: EditedText,
    private readonly context: UploadContext,
  ) {
    // Of uploads that a closed page has ended.
    const left = text.get();
    if (left.includes(' …]()')) text.set(left.replace(PLACEHOLDER, ''));
  }

  get list(): readonly Upload[] {
    return this.#uploads;
  }

  listen(run: () => void): () => void {
    this.#listeners.add(run);
    return () => this.#listeners.delete(run);
  }

  /** Adds files. Returns what to insert into the text at the caret. */
  add(files: readonly File[]): string {
    const { store, words, announce } = this.context;
    if (files.length > MAX_FILES) announce(words.uploadsTooMany(MAX_FILES));
    const mib = store.organization.get()?.max_file_upload_size_mib;
    const added: Running[] = [];
    for (const file of files.slice(0, MAX_FILES)) {
      const name = file.name || 'file';
      const base = { id: ++this.#lastId, name, file, sent: 0, size: file.size, abort: new AbortController() };
      if (mib !== undefined && file.size > mib * BYTES_PER_MIB) {
        const error = words.uploadTooLarge(name, mib);
        announce(error);
        added.push({ ...base, state: 'failed', error, mayRetry: false, placeholder: undefined });
      } else {
        added.push({ ...base, state: 'waiting', mayRetry: true, placeholder: this.#placeholder(name, added) });
      }
    }
    this.#change([...this.#uploads, ...added]);
    // The placeholders are in the text before the first upload ends.
    queueMicrotask(() => this.#startNext());
    return added.flatMap(({ placeholder }) => placeholder ?? []).join('\n');
  }

  /** Ends the upload, and removes it from the text. */
  remove(id: number): void {
    const upload = this.#uploads.find((each) => each.id === id);
    if (!upload) return;
    upload.abort.abort();
    this.#change(this.#uploads.filter((upload) => upload.id !== id));
    if (upload.placeholder !== undefined) this.#replace(upload.placeholder, '');
    this.#startNext();
  }

  retry(id: number): void {
    this.#update(id, { state: 'waiting', sent: 0, abort: new AbortController() });
    this.#startNext();
  }

  /** Call it before sending: forgets refused files. Returns false while other files are on their way, or failed. */
  finish(): boolean {
    if (this.#uploads.some(({ placeholder }) => placeholder !== undefined)) return false;
    if (this.#uploads.length > 0) this.#change([]);
    return true;
  }

  #startNext(): void {
    const sending = this.#uploads.filter(({ state }) => state === 'sending').length;
    const next = this.#uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, MAX_AT_ONCE - sending));
    for (const upload of next) void this.#send(upload);
  }

  async #send({ id, name, file, placeholder = '', abort }: Running): Promise<void> {
    const { store, words, announce } = this.context;
    this.#update(id, { state: 'sending' });
    const onProgress = (sent: number) => {
      if (!abort.signal.aborted) this.#update(id, { sent });
    };
    try {
      const { url, filename } = await store.session.uploads.send({ file }, { onProgress, signal: abort.signal });
      if (abort.signal.aborted) return;
      this.#change(this.#uploads.filter((upload) => upload.id !== id));
      this.#replace(placeholder, `[${labelOf(filename)}](${url})`);
      announce(words.uploadDone(name));
    } catch (error) {
      if (abort.signal.aborted) return;
      const reason = words.uploadFailed(name, reasonOf(error, words));
      this.#update(id, { state: 'failed', error: reason });
      announce(reason);
    }
    this.#startNext();
  }

  #placeholder(name: string, added: readonly Running[]): string {
    const used = [...this.#uploads, ...added].map(({ placeholder }) => placeholder);
    const label = labelOf(name).slice(0, 200);
    for (let count = 1; ; count += 1) {
      const placeholder = `[${label}${count > 1 ? ` (${count})` : ''} …]()`;
      if (!used.includes(placeholder)) return placeholder;
    }
  }

  /** The user may have removed the placeholder: then the file is not attached. */
  #replace(placeholder: string, replacement: string): void {
    const text = this.text.get();
    if (text.includes(placeholder)) this.text.set(text.replace(placeholder, () => replacement));
  }

  #update(id: number, changes: Partial<Running>): void {
    this.#change(this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  }

  #change(uploads: readonly Running[]): void {
    this.#uploads = uploads;
    for (const run of [...this.#listeners]) run();
  }
}

/** Brackets would end the text of a link. */
const labelOf = (name: string) => name.replace(/[[\]\\\s]+/g, ' ').trim() || 'file';

const uploadsOfTexts = new WeakMap<EditedText, Uploads>();

/** The uploads of a draft. When its topic moves, its text stays the same object. */
export function uploadsOf(text: EditedText, context: UploadContext): Uploads {
  const known = uploadsOfTexts.get(text);
  if (known && known.list.length > 0) return known;
  const uploads = new Uploads(text, context);
  uploadsOfTexts.set(text, uploads);
  return uploads;
}

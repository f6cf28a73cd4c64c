export interface Response {
  status: number;
  /** Bytes. */
  length: number;
  /** Only of a refusal: other bodies are counted, not read. */
  body: string;
  /** The end of the body so far. */
  tail: string;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const NOTHING: Buffer = Buffer.alloc(0);
/** Bytes. */
const TAIL = 200;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Splits the data of a connection into responses, by their Content-Length. */
export class Responses {
  #pending: Buffer | undefined;
  #status = 0;
  #missing = 0;
  #length = 0;
  #body: Buffer[] = [];
  #tail: Buffer = NOTHING;

  constructor(private readonly take: (response: Response) => void) {}

  feed(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0) {
      if (this.#missing > 0) {
        const part = rest.subarray(0, this.#missing);
        rest = rest.subarray(part.length);
        this.#continue(part);
        continue;
      }
      if (this.#pending) rest = Buffer.concat([this.#pending, rest]);
      this.#pending = undefined;
      const end = rest.indexOf(END_OF_HEAD);
      if (end === -1) {
        this.#pending = rest;
        return;
      }
      const head = rest.toString('latin1', 0, end);
      const length = LENGTH.exec(head)?.[1];
      if (length === undefined) throw new Error(`Response without Content-Length: ${head}`);
      this.#status = Number(head.slice(9, 12));
      this.#length = this.#missing = Number(length);
      rest = rest.subarray(end + END_OF_HEAD.length);
      if (this.#missing === 0) this.#finish();
    }
  }

  #continue(part: Buffer): void {
    this.#missing -= part.length;
    if (this.#status !== 200) this.#body.push(part);
    this.#tail = part.length >= TAIL ? part.subarray(-TAIL) : Buffer.concat([this.#tail, part]).subarray(-TAIL);
    if (this.#missing === 0) this.#finish();
  }

  #finish(): void {
    const body = this.#status === 200 ? '' : Buffer.concat(this.#body).toString('utf8');
    this.#body = [];
    const tail = this.#tail.toString('latin1');
    this.#tail = NOTHING;
    this.take({ status: this.#status, length: this.#length, body, tail });
  }
}

import { BadRequest } from '../../kernel/errors.ts';

/** What is wrong with the fields of a record, by field; `__all__` for what concerns several of them. */
export class FieldErrors {
  readonly #errors: Record<string, string[]> = {};

  add(field: string, text: string): void {
    const known = this.#errors[field];
    if (known) known.push(text);
    else this.#errors[field] = [text];
  }

  /** Refuses with the first error as the message and all of them in `errors` (reference 6.21). */
  refuseAny(): void {
    const [first] = Object.values(this.#errors).flat();
    if (first !== undefined) throw new BadRequest(first, { errors: this.#errors });
  }
}

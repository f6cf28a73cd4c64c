import type { SqlValue } from './connection.ts';

/** Conditions joined by AND, with their parameters in order. */
export class Conditions {
  readonly texts: string[] = [];
  readonly params: SqlValue[] = [];

  add(text: string, ...params: SqlValue[]): this {
    this.texts.push(text);
    this.params.push(...params);
    return this;
  }

  join(other: Conditions): this {
    if (other.texts.length > 0) this.add(other.text, ...other.params);
    return this;
  }

  /** Always true if there are no conditions. */
  get text(): string {
    return this.texts.length > 0 ? this.texts.join(' AND ') : '1 = 1';
  }
}

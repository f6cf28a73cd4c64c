import type { Member, Population } from '../population.ts';

/** An API request as a client sends it. */
export interface Attack {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Relative to `/api/v1`. Two leading slashes: relative to the site. */
  path: string;
  /** Added to the authorization of the account, or in its place. */
  headers?: Readonly<Record<string, string>>;
  /** Values other than strings are sent as JSON. */
  fields?: Readonly<Record<string, unknown>>;
  /** A body that is not the usual form. */
  body?: { type: string; content: string };
}

/** Attacks by name. */
export type Attacks = Readonly<Record<string, (population: Population, member: Member) => Attack>>;

export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
export const number = (below: number) => Math.floor(Math.random() * below);
export const some = <T>(list: readonly T[], count: number) => {
  const from = number(Math.max(1, list.length - count));
  return list.slice(from, from + count);
};
export const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);
export const randomName = (prefix: string) => `${prefix} ${Math.random().toString(36).slice(2, 12)}`;
/** A list request of the maximum size. */
export const listing =
  (narrow: (population: Population) => unknown[], others: Readonly<Record<string, unknown>> = {}) =>
  (population: Population): Attack => ({
    method: 'GET',
    path: '/messages',
    fields: { anchor: 'newest', num_before: 5_000, num_after: 0, narrow: narrow(population), ...others },
  });

export function send(to: number, topic: string, content: string): Attack {
  return { method: 'POST', path: '/messages', fields: { type: 'channel', to, topic, content } };
}

export function flags(op: string, flag: string, messages: readonly number[]): Attack {
  return { method: 'POST', path: '/messages/flags', fields: { op, flag, messages } };
}

/**
 * Makes `instanceof` also true for instances from another copy of the package. A program may load both the ESM and the
 * CommonJS build, and a server may come from another copy than the chat. Subclasses keep the normal `instanceof`.
 */
export function recognizeCopies(shared: { readonly prototype: object }, name: string): void {
  const brand = Symbol.for(`parlance.${name}`);
  Object.defineProperty(shared.prototype, brand, { value: true });
  Object.defineProperty(shared, Symbol.hasInstance, {
    value(this: unknown, value: Record<symbol, unknown> | null | undefined) {
      return this === shared ? value?.[brand] === true : Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}

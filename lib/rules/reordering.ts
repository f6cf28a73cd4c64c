import { BadRequest } from '../base/errors.ts';

export function checkCompleteOrder(order: readonly number[], present: readonly number[]): void {
  const named = new Set(order);
  if (order.length === present.length && named.size === order.length && present.every((id) => named.has(id))) return;
  throw new BadRequest('The order must contain every ID exactly once.');
}

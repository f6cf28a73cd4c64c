export function isCompleteOrder(order: readonly number[], present: readonly number[]): boolean {
  const named = new Set(order);
  return order.length === present.length && named.size === order.length && present.every((id) => named.has(id));
}

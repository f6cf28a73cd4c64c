/** The ids of an `ID_LIST`, in no order: of no rows it is null or an empty list, by the engine. */
export function readIds(row: { ids: string | null } | undefined): number[] {
  return JSON.parse(row?.ids ?? '[]');
}

/** Ascending. Most lists come in order, and sorting a long one costs as much as finding it. */
export function inOrder(ids: number[]): number[] {
  for (let at = 1; at < ids.length; at++) {
    if ((ids[at - 1] as number) > (ids[at] as number)) return ids.sort((one, other) => one - other);
  }
  return ids;
}
